import { ExitCode } from "../domain/errors.ts";
import { saveOnLostOutput } from "./lost-output.ts";

/** A signal that asked the process to end. */
export interface EndRequest {
  name: "SIGINT" | "SIGTERM";
  exitCode: number;
}

const TERMINATED: EndRequest = { name: "SIGTERM", exitCode: ExitCode.terminated };
const SIGNALS: readonly EndRequest[] = [{ name: "SIGINT", exitCode: ExitCode.interrupted }, TERMINATED];
/** A signal has its effect within 5 seconds, whatever is under way. */
const LONGEST_WAIT_MS = 5000;

/**
 * Listens for SIGINT and SIGTERM from the first moment of a command that sets a run to work, before anything heavy is
 * loaded. As long as nothing has been made, a signal ends the process at once, with its exit code and a word. While a
 * run is being made (`hold`), the signal waits for it, so that the run is left at a checkpoint and nothing half made.
 */
export class StartGuard {
  private readonly say: (line: string) => void;
  private readonly listeners: readonly (readonly [EndRequest["name"], () => void])[];
  private isHeld = false;
  private asked: EndRequest | undefined;
  private forget: () => void = () => undefined;

  constructor(say: (line: string) => void) {
    this.say = say;
    this.listeners = SIGNALS.map((request) => [request.name, () => this.ask(request)] as const);
    for (const [name, listener] of this.listeners) process.on(name, listener);
  }

  /** From now on a signal waits until `release`, as does the loss of output; a second signal ends the process. */
  hold(): void {
    this.isHeld = true;
    this.forget = saveOnLostOutput(() => this.waitWith(TERMINATED));
  }

  /** Stops listening, and gives the signal that has come meanwhile. Whoever calls listens already. */
  release(): EndRequest | undefined {
    for (const [name, listener] of this.listeners) process.off(name, listener);
    this.forget();
    return this.asked;
  }

  private ask(request: EndRequest): void {
    if (!this.isHeld) this.say("Interrupted before any work began: nothing was asked, and nothing has changed.");
    if (!this.isHeld || this.asked) process.exit(request.exitCode);
    this.waitWith(request);
  }

  private waitWith(request: EndRequest): void {
    this.asked ??= request;
    setTimeout(() => process.exit(request.exitCode), LONGEST_WAIT_MS).unref();
  }
}
