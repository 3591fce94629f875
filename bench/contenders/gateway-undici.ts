/** Fetches pages by undici and keeps nothing. Arguments: pages, at once, origins. */
import { request } from "undici";
import { runAtOnce } from "../fixtures/experiment.ts";
import { timeOf } from "../harness/contender.ts";
import { handFigures } from "../harness/measure.ts";

const [pages = "", width = "", ...origins] = process.argv.slice(2);
const workMs = await timeOf(() =>
  runAtOnce(Number(pages), Number(width), async (index) => {
    const { body } = await request(`${origins[index % origins.length]}/${index}`);
    if (!(await body.text()).includes(`Article ${index}`)) throw new Error(`page ${index} came back without its title`);
  }),
);
handFigures({ perSecond: Number(pages) / (workMs / 1000) });
