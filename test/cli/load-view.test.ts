import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const VIEW = new URL("../../dist/cli/view/load-view.js", import.meta.url).href;

/** React has `act` in its build for development alone. Prints also what is left of the choice in the environment. */
const PROGRAM = `
const { loadView } = await import(${JSON.stringify(VIEW)});
await loadView();
const React = await import("react");
console.log(JSON.stringify({ isForDevelopment: React.act !== undefined, left: process.env.NODE_ENV ?? null }));
`;

it("the terminal view runs on React's build for production, and no program that hypo starts is told so", () => {
  const { NODE_ENV: _, ...env } = process.env;
  const cwd = fileURLToPath(new URL("../..", import.meta.url));
  const said = execFileSync(process.execPath, ["--input-type=module", "-e", PROGRAM], { cwd, env, encoding: "utf8" });
  expect(JSON.parse(said)).toEqual({ isForDevelopment: false, left: null });
});
