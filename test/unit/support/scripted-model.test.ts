import { afterEach, describe, expect, it } from "vitest";
import { startScriptedModel, type ScriptedModel } from "../../support/scripted-model.ts";
import type { Fault, Respond } from "../../support/scripted/answer.ts";
import { ask, type ClientMessage } from "./chat-client.ts";

const QUESTION: ClientMessage[] = [
  { role: "system", content: "You research." },
  { role: "user", content: "Agent: Scout (root.1)\nGoal: count comparisons" },
];
const ANSWERED: ClientMessage[] = [...QUESTION, { role: "assistant", content: "one" }, { role: "user", content: "go on" }];

let model: ScriptedModel | undefined;
afterEach(() => model?.close());

async function serve(respond: Respond): Promise<ScriptedModel> {
  model = await startScriptedModel(respond);
  return model;
}

describe("a scripted model", () => {
  it("streams text, tool calls with arguments in pieces, and usage", async () => {
    const { url } = await serve(() => ({
      text: "I look it up in several pieces.",
      toolCalls: [
        { name: "web_search", args: { query: "binary insertion sort comparisons" } },
        { name: "broken", args: "{not json" },
      ],
      usage: { input: 100, output: 20, cacheRead: 50 },
    }));
    const answer = await ask(url, QUESTION);
    expect(answer.text).toBe("I look it up in several pieces.");
    expect(answer.message.tool_calls?.map((call) => [call.id, call.function.name, call.function.arguments])).toEqual([
      ["call_0_0", "web_search", '{"query":"binary insertion sort comparisons"}'],
      ["call_0_1", "broken", "{not json"],
    ]);
    expect(answer.finish).toBe("tool_calls");
    expect(answer.usage).toMatchObject({ prompt_tokens: 150, completion_tokens: 20, prompt_tokens_details: { cached_tokens: 50 } });
    expect(answer.raw.split("data: ").length).toBeGreaterThan(8);
    expect(answer.raw.endsWith("data: [DONE]\n\n")).toBe(true);
  });

  it("records who asked what, with the results of the last tool calls", async () => {
    const server = await serve(() => ({ text: "noted" }));
    await ask(
      server.url,
      [
        ...QUESTION,
        {
          role: "assistant",
          content: null,
          tool_calls: [{ id: "c1", type: "function", function: { name: "web_read", arguments: '{"url":"x"}' } }],
        },
        { role: "tool", tool_call_id: "c1", content: "the page" },
      ],
      { session: "run-7.root.1" },
    );
    const [record] = server.requests;
    expect(record).toMatchObject({ agent: "root.1", assistantMessages: 1, outcome: "answered", answer: { text: "noted" } });
    expect(record?.request).toMatchObject({
      session: "run-7.root.1",
      agent: { name: "Scout", id: "root.1" },
      system: "You research.",
      lastToolResults: [{ id: "c1", text: "the page" }],
    });
    expect(record?.request.messages[1]?.toolCalls).toEqual([{ id: "c1", name: "web_read", args: { url: "x" } }]);
  });

  it("fails with the HTTP status and the retry-after that the script names", async () => {
    const { url } = await serve(() => ({ fault: { kind: "status", status: 429, retryAfter: 2, message: "slow down" } }));
    const answer = await ask(url, QUESTION);
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([429, "2"]);
    expect(JSON.parse(answer.raw)).toMatchObject({ error: { message: "slow down", type: "rate_limit_error" } });
  });

  it.each<[string, Fault, RegExp]>([
    ["refuses the connection", { kind: "refused" }, /fetch failed/],
    ["cuts the stream", { kind: "cut" }, /terminated/],
    ["sends a line that is not JSON", { kind: "badjson" }, /JSON/],
    ["reports an error in mid-stream", { kind: "midstream", message: "upstream broke" }, /upstream broke/],
  ])("%s when the script says so", async (_, fault, message) => {
    const server = await serve(() => ({ text: "an answer of more than three pieces, that is long enough to be cut", fault }));
    await expect(ask(server.url, QUESTION)).rejects.toThrow(message);
    expect(server.requests[0]?.outcome).toBe("faulted");
  });

  it.each<[string, Fault, string]>([
    ["three pieces", { kind: "cut" }, "abcd"],
    ["as many pieces as the script names", { kind: "cut", afterChunks: 4 }, "abcdef"],
  ])("cuts the stream after %s and delivers those", async (_, fault, delivered) => {
    const { url } = await serve(() => ({ text: "abcdefgh", chunkSize: 2, fault }));
    const response = await fetch(`${url}/chat/completions`, {
      method: "POST",
      body: JSON.stringify({ model: "scripted", stream: true, messages: QUESTION }),
    });
    let seen = "";
    const reading = (async () => {
      for await (const part of response.body ?? []) seen += Buffer.from(part).toString();
    })();
    await expect(reading).rejects.toThrow("terminated");
    expect([...seen.matchAll(/"content":"(\w+)"/g)].map(([, piece]) => piece).join("")).toBe(delivered);
  });

  it("ends a stream without a finish reason when the script says so", async () => {
    const server = await serve(() => ({ text: "and then", fault: { kind: "nofinish" } }));
    const answer = await ask(server.url, QUESTION);
    expect([answer.text, answer.finish, answer.raw.includes("[DONE]")]).toEqual(["and then", undefined, false]);
    expect(server.requests[0]?.outcome).toBe("faulted");
  });

  it("hangs after its headers until the client gives up, and stops counting it then", async () => {
    const server = await serve((request) => (request.attempt === 0 ? { fault: { kind: "hang" } } : { text: "now" }));
    await expect(ask(server.url, QUESTION, { signal: AbortSignal.timeout(150) })).rejects.toThrow(/timeout|aborted/);
    await expect.poll(() => server.requests[0]?.outcome).toBe("faulted");
    expect((await ask(server.url, QUESTION)).text).toBe("now");
    expect(server.maxActive).toBe(1);
  });

  it("knows that a client left before its answer was complete", async () => {
    const server = await serve(() => ({ text: "a slow answer in many pieces", chunkSize: 1, chunkDelayMs: 30 }));
    await expect(ask(server.url, QUESTION, { signal: AbortSignal.timeout(150) })).rejects.toThrow(/timeout|aborted/);
    await expect.poll(() => server.requests[0]?.outcome).toBe("aborted");
    expect(server.repeatedQuestions()).toEqual([]);
  });

  it("counts how many requests were open at once", async () => {
    const server = await serve(() => ({ text: "ok", delayMs: 60 }));
    await Promise.all(["a", "b", "c"].map((session) => ask(server.url, QUESTION, { session })));
    await ask(server.url, QUESTION, { session: "d" });
    expect(server.maxActive).toBe(3);
  });

  it("never counts a finished answer together with the next question of the same client", async () => {
    const server = await serve(() => ({ text: "ok" }));
    for (let turn = 0; turn < 20; turn++) await ask(server.url, QUESTION, { session: `s${turn}` });
    expect(server.maxActive).toBe(1);
  });

  it("answers a script that throws with an error nobody retries, and keeps the reason", async () => {
    const server = await serve(() => {
      throw new Error("no such step");
    });
    const answer = await ask(server.url, QUESTION);
    expect([answer.status, server.requests[0]?.outcome]).toEqual([400, "broken"]);
    expect(answer.raw).toContain("no such step");
    expect(server.scriptErrors[0]).toContain("no such step");
  });

  it.each([
    ["a body that is not JSON", "{"],
    ["a request that does not stream", JSON.stringify({ model: "scripted", messages: [] })],
    ["a request without messages", JSON.stringify({ model: "scripted", stream: true })],
  ])("refuses %s", async (_, body) => {
    const server = await serve(() => ({ text: "never" }));
    const response = await fetch(`${server.url}/chat/completions`, { method: "POST", body });
    expect([response.status, server.requests.length]).toEqual([400, 0]);
  });
});

