import { Box, render, Text, useInput, useStdin, useWindowSize, type TextProps } from "ink";
import { useEffect, useState, type ReactNode } from "react";
import type { Ledger } from "../../engine/state/ledger.ts";
import type { RunState } from "../../engine/state/run-state.ts";
import { writeErr, type Io } from "../io.ts";
import { painterFor, type Tone } from "../output/color.ts";
import { paintRow, type Row } from "./row.ts";
import { isolatingStream } from "./isolating-stream.ts";
import { buildView } from "./view-model.ts";

/** A run that changes while it is looked at. */
interface RunSource {
  state(): RunState;
  ledger(): Ledger;
  /** Calls back after every change; returns the way to end that. */
  subscribe(onChange: () => void): () => void;
}

export interface RunViewOptions {
  source: RunSource;
  io: Io;
  now: () => Date;
  /** Ctrl-C, which the terminal no longer turns into a signal while keys are read. */
  onInterrupt: () => void;
}

const FRAMES_PER_SECOND = 10;

/**
 * Shows a run on stderr until it is unmounted. Loading this module loads Ink, so import it when stderr is a terminal.
 *
 * The view has the terminal's other screen, so that neither resizing nor a crash leaves parts of it behind. `unmount`
 * gives the terminal back as it was and prints the last view below what was there.
 */
export function mountRunView(options: RunViewOptions): { unmount(): Promise<void> } {
  const { source, now, io } = options;
  const { stdin, stderr, color } = io;
  const app = render(<RunScreen {...options} isColored={color.stderr} />, {
    stdout: isolatingStream(stderr),
    stdin,
    exitOnCtrlC: false,
    patchConsole: false,
    interactive: true,
    maxFps: FRAMES_PER_SECOND,
    incrementalRendering: true,
    alternateScreen: true,
  });
  const end = async (): Promise<void> => {
    app.unmount();
    await app.waitUntilExit();
    app.cleanup();
    const { rows } = buildView({ state: source.state(), ledger: source.ledger(), now: now().getTime(), ...sizeOf(stderr), scroll: 0 });
    writeErr(io, rows.map((row) => paintRow(row, painterFor(color.stderr))).join("\n"));
  };
  let ended: Promise<void> | undefined;
  return { unmount: () => (ended ??= end()) };
}

/** A terminal's size, or the usual one where the stream does not tell. */
function sizeOf(stream: object): { columns: number; rows: number } {
  const size = (name: string): number | undefined => {
    const value: unknown = Reflect.get(stream, name);
    return typeof value === "number" && value > 0 ? value : undefined;
  };
  return { columns: size("columns") ?? 80, rows: size("rows") ?? 24 };
}

function RunScreen({ source, now, onInterrupt, isColored }: RunViewOptions & { isColored: boolean }): ReactNode {
  const { columns, rows } = useWindowSize();
  const [scroll, setScroll] = useState(0);
  useRedraw(source);
  const view = buildView({ state: source.state(), ledger: source.ledger(), now: now().getTime(), columns, rows, scroll });
  const { isRawModeSupported } = useStdin();
  useInput(
    (input, key) => {
      const page = Math.max(1, rows - 8);
      const step = key.downArrow ? 1 : key.upArrow ? -1 : key.pageDown ? page : key.pageUp ? -page : 0;
      if (key.ctrl && input === "c") onInterrupt();
      else if (step !== 0) setScroll((at) => Math.min(view.maxScroll, Math.max(0, Math.min(at, view.maxScroll) + step)));
    },
    { isActive: isRawModeSupported },
  );
  return <ViewRows rows={view.rows} isColored={isColored} />;
}

/** Draws again when the run has changed, at most ten times a second, and each second for the clocks. */
function useRedraw(source: RunSource): void {
  const [, setTick] = useState(0);
  useEffect(() => {
    let isStale = false;
    let idle = 0;
    const stop = source.subscribe(() => {
      isStale = true;
    });
    const timer = setInterval(() => {
      idle += 1;
      if (!isStale && idle < FRAMES_PER_SECOND) return;
      isStale = false;
      idle = 0;
      setTick((tick) => tick + 1);
    }, 1000 / FRAMES_PER_SECOND);
    return () => {
      clearInterval(timer);
      stop();
    };
  }, [source]);
}

const STYLES: Readonly<Record<Tone, TextProps>> = {
  strong: { bold: true },
  dim: { dimColor: true },
  good: { color: "green" },
  bad: { color: "red" },
  warn: { color: "yellow" },
  accent: { color: "cyan" },
};

/** Rows as they are: they have been fitted to the terminal, so Ink neither wraps nor cuts them. */
export function ViewRows({ rows, isColored }: { rows: readonly Row[]; isColored: boolean }): ReactNode {
  return (
    <Box flexDirection="column">
      {rows.map((row, line) => (
        <Text key={line} wrap="truncate">
          {row.map((span, at) => (
            <Text key={at} {...(isColored && span.tone ? STYLES[span.tone] : {})}>
              {span.text}
            </Text>
          ))}
        </Text>
      ))}
    </Box>
  );
}
