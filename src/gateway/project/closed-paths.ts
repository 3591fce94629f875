/** Files that no agent may see: keys, tokens and what tools keep them in. Names are compared in lower case. */
const CLOSED_NAMES: readonly RegExp[] = [
  /^\.env(\..*)?$/,
  /^\.envrc$/,
  /^id_(rsa|dsa|ecdsa|ed25519)/,
  /\.(pem|key|p12|pfx|jks|keystore|kdbx|ppk|asc|gpg)$/,
  /^\.(netrc|npmrc|pypirc|git-credentials|pgpass|my\.cnf|htpasswd|boto|s3cfg|dockercfg|yarnrc(\.yml)?)$/,
  /^_netrc$/,
  /^(auth|credentials|client_secret.*|service[-_]?account.*)\.json$/,
  /^credentials$/,
  /^secrets?\.(ya?ml|json|toml|env)$/,
];

/** Folders that are closed with all that is in them. */
const CLOSED_FOLDERS: ReadonlySet<string> = new Set([".ssh", ".gnupg", ".aws", ".azure", ".kube", ".docker", ".git"]);

/** Folders that are not walked, for they are large and not the person's own writing. */
const SKIPPED_FOLDERS: ReadonlySet<string> = new Set([".git", "node_modules", ".hypo", ".venv", "__pycache__"]);

/** Why a path (relative to the project, with `/`) is closed; undefined where it is open. */
export function findClosedReason(path: string): string | undefined {
  const parts = path.toLowerCase().split("/");
  const folder = parts.find((part) => CLOSED_FOLDERS.has(part));
  if (folder !== undefined) return `${folder} is closed to agents`;
  const name = parts.at(-1) ?? "";
  return CLOSED_NAMES.some((closed) => closed.test(name)) ? "files that may hold secrets are closed to agents" : undefined;
}

export function isSkippedFolder(name: string): boolean {
  return SKIPPED_FOLDERS.has(name);
}
