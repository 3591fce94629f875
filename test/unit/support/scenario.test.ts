import { afterEach, describe, expect, it } from "vitest";
import { agentScript, call, failFirst, say, together, type Turn } from "../../support/scenario.ts";
import { startScriptedModel, type ScriptedModel } from "../../support/scripted-model.ts";
import type { ScriptedAnswer } from "../../support/scripted/answer.ts";
import { ask, type ClientMessage } from "./chat-client.ts";

const servers: ScriptedModel[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function serve(decide: (turn: Turn) => ScriptedAnswer): Promise<ScriptedModel> {
  const server = await startScriptedModel(agentScript(decide));
  servers.push(server);
  return server;
}

function firstMessage(text: string): ClientMessage[] {
  return [{ role: "user", content: text }];
}

const SCOUT = firstMessage("You are one of several.\nAgent: Scout (of sorts) (root.1.2)\nGoal: count comparisons\n");

/** Searches twice at once, reads what the first search found, and says it. */
function research(turn: Turn): ScriptedAnswer {
  if (!turn.has("web_search")) return together(say("Searching."), call("web_search", { query: "a" }), call("web_search", { query: "b" }));
  if (!turn.has("web_read")) return call("web_read", { url: turn.results("web_search")[0] });
  return say(`read ${turn.lastResult("web_read")}`);
}

/** Goes on with a conversation until the model has nothing more to call; every tool answers with its arguments. */
async function converse(url: string, messages: ClientMessage[], turns = Infinity): Promise<ClientMessage[]> {
  const conversation = [...messages];
  for (let turn = 0; turn < turns; turn++) {
    const { message } = await ask(url, conversation);
    conversation.push(message);
    if (message.tool_calls === undefined) break;
    for (const { id, function: made } of message.tool_calls) {
      conversation.push({ role: "tool", tool_call_id: id, content: `<${made.arguments}>` });
    }
  }
  return conversation;
}

describe("an agent script", () => {
  it("sees the calls made so far with their results", async () => {
    const { url } = await serve(research);
    const conversation = await converse(url, SCOUT);
    expect(conversation.at(-1)?.content).toBe('read <{"url":"<{\\"query\\":\\"a\\"}>"}>');
    expect(conversation[1]).toMatchObject({ content: "Searching." });
  });

  it("gives a second process the answers and call ids of the first, wherever that one stopped", async () => {
    const whole = await converse((await serve(research)).url, SCOUT);
    const begun = await converse((await serve(research)).url, SCOUT, 1);
    const resumed = await converse((await serve(research)).url, begun);
    expect(resumed).toEqual(whole);
    const ids = whole.flatMap((message) => message.tool_calls ?? []).map(({ id }) => id);
    expect(ids).toEqual(["call_root-1-2_0_0", "call_root-1-2_0_1", "call_root-1-2_1_0"]);
  });

  it.each([
    ["a line of the first message", "Agent: A (root)\nGoal: from a line", "from a line"],
    ["a section of the first message", "Agent: A (root)\n\n## Goal\n\nfrom a\nsection\n\n## Context\nother", "from a\nsection"],
    ["a section that ends the message", "Agent: A (root)\n# Goal\nat the end", "at the end"],
    ["nowhere", "Agent: A (root)", ""],
  ])("reads the goal from %s", async (_, text, goal) => {
    const { url } = await serve((turn) => say(JSON.stringify(turn.goal)));
    expect((await ask(url, firstMessage(text))).text).toBe(JSON.stringify(goal));
  });

  it("reads agent and goal from the system prompt where the first message has neither", async () => {
    const { url } = await serve(({ agent, goal }) => say(`${agent.name}|${agent.id}|${goal}`));
    const messages: ClientMessage[] = [{ role: "system", content: "Agent: Lead (root)\nGoal: everything" }, ...firstMessage("Begin.")];
    expect((await ask(url, messages)).text).toBe("Lead|root|everything");
  });

  it("sees the last message it was sent, the answers given and how often it was asked", async () => {
    const { url } = await serve(({ lastUser, answers, attempt }) => say(`${lastUser}|${answers}|${attempt}`));
    const messages: ClientMessage[] = [...SCOUT, { role: "assistant", content: "yes" }, { role: "user", content: "hurry" }];
    expect((await ask(url, messages)).text).toBe("hurry|1|0");
    expect((await ask(url, messages)).text).toBe("hurry|1|1");
  });

  it("keeps results apart where two answers used the same call id", async () => {
    const { url } = await serve(({ results }) => say(results("t").join("|")));
    const made = (result: string): ClientMessage[] => [
      { role: "assistant", content: null, tool_calls: [{ id: "same", type: "function", function: { name: "t", arguments: "{}" } }] },
      { role: "tool", tool_call_id: "same", content: result },
    ];
    expect((await ask(url, [...SCOUT, ...made("first"), ...made("second")])).text).toBe("first|second");
  });

  it("fails a question as often as it is told, then answers it", async () => {
    const { url } = await serve((turn) => failFirst(turn, 2, { kind: "status", status: 503 }, say("at last")));
    const statuses = [];
    for (let attempt = 0; attempt < 3; attempt++) statuses.push((await ask(url, SCOUT)).status);
    expect(statuses).toEqual([503, 503, 200]);
  });

  it("sends arguments that are not JSON as they are", async () => {
    const { url } = await serve(() => call("web_read", '{"url": "http'));
    expect((await ask(url, SCOUT)).message.tool_calls?.[0]?.function.arguments).toBe('{"url": "http');
  });

  it("refuses a conversation that names no agent", async () => {
    const server = await serve(() => say("never"));
    const answer = await ask(server.url, firstMessage("Who am I?"), { session: "run-1.root" });
    expect(answer.status).toBe(400);
    expect(server.scriptErrors[0]).toContain("Agent: <name> (<id>)");
  });

  it("cannot say nothing", () => {
    expect(() => say("")).toThrow("say needs words");
  });
});
