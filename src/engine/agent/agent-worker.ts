import type { AgentOutcome } from "../../domain/agent.ts";
import { HypoError, messageOf } from "../../domain/errors.ts";
import type { AgentId } from "../../domain/ids.ts";
import type { ModelAnswer, ModelRequest, AnswerModel } from "../../domain/model.ts";
import type { AgentSession, SessionTool, ToolOutput, TurnEnd } from "../../domain/ports.ts";
import { ModelCallError } from "../governor.ts";
import { promptFor } from "../prompts/system-prompts.ts";
import { emptyRecall, type AgentRecall } from "../recall.ts";
import type { RunContext } from "../run-context.ts";
import { event } from "../run-log.ts";
import type { AgentState } from "../state/run-state.ts";
import { parametersOf, runTool, type Tool } from "../tools/tool.ts";
import type { AgentMessage } from "./agent-message.ts";
import { FailureStreak, type Streak } from "./failure-streak.ts";
import { Mailbox } from "./mailbox.ts";

/** Why an agent's work is cut short: for good, or until the run is resumed. */
export type Ending = { outcome: AgentOutcome; reason: string } | { suspended: true };

type Attempt = Parameters<AnswerModel>[1];

/**
 * One agent at work: its Pi session, played again from the journal as far as that goes, then live. Every answer and
 * every tool result is a fact before the session sees it, and what is recorded is never asked for or done again.
 */
export class AgentWorker {
  readonly id: AgentId;
  /** Set when the latest turn failed because a model call did. */
  callError: ModelCallError | undefined;
  ending: Ending | undefined;
  private readonly run: RunContext;
  private readonly tools: Tool[];
  private readonly recall: AgentRecall;
  private readonly end$ = new AbortController();
  private readonly streak = new FailureStreak();
  private readonly mailbox: Mailbox;
  private readonly requests: string[] = [];
  private session: AgentSession | undefined;
  private answers = 0;
  private replayed = 0;

  constructor(run: RunContext, id: AgentId, tools: Tool[], recall: AgentRecall | undefined) {
    this.run = run;
    this.id = id;
    this.tools = tools;
    this.recall = recall ?? emptyRecall();
    this.mailbox = new Mailbox(this.recall);
  }

  get state(): AgentState {
    const state = this.run.log.state.agents.get(this.id);
    if (!state) throw new HypoError("internal", `agent ${this.id} is not in the journal`);
    return state;
  }

  get signal(): AbortSignal {
    return this.end$.signal;
  }

  /** Tags of the prompts given so far, replayed ones included. */
  get asked(): readonly string[] {
    return this.requests;
  }

  get hasRecordedPrompt(): boolean {
    return this.replayed < this.recall.prompts.length;
  }

  async open(): Promise<void> {
    const { run } = this;
    const { spec } = this.state;
    this.session = await run.ports.sessions.open({
      id: sessionId(run.id, run.branch, this.id),
      parent: spec.parent === null ? undefined : sessionId(run.id, run.branch, spec.parent),
      run: run.id,
      model: spec.parent === null ? run.models.supervisor : run.models.subagent,
      thinking: run.models.thinking,
      systemPrompt: promptFor(spec),
      tools: this.tools.map((tool) => this.offer(tool)),
      folder: run.folder.sessions(run.branch),
      answer: (request, attempt) => this.answer(request, attempt),
    });
  }

  /** Gives a prompt and runs the turn to its end. Recorded prompts come first, whatever is asked here. */
  async ask(message: string, tag: string, by: AgentMessage["by"] = "engine"): Promise<TurnEnd> {
    const recorded = this.recall.prompts[this.replayed];
    if (recorded) return this.replayPrompt();
    this.requests.push(tag);
    const isFirst = this.recall.prompts.length === 0 && this.requests.length === 1;
    await this.run.log.record(
      isFirst
        ? event("agent_started", { agent: this.id, prompt: message })
        : event("agent_steered", { agent: this.id, by, message, mode: "prompt", after: this.answers, request: tag }),
    );
    return this.turn(message);
  }

