import { join } from "node:path";
import { isFact } from "../../domain/records.ts";
import type { RunId } from "../../domain/ids.ts";
import { surveyJournal } from "../journal/survey.ts";
import type { Ports } from "../run-context.ts";
import { runFolder } from "../run-folder.ts";
import { checkExecutions } from "./check-executions.ts";
import { checkNotes } from "./check-notes.ts";
import { checkPlans } from "./check-plans.ts";
import { checkQuotes } from "./check-quotes.ts";
import { checkReports } from "./check-reports.ts";
import { checkReviews } from "./check-reviews.ts";
import { checkSources } from "./check-sources.ts";
import { checkMeta, checkSpecs } from "./check-specs.ts";
import type { Verification } from "./divergence.ts";
import { EvidenceFacts } from "./evidence-facts.ts";
import { Outcome } from "./outcome.ts";

/** What a verification reads with. */
export interface VerifySetup {
  /** The `.hypo` folder. */
  stateFolder: string;
  ports: Pick<Ports, "sources" | "memory" | "criteria" | "report">;
}

/**
 * Checks a run from the bytes: everything on disk against the journal, and everything that code worked out against
 * what it works out now. Lists every divergence, of all branches; changes nothing.
 *
 * @throws HypoError `run_damaged` where there is no journal to read.
 */
export async function verifyRun(id: RunId, setup: VerifySetup): Promise<Verification> {
  const folder = runFolder(setup.stateFolder, id);
  const facts = new EvidenceFacts();
  const survey = await surveyJournal(folder.path, (record) => {
    if (isFact(record)) facts.add(record);
    else facts.addMove(record);
  });
  const found = new Outcome();
  for (const { line, byte, problem } of survey.bad) found.add("journal_damaged", `journal.jsonl:${line}`, `Byte ${byte}: ${problem}.`);
  const experiments = join(setup.stateFolder, "experiments");
  await checkMeta(folder, facts, found);
  await checkSpecs(folder, facts, found);
  const texts = await checkSources(facts, setup.ports.sources, found);
  checkQuotes(facts, texts, found);
  await checkNotes(setup.stateFolder, facts, setup.ports.memory, found);
  await checkPlans(experiments, facts, found);
  await checkExecutions(experiments, facts, setup.ports.criteria, found);
  await checkReviews(experiments, facts, found);
  await checkReports(folder, facts, survey, setup.ports, found);
  return { ...found.result(), checked: { ...found.checked, facts: facts.count } };
}
