import { describe, expect, it } from "vitest";
import { classifyFailure, readRetryAfter } from "../../../src/pi/classify-failure.ts";

const NOTHING = { status: undefined, retryAfterMs: undefined };

describe("a failed model call", () => {
  it.each([
    ["401: Incorrect API key provided", false, NOTHING, "refused"],
    ["403 Forbidden", false, NOTHING, "refused"],
    ["No API key found for deepseek", false, NOTHING, "refused"],
    ["slow down", false, { status: 429, retryAfterMs: 2000 }, "rate_limited"],
    ["429: You exceeded your current quota, check your billing", false, NOTHING, "refused"],
    ["500: boom", false, NOTHING, "server_error"],
    ["OpenAI API error (503): overloaded", false, NOTHING, "server_error"],
    ["400: This model's maximum context length is 8192 tokens", false, NOTHING, "context_overflow"],
    ["400: bad tool schema", false, NOTHING, "other"],
    ["fetch failed", false, NOTHING, "cut"],
    ["terminated", true, { status: 200, retryAfterMs: undefined }, "cut"],
    ["something odd", true, { status: 200, retryAfterMs: undefined }, "cut"],
    ["something odd", false, NOTHING, "other"],
  ] as const)("is read from %j (started: %s) as %3$s", (message, started, trace, kind) => {
    expect(classifyFailure(message, started, trace).kind).toBe(kind);
  });

  it.each([
    "401: Incorrect API key provided: sk-proj-abcdefghijklmnop1234",
    "401: Bearer abcdefgh12345678 is not valid",
    "bad api_key=abcdefgh12345678",
    "key AIzaSyA1234567890abcdefghij refused",
  ])("never repeats a key: %j", (message) => {
    expect(classifyFailure(message, false, NOTHING).message).not.toMatch(/abcdefgh|1234567890/);
  });
});

describe("a provider's Retry-After", () => {
  const now = Date.parse("2026-01-01T00:00:00Z");

  it.each([
    [{ "retry-after": "3" }, 3000],
    [{ "retry-after-ms": "250" }, 250],
    [{ "retry-after": "Thu, 01 Jan 2026 00:00:05 GMT" }, 5000],
    [{ "retry-after": "Wed, 31 Dec 2025 23:00:00 GMT" }, 0],
    [{ "retry-after": "soon" }, undefined],
    [{}, undefined],
  ])("is read from %j as %j ms", (headers, expected) => {
    expect(readRetryAfter(new Headers(headers as Record<string, string>), now)).toBe(expected);
  });
});
