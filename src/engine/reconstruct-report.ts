import type { Fact, JournalRecord } from "../domain/events.ts";
import { isFact } from "../domain/records.ts";
import type { SourceStore } from "../domain/ports.ts";
import type { ReportDraft } from "../domain/report-draft.ts";
import type { RunRecord } from "../domain/run-record.ts";
import { assembleDraft, draftIn, readWholeDraft } from "./report-draft.ts";
import { stopOf } from "./report-phase.ts";
import { makeRunRecord } from "./run-record.ts";
import { evolve } from "./state/evolve.ts";
import { emptyLedger, evolveLedger } from "./state/ledger.ts";
import { emptyRunState } from "./state/run-state.ts";

export type ReportWritten = Extract<Fact, { type: "report_written" }>;

/** What a report is rendered from. */
export interface ReportBasis {
  record: RunRecord;
  draft: ReportDraft | undefined;
  whyCode: string | undefined;
}

/** A branch's report as the journal gives it, or as it would be written now where none has been. */
export class ReportReplay {
  readonly #isAncestor: (seq: number) => boolean;
  readonly #written: ReportWritten | undefined;
  readonly #until: number;
  readonly #branch: string;
  readonly #state = emptyRunState();
  readonly #ledger = emptyLedger();
  #args: unknown;

  /**
   * @param head of the branch
   * @param written the last report_written fact on its ancestry
   */
  constructor(branch: string, head: number, isAncestor: (seq: number) => boolean, written: ReportWritten | undefined) {
    // A report that another branch had written before this one began says so.
    this.#branch = written?.branch ?? branch;
    this.#isAncestor = isAncestor;
    this.#written = written;
    this.#until = written === undefined ? head : (written.data.record_head ?? written.seq - 1);
  }

  /** Takes every record of the journal in order. */
  add(record: JournalRecord): void {
    if (!isFact(record) || record.seq > this.#until) return;
    evolveLedger(this.#ledger, record);
    if (!this.#isAncestor(record.seq)) return;
    evolve(this.#state, record);
    this.#args = draftIn(record, this.#written?.data.call) ?? this.#args;
  }

  async finish(sources: Pick<SourceStore, "find">): Promise<ReportBasis> {
    const basis = { state: this.#state, ledger: this.#ledger, branch: this.#branch };
    const record = await makeRunRecord(basis, sources, stopOf(this.#state));
    if (this.#written === undefined) return { record, draft: undefined, whyCode: "the run has not written its report yet" };
    if (this.#written.data.by === "code") return { record, draft: undefined, whyCode: this.#written.data.why_code };
    const read = readWholeDraft(this.#args);
    return { record, draft: "draft" in read ? assembleDraft(this.#state, read.draft) : undefined, whyCode: undefined };
  }
}
