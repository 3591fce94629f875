import type { CommandDefinition } from "../definition.ts";

export const doctor: CommandDefinition = {
  name: "doctor",
  summary: "Look at everything hypo needs and say how to mend what is missing",
  description:
    "Configuration, Pi's directory, credentials (only whether they are there), models and prices, Docker and its image, your " +
    "servers, the project's folder, disk and index, all at once, each for at most 20 seconds. No model is asked. Exit code 1 " +
    "where something fails.",
  arguments: [],
  options: [],
  examples: [
    { command: "hypo doctor", says: "before the first run, or when something is odd" },
    { command: "hypo doctor --json", says: "for a script" },
  ],
  async start(_given, common, io) {
    const { doctorCommand } = await import("../commands/doctor.ts");
    return doctorCommand(common, io);
  },
};
