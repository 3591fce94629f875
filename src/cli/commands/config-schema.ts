import { configSchema, configSchemaText } from "../config/schema-text.ts";
import { writeJson, type Io } from "../io.ts";
import type { GlobalOptions } from "./options.ts";

/** Prints the JSON Schema of configuration files. */
export async function configSchemaCommand({ json }: GlobalOptions, io: Io): Promise<number> {
  if (json) writeJson(io, { schema: configSchema() });
  else io.stdout.write(configSchemaText());
  return 0;
}
