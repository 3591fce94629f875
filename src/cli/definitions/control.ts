import { HypoError } from "../../domain/errors.ts";
import type { ArgumentDefinition, CommandDefinition } from "../definition.ts";
import { RUN_ARGUMENT, WHICH_BRANCH_OPTION } from "./shared.ts";

const AGENT_ARGUMENT: ArgumentDefinition = {
  name: "agent",
  summary: "agent id, such as root.2; `hypo show` lists them",
  required: true,
  completes: "agent",
};

export const pause: CommandDefinition = {
  name: "pause",
  summary: "Have a run at work ask no model until it is let go on",
  description: "Answers that are under way come in and tool calls that run come to their end. Time does not count while a run is paused.",
  arguments: [RUN_ARGUMENT],
  options: [{ ...WHICH_BRANCH_OPTION, summary: "only this branch (default: all at work)" }],
  examples: [{ command: "hypo pause last", says: "pause the newest run" }],
  async start(given, common, io) {
    const { pauseCommand } = await import("../commands/control.ts");
    return pauseCommand({ ...common, run: given.argument(0) ?? "", branch: given.text("branch") }, io);
  },
};

export const unpause: CommandDefinition = {
  name: "unpause",
  summary: "Let a paused run go on",
  description: "Only for a run whose process is at work; one that was left goes on with `hypo resume`.",
  arguments: [RUN_ARGUMENT],
  options: [{ ...WHICH_BRANCH_OPTION, summary: "only this branch (default: all that are paused)" }],
  examples: [{ command: "hypo unpause last", says: "let the newest run go on" }],
  async start(given, common, io) {
    const { unpauseCommand } = await import("../commands/control.ts");
    return unpauseCommand({ ...common, run: given.argument(0) ?? "", branch: given.text("branch") }, io);
  },
};

export const steer: CommandDefinition = {
  name: "steer",
  summary: "Send an agent of a run a message",
  description:
    "The agent gets it with its next step, and once, also after a crash. Where the agent ends without having read it, `hypo log` " +
    "says so. For a run that is not at work the message is kept until it is resumed.",
  arguments: [RUN_ARGUMENT, AGENT_ARGUMENT, { name: "message", summary: "what it is to know or to do, in quotes", required: true }],
  options: [WHICH_BRANCH_OPTION],
  examples: [{ command: 'hypo steer last root.2 "Leave out papers before 2015."', says: "tell one agent" }],
  async start(given, common, io) {
    const message = (given.argument(2) ?? "").trim();
    if (message === "")
      throw new HypoError("usage", "`hypo steer` needs a message.", { hint: 'For example: hypo steer last root "Be brief."' });
    const { steerCommand } = await import("../commands/control.ts");
    const { stores } = await import("../stores.ts");
    const options = { run: given.argument(0) ?? "", agent: given.argument(1) ?? "", message, branch: given.text("branch") };
    return steerCommand({ ...common, ...options }, io, stores);
  },
};

export const cancel: CommandDefinition = {
  name: "cancel",
  summary: "End an agent of a run at work",
  description: "Its model call, its session and its container end at once; its parent is told. Agents below it end only with --subtree.",
  arguments: [RUN_ARGUMENT, AGENT_ARGUMENT],
  options: [{ name: "subtree", summary: "end all agents below it too" }, WHICH_BRANCH_OPTION],
  examples: [{ command: "hypo cancel last root.2 --subtree", says: "end an agent and all below it" }],
  async start(given, common, io) {
    const { cancelCommand } = await import("../commands/control.ts");
    const options = {
      run: given.argument(0) ?? "",
      agent: given.argument(1) ?? "",
      subtree: given.isSet("subtree"),
      branch: given.text("branch"),
    };
    return cancelCommand({ ...common, ...options }, io);
  },
};
