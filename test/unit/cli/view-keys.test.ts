import { describe, expect, it, vi } from "vitest";
import type { Command } from "../../../src/cli/view/answer-key.ts";
import { keysOf, type Key, type ReadInput } from "../../../src/cli/view/keys.ts";
import { textOf } from "../../../src/cli/view/row.ts";
import type { Notice } from "../../../src/cli/view/screen.ts";
import { ViewSession, type SessionOptions } from "../../../src/cli/view/view-session.ts";
import type { Fact } from "../../../src/domain/events.ts";
import { FactSource } from "../../support/view-terminal.ts";
import { BEGAN, FactList, largeRun, testedRun } from "./a-run.ts";

const NOTHING: ReadInput = {
  upArrow: false,
  downArrow: false,
  leftArrow: false,
  rightArrow: false,
  pageUp: false,
  pageDown: false,
  home: false,
  end: false,
  escape: false,
  return: false,
  backspace: false,
  delete: false,
  ctrl: false,
  meta: false,
};

/** A person at a view of 100 x 20. */
function sit(list: FactList, options: Partial<SessionOptions> = {}) {
  const source = new FactSource(list.facts);
  const asked: Command[] = [];
  const session = new ViewSession({
    source,
    now: () => new Date(BEGAN + 60_000),
    hypo: "hypo",
    abilities: { isAttached: false, canDetach: false },
    act: (command) => {
      asked.push(command);
      return Promise.resolve(undefined);
    },
    onStale: () => undefined,
    ...options,
  });
  const lines = (): string[] => session.build(100, 20, true).rows.map(textOf);
  lines();
  return {
    source,
    asked,
    session,
    lines,
    text: () => lines().join("\n"),
    foot: () => lines().at(-1) ?? "",
    selected: () => lines().find((line) => line.startsWith("› ")) ?? "",
    press: (...keys: (Key["name"] | { letter: string })[]): void => {
      for (const key of keys) {
        if (typeof key === "object") for (const letter of key.letter) session.press({ name: "letter", letter });
        else session.press({ name: key } as Key);
        lines();
      }
    },
  };
}

describe("what the keyboard sends", () => {
  it.each<[string, string, Partial<ReadInput>, Key[]]>([
    ["an arrow", "", { upArrow: true }, [{ name: "up" }]],
    ["Enter", "\r", { return: true }, [{ name: "enter" }]],
    ["Ctrl-C", "c", { ctrl: true }, [{ name: "interrupt" }]],
    ["Ctrl-Z", "z", { ctrl: true }, [{ name: "suspend" }]],
    ["the erase key of most terminals", "", { backspace: true }, [{ name: "erase" }]],
    ["a letter with Alt", "s", { meta: true }, []],
    ["letters and Enter at once", "ok\r", {}, [{ name: "letter", letter: "o" }, { name: "letter", letter: "k" }, { name: "enter" }]],
    ["a wide letter", "検", {}, [{ name: "letter", letter: "検" }]],
    ["a control that means nothing", "\u0001", {}, []],
  ])("%s is understood", (_, input, read, keys) => {
    expect(keysOf(input, { ...NOTHING, ...read })).toEqual(keys);
  });
});

