import { ROOT_AGENT, type AgentId } from "../../domain/ids.ts";
import type { Tone } from "../output/color.ts";
import type { Folding } from "./tree-lines.ts";

/** What the screen shows: the run, or one thing of it over its whole height. */
export type Page = { kind: "run" } | { kind: "transcript"; agent: AgentId } | { kind: "findings" } | { kind: "help" };

/** A question on the last row, which takes the keys until it is answered. */
type Asking = { kind: "steer"; agent: AgentId; text: string } | { kind: "cancel"; agent: AgentId };

/** What a person has done to the view. Plain data; `pressKey` makes the next one. */
export interface Screen {
  page: Page;
  /** The agent that keys are for. */
  selected: AgentId;
  folding: Folding;
  /** Lines that a page is moved from where it opens: its beginning, or of a transcript its end. */
  scroll: number;
  asking: Asking | undefined;
  /** What became of the last key, on the last row until the next one. */
  notice: Notice | undefined;
}

export interface Notice {
  text: string;
  tone: Tone;
}

export function openScreen(): Screen {
  return {
    page: { kind: "run" },
    selected: ROOT_AGENT,
    folding: { folded: new Set(), opened: new Set() },
    scroll: 0,
    asking: undefined,
    notice: undefined,
  };
}
