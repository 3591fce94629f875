import { foldUnseen } from "./escape.ts";

/** HTML that was made here. `html` escapes every string put into it, so that foreign text cannot become markup. */
export interface Html {
  readonly html: string;
}

type Value = string | number | Html | Html[];

/** HTML from a template: strings in it are escaped (in text and in quoted attributes alike), HTML stands as it is. */
export function html(parts: TemplateStringsArray, ...values: Value[]): Html {
  return { html: parts.map((part, index) => part + (index < values.length ? renderValue(values[index] ?? "") : "")).join("") };
}

function renderValue(value: Value): string {
  if (typeof value === "number") return String(value);
  if (typeof value === "string") return escapeHtml(foldUnseen(value));
  return Array.isArray(value) ? value.map((each) => each.html).join("") : value.html;
}

export function joinHtml(pieces: Html[], separator: string): Html {
  return { html: pieces.map((piece) => piece.html).join(separator) };
}

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;", "`": "&#96;" };

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"'`]/g, (sign) => ENTITIES[sign] ?? sign);
}
