import type { PageDocument, PageElement } from "./dom.ts";

/** More notes than this are a list of references, which the page shows as such. */
const MAX_NOTES = 40;
/** A longer "note" is a section that a link leads to. */
const MAX_NOTE_CHARACTERS = 2_000;
const LABEL = /^[[(]?(\d{1,3}|[a-z]|[*†‡§]{1,3})[\])]?$/i;
const MARK = "sup, [role~='doc-noteref'], [epub\\:type~='noteref'], [class*='footnote'], [class*='noteref'], [class*='fn']";

/** Texts of a page's footnotes by their label. */
export type Footnotes = ReadonlyMap<string, string>;

/** Turns marks that lead to a note of the same page into `[^1]`, and their notes into `[^1]: text`. Works in place. */
export function markFootnotes(document: PageDocument, url: string): Footnotes {
  const marks = findMarks(document, url);
  const notes = new Map<string, string>();
  if (new Set(marks.map(({ label }) => label)).size > MAX_NOTES) return notes;
  for (const { link, label, note } of marks) {
    if (!notes.has(label)) {
      for (const back of note.querySelectorAll("a[href*='#']")) if (!/[\p{L}\p{N}]{2}/u.test(back.textContent)) back.remove();
      const text = note.textContent
        .replace(/\s+/g, " ")
        .trim()
        .replace(/^[[(]?[\w*†‡§]{1,3}[\]).:]\s+/, "");
      notes.set(label, text);
      note.innerHTML = `[^${label}]: ${escapeText(text)}`;
    }
    const mark = link.closest("sup");
    (mark !== null && mark.textContent.trim() === link.textContent.trim() ? mark : link).replaceWith(`[^${label}]`);
  }
  return notes;
}

/** Appends the notes whose marks are in the text while they themselves were left out of it. */
export function appendFootnotes(markdown: string, notes: Footnotes): string {
  const missing = [...notes].filter(([label]) => markdown.includes(`[^${label}]`) && !markdown.includes(`[^${label}]:`));
  return [markdown, ...missing.map(([label, text]) => `[^${label}]: ${text}`)].join("\n\n").trim();
}

interface Mark {
  link: PageElement;
  label: string;
  note: PageElement;
}

function findMarks(document: PageDocument, url: string): Mark[] {
  const [page = ""] = url.split("#");
  return [...document.querySelectorAll("a[href*='#']")].flatMap((link) => {
    const label = LABEL.exec(link.textContent.trim())?.[1];
    const [before = "", id = ""] = (link.getAttribute("href") ?? "").split("#", 2);
    if (label === undefined || id === "" || (before !== "" && before !== page)) return [];
    if (link.closest(MARK) === null && link.querySelector("sup") === null) return [];
    const note = findNote(document, id, link);
    return note === undefined ? [] : [{ link, label, note }];
  });
}

function findNote(document: PageDocument, id: string, link: PageElement): PageElement | undefined {
  const target = document.getElementById(id) ?? document.getElementById(decodeSafely(id));
  const note = target?.closest("li, p, dd, aside, div, td");
  if (note === null || note === undefined || note.querySelector("h1, h2, h3, table") !== null) return undefined;
  // A note's own mark leads back into the text, to where this link stands.
  const holdsLink = [...note.querySelectorAll("a")].includes(link);
  const size = note.textContent.trim().length;
  return holdsLink || size === 0 || size > MAX_NOTE_CHARACTERS ? undefined : note;
}

function decodeSafely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function escapeText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
