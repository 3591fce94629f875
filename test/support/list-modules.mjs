// Preloaded into the binary: writes the address of every module that it loads to the file that HYPO_MODULES names.
import { appendFileSync } from "node:fs";
import { registerHooks } from "node:module";

registerHooks({
  load(url, context, nextLoad) {
    appendFileSync(process.env.HYPO_MODULES, `${url}\n`);
    return nextLoad(url, context);
  },
});
