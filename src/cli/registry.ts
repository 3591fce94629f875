import type { CommandDefinition, OptionDefinition } from "./definition.ts";
import { configList, configPath } from "./definitions/config.ts";
import { demo } from "./definitions/demo.ts";
import { exportReport } from "./definitions/export.ts";
import { memorySearch, memoryStale } from "./definitions/memory.ts";
import { experimentsList, experimentsLogs, experimentsRegister, experimentsRun, experimentsShow } from "./definitions/experiments.ts";
import { replay } from "./definitions/replay.ts";
import { respond } from "./definitions/respond.ts";
import { resume } from "./definitions/resume.ts";
import { run } from "./definitions/run.ts";
import { runs } from "./definitions/runs.ts";
import { show } from "./definitions/show.ts";
import { sourcesList, sourcesShow } from "./definitions/sources.ts";
import { stop } from "./definitions/stop.ts";
import { verify } from "./definitions/verify.ts";

/** Every command, in the order help shows them. */
export const COMMANDS: readonly CommandDefinition[] = [
  run,
  resume,
  respond,
  stop,
  demo,
  runs,
  show,
  verify,
  exportReport,
  experimentsList,
  experimentsShow,
  experimentsRegister,
  experimentsRun,
  experimentsLogs,
  replay,
  sourcesList,
  sourcesShow,
  memorySearch,
  memoryStale,
  configList,
  configPath,
];

/** What the first word of two-word commands stands for. */
export const GROUPS: Readonly<Record<string, string>> = {
  experiments: "Register, run and look at experiments",
  sources: "Look at stored sources",
  memory: "Search what earlier runs found",
  config: "Look at settings",
};

/** Options that every command takes, before or after its name. */
export const GLOBAL_OPTIONS: readonly (OptionDefinition & { short?: string })[] = [
  { name: "cwd", short: "C", value: { name: "dir", kind: "text" }, summary: "work in this folder instead of the current one" },
  { name: "json", summary: "results and errors as JSON on stdout" },
  { name: "no-color", summary: "no colours (also NO_COLOR, TERM=dumb)" },
  { name: "debug", summary: "show stack traces of errors" },
  {
    name: "agent-dir",
    value: { name: "dir", kind: "text" },
    summary: "Pi's agent directory (default: PI_CODING_AGENT_DIR or ~/.pi/agent)",
  },
];
