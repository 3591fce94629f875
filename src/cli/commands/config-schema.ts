import { configSchemaText } from "../config/schema-text.ts";
import type { Io } from "../io.ts";

/** Prints the JSON Schema of configuration files. */
export async function configSchemaCommand(io: Io): Promise<number> {
  io.stdout.write(configSchemaText());
  return 0;
}
