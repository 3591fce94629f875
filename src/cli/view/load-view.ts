/**
 * Loads Ink and React, which takes a moment: for a terminal only. React's build for development, which it would else
 * take, records a stack for every element it makes. Programs that hypo starts are not told of the choice.
 */
export async function loadView(): Promise<typeof import("./run-view.tsx")> {
  const before = process.env["NODE_ENV"];
  process.env["NODE_ENV"] ??= "production";
  try {
    return await import("./run-view.tsx");
  } finally {
    if (before === undefined) delete process.env["NODE_ENV"];
  }
}
