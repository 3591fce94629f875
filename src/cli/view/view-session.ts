import type { Fact } from "../../domain/events.ts";
import type { AgentId } from "../../domain/ids.ts";
import type { Ledger } from "../../engine/state/ledger.ts";
import type { RunState } from "../../engine/state/run-state.ts";
import { pasteText, type Command } from "./answer-key.ts";
import type { Abilities } from "./help-page.ts";
import type { Key } from "./keys.ts";
import { pressKey } from "./press-key.ts";
import { openScreen, type Notice, type Screen } from "./screen.ts";
import { Transcript } from "./transcript.ts";
import { buildView, widthIn, type View } from "./view-model.ts";

/** A run that changes while it is looked at. */
export interface RunSource {
  state(): RunState;
  ledger(): Ledger;
  /** The facts of its branch so far, oldest first. */
  facts(): AsyncIterable<Fact>;
  /** What was said to the person, in the order it was said. */
  said(): readonly string[];
  /** What experiments at work are doing, by id. */
  progress(): ReadonlyMap<string, string>;
  /** Calls back after every change; returns the way to end that. */
  subscribe(onChange: (change: Change) => void): () => void;
}

/** A new fact, more of an answer under way, or something else that shows. */
export type Change = { fact: Fact } | { agent: AgentId; delta: string } | Record<string, never>;

export interface SessionOptions {
  source: RunSource;
  now: () => Date;
  /** `hypo` as it has to be called where the person is. */
  hypo: string;
  abilities: Abilities;
  /** Does what a key asks for; resolves to what it came to, where that is worth a notice. Never rejects. */
  act: (command: Command) => Promise<Notice | undefined>;
  /** The view has to be drawn again. */
  onStale: () => void;
}

/** What a person does to the view of a run, apart from the terminal: keys in, rows out. */
export class ViewSession {
  private readonly options: SessionOptions;
  private screen = openScreen();
  private transcript: Transcript | undefined;
  private view: View | undefined;
  /** The open transcript as it was shown last. */
  private built: { transcript: Transcript; width: number; length: number } | undefined;
  private readonly stop: () => void;

  constructor(options: SessionOptions) {
    this.options = options;
    this.stop = options.source.subscribe((change) => this.take(change));
  }

  /** True while a message is typed, when text may be pasted. */
  get isTyping(): boolean {
    return this.screen.asking?.kind === "steer";
  }

  end(): void {
    this.stop();
  }

  press(key: Key): void {
    const { source, abilities, act } = this.options;
    const view = this.view ?? { lines: [], maxScroll: 0, pageHeight: 1 };
    const { screen, command } = pressKey(this.screen, key, { state: source.state(), view, abilities });
    this.show(screen);
    if (command) void act(command).then((notice) => notice && this.notify(notice));
  }

  paste(text: string): void {
    this.show(pasteText(this.screen, text));
  }

  notify(notice: Notice): void {
    this.show({ ...this.screen, notice });
  }

  /**
   * The view at a size of the terminal.
   *
   * @param hasKeys false where nothing is to be selected: without a keyboard, or once the view is over
   */
  build(columns: number, rows: number, hasKeys: boolean): View {
    const { source, now, hypo, abilities } = this.options;
    this.keepPlace(widthIn(columns));
    const screen = hasKeys ? this.screen : undefined;
    const [state, ledger, said, progress] = [source.state(), source.ledger(), source.said(), source.progress()];
    const { transcript } = this;
    this.view = buildView({ state, ledger, now: now().getTime(), columns, rows, screen, transcript, said, progress, hypo, abilities });
    return this.view;
  }

  /**
   * Scrolls along with a transcript that grows at its end, where it was moved from there, so that what is read stays in
   * sight. In another width its rows are others.
   */
  private keepPlace(width: number): void {
    const { transcript, built, screen } = this;
    this.built = transcript && { transcript, width, length: transcript.rowsAt(width).length };
    if (!this.built || built?.transcript !== transcript || built?.width !== width || screen.scroll === 0) return;
    this.screen = { ...screen, scroll: Math.max(1, screen.scroll + this.built.length - built.length) };
  }

  private show(screen: Screen): void {
    this.screen = screen;
    const { page } = screen;
    if (page.kind !== "transcript") this.transcript = undefined;
    else if (this.transcript?.agent !== page.agent) this.openTranscript(page.agent);
    this.options.onStale();
  }

  /** Facts that are recorded while the earlier ones are read come after them. */
  private openTranscript(agent: AgentId): void {
    const transcript = new Transcript(agent);
    this.transcript = transcript;
    void transcript.readFrom(this.options.source.facts()).then(
      () => this.options.onStale(),
      (error: unknown) => this.notify({ text: `The journal cannot be read: ${String(error)}`, tone: "bad" }),
    );
  }

  private take(change: Change): void {
    if ("fact" in change) this.transcript?.add(change.fact);
    else if ("delta" in change) {
      if (this.transcript?.agent !== change.agent) return;
      this.transcript.stream(change.delta);
    }
    this.options.onStale();
  }
}
