import type { z } from "zod";
import { HypoError } from "../../domain/errors.ts";

/**
 * A provider's JSON answer, checked against the shape its documentation promises.
 *
 * @throws HypoError `http_error` where it is something else, such as an HTML error page.
 */
export function parseAnswer<Shape extends z.ZodType>(provider: string, body: string, shape: Shape): z.infer<Shape> {
  const parsed = shape.safeParse(parseJson(provider, body));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw unexpected(provider, `${issue?.path.join(".") ?? ""}: ${issue?.message ?? "unknown shape"}`);
}

export function unexpected(provider: string, what: string): HypoError {
  return new HypoError("http_error", `${provider} answered in an unexpected form (${what}).`, {
    hint: "Other providers may still answer.",
  });
}

function parseJson(provider: string, body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw unexpected(provider, body.trimStart().startsWith("<") ? "HTML instead of JSON" : "no JSON");
  }
}
