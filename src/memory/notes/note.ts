import type { Relation } from "../../domain/finding.ts";

/** The folders of memory/ and the type of note each holds where a note does not name its own. */
export const FOLDERS = {
  findings: "finding",
  hypotheses: "hypothesis",
  questions: "open_question",
  syntheses: "synthesis",
  decisions: "decision",
  lessons: "lesson",
} as const;

export type Folder = keyof typeof FOLDERS;

export function isFolder(name: string): name is Folder {
  return Object.hasOwn(FOLDERS, name);
}

/** Where a quote stands: code points in the text derived from a source. */
export interface EvidenceRange {
  source: string;
  text_sha256: string;
  extractor: string;
  start: number;
  end: number;
}

export interface Section {
  heading: string;
  body: string;
}

/** A note as its file says it. Text fields that a file leaves out are empty. */
export interface Note {
  id: string;
  type: string;
  status: string;
  title: string;
  created_by: string;
  run_id: string;
  created: string;
  language: string;
  sources: string[];
  evidence: EvidenceRange[];
  counterevidence: EvidenceRange[];
  experiments: string[];
  related: Relation[];
  /** The note that took an outdated one's place. */
  superseded_by: string;
  negative_result: boolean;
  /** Frontmatter that hypo does not know, kept as it was read. */
  extra: Record<string, unknown>;
  /** Text between the title and the first section. */
  preamble: string;
  sections: Section[];
}

/** Why a file is not a note, and where. Lines count from 1. */
export interface NoteProblem {
  line: number;
  message: string;
}

/** A note that says nothing yet. */
export function emptyNote(): Note {
  return {
    id: "",
    type: "",
    status: "",
    title: "",
    created_by: "",
    run_id: "",
    created: "",
    language: "",
    sources: [],
    evidence: [],
    counterevidence: [],
    experiments: [],
    related: [],
    superseded_by: "",
    negative_result: false,
    extra: {},
    preamble: "",
    sections: [],
  };
}
