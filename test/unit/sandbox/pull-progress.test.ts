import { describe, expect, it } from "vitest";
import { PullProgress } from "../../../src/sandbox/pull-progress.ts";

const layer = (id: string, status: string, current?: number, total?: number) => ({ id, status, progressDetail: { current, total } });

describe("the pull of an image", () => {
  it("is told in tenths of what is known to be fetched, each once and never falling", () => {
    const progress = new PullProgress();
    const events = [
      layer("a", "Pulling fs layer"),
      layer("a", "Downloading", 50_000, 10_000_000),
      layer("a", "Downloading", 1_000_000, 10_000_000),
      layer("a", "Downloading", 1_050_000, 10_000_000),
      layer("a", "Downloading", 5_900_000, 10_000_000),
      // Another layer becomes known: a smaller share is fetched than was told.
      layer("b", "Downloading", 0, 10_000_000),
      layer("b", "Downloading", 6_200_000, 10_000_000),
      layer("a", "Download complete"),
      layer("b", "Extracting", 1, 10_000_000),
      layer("b", "Pull complete"),
    ];
    expect(events.flatMap((event) => progress.take(event) ?? [])).toEqual([
      "10 % of 10.0 MB",
      "50 % of 10.0 MB",
      "60 % of 20.0 MB",
      "80 % of 20.0 MB",
      "100 % of 20.0 MB",
    ]);
  });

  it("tells whole steps as they are, and nothing of what it does not know", () => {
    const progress = new PullProgress();
    const events = [{ status: "Digest: sha256:ab" }, {}, null, "x", { status: 7 }, layer("a", "Downloading"), layer("a", "Extracting")];
    expect(events.flatMap((event) => progress.take(event) ?? [])).toEqual(["Digest: sha256:ab"]);
  });
});
