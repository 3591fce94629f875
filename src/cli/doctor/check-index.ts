import type { Project } from "../project/project.ts";
import type { Check } from "./check.ts";

/** Memory's index. It can always be made again from the notes, so nothing about it is a fail. */
export function checkIndex(project: Project | undefined): Check {
  return {
    name: "index",
    async examine() {
      if (project === undefined) return { status: "ok", detail: "there is no project yet" };
      const { examineIndex } = await import("../../memory/index/examine-index.ts");
      const found = await examineIndex(project.state);
      switch (found.state) {
        case "ready":
          return { status: "ok", detail: `${found.notes} ${found.notes === 1 ? "note" : "notes"} indexed` };
        case "missing":
          return { status: "ok", detail: "made at the first search" };
        case "outdated":
          return { status: "ok", detail: "of another version of hypo; made anew at the next search" };
        case "damaged":
          return { status: "warn", detail: `index.sqlite is damaged: ${found.problem}`, fix: "Make it anew: `hypo memory rebuild`." };
      }
    },
  };
}
