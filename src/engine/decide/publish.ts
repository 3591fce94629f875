import type { Evidence, Finding, FindingStatus, FindingType } from "../../domain/finding.ts";
import type { RunState } from "../state/run-state.ts";

/** The statuses that an agent may ask for, by type; the first is taken when it asks for none. */
const STATUSES: Record<FindingType, [FindingStatus, ...FindingStatus[]]> = {
  fact: ["observed", "corroborated", "contested"],
  inference: ["inferred", "contested"],
  hypothesis: ["hypothetical"],
  counterargument: ["observed", "inferred", "contested"],
  experiment_result: ["tested"],
  open_question: ["hypothetical"],
};

export interface FindingDraft {
  type: FindingType;
  status: FindingStatus | undefined;
  evidence: Evidence[];
  experiments: string[];
  related: Finding["related"];
}

/** Rules of publishing that need no source text. Gives the status, or why the finding is refused. */
export function decideStatus(
  state: RunState,
  draft: FindingDraft,
  independentSources: number,
): { status: FindingStatus } | { refused: string } {
  const { type, experiments } = draft;
  const allowed = STATUSES[type];
  const status = draft.status ?? allowed[0];
  if (!allowed.includes(status)) {
    return { refused: `A finding of type ${type} cannot have the status ${status}. Use ${allowed.join(" or ")}.` };
  }
  if (type === "fact" && draft.evidence.length === 0) {
    return {
      refused:
        "A fact needs evidence: a source id and a word-for-word quote from it. " +
        "Without a source, publish it as an inference or a hypothesis.",
    };
  }
  if (status === "corroborated" && independentSources < 2) {
    return {
      refused:
        `corroborated needs quotes from two independent sources, and these are ${independentSources}. ` +
        "Find another document that is not a copy, or publish it as observed.",
    };
  }
  const unknown = experiments.find((id) => !state.experiments.has(id));
  if (unknown !== undefined)
    return { refused: `There is no experiment ${unknown}. Experiments are named by the id that register_experiment gave.` };
  if (type === "experiment_result" && !experiments.some((id) => hasRun(state, id))) {
    return {
      refused: "An experiment_result needs the id of an experiment that has run. Register and run it first, or publish an inference.",
    };
  }
  return { status };
}

function hasRun(state: RunState, id: string): boolean {
  return (state.experiments.get(id)?.executions ?? []).some((each) => each.finished?.status === "completed");
}