describe("keys in the tree", () => {
  it("select with the arrows and stay at the ends", () => {
    const { press, selected } = sit(testedRun());
    expect(selected()).toContain("Supervisor");
    press("down");
    expect(selected()).toContain("Sorter");
    press("down", "down", "down");
    expect(selected()).toContain("Reviewer");
    press("up", "up", "up");
    expect(selected()).toContain("Supervisor");
  });

  it("go by a page and to both ends of a large tree", () => {
    const { press, selected, lines } = sit(largeRun(200));
    const first = selected();
    press("page_down");
    expect(selected()).not.toBe(first);
    press("end");
    expect(lines().some((line) => /^\s*↓ \d/.test(line))).toBe(false);
    press("page_up", "home");
    expect(selected()).toBe(first);
  });

  it("fold an agent with ← and open it again with →; ← on a leaf goes to its parent", () => {
    const { press, selected, text } = sit(testedRun());
    press("down", "left");
    expect(selected()).toContain("Sorter (+1)");
    expect(text()).not.toContain("Reviewer ");
    press("right");
    expect(text()).toContain("✓ Reviewer");
    press("down", "left");
    expect(selected()).toContain("Sorter");
  });

  it("open gathered agents with Enter, one by one", () => {
    const list = new FactList().start().spawn("root", "S");
    for (let at = 1; at <= 30; at++) list.spawn(`root.${at}`, `agent ${at}`);
    for (let at = 1; at <= 20; at++) list.finish(`root.${at}`);
    const { press, text, selected } = sit(list);
    expect(text()).toContain("✓ 20 finished");
    press("down");
    expect(selected()).toContain("20 finished");
    press("enter");
    expect(selected()).toContain("agent 1 ");
    expect(text()).toContain("agent 2 ");
    press("enter");
    expect(text()).toContain("root.1 agent 1");
  });

  it("stay with an agent that folds away under them", () => {
    const { press, selected, source } = sit(testedRun());
    press("down", "down");
    expect(selected()).toContain("Reviewer");
    press("up", "left");
    source.tell({});
    expect(selected()).toContain("Sorter");
  });
});

describe("keys that open a page", () => {
  it.each([
    ["f", "Findings: "],
    ["?", "Keys and signs"],
  ])("%s opens it and closes it again, as Escape does", (letter, title) => {
    const { press, text } = sit(testedRun());
    press({ letter });
    expect(text()).toContain(title);
    press({ letter });
    expect(text()).not.toContain(title);
    press({ letter }, "escape");
    expect(text()).toContain("› ● Supervisor");
  });

  it("scroll from the first line to the last and no further", () => {
    const list = testedRun();
    for (let at = 0; at < 30; at++) list.publish({ id: `f-${at}`, type: "fact", statement: `statement ${at}.` });
    const { press, text, lines } = sit(list);
    press({ letter: "f" }, "up");
    const first = text();
    press("down", "page_down");
    expect(text()).not.toBe(first);
    press("end");
    expect(lines().some((line) => /^\s*↓ \d/.test(line))).toBe(false);
    const last = text();
    press("down");
    expect(text()).toBe(last);
    press("home");
    expect(text()).toBe(first);
  });

  it("keep what is read in sight while the transcript grows below it", async () => {
    const list = testedRun();
    const steer = (to: FactList, message: string) =>
      to.add("agent_steered", { agent: "root", by: "person", message, mode: "steer", after: 0 });
    for (let at = 0; at < 40; at++) steer(list, `message ${at}`);
    const { press, lines, source } = sit(list);
    press("enter");
    await vi.waitFor(() => expect(lines().join("\n")).toContain("message 39"));
    press("up", "up", "up");
    // All but the last rows, which count what is hidden below and tell of keys.
    const read = (): string[] => lines().slice(0, -2);
    const before = read();
    steer(list, "the newest");
    source.apply(list.facts.at(-1) as Fact);
    expect(read()).toEqual(before);
    source.tell({ agent: "root", delta: "many words ".repeat(200) });
    expect(read()).toEqual(before);
    list.answer("root", 1, 0.1);
    for (const fact of list.facts.slice(-2)) source.apply(fact);
    expect(read()).toEqual(before);
    press("end");
    expect(lines().join("\n")).toContain("the newest");
  });

  it("show a transcript from its end, which stays in sight as it grows unless it is moved", async () => {
    const list = testedRun();
    for (let at = 0; at < 40; at++)
      list.add("agent_steered", { agent: "root", by: "person", message: `message ${at}`, mode: "steer", after: 0 });
    const { press, text, source } = sit(list);
    press("enter");
    await vi.waitFor(() => expect(text()).toContain("message 39"));
    press("home");
    expect(text()).toContain("task (lab/small)");
    press("end");
    const more = testedRun();
    for (let at = more.facts.length; at < list.facts.length; at++) more.add("run_paused", { reason: "x" });
    more.add("agent_steered", { agent: "root", by: "parent", message: "the newest", mode: "steer", after: 0 });
    for (const fact of more.facts.slice(-1)) source.apply(fact);
    expect(text()).toContain("the newest");
  });
});

