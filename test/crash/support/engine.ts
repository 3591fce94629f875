import { execFileSync } from "node:child_process";

/** Whether experiments can run here: a container engine that answers, and the image they run in. */
export function hasDocker(): boolean {
  try {
    execFileSync("docker", ["image", "inspect", "hypo-sandbox/python:latest"], { stdio: "ignore", timeout: 20_000 });
    return true;
  } catch {
    return false;
  }
}