describe("questions asked twice", () => {
  it("are those whose answer had reached the client whole", async () => {
    const server = await serve(() => ({ text: "one" }));
    await ask(server.url, QUESTION);
    await ask(server.url, ANSWERED);
    expect(server.repeatedQuestions()).toEqual([]);
    await ask(server.url, QUESTION);
    expect(server.repeatedQuestions()).toMatchObject([{ agent: "root.1", assistantMessages: 0, request: { index: 2, attempt: 1 } }]);
  });

  it("are not retries after a fault", async () => {
    const faults: Fault[] = [{ kind: "status", status: 503 }, { kind: "nofinish" }];
    const server = await serve(({ attempt }) => {
      const fault = faults[attempt];
      return { text: "one", ...(fault === undefined ? {} : { fault }) };
    });
    for (const expected of ["", "one", "one"]) expect((await ask(server.url, QUESTION)).text).toBe(expected);
    expect(server.repeatedQuestions()).toEqual([]);
  });

  it("are told apart by run", async () => {
    const server = await serve(() => ({ text: "one" }));
    await ask(server.url, QUESTION, { session: "run-1.root.1" });
    await ask(server.url, QUESTION, { session: "run-2.root.1" });
    expect(server.repeatedQuestions()).toEqual([]);
  });

  it("can be asked for by what a journal held at some moment", async () => {
    const server = await serve(() => ({ text: "one" }));
    await ask(server.url, QUESTION);
    await ask(server.url, ANSWERED);
    const recorded = [{ agent: "root.1", assistantMessages: 0 }];
    await ask(server.url, ANSWERED);
    expect(server.askedAgain(recorded, 2)).toEqual([]);
    await ask(server.url, QUESTION);
    expect(server.askedAgain(recorded, 2)).toMatchObject([{ request: { index: 3 } }]);
  });
});
