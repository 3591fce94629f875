import { fileURLToPath } from "node:url";

/** The pages that the rehearsal reads in place of the web. */
export const REHEARSAL_CORPUS = {
  origin: "https://rehearsal.hypo.example",
  folder: fileURLToPath(new URL("./assets/corpus", import.meta.url)),
};

export const REHEARSAL_QUESTION =
  "Does binary insertion sort make fewer comparisons than merge sort on short random arrays, and where do the two cross?";
