import type { CommandDefinition } from "../definition.ts";
import { CHECK_REFS_OPTION, RUN_ARGUMENT } from "./shared.ts";

export const verify: CommandDefinition = {
  name: "verify",
  summary: "Check a run from the bytes and list every divergence",
  description:
    "Checks the journal's sums and ancestry, agents' specifications, sources, quotes, notes, plans, code, results, criteria, " +
    "reviews and the report against what the journal says. Exits 1 if anything diverges. A note that you edited shows as " +
    "note_edited, with the findings whose claims rest on the edited part.",
  arguments: [RUN_ARGUMENT],
  options: [CHECK_REFS_OPTION],
  examples: [
    { command: "hypo verify last", says: "the newest run" },
    { command: "hypo verify last --check-refs --json", says: "and ask whether its references exist, for a script" },
  ],
  isPaged: () => true,
  async start(given, common, io) {
    const { verifyCommand } = await import("../commands/verify.ts");
    return verifyCommand({ ...common, run: given.argument(0) ?? "", checkRefs: given.isSet("check-refs") }, io);
  },
};
