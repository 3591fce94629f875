import { ROOT_AGENT, type AgentId } from "../../domain/ids.ts";
import { isFinished, type RunState } from "../../engine/state/run-state.ts";
import { askKey, type Command } from "./answer-key.ts";
import type { Abilities } from "./help-page.ts";
import type { Key } from "./keys.ts";
import type { Page, Screen } from "./screen.ts";
import { moveInTree } from "./tree-keys.ts";
import type { View } from "./view-model.ts";

/** What a key is pressed in: the run, and the view that the person sees. */
export interface Seen {
  state: RunState;
  view: Pick<View, "lines" | "maxScroll" | "pageHeight">;
  abilities: Abilities;
}

/** The screen after a key, and what it asks to be done. */
interface Pressed {
  screen: Screen;
  command?: Command;
}

/** What a key does. Pure. */
export function pressKey(screen: Screen, key: Key, seen: Seen): Pressed {
  // What becomes of it is told on the last row, where a question would stand before it.
  if (key.name === "interrupt") return { screen: { ...screen, asking: undefined }, command: { do: "interrupt" } };
  if (key.name === "suspend") return { screen, command: { do: "suspend" } };
  if (screen.asking) return askKey(screen, screen.asking, key);
  const clear: Screen = { ...screen, notice: undefined };
  if (key.name === "letter") return pressLetter(clear, key.letter, seen);
  if (key.name === "escape") return { screen: open(clear, { kind: "run" }) };
  if (screen.page.kind === "run") {
    return { screen: key.name === "enter" ? enterLine(clear, seen) : moveInTree(clear, key.name, seen) };
  }
  return { screen: scrollPage(clear, key.name, seen) };
}

function pressLetter(screen: Screen, letter: string, { state, abilities }: Seen): Pressed {
  const { page, selected } = screen;
  switch (letter) {
    case "?":
      return { screen: open(screen, page.kind === "help" ? { kind: "run" } : { kind: "help" }) };
    case "f":
      return { screen: open(screen, page.kind === "findings" ? { kind: "run" } : { kind: "findings" }) };
    case "s":
      return { screen: askOf(screen, state, { kind: "steer", agent: selected, text: "" }) };
    case "c":
      return { screen: selected === ROOT_AGENT ? refuseRoot(screen) : askOf(screen, state, { kind: "cancel", agent: selected }) };
    case "p":
      return { screen, command: { do: state.status === "paused" ? "unpause" : "pause" } };
    case "q":
      if (abilities.isAttached || abilities.canDetach) return { screen, command: { do: "detach" } };
      return { screen: withNotice(screen, "Ctrl-C saves the run and stops; `hypo resume` goes on with it.") };
    default:
      return { screen };
  }
}

function open(screen: Screen, page: Page): Screen {
  return { ...screen, page, scroll: 0 };
}

/** Only agents at work can be told something or be cancelled. */
function askOf(screen: Screen, state: RunState, asking: NonNullable<Screen["asking"]>): Screen {
  const agent = state.agents.get(asking.agent);
  if (!agent) return withNotice(screen, "There is no agent yet.");
  if (isFinished(agent)) return withNotice(screen, `${agent.id} has ended (${agent.status}).`);
  return { ...screen, asking };
}

function refuseRoot(screen: Screen): Screen {
  return withNotice(screen, "The supervisor cannot be cancelled; `hypo stop` saves and ends the run.");
}

function withNotice(screen: Screen, text: string): Screen {
  return { ...screen, notice: { text, tone: "warn" } };
}

/** Opens several finished agents one by one, or an agent's transcript. */
function enterLine(screen: Screen, seen: Seen): Screen {
  const line = seen.view.lines.find((each) => each.kind === "finished" && each.agents.some(({ id }) => id === screen.selected));
  if (line) return moveInTree(screen, "right", seen);
  const agent: AgentId = screen.selected;
  return seen.state.agents.has(agent) ? open(screen, { kind: "transcript", agent }) : screen;
}

function scrollPage(screen: Screen, name: Key["name"], { view }: Seen): Screen {
  const { maxScroll, pageHeight } = view;
  // A transcript opens at its end, so that it is moved the other way.
  const isFromEnd = screen.page.kind === "transcript";
  const down = isFromEnd ? -1 : 1;
  const steps: Partial<Record<Key["name"], number>> = { down: 1, up: -1, page_down: pageHeight, page_up: -pageHeight };
  const at = Math.min(screen.scroll, maxScroll);
  const ends: Partial<Record<Key["name"], number>> = { home: isFromEnd ? maxScroll : 0, end: isFromEnd ? 0 : maxScroll };
  const to = ends[name] ?? at + down * (steps[name] ?? 0);
  return { ...screen, scroll: Math.min(maxScroll, Math.max(0, to)) };
}
