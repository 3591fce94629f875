import type { CommandDefinition, OptionDefinition } from "./definition.ts";
import { configList, configPath } from "./definitions/config.ts";
import { demo } from "./definitions/demo.ts";
import { experimentsList, experimentsShow } from "./definitions/experiments.ts";
import { memorySearch } from "./definitions/memory.ts";
import { respond } from "./definitions/respond.ts";
import { resume } from "./definitions/resume.ts";
import { run } from "./definitions/run.ts";
import { runs } from "./definitions/runs.ts";
import { show } from "./definitions/show.ts";
import {
  sourcesAdd,
  sourcesExport,
  sourcesGc,
  sourcesList,
  sourcesRefresh,
  sourcesSearch,
  sourcesShow,
  sourcesVerify,
} from "./definitions/sources.ts";
import { stop } from "./definitions/stop.ts";

/** Every command, in the order help shows them. */
export const COMMANDS: readonly CommandDefinition[] = [
  run,
  resume,
  respond,
  stop,
  demo,
  runs,
  show,
  experimentsList,
  experimentsShow,
  sourcesList,
  sourcesShow,
  sourcesSearch,
  sourcesAdd,
  sourcesRefresh,
  sourcesExport,
  sourcesVerify,
  sourcesGc,
  memorySearch,
  configList,
  configPath,
];

/** What the first word of two-word commands stands for. */
export const GROUPS: Readonly<Record<string, string>> = {
  experiments: "Look at registered experiments",
  sources: "Look at stored sources and look after them",
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
