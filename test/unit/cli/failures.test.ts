import { describe, expect, it } from "vitest";
import { ERROR_GUIDE } from "../../../src/cli/error-guide.ts";
import { reportFailure } from "../../../src/cli/failures.ts";
import { errorRows, EXIT_CODE_GUIDE } from "../../../src/cli/help-topics.ts";
import { HypoError } from "../../../src/domain/errors.ts";
import { testIo } from "./test-io.ts";

const QUIET = { json: false, debug: false };

describe("anything thrown becomes a message", () => {
  it("says what is wrong and what to do, on stderr, without a stack", () => {
    const io = testIo();
    const code = reportFailure(new HypoError("run_unknown", "No run is called x.", { hint: "`hypo runs` lists them." }), QUIET, io);
    expect([code, io.out(), io.err()]).toEqual([2, "", "hypo: No run is called x.\n      `hypo runs` lists them.\n"]);
  });

  it("is an object on stdout for programs", () => {
    const io = testIo();
    const code = reportFailure(new HypoError("credentials_missing", "No key."), { json: true, debug: false }, io);
    expect([code, io.err()]).toEqual([4, ""]);
    expect(JSON.parse(io.out())).toEqual({ v: 1, error: { code: "credentials_missing", message: "No key.", hint: null } });
  });

  it("shows stacks and causes only when asked", () => {
    const io = testIo();
    reportFailure(new HypoError("internal", "Outer.", { cause: new Error("inner") }), { json: false, debug: true }, io);
    expect(io.err()).toMatch(/hypo: Outer\.\n.*at .*caused by: Error: inner\n/s);
  });

  it.each([
    ["an unexpected error", new TypeError("x is undefined"), "x is undefined"],
    ["a string", "boom", "boom"],
    ["nothing", undefined, "undefined"],
    ["an error without a message", new Error(""), "Something failed without saying what."],
  ])("calls %s a defect and exits 1", (_what, thrown, message) => {
    const io = testIo();
    expect(reportFailure(thrown, QUIET, io)).toBe(1);
    expect(io.err()).toContain(`hypo: ${message}\n`);
    expect(io.err()).toContain("--debug");
    expect(io.err()).not.toContain("    at ");
  });

  it("lets no text from outside reach the terminal's controls", () => {
    const io = testIo();
    reportFailure(new HypoError("http_error", "Server said \u001B]0;owned\u0007\u001B[2Jno."), QUIET, io);
    expect(io.err()).toBe("hypo: Server said no.\n");
  });
});

describe("the guide to errors", () => {
  it("names only exit codes that are explained", () => {
    const explained = EXIT_CODE_GUIDE.map(([code]) => code);
    expect(errorRows().length).toBe(Object.keys(ERROR_GUIDE).length);
    for (const { exit } of errorRows()) expect(explained).toContain(exit);
  });
});
