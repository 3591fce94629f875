import { wrapLine } from "../output/wrap.ts";
import { fit } from "../output/width.ts";
import { rowOf, type Row } from "./row.ts";

/** What can be done from this view: one of a run in another process can be left, one's own is saved and stopped. */
export interface Abilities {
  isAttached: boolean;
  canDetach: boolean;
}

/** The keys and the signs of the view. */
export function helpRows({ isAttached, canDetach }: Abilities, width: number): Row[] {
  const keys: readonly (readonly [key: string, what: string])[] = [
    ["↑ ↓", "choose an agent; Page Up, Page Down, Home and End go further"],
    ["← →", "fold and open what is below it"],
    ["Enter", "its transcript, as it grows; Esc goes back"],
    ["f", "in full: what waits for your decision, findings, verdicts, experiments, warnings"],
    ["s", "send the agent a message"],
    ["c", "cancel the agent and all below it"],
    ["p", "pause, and go on"],
    ...(isAttached
      ? [["q", "leave; the run stays at work"] as const]
      : canDetach
        ? [["q", "leave; the run goes on in the background"] as const]
        : []),
    ["Ctrl-C", isAttached ? "leave as well" : "save the run and stop; again to stop at once"],
    ["Ctrl-Z", isAttached ? "suspend the view; `fg` brings it back" : "suspend hypo and the run with it; `fg` goes on"],
    ["? Esc", "close this"],
    ["○ ● ✓", "waits, works, completed"],
    ["✗ ⊘ ◷", "failed, cancelled, timed out"],
    ["‖ ∅", "interrupted, ended without a result"],
  ];
  return keys.flatMap(([key, what]) =>
    wrapLine(what, Math.max(10, width - 9)).map((line, at) =>
      rowOf(width, { text: fit(at === 0 ? key : "", 8), tone: "strong" }, ` ${line}`),
    ),
  );
}