describe("keys that act", () => {
  it("pause a run at work and let a paused one go on", () => {
    const { press, asked, source } = sit(testedRun());
    press({ letter: "p" });
    for (const fact of testedRun().add("run_paused", { reason: "a person paused it" }).facts.slice(-1)) source.apply(fact);
    press({ letter: "p" });
    expect(asked).toEqual([{ do: "pause" }, { do: "unpause" }]);
  });

  it("cancel an agent at work only after y", () => {
    const { press, asked, foot } = sit(largeRun(3));
    press("down", { letter: "c" });
    expect(foot()).toBe("Cancel root.1 検索する者 and all below it? y/n");
    press("down", "enter", { letter: "n" });
    expect(asked).toEqual([]);
    press({ letter: "c" }, "escape", { letter: "c" }, { letter: "y" });
    expect(asked).toEqual([{ do: "cancel", agent: "root.1" }]);
  });

  it("refuse to cancel the supervisor, and to tell an agent something that has ended", () => {
    const { press, asked, foot } = sit(testedRun());
    press({ letter: "c" });
    expect(foot()).toContain("The supervisor cannot be cancelled");
    press("down", { letter: "s" });
    expect(foot()).toBe("root.1 has ended (timed_out).");
    press("up");
    expect(foot()).toContain("? help");
    expect(asked).toEqual([]);
  });

  it("send the typed message to the selected agent, edited as one line", () => {
    const { press, asked, foot, session } = sit(largeRun(3));
    press("down", { letter: "s" }, { letter: "fq p" }, "erase", "erase_word", { letter: "x" }, "erase_line");
    expect(foot()).toBe("To root.1 検索する者: ▏");
    press({ letter: "brief " });
    session.paste("and\nexact");
    press("enter", { letter: "s" }, { letter: "  " }, "enter", { letter: "s" }, { letter: "no" }, "escape");
    expect(asked).toEqual([{ do: "steer", agent: "root.1", message: "brief and exact" }]);
  });

  it("erase letters as people see them", () => {
    const { press, foot } = sit(largeRun(3));
    press({ letter: "s" }, { letter: "é́👩‍🔬" }, "erase");
    expect(foot()).toBe("To root Supervisor: é́▏");
  });

  it("pass Ctrl-C and Ctrl-Z on, also while a message is typed", () => {
    const { press, asked } = sit(testedRun());
    press({ letter: "s" }, "interrupt", "suspend");
    expect(asked).toEqual([{ do: "interrupt" }, { do: "suspend" }]);
  });

  it.each(["s", "c"])("let Ctrl-C put away what %s asked, so that what becomes of it is seen", (letter) => {
    const { press, foot, session } = sit(largeRun(3));
    press("down", { letter }, "interrupt");
    session.notify({ text: "Saving the run (again to end at once) ...", tone: "strong" });
    expect(foot()).toBe("Saving the run (again to end at once) ...");
  });

  it.each([
    { isAttached: true, canDetach: true },
    { isAttached: false, canDetach: true },
  ])("leave the run at work with q where that can be done: %j", (abilities) => {
    const { press, asked } = sit(testedRun(), { abilities });
    press({ letter: "q" });
    expect(asked).toEqual([{ do: "detach" }]);
  });

  it("say how to come back where q cannot leave the run at work", () => {
    const { press, asked, foot } = sit(testedRun(), { abilities: { isAttached: false, canDetach: false } });
    press({ letter: "q" });
    expect(asked).toEqual([]);
    expect(foot()).toContain("hypo resume");
  });

  it("show what came of it until the next key", async () => {
    const notice: Notice = { text: "Paused: main.", tone: "good" };
    const { press, foot } = sit(testedRun(), { act: () => Promise.resolve(notice) });
    press({ letter: "p" });
    await vi.waitFor(() => expect(foot()).toBe("Paused: main."));
    press("up");
    expect(foot()).toContain("? help");
  });
});
