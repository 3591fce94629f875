import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { isAlive, isElsewhere, processIdentity, type ProcessIdentity } from "../../../src/files/process-identity.ts";

/** The identity of a process that must be running. */
function identityOf(pid?: number): ProcessIdentity {
  const identity = processIdentity(pid);
  if (!identity) throw new Error("the process is not running");
  return identity;
}

const own = identityOf();

test("this process is alive, and stays the same when it is looked at again", () => {
  expect(own.pid).toBe(process.pid);
  expect(isAlive(own)).toBe(true);
  expect(processIdentity(process.pid)).toEqual(own);
});

test.each([
  ["started at another time, since its pid was used again", { ...own, started: "1" }],
  ["of another boot", { ...own, boot: "00000000-0000-0000-0000-000000000000" }],
  ["of another machine", { ...own, host: "elsewhere.example" }],
])("a process %s is not taken for this one", (_, identity) => {
  expect(isAlive(identity)).toBe(false);
});

test("only a process of another machine is elsewhere", () => {
  expect(isElsewhere(own)).toBe(false);
  expect(isElsewhere({ ...own, host: "elsewhere.example" })).toBe(true);
});

test("a process is alive until it ends, whatever its name", async () => {
  const child = spawn(process.execPath, ["-e", "process.title = 'a) (b 1 2'; console.log('up'); setInterval(() => {}, 1000)"]);
  await once(child.stdout, "data");
  const identity = identityOf(child.pid);
  expect(isAlive(identity)).toBe(true);
  child.kill("SIGKILL");
  await once(child, "exit");
  expect(isAlive(identity)).toBe(false);
  expect(processIdentity(child.pid)).toBeUndefined();
});

test.runIf(process.platform === "linux")("a zombie has ended", async () => {
  const shell = spawn("sh", ["-c", "true & echo $!; exec sleep 30"]);
  const [output] = (await once(shell.stdout, "data")) as [Buffer];
  await expect.poll(() => processIdentity(Number(output.toString()))).toBeUndefined();
  shell.kill("SIGKILL");
});
