import { Box, render, Text, useApp, useInput, usePaste, useStdin, useWindowSize } from "ink";
import { memo, useEffect, useState, type ReactNode } from "react";
import { writeErr, type Io } from "../io.ts";
import { painterFor } from "../output/color.ts";
import type { Command } from "./answer-key.ts";
import { DrawPace } from "./draw-pace.ts";
import { isolatingStream } from "./isolating-stream.ts";
import { keysOf } from "./keys.ts";
import { paintRow, paintSpans, type Row } from "./row.ts";
import type { Notice } from "./screen.ts";
import { watchSuspension, type JobControl } from "./suspend-process.ts";
import { ViewSession, type SessionOptions } from "./view-session.ts";

export interface RunViewOptions extends Omit<SessionOptions, "act" | "onStale"> {
  /** stderr is the terminal that is drawn on, stdin its keyboard. */
  io: Pick<Io, "openStdin" | "stderr" | "color">;
  /** Does what a key asks for; resolves to what it came to, where that is worth a notice. Never rejects. */
  act: (command: KeyCommand) => Promise<Notice | undefined>;
  /** Stops and continues this process; left out for the real one. */
  jobs?: JobControl;
}

/** What keys ask for outside the view. */
export type KeyCommand = Exclude<Command, { do: "suspend" }>;

export interface RunView {
  /** Says something on the last row, until the next key. */
  notify(text: string): void;
  unmount(): Promise<void>;
}

/** Frames are paced before they come to Ink, which must not hold them back a second time. */
const INK_FRAMES_PER_SECOND = 60;
const HOME_AND_ERASE = "\u001B[H\u001B[J";

/**
 * Shows a run on stderr until it is unmounted. Loading this module loads Ink, so import it when stderr is a terminal.
 *
 * The view has the terminal's other screen, so that neither resizing nor a crash leaves parts of it behind. `unmount`
 * gives the terminal back as it was and prints the last view below what was there.
 */
export function mountRunView(options: RunViewOptions): RunView {
  const { io } = options;
  const { stderr, color } = io;
  const pace = new DrawPace(() => draw());
  const act = async (command: Command): Promise<Notice | undefined> => {
    if (command.do !== "suspend") return options.act(command);
    suspension.suspend();
    return undefined;
  };
  const session = new ViewSession({ ...options, act, onStale: () => pace.request() });
  let draw = (): void => undefined;
  let handOver: () => Promise<{ resume(): Promise<void> }> = () => Promise.reject(new TypeError("nothing is drawn yet"));
  const app = render(
    <RunScreen
      session={session}
      isColored={color.stderr}
      onMount={(hooks) => {
        draw = hooks.draw;
        handOver = hooks.handOver;
      }}
    />,
    {
      stdout: isolatingStream(stderr),
      stdin: io.openStdin(),
      exitOnCtrlC: false,
      patchConsole: false,
      interactive: true,
      maxFps: INK_FRAMES_PER_SECOND,
      incrementalRendering: true,
      alternateScreen: true,
    },
  );
  let away: Promise<{ resume(): Promise<void> }> | undefined;
  const suspension = watchSuspension(
    {
      release: () => {
        away = handOver();
      },
      reclaim: () => {
        void away?.then((each) => each.resume());
        away = undefined;
      },
    },
    options.jobs,
  );
  // Terminals differ in what they keep of a screen that changes its size: it is drawn anew.
  const onResize = (): void => {
    if (away) return;
    app.clear();
    stderr.write(HOME_AND_ERASE);
  };
  // A defect's message, which Node prints next, must not go down with the other screen.
  const onCrash = (): void => app.unmount();
  stderr.prependListener("resize", onResize);
  process.on("uncaughtExceptionMonitor", onCrash);
  const end = async (): Promise<void> => {
    pace.end();
    suspension.end();
    session.end();
    stderr.off("resize", onResize);
    process.off("uncaughtExceptionMonitor", onCrash);
    app.unmount();
    await app.waitUntilExit();
    app.cleanup();
    const { columns, rows } = sizeOf(stderr);
    const last = session.build(columns, rows, false).rows.map((row) => paintRow(row, painterFor(color.stderr)));
    writeErr(io, last.join("\n").trimEnd());
  };
  let ended: Promise<void> | undefined;
  return { notify: (text) => session.notify({ text, tone: "strong" }), unmount: () => (ended ??= end()) };
}

/** A terminal's size, or the usual one where the stream does not tell. */
function sizeOf(stream: object): { columns: number; rows: number } {
  const size = (name: string): number | undefined => {
    const value: unknown = Reflect.get(stream, name);
    return typeof value === "number" && value > 0 ? value : undefined;
  };
  return { columns: size("columns") ?? 80, rows: size("rows") ?? 24 };
}

interface ScreenProps {
  session: ViewSession;
  isColored: boolean;
  onMount: (hooks: { draw: () => void; handOver: () => Promise<{ resume(): Promise<void> }> }) => void;
}

function RunScreen({ session, isColored, onMount }: ScreenProps): ReactNode {
  const { columns, rows } = useWindowSize();
  const [, setTick] = useState(0);
  const { suspendTerminal } = useApp();
  const { isRawModeSupported } = useStdin();
  useEffect(() => onMount({ draw: () => setTick((tick) => tick + 1), handOver: () => suspendTerminal() }), [onMount, suspendTerminal]);
  useInput(
    (input, read) => {
      for (const key of keysOf(input, read)) session.press(key);
    },
    { isActive: isRawModeSupported },
  );
  usePaste((text) => session.paste(text), { isActive: isRawModeSupported && session.isTyping });
  return <ViewRows rows={session.build(columns, rows, isRawModeSupported).rows} isColored={isColored} />;
}

/** Rows as they are: they have been fitted to the terminal, so Ink neither wraps nor cuts them. */
export function ViewRows({ rows, isColored }: { rows: readonly Row[]; isColored: boolean }): ReactNode {
  const paint = painterFor(isColored);
  return (
    <Box flexDirection="column">
      {rows.map((row, line) => (
        <ViewRow key={line} text={paintSpans(row, paint)} />
      ))}
    </Box>
  );
}

/** Most rows are the same from one frame to the next. */
const ViewRow = memo(({ text }: { text: string }) => <Text wrap="truncate">{text}</Text>);
