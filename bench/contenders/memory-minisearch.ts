/** Indexes the documents of a workload by MiniSearch as it comes, and asks its questions. Argument: folder. */
import MiniSearch from "minisearch";
import { askQuestions, DEPTH } from "../fixtures/ask-questions.ts";
import { readDocs, readQuestions, type Document } from "../fixtures/workload.ts";
import { timeOf } from "../harness/contender.ts";
import { handFigures } from "../harness/measure.ts";

const [folder = ""] = process.argv.slice(2);
const search = new MiniSearch<Document>({ fields: ["title", "text"] });
const buildMs = await timeOf(async () => {
  for await (const doc of readDocs(folder)) search.add(doc);
});
const answers = await askQuestions(readQuestions(folder), (text) =>
  search
    .search(text)
    .slice(0, DEPTH)
    .map(({ id }) => String(id)),
);
handFigures({ ...answers, buildMs, indexMb: Buffer.byteLength(JSON.stringify(search)) / 2 ** 20 });
