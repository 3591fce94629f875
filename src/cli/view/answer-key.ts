import type { AgentId } from "../../domain/ids.ts";
import { graphemesOf } from "../output/width.ts";
import type { Key } from "./keys.ts";
import type { Screen } from "./screen.ts";

/** What a key asks to be done outside the screen. */
export type Command =
  | { do: "interrupt" }
  | { do: "suspend" }
  | { do: "detach" }
  | { do: "pause" }
  | { do: "unpause" }
  | { do: "steer"; agent: AgentId; message: string }
  | { do: "cancel"; agent: AgentId };

const LONGEST_MESSAGE = 4000;

/** A key while a question stands on the last row. Pure. */
export function askKey(screen: Screen, asking: NonNullable<Screen["asking"]>, key: Key): { screen: Screen; command?: Command } {
  const done: Screen = { ...screen, asking: undefined };
  if (key.name === "escape") return { screen: done };
  if (asking.kind === "cancel") {
    if (key.name !== "letter") return { screen };
    const isYes = key.letter === "y" || key.letter === "Y";
    return isYes ? { screen: done, command: { do: "cancel", agent: asking.agent } } : { screen: done };
  }
  if (key.name === "enter") {
    const message = asking.text.trim();
    return message === "" ? { screen: done } : { screen: done, command: { do: "steer", agent: asking.agent, message } };
  }
  return { screen: { ...screen, asking: { ...asking, text: editText(asking.text, key) } } };
}

/** Text that was pasted is one line of the message: it never sends it. */
export function pasteText(screen: Screen, text: string): Screen {
  const { asking } = screen;
  if (asking?.kind !== "steer") return screen;
  return { ...screen, asking: { ...asking, text: (asking.text + text.replace(/\s+/g, " ")).slice(0, LONGEST_MESSAGE) } };
}

function editText(text: string, key: Key): string {
  if (key.name === "letter") return (text + key.letter).slice(0, LONGEST_MESSAGE);
  if (key.name === "erase") return graphemesOf(text).slice(0, -1).join("");
  if (key.name === "erase_word") return text.replace(/\S+\s*$/, "");
  return key.name === "erase_line" ? "" : text;
}
