import type { Report } from "./report-model.ts";

/** Characters that JSON allows as they are and a terminal or editor may act on. */
const ACTIVE = /[\u007f-\u009f\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;

/** `report.json`: the report as data, lossless, with no character in it that acts when it is printed. */
export function renderJson(report: Report): string {
  const text = JSON.stringify(report, null, 2);
  return `${text.replaceAll(ACTIVE, (unit) => String.raw`\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)}\n`;
}
