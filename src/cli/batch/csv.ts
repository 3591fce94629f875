/** A row of a CSV text with the line (from 1) it begins on. */
export interface CsvRow {
  line: number;
  cells: string[];
}

/** Something in a text that is not as it should be, with its line (from 1). */
export interface Problem {
  line: number;
  message: string;
}

/**
 * Reads CSV as RFC 4180 has it: comma, double quotes around fields with commas, quotes (doubled) or line ends in them,
 * rows ended by CRLF or LF. Blank lines are left out. What is not well-formed is told and ends the reading, since
 * nobody can say where the next field begins.
 */
export function readCsv(text: string): { rows: CsvRow[]; problems: Problem[] } {
  const rows: CsvRow[] = [];
  let at = 0;
  let line = 1;
  while (at < text.length) {
    const row: CsvRow = { line, cells: [] };
    for (let more = true; more;) {
      const field = readField(text, at);
      if ("problem" in field) return { rows, problems: [{ line: line + linesIn(text, at, field.at), message: field.problem }] };
      line += linesIn(text, at, field.end);
      row.cells.push(field.value);
      more = text[field.end] === ",";
      at = more ? field.end + 1 : field.end;
    }
    if (text.startsWith("\r\n", at)) at += 2;
    else if (text[at] === "\n") at += 1;
    if (row.cells.length > 1 || row.cells[0] !== "") rows.push(row);
    line += 1;
  }
  return { rows, problems: [] };
}

type Field = { value: string; end: number } | { problem: string; at: number };

function readField(text: string, start: number): Field {
  return text[start] === '"' ? readQuoted(text, start) : readPlain(text, start);
}

function readPlain(text: string, start: number): Field {
  const [value = ""] = /^[^,"\r\n]*/.exec(text.slice(start, endOfLine(text, start))) ?? [];
  const end = start + value.length;
  if (text[end] === '"') return { problem: 'a quote (") stands within a field that does not begin with one', at: end };
  if (text[end] === "\r" && text[end + 1] !== "\n") return { problem: "a carriage return stands without a line feed", at: end };
  return { value, end };
}

function readQuoted(text: string, start: number): Field {
  let at = start + 1;
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote === -1) return { problem: 'a quote (") is never closed', at: start };
    if (text[quote + 1] !== '"') return endQuoted(text, start, quote);
    at = quote + 2;
  }
}

function endQuoted(text: string, start: number, quote: number): Field {
  const end = quote + 1;
  const isEnd = end === text.length || text[end] === "," || text[end] === "\n" || text.startsWith("\r\n", end);
  if (!isEnd) return { problem: 'something follows a closing quote (")', at: quote };
  return { value: text.slice(start + 1, quote).replaceAll('""', '"'), end };
}

function endOfLine(text: string, start: number): number {
  const end = text.indexOf("\n", start);
  return end === -1 ? text.length : end;
}

function linesIn(text: string, start: number, end: number): number {
  return text.slice(start, end).split("\n").length - 1;
}
