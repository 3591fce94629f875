/** Renders the finished report's Markdown as HTML by marked. Argument: the Markdown file. */
import { readFile } from "node:fs/promises";
import { marked } from "marked";
import { handFigures } from "../harness/measure.ts";
import { timeOf } from "../harness/contender.ts";

const [path = ""] = process.argv.slice(2);
const workMs = await timeOf(async () => marked.parse(await readFile(path, "utf8")));
handFigures({ workMs });
