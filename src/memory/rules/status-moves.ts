import { FindingStatus } from "../../domain/finding.ts";

/** Where a status may go. Evidence raises or lowers one; what is outdated stays so, and its successor speaks for it. */
const MOVES: Record<FindingStatus, readonly FindingStatus[]> = {
  observed: ["corroborated", "contested", "rejected", "outdated"],
  corroborated: ["observed", "contested", "rejected", "outdated"],
  contested: ["observed", "corroborated", "inferred", "rejected", "outdated"],
  inferred: ["contested", "rejected", "outdated"],
  hypothetical: ["tested", "rejected", "outdated"],
  tested: ["contested", "rejected", "outdated"],
  rejected: ["contested", "outdated"],
  outdated: [],
};

/** Whether a note may go from one status to the other. A status of a person's own may go anywhere, and come from anywhere. */
export function isAllowedMove(from: string, to: string): boolean {
  const [known, wanted] = [FindingStatus.safeParse(from), FindingStatus.safeParse(to)];
  return from === to || !known.success || !wanted.success || MOVES[known.data].includes(wanted.data);
}

export function allowedMoves(from: string): readonly string[] {
  const known = FindingStatus.safeParse(from);
  return known.success ? MOVES[known.data] : FindingStatus.options;
}
