import { webAddress } from "./escape.ts";
import type { Reference } from "./report-model.ts";

const DOI = /^10\.\d{4,9}\/[^\s<>"]+$/;
const ARXIV = /^(?:\d{4}\.\d{4,5}|[a-z-]+(?:\.[A-Z]{2})?\/\d{7})(?:v\d+)?$/i;

/** Where a DOI resolves; undefined for what is no DOI. */
export function doiAddress(doi: string): string | undefined {
  return DOI.test(doi) ? webAddress(`https://doi.org/${encodeURI(doi)}`) : undefined;
}

/** The page of an arXiv id; undefined for what is none. */
export function arxivAddress(id: string): string | undefined {
  return ARXIV.test(id) ? webAddress(`https://arxiv.org/abs/${id}`) : undefined;
}

/** What a check of the reference found, worst first; nothing where it was not asked or all matches. */
export function describeCheck(check: Reference["check"]): string[] {
  if (check === null) return [];
  const status = {
    matches: [],
    differs: ["Its metadata differs from what the services hold"],
    not_found: ["No service knows its identifier"],
    unchecked: ["It could not be checked"],
    no_identifier: [],
  }[check.status];
  return [...(check.retracted ? ["RETRACTED"] : []), ...status, ...check.remarks];
}
