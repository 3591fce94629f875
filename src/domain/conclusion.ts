import type { FindingStatus } from "./finding.ts";
import type { AgentId, ItemId, RunId } from "./ids.ts";

/** What a run leaves to later runs: its answer, or what it taught about how to work. Kept as a note. */
export interface Conclusion {
  kind: "synthesis" | "lesson";
  id: ItemId;
  status: FindingStatus;
  title: string;
  statement: string;
  /** What it rests on, a line each. */
  evidence: string[];
  limitations: string[];
  /** How sure the supervisor was; undefined where nobody said. */
  confidence: string | undefined;
  run: RunId;
  agent: AgentId;
  created: string;
}
