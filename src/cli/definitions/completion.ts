import { SHELLS } from "../commands/options.ts";
import type { CommandDefinition } from "../definition.ts";

export const completion: CommandDefinition = {
  name: "completion",
  summary: "Print what your shell needs to complete hypo's command lines",
  description: "Commands, options, their values, and ids of runs, agents, experiments, sources and notes, and settings.",
  arguments: [{ name: "shell", summary: "the shell", required: true, choices: SHELLS }],
  options: [],
  examples: [
    { command: `echo 'eval "$(hypo completion bash)"' >> ~/.bashrc`, says: "bash" },
    { command: `echo 'eval "$(hypo completion zsh)"' >> ~/.zshrc`, says: "zsh, after compinit" },
    { command: "hypo completion fish > ~/.config/fish/completions/hypo.fish", says: "fish" },
  ],
  async start(given, common, io) {
    const { completionCommand } = await import("../commands/completion.ts");
    return completionCommand(SHELLS.find((shell) => shell === given.argument(0)) ?? "bash", common, io);
  },
};
