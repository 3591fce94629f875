import type { Config } from "../../domain/config.ts";
import type { Check, Finding } from "./check.ts";

/** The person's own servers. Each is asked for something that costs nothing. */
export function checkServices({ search, read }: Pick<Config, "search" | "read">): Check[] {
  return [
    {
      name: "searxng",
      async examine(signal) {
        const url = search.searxng_url;
        if (url === undefined) {
          return {
            status: "warn",
            detail: "not configured: only scholarly services and Wikipedia are searched",
            fix: "Set up a SearXNG and `hypo config set search.searxng_url <address>`.",
          };
        }
        const { examineSearxng } = await import("../../gateway/index.ts");
        const warnings = await examineSearxng(url, () => new Date(), signal);
        if (warnings.length === 0) return { status: "ok", detail: `${url} answers` };
        return {
          status: "warn",
          detail: `${url} answers, with trouble: ${warnings.join(" ")}`,
          fix: "Look at the engines in its settings.yml.",
        };
      },
    },
    {
      name: "firecrawl",
      async examine(signal) {
        const url = read.firecrawl_url;
        if (url === undefined) return notConfigured("pages that need scripts are read without them");
        const { examineFirecrawl } = await import("../../gateway/index.ts");
        await examineFirecrawl(url, signal);
        return { status: "ok", detail: `${url} answers` };
      },
    },
    {
      name: "browser adapter",
      async examine(signal) {
        const url = read.browser_url;
        if (url === undefined) return notConfigured("pages that need interaction cannot be read");
        const { examineBrowser } = await import("../../gateway/index.ts");
        await examineBrowser(url, signal);
        return { status: "ok", detail: `${url} answers` };
      },
    },
  ];
}

function notConfigured(consequence: string): Finding {
  return { status: "ok", detail: `not configured: ${consequence}` };
}
