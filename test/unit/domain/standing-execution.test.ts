import { describe, expect, it } from "vitest";
import { standingExecution } from "../../../src/domain/standing-execution.ts";

type Status = Parameters<typeof standingExecution>[0][number]["status"];
const indexOfStanding = (statuses: Status[]): number => {
  const executions = statuses.map((status) => ({ status }));
  return executions.findIndex((each) => each === standingExecution(executions));
};

describe("an experiment is shown by the execution that decides", () => {
  it.each<[Status[], number]>([
    [["completed", "completed"], 0],
    [["completed", "image_unavailable"], 0],
    [["completed", "cancelled", "unfinished"], 0],
    [["docker_unavailable", "interrupted", "timed_out", "completed"], 2],
    [["failed", "completed"], 0],
  ])("of %j it is number %i, whatever its repeats came to", (statuses, index) => {
    expect(indexOfStanding(statuses)).toBe(index);
  });

  it.each<[Status[], number]>([
    [["docker_unavailable", "cancelled"], 1],
    [["interrupted", "unfinished"], 1],
    [[], -1],
  ])("of %j, where none decided, it is the latest", (statuses, index) => {
    expect(indexOfStanding(statuses)).toBe(index);
  });
});
