import { askProcess, type Asked } from "../../engine/control/ask-process.ts";
import { HypoError, messageOf } from "../../domain/errors.ts";
import type { RunFolder } from "../../engine/run-folder.ts";
import { askOptions } from "../runs/ask-options.ts";
import type { Command } from "./answer-key.ts";
import type { Notice } from "./screen.ts";

/** A key's request to the process at work on a run. */
type ControlCommand = Extract<Command, { do: "pause" } | { do: "unpause" } | { do: "steer" } | { do: "cancel" }>;

/**
 * Takes what keys ask for to the process at work on the run, which may be this one, by the same files as `hypo steer`,
 * and gives its answer as a notice. Never rejects.
 */
export async function askForKey(command: ControlCommand, branch: string, folder: RunFolder): Promise<Notice> {
  try {
    return { text: await askProcess(folder, askedBy(command, branch), askOptions()), tone: "good" };
  } catch (error) {
    const hint = error instanceof HypoError && error.hint !== undefined ? ` ${error.hint}` : "";
    return { text: `${messageOf(error)}${hint}`, tone: "warn" };
  }
}

function askedBy(command: ControlCommand, branch: string): Asked {
  switch (command.do) {
    case "steer":
      return { do: "steer", agent: command.agent, message: command.message, branch };
    case "cancel":
      return { do: "cancel", agent: command.agent, subtree: true, branch };
    case "pause":
      return { do: "pause", branch };
    case "unpause":
      return { do: "unpause", branch };
  }
}
