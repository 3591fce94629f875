import { z } from "zod";
import type { PageDocument } from "./dom.ts";

const Named = z.union([z.string(), z.object({ name: z.string() }).transform(({ name }) => name)]);
const Text = z.string().trim().min(1).optional().catch(undefined);
const Work = z.object({
  "@type": z.union([z.string(), z.array(z.string())]),
  headline: Text,
  name: Text,
  author: z
    .union([Named, z.array(Named)])
    .optional()
    .catch(undefined),
  datePublished: Text,
  dateModified: Text,
  license: Text,
});

const WORK_TYPES = /(Article|Posting|WebPage|QAPage|Product|Report|Dataset|Book|Thesis|CreativeWork|Review)$/;

export interface LinkedWork {
  title: string | undefined;
  authors: string[];
  published: string | undefined;
  modified: string | undefined;
  license: string | undefined;
}

/** The first work that the page's JSON-LD describes, articles before mere web pages; broken JSON-LD says nothing. */
export function readJsonLd(document: PageDocument): LinkedWork {
  const works = [...document.querySelectorAll('script[type="application/ld+json"]')]
    .flatMap((script) => listNodes(parseJson(script.textContent)))
    .flatMap((node) => Work.safeParse(node).data ?? [])
    .filter((work) => [work["@type"]].flat().some((type) => WORK_TYPES.test(type)));
  const work = works.find((one) => ![one["@type"]].flat().includes("WebPage")) ?? works[0];
  return {
    title: work?.headline ?? work?.name,
    authors: work?.author === undefined ? [] : [work.author].flat(),
    published: work?.datePublished,
    modified: work?.dateModified,
    license: work?.license,
  };
}

function listNodes(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  const graph = typeof value === "object" && value !== null && "@graph" in value ? value["@graph"] : undefined;
  return Array.isArray(graph) ? graph : [value];
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
