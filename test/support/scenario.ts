import type { Fault, Respond, ScriptedAnswer } from "./scripted/answer.ts";
import type { ChatMessage, ChatRequest, ToolCall } from "./scripted/chat-request.ts";

interface PastCall extends ToolCall {
  /** What the agent was told; undefined where the conversation holds no result. */
  result: string | undefined;
}

/** An agent's conversation up to the answer that a script has to give. */
export interface Turn {
  agent: { name: string; id: string };
  /** From a line `Goal: …` or a section `# Goal` in the first message, or else in the system prompt; may be empty. */
  goal: string;
  /** The last message that a person, a parent or the engine wrote to the agent. */
  lastUser: string;
  /** Answers given so far. */
  answers: number;
  /** How often this very answer was asked for before: for faults that pass. */
  attempt: number;
  calls: PastCall[];
  has: (tool: string) => boolean;
  /** Results of all calls of a tool, in order. */
  results: (tool: string) => string[];
  lastResult: (tool: string) => string | undefined;
  request: ChatRequest;
}

/**
 * Scripts agents by what their conversations hold, never by how often they were called: a process that resumes a
 * run gets the answers, with the tool call ids, that the process before it would have got.
 */
export function agentScript(decide: (turn: Turn) => ScriptedAnswer | Promise<ScriptedAnswer>): Respond {
  return async (request) => {
    const turn = readTurn(request);
    return withCallIds(turn, await decide(turn));
  };
}

/** An answer that calls one tool. Text as arguments is sent raw, for arguments that are not JSON. */
export function call(name: string, args: Record<string, unknown> | string = {}): ScriptedAnswer {
  return { toolCalls: [{ name, args }] };
}

/** An answer in words, which ends the agent's turn. */
export function say(text: string): ScriptedAnswer {
  if (text === "") throw new Error("say needs words: an empty answer vanishes from the conversation, and it would never advance");
  return { text };
}

/** One answer that makes several calls at once, with words before them if one of the parts has some. */
export function together(...parts: ScriptedAnswer[]): ScriptedAnswer {
  const text = parts.flatMap((part) => part.text ?? []).join("\n");
  return { ...(text === "" ? {} : { text }), toolCalls: parts.flatMap((part) => part.toolCalls ?? []) };
}

/** The answer, but its first `times` attempts fail. */
export function failFirst(turn: Turn, times: number, fault: Fault, answer: ScriptedAnswer): ScriptedAnswer {
  return turn.attempt < times ? { ...answer, fault } : answer;
}

function readTurn(request: ChatRequest): Turn {
  const { agent, messages } = request;
  if (agent === undefined) throw new Error(`no line \`Agent: <name> (<id>)\` in the first message of session ${request.session}`);
  const calls = pastCalls(messages);
  const results = (tool: string): string[] => calls.filter(({ name }) => name === tool).flatMap(({ result }) => result ?? []);
  return {
    agent,
    goal: goalIn(messages.find(isUser)?.text ?? "") ?? goalIn(request.system) ?? "",
    lastUser: messages.findLast(isUser)?.text ?? "",
    answers: request.assistantMessages,
    attempt: request.attempt,
    calls,
    has: (tool) => calls.some(({ name }) => name === tool),
    results,
    lastResult: (tool) => results(tool).at(-1),
    request,
  };
}

function isUser(message: ChatMessage): boolean {
  return message.role === "user";
}

function pastCalls(messages: ChatMessage[]): PastCall[] {
  return messages.flatMap(({ toolCalls }, place) =>
    toolCalls.map((made) => ({ ...made, result: messages.slice(place).find(({ toolCallId }) => toolCallId === made.id)?.text })),
  );
}

function goalIn(text: string): string | undefined {
  const [, line] = /^Goal:[ \t]*(\S.*)$/m.exec(text) ?? [];
  const [, section] = /^#+ Goal[ \t]*\n+([\s\S]*?)(?=\n#|$(?![\s\S]))/m.exec(text) ?? [];
  return (line ?? section)?.trim();
}

function withCallIds(turn: Turn, answer: ScriptedAnswer): ScriptedAnswer {
  if (answer.toolCalls === undefined) return answer;
  const agent = turn.agent.id.replace(/[^A-Za-z0-9_-]/g, "-");
  return { ...answer, toolCalls: answer.toolCalls.map((made, place) => ({ id: `call_${agent}_${turn.answers}_${place}`, ...made })) };
}
