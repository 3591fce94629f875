import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkIndex } from "../../../src/cli/doctor/check-index.ts";
import { checkDisk, checkStateFolder } from "../../../src/cli/doctor/check-machine.ts";
import { checkModels, describePrice } from "../../../src/cli/doctor/check-models.ts";
import { runChecks, type Check } from "../../../src/cli/doctor/check.ts";
import { HypoError } from "../../../src/domain/errors.ts";
import { openMemory } from "../../../src/memory/index.ts";
import { testFolder } from "./test-project.ts";

const check = (name: string, examine: Check["examine"]): Check => ({ name, examine });
const fine = check("fine", async () => ({ status: "ok", detail: "all is well" }));

describe("the checks of hypo doctor", () => {
  it("go on whatever one of them does, in their order", async () => {
    let ended = false;
    const results = await runChecks(
      [
        check("broken", async () => {
          throw new HypoError("timeout", "It broke.", { hint: "Mend it." });
        }),
        check("defect", async () => {
          throw new TypeError("x is not a function");
        }),
        check("silent", (signal) => {
          signal.addEventListener("abort", () => (ended = true));
          return new Promise(() => undefined);
        }),
        check("two", async () => [
          { status: "ok", detail: "one" },
          { status: "warn", detail: "another", fix: "Look." },
        ]),
        fine,
      ],
      50,
    );
    expect(results).toEqual([
      { name: "broken", status: "fail", detail: "It broke.", fix: "Mend it." },
      { name: "defect", status: "fail", detail: "x is not a function", fix: expect.stringContaining("defect of hypo") },
      { name: "silent", status: "fail", detail: "no answer within 0.05 s", fix: expect.any(String) },
      { name: "two", status: "ok", detail: "one" },
      { name: "two", status: "warn", detail: "another", fix: "Look." },
      { name: "fine", status: "ok", detail: "all is well" },
    ]);
    expect(ended).toBe(true);
  });

  it("run at once: each can wait for the other", async () => {
    let open: () => void = () => undefined;
    const opened = new Promise<void>((resolve) => (open = resolve));
    const waits = check("waits", async () => opened.then(() => ({ status: "ok", detail: "" })));
    const opens = check("opens", async () => (open(), { status: "ok", detail: "" }));
    expect((await runChecks([waits, opens], 10_000)).map(({ status }) => status)).toEqual(["ok", "ok"]);
  });
});

describe("hypo doctor on models", () => {
  const model = { ref: "p/m", provider: "p", id: "m", contextWindow: 1, maxTokens: 1 };
  const price = { input: 1, output: 10, cacheRead: 0, cacheWrite: 0 };
  const missing = new HypoError("credentials_missing", "There are no credentials for p.", { hint: "Log in." });
  const unknown = new HypoError("model_unknown", "Pi knows no model x/y.", { hint: "For example p/m." });

  it("tells a missing price, missing credentials and an unknown model apart, each in its line", async () => {
    const results = await runChecks(
      checkModels(async () => ({
        agentDir: testFolder(),
        piVersion: "1",
        models: [
          { role: "supervisor", model: { ...model, price: undefined }, credentialsProblem: missing },
          { role: "subagent", model: unknown, credentialsProblem: undefined },
        ],
      })),
      10_000,
    );
    expect(results).toMatchObject([
      { name: "pi directory", status: "ok" },
      { name: "credentials", status: "fail", detail: missing.message, fix: "Log in." },
      { name: "models", status: "warn", detail: "supervisor: p/m, price unknown", fix: expect.stringContaining("models.json") },
      { name: "models", status: "fail", detail: "subagent: Pi knows no model x/y.", fix: "For example p/m." },
    ]);
  });

  it("names a broken directory once, and what was not looked at because of it", async () => {
    const broken = new HypoError("agent_dir_invalid", "Pi's models cannot be read.", { hint: "Mend models.json." });
    const results = await runChecks(
      checkModels(async () => {
        throw broken;
      }),
      10_000,
    );
    expect(results.map(({ status }) => status)).toEqual(["fail", "warn", "warn"]);
    expect(results.filter(({ detail }) => detail === broken.message)).toHaveLength(1);
  });

  it.each([
    [price, "$1 in and $10 out per million tokens"],
    [{ ...price, input: 0, output: 0 }, "free"],
    [undefined, "price unknown"],
  ])("says a price in words", (given, words) => expect(describePrice(given)).toBe(words));
});

describe("hypo doctor on the folder", () => {
  const project = (): { root: string; state: string } => {
    const root = testFolder();
    mkdirSync(join(root, ".hypo"));
    return { root, state: join(root, ".hypo") };
  };
  const one = async (each: Check): Promise<unknown> => (await runChecks([each], 10_000))[0];

  it("fails where the state cannot be written", async () => {
    const { root, state } = project();
    expect(await one(checkStateFolder({ root, state }, root))).toMatchObject({ status: "ok" });
    const file = join(root, "file");
    writeFileSync(file, "");
    expect(await one(checkStateFolder({ root, state: file }, root))).toMatchObject({ status: "fail", fix: expect.any(String) });
    expect(await one(checkStateFolder(undefined, join(root, "nowhere")))).toMatchObject({
      status: "fail",
      fix: expect.stringContaining("-C"),
    });
    expect(await one(checkDisk({ root, state }, root))).toMatchObject({ detail: expect.stringMatching(/free for /) });
  });

  it("tells an index that is ready, not made yet, of another version and damaged apart, and changes none", async () => {
    const { root, state } = project();
    const index = checkIndex({ root, state });
    expect(await one(index)).toMatchObject({ status: "ok", detail: "made at the first search" });
    const memory = openMemory({ folder: state, say: () => undefined });
    await memory.add({ type: "lesson", title: "Look first", statement: "Look before you leap." }, "0123456789");
    await memory.list();
    await memory.close();
    expect(await one(index)).toMatchObject({ status: "ok", detail: "1 note indexed" });
    writeFileSync(join(state, "index.sqlite"), "");
    expect(await one(index)).toMatchObject({ status: "ok", detail: expect.stringContaining("another version") });
    writeFileSync(join(state, "index.sqlite"), "no database at all ".repeat(100));
    expect(await one(index)).toMatchObject({ status: "warn", fix: expect.stringContaining("hypo memory rebuild") });
  });
});
