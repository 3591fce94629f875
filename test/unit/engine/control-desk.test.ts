import { access, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { HypoError } from "../../../src/domain/errors.ts";
import { askProcess, leaveRequest } from "../../../src/engine/control/ask-process.ts";
import { ControlDesk, type MessageFate } from "../../../src/engine/control/control-desk.ts";
import { listRequests, readAnswer, writeAnswer, type ControlRequest } from "../../../src/engine/control/request.ts";
import { takeLock } from "../../../src/engine/journal/lock.ts";
import { PauseSwitch } from "../../../src/engine/pause-switch.ts";
import { runFolder, type RunFolder } from "../../../src/engine/run-folder.ts";
import { makeFolder } from "../../../src/files/atomic.ts";
import { systemClock } from "../../../src/engine/system-clock.ts";
import { errorOf, makeTestFolder } from "../journal/support.ts";

const options = { clock: systemClock, random: "0123abcd" };

async function makeRun(): Promise<RunFolder> {
  const folder = runFolder(await makeTestFolder(), "r");
  await makeFolder(folder.path);
  return folder;
}

/** A desk that is closed when the test ends; `served` is what it was asked. */
function openDesk(
  folder: RunFolder,
  more: { serve?: (request: ControlRequest) => Promise<string>; fates?: Record<string, MessageFate> } = {},
) {
  const served: ControlRequest[] = [];
  const said: string[] = [];
  const desk = new ControlDesk({
    folder: folder.control,
    clock: systemClock,
    serve: async (request) => {
      served.push(request);
      return more.serve ? more.serve(request) : "Done.";
    },
    fateOf: (id) => more.fates?.[id],
    crashAt: () => undefined,
    say: (line) => said.push(line),
  });
  desk.open();
  onTestFinished(() => desk.close());
  return { desk, served, said };
}

async function hold(folder: RunFolder): Promise<void> {
  const lock = await takeLock(folder.path, { clock: systemClock });
  onTestFinished(() => lock.release());
}

it("a live process answers a request within a second, and once", async () => {
  const folder = await makeRun();
  await hold(folder);
  const { served } = openDesk(folder);
  const begun = performance.now();
  expect(await askProcess(folder, { do: "cancel", agent: "root.1", subtree: true }, options)).toBe("Done.");
  expect(performance.now() - begun).toBeLessThan(1000);
  await systemClock.sleep(400);
  expect(served).toMatchObject([{ do: "cancel", agent: "root.1", subtree: true }]);
});

it("what the process refuses is the error of whoever asked", async () => {
  const folder = await makeRun();
  await hold(folder);
  openDesk(folder, { serve: () => Promise.reject(new HypoError("not_found", "There is no agent.", { hint: "Look." })) });
  expect(await errorOf(() => askProcess(folder, { do: "pause" }, options))).toMatchObject({
    code: "not_found",
    message: "There is no agent.",
    hint: "Look.",
  });
});

it("where no process holds the run, nothing is left behind", async () => {
  const folder = await makeRun();
  expect((await errorOf(() => askProcess(folder, { do: "pause" }, options))).message).toContain("No process is at work");
  await expect(access(folder.control)).rejects.toThrow("ENOENT");
});

it("a message that was accepted and not delivered is handed over by the next process; a delivered one is not", async () => {
  const folder = await makeRun();
  const lost = await leaveRequest(folder, { do: "steer", agent: "root", message: "one" }, { ...options, random: "00000001" });
  const delivered = await leaveRequest(folder, { do: "steer", agent: "root", message: "two" }, { ...options, random: "00000002" });
  for (const id of [lost, delivered])
    await writeFile(join(folder.control, `${id}.ack.json`), JSON.stringify({ v: 1, id, ok: true, message: "" }));
  const unanswered = await leaveRequest(folder, { do: "steer", agent: "root", message: "three" }, { ...options, random: "00000003" });
  const { desk, served } = openDesk(folder, { fates: { [delivered]: "delivered", [unanswered]: "delivered" } });
  await systemClock.sleep(300);
  await desk.close();
  expect(served.map(({ id }) => id)).toEqual([lost]);
  expect(JSON.parse(await readFile(join(folder.control, `${unanswered}.ack.json`), "utf8"))).toMatchObject({ ok: true });
});

it("a message whose agent has ended meanwhile is answered anew: it was not delivered", async () => {
  const folder = await makeRun();
  const unread = await leaveRequest(folder, { do: "steer", agent: "root.1", message: "one" }, { ...options, random: "00000001" });
  const late = await leaveRequest(folder, { do: "steer", agent: "root.1", message: "two" }, { ...options, random: "00000002" });
  for (const id of [unread, late]) await writeAnswer(folder.control, { v: 1, id, ok: true, message: "It gets it." });
  const { desk, said } = openDesk(folder, {
    fates: { [unread]: "undelivered" },
    serve: () => Promise.reject(new HypoError("refused", "root.1 has ended (completed).")),
  });
  await vi.waitFor(async () => expect(await readAnswer(folder.control, late)).toMatchObject({ ok: false }));
  await desk.close();
  expect(await readAnswer(folder.control, unread)).toMatchObject({
    ok: false,
    message: expect.stringContaining("without having read") as string,
  });
  expect(await readAnswer(folder.control, late)).toMatchObject({ ok: false, message: "root.1 has ended (completed)." });
  expect(said).toEqual(["A message to root.1 does not reach it: root.1 has ended (completed)."]);
});

it("a message that is withdrawn while it is being accepted ends as not delivered, whichever is faster", async () => {
  const folder = await makeRun();
  await hold(folder);
  const { desk } = openDesk(folder, {
    serve: async ({ id }) => {
      desk.withdraw(id);
      return "It gets it.";
    },
  });
  const id = await leaveRequest(folder, { do: "steer", agent: "root", message: "one" }, options);
  await vi.waitFor(async () => expect(await readAnswer(folder.control, id)).toBeDefined());
  await desk.close();
  expect(await readAnswer(folder.control, id)).toMatchObject({ ok: false });
});

it("a message that nobody answers stays for the next process, and is withdrawn where its agent has ended", async () => {
  const folder = await makeRun();
  const lock = await takeLock(folder.path, { clock: systemClock });
  const dying = { ...systemClock, sleep: () => lock.release() };
  const asked = { do: "steer", agent: "root", message: "one" } as const;
  expect(await askProcess(folder, asked, { ...options, clock: dying })).toContain("when the run goes on");
  const again = await takeLock(folder.path, { clock: systemClock });
  const ended = new HypoError("refused", "root has ended.");
  const dyingAgain = { ...systemClock, sleep: () => again.release() };
  const late = { clock: dyingAgain, random: "00000002", checkLeft: () => Promise.reject(ended) };
  expect(await errorOf(() => askProcess(folder, asked, late))).toBe(ended);
  expect(await listRequests(folder.control)).toHaveLength(1);
});

it("a pause meant for a process that has ended does not hold the next one, and a file that is no request is said", async () => {
  const folder = await makeRun();
  const id = await leaveRequest(folder, { do: "pause" }, options);
  await writeFile(join(folder.control, `c-${"0".repeat(17)}-00000000.json`), "{}");
  const { desk, served, said } = openDesk(folder);
  await systemClock.sleep(300);
  await desk.close();
  expect(served).toEqual([]);
  expect(JSON.parse(await readFile(join(folder.control, `${id}.ack.json`), "utf8"))).toMatchObject({
    ok: false,
    message: "The process it was for has ended.",
  });
  expect(said.join("\n")).toContain("is not a request that this hypo knows");
});

it("a paused branch waits until it is let go on, and others do not wait for it", async () => {
  const pauses = new PauseSwitch();
  const never = new AbortController();
  expect([pauses.pause("main"), pauses.pause("main")]).toEqual([true, false]);
  await pauses.wait("side", never.signal);
  const order: string[] = [];
  const waiting = pauses.wait("main", never.signal).then(() => order.push("went on"));
  await systemClock.sleep(20);
  order.push("released");
  expect([pauses.release("main"), pauses.release("main")]).toEqual([true, false]);
  await waiting;
  expect(order).toEqual(["released", "went on"]);
  pauses.pause("main");
  const ended = pauses.wait("main", never.signal);
  never.abort();
  await expect(ended).rejects.toThrow("while the run was paused");
});
