import { execFile, execFileSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { HYPO } from "./hypo.ts";

const run = promisify(execFile);

/** tmux where it is installed. Without it the tests are skipped, unless HYPO_REQUIRE_TMUX is set. */
export function hasTmux(): boolean {
  try {
    execFileSync("tmux", ["-V"], { stdio: "ignore" });
    return true;
  } catch {
    if (process.env["HYPO_REQUIRE_TMUX"] !== undefined) throw new Error("tmux is required and does not start: scripts/ensure-tmux");
    console.warn("tmux is not installed, so hypo is not driven at a terminal: scripts/ensure-tmux");
    return false;
  }
}

export interface TerminalOptions {
  cwd: string;
  /** The whole environment of the shell; nothing is inherited. */
  env: Record<string, string>;
  columns?: number;
  rows?: number;
}

/** A shell at a real terminal, with `hypo` as a command. */
export interface Terminal {
  /** Types text as it is, then Enter. */
  run(line: string): Promise<void>;
  /** Types text as it is. */
  type(text: string): Promise<void>;
  /** Presses keys by tmux's names: `Enter`, `Down`, `C-c`. */
  press(...keys: string[]): Promise<void>;
  resize(columns: number, rows: number): Promise<void>;
  /** The screen's lines as they are now, without spaces at their ends. */
  screen(): Promise<string[]>;
  /** Waits until the screen holds this; fails with the screen. */
  until(what: RegExp | string, timeoutMs?: number): Promise<string[]>;
  /** True while a program has the other screen. */
  isOtherScreen(): Promise<boolean>;
  isCursorShown(): Promise<boolean>;
}

/** Gives a test a terminal, and ends all that runs in it afterwards. */
export async function withTerminal<T>(options: TerminalOptions, use: (terminal: Terminal) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "hypo-tmux-"));
  const tmux = async (...args: string[]): Promise<string> => {
    const { stdout } = await run("tmux", ["-u", "-S", join(folder, "socket"), "-f", "/dev/null", ...args], { env: environmentOf(options) });
    return stdout;
  };
  const { columns = 100, rows = 30, cwd } = options;
  await tmux("new-session", "-d", "-x", String(columns), "-y", String(rows), "-c", cwd, "bash --norc --noprofile");
  try {
    const terminal = terminalOf(tmux);
    await terminal.run(`hypo() { '${process.execPath}' '${HYPO}' "$@"; }; PS1='$ '; clear`);
    return await use(terminal);
  } finally {
    await tmux("kill-server").catch(() => undefined);
    await rm(folder, { recursive: true, force: true });
  }
}

function environmentOf({ env }: TerminalOptions): Record<string, string> {
  // A shell that ends late would write its history into a folder that is being removed.
  return { ...env, HISTFILE: "/dev/null", PATH: `${dirname(process.execPath)}${delimiter}${process.env["PATH"] ?? ""}`, LANG: "C.UTF-8" };
}

function terminalOf(tmux: (...args: string[]) => Promise<string>): Terminal {
  const flag = async (name: string): Promise<boolean> => (await tmux("display-message", "-p", `#{${name}}`)).trim() === "1";
  const screen = async (): Promise<string[]> => (await tmux("capture-pane", "-p")).split("\n").map((line) => line.trimEnd());
  const type = async (text: string): Promise<void> => void (await tmux("send-keys", "-l", text));
  return {
    type,
    screen,
    run: async (line) => {
      await type(line);
      await tmux("send-keys", "Enter");
    },
    press: async (...keys) => void (await tmux("send-keys", ...keys)),
    resize: async (columns, rows) => void (await tmux("resize-window", "-x", String(columns), "-y", String(rows))),
    until: async (what, timeoutMs = 120_000) => {
      const ends = Date.now() + timeoutMs;
      for (;;) {
        const lines = await screen();
        const text = lines.join("\n");
        if (typeof what === "string" ? text.includes(what) : what.test(text)) return lines;
        if (Date.now() > ends) throw new Error(`the screen never showed ${String(what)}:\n${text}`);
        await sleep(100);
      }
    },
    isOtherScreen: () => flag("alternate_on"),
    isCursorShown: () => flag("cursor_flag"),
  };
}
