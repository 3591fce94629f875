/** Why a relative path cannot be used inside an experiment or taken out of one; undefined where it can. */
export function pathProblem(path: string): string | undefined {
  const parts = path.split("/");
  if (path === "") return "the name is empty";
  if (path.startsWith("/")) return "the name is absolute";
  if (parts.some((part) => part === "" || part === "." || part === "..")) return "the name has an empty, . or .. part";
  if (/[\p{Cc}\\\u202a-\u202e\u2066-\u2069]/u.test(path)) return "the name has control characters or backslashes";
  if (path.includes("\ufffd")) return "the name is not valid UTF-8";
  if (parts.length > 16) return "the name is more than 16 folders deep";
  if (parts.some((part) => Buffer.byteLength(part) > 200) || Buffer.byteLength(path) > 1000) return "the name is too long";
  return undefined;
}

/** Two names with the same key may be one file on some file systems. */
export function foldedName(path: string): string {
  return path.normalize("NFC").toLowerCase();
}
