import { join } from "node:path";

/** Paths of one run under `.hypo/runs/<run-id>/`. */
export interface RunFolder {
  path: string;
  meta: string;
  status: string;
  control: string;
  report(branch: string): { folder: string; markdown: string; json: string };
  /** @param course `courseName` of the branch that spawned it; the first course of main has no folder of its own */
  agentSpec(agent: string, course: string): string;
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
    agentSpec: (agent, course) => join(path, "agents", ...(course === "main" ? [] : [course]), `${agent}.md`),
    control: join(path, "control"),
    sessions: (branch) => join(path, "sessions", branch),
  };
}
