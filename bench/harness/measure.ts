import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** What one run of a process cost. Processor time and peak memory are undefined where they cannot be known. */
export interface Sample {
  wallMs: number;
  cpuMs: number | undefined;
  peakMb: number | undefined;
  /** What the process handed over itself (`handFigures`). */
  figures: Record<string, number>;
}

export interface ProcessOptions {
  cwd?: string;
  /** Added to this process's environment. */
  env?: Record<string, string>;
  /** Exit codes that are no failure; 0 alone by default. */
  codes?: readonly number[];
  /** Called when the process has written its first words. */
  onOutput?: () => void;
}

const REPORT_USAGE = fileURLToPath(new URL("report-usage.cjs", import.meta.url));
const FIGURES = "figures ";

/** Runs Node.js to its end, mostly on a file. Throws with its output where it fails. */
export function measureNode(args: readonly string[], options: ProcessOptions = {}): Promise<Sample> {
  return measureNodeUnder(process.execPath, args, options);
}

/** Runs a command that starts Node.js, as a terminal does, and measures what it started. */
export function measureNodeUnder(command: string, args: readonly string[], options: ProcessOptions = {}): Promise<Sample> {
  return withUsageFile(async (usage) => {
    const env = { HYPO_BENCH_USAGE: usage, NODE_OPTIONS: `--require=${JSON.stringify(REPORT_USAGE)}`, ...options.env };
    const { wallMs, stdout } = await runToEnd(command, args, { ...options, env });
    const reports = linesOf(usage).map((line) => JSON.parse(line) as { cpu: number; peak: number });
    return {
      wallMs,
      cpuMs: reports.reduce((sum, { cpu }) => sum + cpu, 0) / 1000,
      peakMb: Math.max(...reports.map(({ peak }) => peak)) / 1024,
      figures: figuresIn(stdout),
    };
  });
}

/** Hands figures of a contender's own (work time, scores) to the bench, as the last line of its output. */
export function handFigures(figures: Record<string, number>): void {
  process.stdout.write(`${FIGURES}${JSON.stringify(figures)}\n`);
}

async function withUsageFile<T>(use: (path: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "hypo-bench-usage-"));
  try {
    return await use(join(folder, "usage"));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function runToEnd(command: string, args: readonly string[], options: ProcessOptions): Promise<{ wallMs: number; stdout: string }> {
  const { cwd, env, codes = [0], onOutput } = options;
  return new Promise((resolve, reject) => {
    const began = performance.now();
    const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"] });
    const output = { stdout: "", stderr: "" };
    let wallMs = NaN;
    if (onOutput) for (const stream of [child.stdout, child.stderr]) stream.once("data", onOutput);
    child.stdout.setEncoding("utf8").on("data", (text: string) => (output.stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (output.stderr += text));
    child.once("exit", () => (wallMs = performance.now() - began));
    child.once("error", reject).once("close", (code, signal) => {
      if (code !== null && codes.includes(code)) return resolve({ wallMs, stdout: output.stdout });
      const what = [command, ...args].join(" ");
      reject(new Error(`${what} ended with ${code ?? signal}\n${output.stdout.slice(-2000)}\n${output.stderr.slice(-4000)}`));
    });
  });
}

function figuresIn(stdout: string): Record<string, number> {
  const line = stdout
    .trimEnd()
    .split("\n")
    .findLast((each) => each.startsWith(FIGURES));
  return line === undefined ? {} : (JSON.parse(line.slice(FIGURES.length)) as Record<string, number>);
}

function linesOf(path: string): string[] {
  return readFileSync(path, "utf8").trimEnd().split("\n");
}
