import type { CommandDefinition } from "../definition.ts";
import { writeErr } from "../io.ts";
import { StartGuard } from "../start-guard.ts";
import { CAP_OPTIONS, DETACH_OPTION, ON_GATE_OPTION, readCaps, readOnGate, RUN_ARGUMENT } from "./shared.ts";

export const resume: CommandDefinition = {
  name: "resume",
  summary: "Continue a run that was stopped, interrupted or killed, or watch one at work",
  description:
    "Continues from the journal: nothing that was recorded is asked or executed again. Caps given here replace those of the " +
    "run, so that a run which ended on a limit, or had too little left for its report, can go on. Several branches may go on " +
    "at once, in one process. A run that is at work in another process is shown and not touched; Ctrl-C then leaves it at " +
    "work. What has changed since the run's last fact (hypo, Pi, prompts, settings) is shown; where it makes what is recorded " +
    "stale, the run goes on only with --accept-changes.",
  arguments: [RUN_ARGUMENT],
  options: [
    {
      name: "branch",
      value: { name: "name", kind: "text" },
      repeatable: true,
      summary: "branch to go on with, needed where there are several; may be given several times",
    },
    ...CAP_OPTIONS,
    ON_GATE_OPTION,
    { name: "accept-changes", summary: "go on although prompts or settings have changed" },
    DETACH_OPTION,
  ],
  examples: [
    { command: "hypo resume last", says: "continue the newest run" },
    { command: "hypo resume 20260301-0915 --max-cost 10", says: "continue with a larger budget" },
    { command: "hypo resume last --detach", says: "continue in the background" },
    { command: "hypo resume last --branch main --branch bolder", says: "continue two branches at once" },
  ],
  async start(given, common, io) {
    const guard = new StartGuard((line) => writeErr(io, line));
    const branches = given.texts("branch");
    const acceptChanges = given.isSet("accept-changes");
    const options = { ...common, ...readCaps(given), branches, acceptChanges, onGate: readOnGate(given), run: given.argument(0) ?? "" };
    if (given.isSet("detach")) {
      const { resumeDetachedCommand } = await import("../commands/detached.ts");
      return resumeDetachedCommand(options, io);
    }
    const { resumeCommand } = await import("../commands/resume.ts");
    return resumeCommand(options, io, guard);
  },
};
