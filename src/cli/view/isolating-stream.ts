import { isolate } from "../output/plain-text.ts";

/**
 * A terminal's stream that isolates right-to-left text on its way out, so that numbers beside it stay in their
 * columns. Ink keeps no marks without a width, so that they can only be put in behind it.
 */
export function isolatingStream(stream: NodeJS.WritableStream): NodeJS.WritableStream {
  const write = (chunk: string, ...rest: [(error?: Error | null) => void]): boolean => stream.write(isolate(chunk), ...rest);
  return new Proxy(stream, {
    get(target, key) {
      if (key === "write") return write;
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === "function" ? (value.bind(target) as unknown) : value;
    },
  });
}
