import type { Protocol } from "../../domain/protocol.ts";

/** What each protocol asks of the supervisor, beyond how every run goes. */
export const PROTOCOLS: Readonly<Record<Protocol, string>> = {
  survey: `Protocol of this run: survey. What is known on the question is to be mapped.
1. Split the question into themes that cover it together, and give each to an agent that searches several providers and reads primary sources.
2. Have every theme's facts published with quotes, and counterarguments as findings of their own. What only one source says is to be looked for in a second, independent one.
3. Have one agent look for nothing but what contradicts the main findings.
4. Name what stays open as open questions. Have an experiment registered only where sources contradict each other and a test can decide.
The report compares what the sources say, theme by theme, and says how well each claim is supported.`,
  hypothesis: `Protocol of this run: hypothesis test. The question is to be decided by tests.
1. Have the background read as far as hypotheses and tests need it.
2. Have one to three rival hypotheses published that exclude each other as far as possible, each with what would refute it.
3. Have each tested by an experiment that is registered before it runs, with a baseline and with criteria of success and of refutation.
4. Have every execution reviewed by an agent outside the author's lineage. A refuted hypothesis is a result.
Finish only when each hypothesis has its verdict, or when you can say why it cannot have one. The report states each hypothesis with its verdict, and as untested what no test has decided.`,
  replicate: `Protocol of this run: replication. A claim, a study or an earlier finding is to be repeated independently.
1. Have the original found and read: its claim, data, method and figures, published with quotes. If it stands in memory, name its id.
2. Have it repeated by at least two agents that do not know of each other's work: the second is spawned with replication_of naming the first and independent_context: true.
3. Each registers its test before it runs, with the original's metric and a tolerance that is stated beforehand; nobody changes a test so that it agrees.
4. Have every execution reviewed by an agent outside the author's lineage, and publish each replication as related to what it replicates, failed ones too.
The report says, figure by figure, what was reproduced, what was not, and what in data or method differs from the original.`,
};
