import type { RunRecord } from "../domain/run-record.ts";

/** Something that changed: a source, or a finding that was withdrawn, with what happened to it. */
export interface StaleSeed {
  id: string;
  why: string;
}

/** What is known of a run, and what its report says; sentences name the ids they rest on. */
export interface StaleRun {
  record: Pick<RunRecord, "run" | "findings" | "hypotheses" | "experiments" | "questions">;
  sentences: { where: string; text: string; supports: string[] }[];
}

/** Something that rests, directly or through others, on what changed. */
export interface StaleItem {
  kind: "finding" | "hypothesis" | "experiment" | "verdict" | "answer" | "sentence";
  id: string;
  run: string;
  text: string;
  why: string;
  /** The ids between what changed and this, from there to here. */
  through: string[];
}

type Node = Pick<StaleItem, "kind" | "id" | "run" | "text"> & { key: string };

/** Everything that rests on the seeds, by closure over what each thing rests on; nearest first, each once. Pure. */
export function findStale(seeds: StaleSeed[], runs: StaleRun[]): StaleItem[] {
  const graph = new SupportGraph(runs);
  const reached = new Set<string>();
  const items: StaleItem[] = [];
  let wave = seeds.flatMap(({ id, why }) => [
    ...graph.itself(id).map((node) => ({ node, why, through: [] as string[] })),
    ...graph.restingOn(id).map((node) => ({ node, why, through: [id] })),
  ]);
  while (wave.length > 0) {
    const fresh = wave.filter(({ node }) => !reached.has(node.key) && reached.add(node.key));
    for (const { node, why, through } of fresh) {
      const { key: _, ...item } = node;
      items.push({ ...item, why, through });
    }
    wave = fresh.flatMap(({ node, why, through }) =>
      graph.restingOn(node.key).map((next) => ({ node: next, why, through: through.at(-1) === node.id ? through : [...through, node.id] })),
    );
  }
  return items;
}

/** Who rests on whom. A verdict is a node of its own beside its hypothesis. */
class SupportGraph {
  readonly #nodes = new Map<string, Node>();
  readonly #resting = new Map<string, Set<string>>();

  constructor(runs: StaleRun[]) {
    for (const { record } of runs) this.#addRecord(record);
    for (const run of runs) this.#addSentences(run);
  }

  itself(key: string): Node[] {
    const node = this.#nodes.get(key);
    return node === undefined ? [] : [node];
  }

  restingOn(key: string): Node[] {
    return [...(this.#resting.get(key) ?? [])].flatMap((each) => this.itself(each));
  }

  #addRecord({ run, findings, hypotheses, experiments, questions }: StaleRun["record"]): void {
    const hypothesisIds = new Set(hypotheses.map(({ id }) => id));
    for (const { id, statement, evidence, counterevidence, experiments: tests, related } of findings) {
      this.#node({ key: id, id, kind: hypothesisIds.has(id) ? "hypothesis" : "finding", run, text: statement });
      for (const { source } of [...evidence, ...counterevidence]) this.#rests(id, source);
      for (const test of tests) this.#rests(id, test);
      for (const { kind, to } of related) {
        if (kind === "refines") this.#rests(id, to);
        // A verdict stands on its test, so what supports a hypothesis carries no verdict.
        if (kind === "supports" && !hypothesisIds.has(to)) this.#rests(to, id);
      }
    }
    for (const { id, plan, reviews } of experiments) {
      this.#node({ key: id, id, kind: "experiment", run, text: plan.title });
      for (const { sha256, from } of plan.data) if (from === "source") this.#rests(id, sha256);
      const verdict = reviews.at(-1)?.verdict;
      if (verdict === undefined) continue;
      const key = `verdict ${id}`;
      this.#node({ key, id: plan.hypothesis, kind: "verdict", run, text: `${plan.hypothesis} ${verdict} by ${id}` });
      this.#rests(key, id);
      this.#rests(key, plan.hypothesis);
    }
    for (const { id, text, closed, answer, by } of questions) {
      if (!closed) continue;
      this.#node({ key: `answer ${id}`, id, kind: "answer", run, text: `${text} ${answer ?? ""}`.trim() });
      for (const support of by) this.#restsOnCited(`answer ${id}`, support);
    }
  }

  #addSentences({ record: { run, experiments }, sentences }: StaleRun): void {
    for (const { where, text, supports } of sentences) {
      const key = `${run} ${where}`;
      this.#node({ key, id: where, kind: "sentence", run, text });
      for (const support of supports) {
        this.#restsOnCited(key, support);
        for (const { id, plan } of experiments) if (plan.hypothesis === support) this.#rests(key, `verdict ${id}`);
      }
    }
  }

  /** A cited source may be named by the beginning of its id. */
  #restsOnCited(key: string, support: string): void {
    const isPrefix = /^[0-9a-f]{8,63}$/.test(support);
    const sources = isPrefix ? [...this.#resting.keys()].filter((known) => /^[0-9a-f]{64}$/.test(known) && known.startsWith(support)) : [];
    for (const id of sources.length > 0 ? sources : [support]) this.#rests(key, id);
  }

  #node(node: Node): void {
    if (!this.#nodes.has(node.key)) this.#nodes.set(node.key, node);
  }

  #rests(key: string, on: string): void {
    const known = this.#resting.get(on);
    if (known === undefined) this.#resting.set(on, new Set([key]));
    else known.add(key);
  }
}
