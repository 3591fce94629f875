import { HypoError } from "../../domain/errors.ts";
import type { ConfigKey } from "./keys.ts";

/**
 * A setting's value as written on a command line or in a variable: items of a list between commas, and `none` where a
 * number may be no number at all. Whether the value is allowed is for the schema to say.
 *
 * @param where what it was written in, for the error
 * @throws HypoError `config_invalid` where a number is asked for and this is none.
 */
export function parseValue(key: ConfigKey, text: string, where: string): unknown {
  if (key.kind === "text") return text;
  if (key.kind === "list") return text.trim() === "" ? [] : text.split(",").map((item) => item.trim());
  if (key.isNullable && (text === "none" || text === "null")) return null;
  const number = Number(text);
  if (text.trim() !== "" && !Number.isNaN(number)) return number;
  throw new HypoError("config_invalid", `${where} is ${JSON.stringify(text)}, which is not a number.`, { hint: `It takes: ${key.takes}.` });
}
