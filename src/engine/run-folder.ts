import { join } from "node:path";

/** Paths of one run under `.hypo/runs/<run-id>/`. */
export interface RunFolder {
  path: string;
  meta: string;
  status: string;
  report(branch: string): { folder: string; markdown: string; json: string };
  agentSpec(agent: string): string;
  sessions(branch: string): string;
}

export function runFolder(stateFolder: string, run: string): RunFolder {
  const path = join(stateFolder, "runs", run);
  return {
    path,
    meta: join(path, "meta.json"),
    status: join(path, "status.json"),
    report(branch) {
      const folder = branch === "main" ? path : join(path, "reports", branch);
      return { folder, markdown: join(folder, "report.md"), json: join(folder, "report.json") };
    },
    agentSpec: (agent) => join(path, "agents", `${agent}.md`),
    sessions: (branch) => join(path, "sessions", branch),
  };
}
