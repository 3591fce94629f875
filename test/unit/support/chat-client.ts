/** A plain streaming client: what any OpenAI-compatible library would send and see. */

export interface ClientMessage {
  role: "system" | "user" | "assistant" | "tool";
  content: string | null;
  tool_call_id?: string;
  tool_calls?: { id: string; type: "function"; function: { name: string; arguments: string } }[];
}

export interface ClientAnswer {
  status: number;
  headers: Headers;
  /** The body as it came. */
  raw: string;
  text: string;
  message: ClientMessage;
  finish: string | undefined;
  usage: Record<string, unknown> | undefined;
}

interface WireChunk {
  choices: {
    delta: { content?: string; tool_calls?: { index: number; id?: string; function: { name?: string; arguments: string } }[] };
    finish_reason: string | null;
  }[];
  usage?: Record<string, unknown>;
  error?: { message: string };
}

/** Asks and reads the whole stream; rejects where it breaks or carries what is not a chunk. */
export async function ask(
  url: string,
  messages: ClientMessage[],
  { session = "run-1.root", signal = AbortSignal.timeout(10_000) }: { session?: string; signal?: AbortSignal } = {},
): Promise<ClientAnswer> {
  const response = await fetch(`${url}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-session-affinity": session },
    body: JSON.stringify({ model: "scripted", stream: true, stream_options: { include_usage: true }, messages }),
    signal,
  });
  const raw = await response.text();
  return { status: response.status, headers: response.headers, raw, ...(response.ok ? assemble(raw) : assemble("")) };
}

function assemble(raw: string): Pick<ClientAnswer, "text" | "message" | "finish" | "usage"> {
  const lines = raw.split("\n\n").filter((line) => line.startsWith("data: ") && line !== "data: [DONE]");
  const chunks = lines.map((line) => JSON.parse(line.slice("data: ".length)) as WireChunk);
  const failed = chunks.find(({ error }) => error !== undefined);
  if (failed !== undefined) throw new Error(failed.error?.message);
  const choices = chunks.flatMap((chunk) => chunk.choices);
  const text = choices.map(({ delta }) => delta.content ?? "").join("");
  const calls: NonNullable<ClientMessage["tool_calls"]> = [];
  for (const part of choices.flatMap(({ delta }) => delta.tool_calls ?? [])) {
    const call = (calls[part.index] ??= {
      id: part.id ?? "",
      type: "function",
      function: { name: part.function.name ?? "", arguments: "" },
    });
    call.function.arguments += part.function.arguments;
  }
  return {
    text,
    message: { role: "assistant", content: text === "" ? null : text, ...(calls.length > 0 ? { tool_calls: calls } : {}) },
    finish: choices.findLast(({ finish_reason }) => finish_reason !== null)?.finish_reason ?? undefined,
    usage: chunks.find(({ usage }) => usage !== undefined)?.usage,
  };
}
