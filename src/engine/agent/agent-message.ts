import { z } from "zod";
import type { EventData, RunEvent } from "../../domain/events.ts";
import type { AgentId, CallId } from "../../domain/ids.ts";

/** A message on its way to an agent. */
export interface AgentMessage {
  by: "engine" | "parent" | "person";
  message: string;
  /** The call that sent it. */
  request?: string | undefined;
}

/** The facts of messages that an agent has ended without reading. */
export function undeliveredTo(agent: AgentId, messages: readonly AgentMessage[]): RunEvent[] {
  return messages.flatMap(({ by, message, request }) =>
    by === "engine" ? [] : [{ type: "message_undelivered", data: { agent, by, message, ...(request === undefined ? {} : { request }) } }],
  );
}

/** What a parent is told when an agent reports on its way. */
export function reportMessage(agent: AgentId, name: string, message: string, call: CallId): AgentMessage {
  return { by: "engine", message: `Report from ${agent} (${name}): ${message}`, request: call };
}

/** What an agent below is told by agent_control steer and follow_up. */
export function parentMessage(message: string, call: CallId): AgentMessage {
  return { by: "parent", message: `Message from your parent: ${message}`, request: call };
}

const Sending = z.object({ action: z.enum(["steer", "follow_up"]), agent: z.string(), message: z.string() });

/** The message that an agent_control call sends when it is done, and to whom; undefined for any other call. */
export function sentMessage({ tool, args, call }: EventData<"tool_started">): { to: AgentId; message: AgentMessage } | undefined {
  const sending = tool === "agent_control" ? Sending.safeParse(args).data : undefined;
  return sending && { to: sending.agent, message: parentMessage(sending.message, call) };
}
