import type { AgentId, CallId } from "../../domain/ids.ts";
import type { Ports, RunContext } from "../run-context.ts";

/** What registering and executing a plan needs of its run, whether an agent asks or a person. */
export interface ExperimentContext {
  run: Pick<RunContext, "id" | "branch" | "log" | "config" | "crashAt" | "onProgress"> & {
    ports: Pick<Ports, "sandbox" | "criteria" | "sources" | "project">;
  };
  /** Who registers or executes. */
  agent: AgentId;
  call: CallId;
  signal: AbortSignal;
}