  /** Plays the next recorded prompt, and goes on live where the record ends. */
  async replayPrompt(): Promise<TurnEnd> {
    const recorded = this.recall.prompts[this.replayed];
    if (!recorded) throw new HypoError("internal", `no recorded prompt of ${this.id} is left`);
    this.replayed += 1;
    this.requests.push(recorded.request ?? FIRST_PROMPT);
    this.mailbox.noteHanded(recorded);
    return this.turn(recorded.message);
  }

  /** A message for the agent: joins its running turn, or opens its next one. False where the agent is ending. */
  send(message: AgentMessage): boolean {
    const isEnding = this.ending !== undefined && !("suspended" in this.ending);
    return !isEnding && this.mailbox.accept(message);
  }

  /** Gives the oldest message that waits as a prompt, and runs its turn. Undefined where none waits. */
  async askWaiting(): Promise<TurnEnd | undefined> {
    const waiting = this.mailbox.take();
    return waiting && this.ask(waiting.message, waiting.request ?? "message", waiting.by);
  }

  /** Takes no more messages, and gives those that the agent ends without having read. */
  closeMailbox(): AgentMessage[] {
    return this.mailbox.close();
  }

  /** Cuts the agent's work short. The first reason stands. */
  cut(ending: Ending): void {
    if (this.ending) return;
    this.ending = ending;
    this.end$.abort();
    void this.session?.abort().catch((error: unknown) => this.run.fail(error));
  }

  async close(): Promise<void> {
    await this.session?.dispose();
  }

  private async turn(text: string): Promise<TurnEnd> {
    if (!this.session) throw new HypoError("internal", `session of ${this.id} is not open`);
    if (this.ending) return { text: "", aborted: true, error: undefined };
    this.callError = undefined;
    return this.session.prompt(text);
  }

  private async answer(request: ModelRequest, attempt: Attempt): Promise<ModelAnswer> {
    const index = this.answers;
    const streak = this.streak.note(request.results);
    if (streak.due === "advise") this.advise(streak, index);
    const recorded = this.recall.answers[index];
    const answer = recorded ? this.recallAnswer(recorded, request) : await this.askModel(request, attempt, index, streak);
    this.answers += 1;
    this.streak.remember(answer);
    if (recorded) this.replaySteers(request.purpose);
    return answer;
  }

  private replaySteers(purpose: ModelRequest["purpose"]): void {
    if (purpose === "turn") this.mailbox.noteAnswer();
    for (const steered of this.recall.steers.get(this.answers) ?? []) {
      this.mailbox.noteHanded(steered);
      this.session?.steer(steered.message);
    }
  }

  private recallAnswer(recorded: AgentRecall["answers"][number], request: ModelRequest): ModelAnswer {
    if (recorded.purpose !== request.purpose || recorded.messages !== request.messages) {
      const error = new HypoError(
        "replay_diverged",
        `The conversation of ${this.id} cannot be continued: answer ${recorded.index} was given to ${recorded.messages} messages, ` +
          `and there are ${request.messages} now.`,
        { hint: "The prompts or tools of this hypo differ from those the run was made with. Continue with the version in its meta.json." },
      );
      this.run.fail(error);
      throw error;
    }
    return this.run.ports.sessions.readAnswer(recorded.message);
  }

  private async askModel(request: ModelRequest, attempt: Attempt, index: number, streak: Streak): Promise<ModelAnswer> {
    if (streak.due === "end") this.endCircle(streak);
    const signal = request.signal ? AbortSignal.any([request.signal, this.signal]) : this.signal;
    try {
      const { answer, reservation } = await this.run.governor.ask(this.run.log, this.id, request, attempt, signal);
      this.run.crashAt("model.answered");
      const { message, stopReason: stop_reason, usage } = answer;
      const { purpose, messages } = request;
      if (purpose === "turn") this.mailbox.noteAnswer();
      await this.run.log.record(
        event("model_answered", { agent: this.id, index, reservation, purpose, messages, stop_reason, usage, message }),
        ...this.deliverPending(index + 1),
      );
      this.run.governor.noteSettled();
      this.run.crashAt("model.recorded");
      return answer;
    } catch (error) {
      if (error instanceof ModelCallError) this.callError = error;
      else this.run.fail(error);
      throw error;
    }
  }

