/** Reads pages by hypo's gateway into a new store. Arguments: store folder, pages, at once, origins. */
import { CONFIG_DEFAULT } from "../../src/domain/config.ts";
import { runAtOnce } from "../fixtures/experiment.ts";
import { importBuilt, timeOf } from "../harness/contender.ts";
import { handFigures } from "../harness/measure.ts";

const [folder = "", pages = "", width = "", ...origins] = process.argv.slice(2);
const { createGateway, openSourceStore } = await importBuilt<typeof import("../../src/gateway/index.ts")>("gateway/index.ts");
const { systemClock } = await importBuilt<typeof import("../../src/engine/system-clock.ts")>("engine/system-clock.ts");

const store = openSourceStore(folder, {});
const allow_hosts = origins.map((origin) => new URL(origin).host);
const config = { ...CONFIG_DEFAULT, gateway: { ...CONFIG_DEFAULT.gateway, allow_hosts } };
const gateway = createGateway({ config, store, clock: systemClock, version: "bench" });
const { signal } = new AbortController();
const workMs = await timeOf(() =>
  runAtOnce(Number(pages), Number(width), async (index) => {
    const { text } = await gateway.read(`${origins[index % origins.length]}/${index}`, { signal });
    if (!text.includes(`Article ${index}`)) throw new Error(`page ${index} came back without its title`);
  }),
);
await gateway.close();
handFigures({ perSecond: Number(pages) / (workMs / 1000) });
