import type { Shell } from "../commands/options.ts";

/** What each shell sources. Candidates come from hypo itself, so that they are those of the installed version. */
export const COMPLETION_SCRIPTS: Readonly<Record<Shell, string>> = {
  bash: `# hypo completion for bash: eval "$(hypo completion bash)"
_hypo_complete() {
  local value summary
  COMPREPLY=()
  while IFS=$'\\t' read -r value summary; do
    case $value in
      :files) compopt -o default ;;
      :folders) compopt -o dirnames ;;
      *) COMPREPLY+=("$value") ;;
    esac
  done < <(hypo __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _hypo_complete hypo
`,
  zsh: `#compdef hypo
# hypo completion for zsh: eval "$(hypo completion zsh)" after compinit, or as _hypo in a folder of $fpath
_hypo() {
  local -a lines found
  local line
  lines=("\${(@f)$(hypo __complete -- "\${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
  case \${lines[1]} in
    :files) _files; return ;;
    :folders) _files -/; return ;;
  esac
  for line in $lines; do
    [[ -n $line ]] && found+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done
  _describe -t hypo hypo found
}
if [[ \${funcstack[1]} == _hypo ]]; then _hypo "$@"; else compdef _hypo hypo; fi
`,
  fish: `# hypo completion for fish: hypo completion fish | source
function __hypo_complete
    set -l words (commandline -opc)
    set -e words[1]
    set -l current (commandline -ct)
    set -l lines (hypo __complete -- $words "$current" 2>/dev/null)
    switch "$lines[1]"
        case :files
            __fish_complete_path "$current"
        case :folders
            __fish_complete_directories "$current"
        case '*'
            printf '%s\\n' $lines
    end
end
complete -c hypo -f -k -a '(__hypo_complete)'
`,
};
