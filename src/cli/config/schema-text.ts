import { CONFIG_SCHEMA } from "./keys.ts";

/** The JSON Schema of configuration files, with its title. */
export function configSchema(): Record<string, unknown> {
  const { $schema, ...rest } = CONFIG_SCHEMA;
  return { $schema, title: "hypo configuration", ...rest };
}

/** The same as text, for editors; docs/config.schema.json is a copy. */
export function configSchemaText(): string {
  return `${JSON.stringify(configSchema(), null, 2)}\n`;
}
