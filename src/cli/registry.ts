import type { CommandDefinition, OptionDefinition } from "./definition.ts";
import { batch } from "./definitions/batch.ts";
import { branches, fork, rewind } from "./definitions/branches.ts";
import { completion } from "./definitions/completion.ts";
import { configGet, configList, configPath, configSchema, configSet, configUnset } from "./definitions/config.ts";
import { cancel, pause, steer, unpause } from "./definitions/control.ts";
import { demo } from "./definitions/demo.ts";
import { doctor } from "./definitions/doctor.ts";
import { exportReport } from "./definitions/export.ts";
import { log } from "./definitions/log.ts";
import { experimentsList, experimentsLogs, experimentsRegister, experimentsRun, experimentsShow } from "./definitions/experiments.ts";
import { memoryAdd, memoryCheck, memoryLink, memoryRebuild, memoryRetire } from "./definitions/memory-change.ts";
import { memoryExport, memoryList, memorySearch, memoryShow, memoryStale } from "./definitions/memory.ts";
import { replay } from "./definitions/replay.ts";
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
import { trust } from "./definitions/trust.ts";
import { verify } from "./definitions/verify.ts";

/** Every command, in the order help shows them. */
export const COMMANDS: readonly CommandDefinition[] = [
  run,
  batch,
  resume,
  respond,
  stop,
  pause,
  unpause,
  steer,
  cancel,
  demo,
  runs,
  show,
  log,
  branches,
  fork,
  rewind,
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
  sourcesSearch,
  sourcesAdd,
  sourcesRefresh,
  sourcesExport,
  sourcesVerify,
  sourcesGc,
  memorySearch,
  memoryList,
  memoryShow,
  memoryAdd,
  memoryLink,
  memoryRetire,
  memoryStale,
  memoryCheck,
  memoryExport,
  memoryRebuild,
  configList,
  configGet,
  configSet,
  configUnset,
  configPath,
  configSchema,
  trust,
  doctor,
  completion,
];

/** What the first word of two-word commands stands for. */
export const GROUPS: Readonly<Record<string, string>> = {
  experiments: "Register, run and look at experiments",
  sources: "Look at stored sources and look after them",
  memory: "Search and tend what earlier runs found",
  config: "Look at settings and change them",
};

/** Options that every command takes, before or after its name. */
export const GLOBAL_OPTIONS: readonly (OptionDefinition & { short?: string })[] = [
  {
    name: "cwd",
    short: "C",
    value: { name: "dir", kind: "text", completes: "folder" },
    summary: "work in this folder instead of the current one",
  },
  { name: "json", summary: "results and errors as JSON on stdout" },
  { name: "no-color", summary: "no colours (also NO_COLOR, TERM=dumb)" },
  { name: "no-pager", summary: "print long output as it is (also HYPO_PAGER=cat, PAGER=cat)" },
  { name: "debug", summary: "show stack traces of errors" },
  {
    name: "agent-dir",
    value: { name: "dir", kind: "text", completes: "folder" },
    summary: "Pi's agent directory (default: PI_CODING_AGENT_DIR or ~/.pi/agent)",
  },
];
