import type { CommandDefinition } from "../definition.ts";

export const trust: CommandDefinition = {
  name: "trust",
  summary: "Let the project's configuration set anything",
  description:
    "Without trust a project's file may name models, providers and images, set iterations and lower limits, budget and sizes; " +
    "anything else in it is named and ignored, since its author may be a stranger. Trust is for this folder (by its real " +
    "path) and the file as it is now (by its SHA-256): after a change it has to be given again. It is kept in " +
    "$XDG_STATE_HOME/hypo/trust, or ~/.local/state/hypo/trust.",
  arguments: [],
  options: [
    { name: "revoke", summary: "take trust back" },
    { name: "list", summary: "list what is trusted" },
  ],
  examples: [
    { command: "cat .hypo/config.yaml && hypo trust", says: "read it first" },
    { command: "hypo trust --list", says: "every trusted folder, and whether its file has changed since" },
  ],
  async start(given, common, io) {
    const { trustCommand } = await import("../commands/trust.ts");
    return trustCommand({ ...common, revoke: given.isSet("revoke"), list: given.isSet("list") }, io);
  },
};
