import { describe, expect, test } from "vitest";
import { Mailbox } from "../../../src/engine/agent/mailbox.ts";
import type { AgentMessage } from "../../../src/engine/agent/agent-message.ts";
import { emptyRecall, keyOf } from "../../../src/engine/recall.ts";

const fromPerson: AgentMessage = { by: "person", message: "Mind the gap.", request: "c-1" };
const fromParent: AgentMessage = { by: "parent", message: "Hurry.", request: "call-1" };
const fromEngine: AgentMessage = { by: "engine", message: "You go round in a circle.", request: "circle 3" };

function mailbox(recall: Partial<ReturnType<typeof emptyRecall>> = {}): Mailbox {
  return new Mailbox({ ...emptyRecall(), ...recall });
}

describe("a message to an agent", () => {
  test("is handed over once, in the order of arrival", () => {
    const box = mailbox({ undelivered: [fromParent] });
    expect([fromPerson, fromPerson, fromParent].map((message) => box.accept(message))).toEqual([true, true, true]);
    expect([box.take(), ...box.takeAll(), box.take()]).toEqual([fromParent, fromPerson, undefined]);
  });

  test("that was delivered in an earlier process is accepted and not handed over again", () => {
    const box = mailbox({ delivered: new Set([keyOf(fromEngine) ?? ""]) });
    expect(box.accept(fromEngine)).toBe(true);
    expect(box.takeAll()).toEqual([]);
  });

  test("is refused once the agent takes no more", () => {
    const box = mailbox();
    expect(box.close()).toEqual([]);
    expect(box.accept(fromPerson)).toBe(false);
    expect(box.takeAll()).toEqual([]);
  });

  test("counts as read once the model has answered after it was handed over", () => {
    const box = mailbox();
    box.accept(fromPerson);
    box.take();
    box.noteAnswer();
    expect(box.close()).toEqual([]);
  });

  test.each<[string, (box: Mailbox) => void]>([
    ["waits", (box) => box.accept(fromPerson)],
    ["was handed over as a prompt that nobody answered", (box) => void (box.accept(fromPerson) && box.take())],
    ["joined a turn that was cut", (box) => void (box.accept(fromPerson) && box.takeAll())],
    ["was handed over by an earlier process and is played again", (box) => box.noteHanded(fromPerson)],
  ])("that %s when the agent ends is given back, and the engine's own are not", (_, deliver) => {
    const box = mailbox();
    deliver(box);
    box.accept(fromEngine);
    expect(box.close()).toEqual([fromPerson]);
    expect(box.close()).toEqual([]);
  });
});
