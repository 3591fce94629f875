import { CONFIG_SCHEMA } from "./keys.ts";

/** The JSON Schema of configuration files as text, for editors; docs/config.schema.json is a copy. */
export function configSchemaText(): string {
  const { $schema, ...rest } = CONFIG_SCHEMA;
  const schema = { $schema, title: "hypo configuration", ...rest };
  return `${JSON.stringify(schema, null, 2)}\n`;
}