  /** Named after its place, so that a process which comes here again sends what its record lacks, and nothing twice. */
  private advise({ count, tool }: Streak, index: number): void {
    this.send({
      by: "engine",
      message:
        `You have made the same ${tool} call ${count} times with the same result. Do not make it again: ` +
        "change its arguments as its message says, use another tool, or finish with what you have.",
      request: `circle before answer ${index}`,
    });
  }

  private endCircle({ count, tool }: Streak): never {
    this.cut({ outcome: "failed", reason: `it made the same ${tool} call ${count} times with the same result` });
    throw new ModelCallError("aborted", "the agent went round in a circle");
  }

  /** Pending messages as facts; the session is handed them, and delivers them after the running batch of calls. */
  private deliverPending(after: number): ReturnType<typeof event>[] {
    return this.mailbox.takeAll().map(({ by, message, request }) => {
      this.session?.steer(message);
      return event("agent_steered", { agent: this.id, by, message, mode: "steer", after, ...(request ? { request } : {}) });
    });
  }

  private offer(tool: Tool): SessionTool {
    return {
      name: tool.name,
      description: tool.description,
      parameters: parametersOf(tool),
      execute: ({ id, args, signal }) => this.execute(tool, id, args, signal),
    };
  }

  private async execute(tool: Tool, call: string, args: unknown, turnSignal: AbortSignal): Promise<ToolOutput> {
    const recorded = this.recall.results.get(call);
    if (recorded) return { text: recorded.text, isError: !recorded.ok, endsTurn: recorded.ends_turn };
    if (this.ending) throw new HypoError("refused", "The agent has ended.");
    try {
      const output = await this.executeOnce(tool, call, args, AbortSignal.any([turnSignal, this.signal]));
      this.run.crashAt("tool.done");
      // The result of a call that was cut short says nothing about the call, so it is not recorded.
      if (this.ending) throw new HypoError("refused", "The agent has ended.");
      await this.run.log.record(
        event("tool_finished", {
          agent: this.id,
          call,
          tool: tool.name,
          ok: !output.isError,
          text: output.text,
          ...(output.endsTurn ? { ends_turn: true } : {}),
        }),
        ...this.deliverPending(this.answers),
      );
      this.run.crashAt("tool.recorded");
      return output;
    } catch (error) {
      if (!this.ending) this.run.fail(error);
      throw error instanceof Error ? error : new Error(messageOf(error));
    }
  }

  private async executeOnce(tool: Tool, call: string, args: unknown, signal: AbortSignal): Promise<ToolOutput> {
    const before = this.recall.started.get(call);
    if (before && tool.class === "at_most_once") {
      return {
        text: `hypo was interrupted during this ${tool.name} call. Whether it took effect is not known, and it is not repeated.`,
        isError: true,
      };
    }
    const began = before?.at ?? (await this.recordStart(tool, call, args));
    this.run.crashAt("tool.started");
    return runTool(tool, args, { run: this.run, agent: this.id, call, began, signal });
  }

  /** Gives the date of the fact. */
  private async recordStart(tool: Tool, call: string, args: unknown): Promise<string> {
    const [started] = await this.run.log.record(event("tool_started", { agent: this.id, call, tool: tool.name, args }));
    if (!started) throw new HypoError("internal", `the start of ${call} was not recorded`);
    return started.at;
  }
}

/** The tag of an agent's first prompt. */
export const FIRST_PROMPT = "first";

/** Pi session ids are unique per run, branch and agent. */
function sessionId(run: string, branch: string, agent: AgentId): string {
  return branch === "main" ? `${run}.${agent}` : `${run}.${branch}.${agent}`;
}
