/** Percent between two words on a pull. */
const STEP = 10;

interface Layer {
  done: number;
  size: number;
}

/**
 * How far the pull of an image is, from what the engine says of each of its layers many times a second.
 *
 * Source of the format: the Docker Engine API, `POST /images/create`: `{ status, id, progressDetail: { current, total } }`.
 */
export class PullProgress {
  private readonly layers = new Map<string, Layer>();
  private told = 0;

  /** A word worth passing on: each tenth of what is known to be fetched, and whole steps of the pull. */
  take(event: unknown): string | undefined {
    if (typeof event !== "object" || event === null || !("status" in event) || typeof event.status !== "string") return undefined;
    const { status } = event;
    const id = "id" in event && typeof event.id === "string" ? event.id : undefined;
    if (id === undefined || !("progressDetail" in event)) return status;
    const layer = this.layers.get(id);
    if (status === "Downloading") this.layers.set(id, layerOf(event.progressDetail));
    else if (layer && status !== "Pulling fs layer" && status !== "Waiting") layer.done = layer.size;
    return this.tell();
  }

  private tell(): string | undefined {
    let [done, size] = [0, 0];
    for (const layer of this.layers.values()) {
      done += layer.done;
      size += layer.size;
    }
    const percent = size === 0 ? 0 : Math.floor((100 * done) / size);
    // Layers become known one by one, so that the share may fall; what was told stays.
    if (percent < this.told + STEP) return undefined;
    this.told = percent - (percent % STEP);
    return `${this.told} % of ${(size / 1_000_000).toFixed(1)} MB`;
  }
}

function layerOf(detail: unknown): Layer {
  const { current, total } = (typeof detail === "object" && detail !== null ? detail : {}) as { current?: unknown; total?: unknown };
  return { done: typeof current === "number" ? current : 0, size: typeof total === "number" ? total : 0 };
}
