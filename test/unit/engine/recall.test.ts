import { describe, expect, test } from "vitest";
import type { Fact } from "../../../src/domain/events.ts";
import { recallAgents } from "../../../src/engine/recall.ts";
import { event } from "../../../src/engine/run-log.ts";
import { sampleSpec } from "../../support/samples.ts";
import { factOf } from "./facts.ts";

type Event = ReturnType<typeof event>;

function spawned(id: string): Event {
  const spec = sampleSpec(id, { name: `name of ${id}` });
  return event("agent_spawned", { agent: id, parent: spec.parent, call: null, mode: "background", spec, spec_sha256: "" });
}

const steering = { action: "steer", agent: "root.1", message: "mind the gap" };
const sending = event("tool_started", { agent: "root", call: "c1", tool: "agent_control", args: steering });
const sent = (ok: boolean): Event => event("tool_finished", { agent: "root", call: "c1", tool: "agent_control", ok, text: "" });
const reported = event("agent_reported", { agent: "root.1", call: "c1", to: "root", message: "half done" });

const toChild = { by: "parent", message: "Message from your parent: mind the gap", request: "c1" };
const toRoot = { by: "engine", message: "Report from root.1 (name of root.1): half done", request: "c1" };

function delivered(agent: string, message: string, mode: "prompt" | "steer", request = "c1"): Event {
  return event("agent_steered", { agent, by: "engine", message, mode, after: 1, request });
}

async function undelivered(agent: string, ...events: Event[]): Promise<unknown> {
  const facts: Fact[] = [spawned("root"), spawned("root.1"), ...events].map(({ type, data }, place) => factOf(type, data, place + 1));
  return (await recallAgents(facts)).get(agent)?.undelivered;
}

describe("a message between agents", () => {
  test.each<[string, string, Event[], unknown]>([
    ["is on its way once the call that sends it is done", "root.1", [sending, sent(true)], [toChild]],
    ["is not sent by a call that has not ended", "root.1", [sending], []],
    ["is not sent by a call that was refused", "root.1", [sending, sent(false)], []],
    ["is on its way to the parent as soon as it is reported", "root", [reported], [toRoot]],
    ["has arrived when it joined a turn", "root.1", [sending, sent(true), delivered("root.1", toChild.message, "steer")], []],
    ["has arrived when it opened a turn", "root", [reported, delivered("root", toRoot.message, "prompt")], []],
    ["has not arrived because another did", "root", [reported, delivered("root", "Report from root.2: half done", "steer")], [toRoot]],
    [
      "is not on its way again when it was said that the agent has not read it",
      "root.1",
      [sending, sent(true), event("message_undelivered", { agent: "root.1", by: "parent", message: toChild.message, request: "c1" })],
      [],
    ],
    [
      "may arrive before the call that sends it has ended",
      "root.1",
      [sending, delivered("root.1", toChild.message, "steer"), sent(true)],
      [],
    ],
  ])("%s", async (_, agent, events, expected) => {
    expect(await undelivered(agent, ...events)).toEqual(expected);
  });
});
