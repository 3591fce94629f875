import { buildView, type View, type ViewInput } from "../../../src/cli/view/view-model.ts";
import { project } from "../../../src/engine/state/evolve.ts";
import { emptyLedger, evolveLedger } from "../../../src/engine/state/ledger.ts";
import { BEGAN, type FactList } from "./a-run.ts";

/** What a view of a run is built from: 80 x 20 without keys, five minutes after its beginning. */
export function inputOf(list: FactList, options: Partial<ViewInput> = {}): ViewInput {
  return {
    state: project(list.facts),
    ledger: list.facts.reduce(evolveLedger, emptyLedger()),
    now: BEGAN + 300_000,
    columns: 80,
    rows: 20,
    screen: undefined,
    transcript: undefined,
    said: [],
    progress: new Map(),
    hypo: "hypo",
    abilities: { isAttached: false, canDetach: false },
    ...options,
  };
}

export function viewOf(list: FactList, options?: Partial<ViewInput>): View {
  return buildView(inputOf(list, options));
}
