import type { RunState } from "../../engine/state/run-state.ts";
import { plainLine } from "../output/plain-text.ts";
import { graphemesOf, widthOf } from "../output/width.ts";
import { waitingGate } from "./decision-rows.ts";
import type { Abilities } from "./help-page.ts";
import { rowOf, type Row } from "./row.ts";
import type { Screen } from "./screen.ts";

const BETWEEN = " · ";

/** What matters most now: a question, what became of a key, the end, stopping, a gate, or the keys. */
export function footRow(state: RunState, width: number, screen: Screen | undefined, abilities: Abilities): Row {
  const { asking, notice } = screen ?? {};
  if (asking?.kind === "steer") return steerRow(nameOf(state, asking.agent), asking.text, width);
  if (asking) return rowOf(width, { text: `Cancel ${nameOf(state, asking.agent)} and all below it? y/n`, tone: "warn" });
  if (notice) return rowOf(width, { text: notice.text, tone: notice.tone });
  if (state.finish) return rowOf(width, { text: `${state.finish.reason}: ${state.finish.detail}`, tone: "strong" });
  if (state.stopping) return rowOf(width, { text: `stopping: ${state.stopping.reason}: ${state.stopping.detail}`, tone: "warn" });
  if (waitingGate(state)) {
    const where = !screen || screen.page.kind === "findings" ? "see above" : "f shows it";
    return rowOf(width, { text: `waits for your decision (${where})`, tone: "warn" });
  }
  return rowOf(width, { text: screen ? keysLine(screen, width, abilities) : "", tone: "dim" });
}

/** As many keys as there is room for, the help among them always. */
function keysLine({ page }: Screen, width: number, { isAttached, canDetach }: Abilities): string {
  const help = page.kind === "help" ? "Esc back" : "? help";
  const detach = isAttached || canDetach ? ["q detach"] : [];
  const keys =
    page.kind === "run"
      ? ["↑↓ select", "Enter transcript", "f findings", "s steer", "p pause", "c cancel", ...detach]
      : ["↑↓ scroll", ...(page.kind === "help" ? [] : ["Esc back", "s steer"])];
  const shown: string[] = [];
  for (const key of [isAttached ? "Ctrl-C leaves" : "Ctrl-C saves and stops", ...keys]) {
    if (widthOf([...shown, key, help].join(BETWEEN)) > width) break;
    shown.push(key);
  }
  return [...shown, help].join(BETWEEN);
}

/** The end of the message is where it grows, so that its beginning gives way. */
function steerRow(name: string, text: string, width: number): Row {
  const label = `To ${name}: `;
  const start = widthOf(label) > width / 2 ? "> " : label;
  const letters = graphemesOf(plainKeepingEnd(text));
  let room = width - widthOf(start) - 1;
  let first = letters.length;
  while (first > 0 && room - widthOf(letters[first - 1] ?? "") >= 0) {
    first -= 1;
    room -= widthOf(letters[first] ?? "");
  }
  return [...rowOf(width, { text: start, tone: "accent" }), { text: `${letters.slice(first).join("")}▏` }];
}

/** Spaces that were typed last are shown. */
function plainKeepingEnd(text: string): string {
  return plainLine(text) + (/ +$/.exec(text)?.[0] ?? "");
}

function nameOf(state: RunState, id: string): string {
  return plainLine(`${id} ${state.agents.get(id)?.spec.name ?? ""}`);
}
