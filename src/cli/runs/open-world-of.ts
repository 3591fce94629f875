import { ThinkingLevel } from "../../domain/model.ts";
import { readRunMeta } from "../../engine/run-setup.ts";
import type { GlobalOptions, OnGate } from "../commands/options.ts";
import { loadConfig } from "../config/load.ts";
import { openRunWorld, type RunWorld } from "../context.ts";
import type { RunFollower } from "../follow-run.ts";
import type { Io } from "../io.ts";
import type { Project } from "../project/project.ts";
import type { RunPlace } from "./find-run.ts";
import { folderOf } from "./hold-run.ts";

/** The world of a run that exists: with the models it was started with, and the settings of now. */
export async function openWorldOf(
  place: RunPlace,
  options: Pick<GlobalOptions, "agentDir"> & { onGate: OnGate | undefined },
  { project, io, follower }: { project: Project; io: Io; follower: RunFollower },
): Promise<RunWorld> {
  const { config } = await loadConfig(io);
  const meta = await readRunMeta(folderOf(place));
  return openRunWorld({
    project,
    config,
    io,
    agentDir: options.agentDir,
    models: { model: meta.models.supervisor, subagentModel: meta.models.subagent, thinking: ThinkingLevel.parse(meta.models.thinking) },
    rehearsal: meta.rehearsal,
    onGate: options.onGate ?? (io.isTty.stderr ? "wait" : "exit"),
    follower,
  });
}
