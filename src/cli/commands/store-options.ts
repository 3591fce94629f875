/** Options of the commands that look at what is kept: sources and notes. */
import type { OwnType } from "../../memory/edit-notes.ts";
import type { GlobalOptions } from "./options.ts";

export interface SourcesListOptions extends GlobalOptions {
  limit: number;
}

export interface SourcesShowOptions extends GlobalOptions {
  source: string;
  /** Print the whole derived text and nothing else. */
  text: boolean;
}

/** Which notes; undefined leaves a field open. */
export interface MemoryFilterOptions {
  type: string | undefined;
  status: string | undefined;
  run: string | undefined;
  source: string | undefined;
  before: string | undefined;
  after: string | undefined;
  relatedTo: string | undefined;
}

export interface SourcesSearchOptions extends GlobalOptions {
  query: string;
  limit: number;
}

export interface SourcesAddOptions extends GlobalOptions {
  /** Files, folders and URLs. */
  what: string[];
}

export interface SourcesRefreshOptions extends GlobalOptions {
  sources: string[];
}

export interface SourcesExportOptions extends GlobalOptions {
  /** All where empty. */
  sources: string[];
  to: string;
}

export interface SourcesVerifyOptions extends GlobalOptions {
  /** All where empty. */
  sources: string[];
}

export interface SourcesGcOptions extends GlobalOptions {
  /** Only what was last retrieved so many days ago or earlier. */
  olderThan: number;
  dryRun: boolean;
}

export interface MemorySearchOptions extends GlobalOptions, MemoryFilterOptions {
  query: string;
  limit: number;
  explain: boolean;
}

export interface MemoryListOptions extends GlobalOptions, MemoryFilterOptions {
  limit: number;
}

export interface MemoryShowOptions extends GlobalOptions {
  note: string;
}

/** What a person may add, written out for the same reason as the thinking levels. */
export const OWN_NOTE_TYPES = [
  "decision",
  "lesson",
  "synthesis",
  "inference",
  "hypothesis",
  "open_question",
] as const satisfies readonly OwnType[];

export interface MemoryAddOptions extends GlobalOptions {
  type: OwnType;
  title: string;
  /** Markdown; undefined takes what is piped in. */
  text: string | undefined;
}

export interface MemoryLinkOptions extends GlobalOptions {
  from: string;
  kind: string;
  to: string;
}

export interface MemoryRetireOptions extends GlobalOptions {
  note: string;
  successor: string;
}

export type MemoryExportOptions = GlobalOptions;
export type MemoryCheckOptions = GlobalOptions;
export type MemoryRebuildOptions = GlobalOptions;
