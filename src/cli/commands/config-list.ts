import { ExitCode } from "../../domain/errors.ts";
import { CONFIG_KEYS, valueAt } from "../config/keys.ts";
import type { Origin } from "../config/layers.ts";
import { surveyConfig, warnOfIgnored } from "../config/load.ts";
import { inWords, shownValue } from "../config/show-value.ts";
import { writeErr, writeJson, writeOut, type Io } from "../io.ts";
import { painterFor } from "../output/color.ts";
import { plainLine } from "../output/plain-text.ts";
import { tableLines } from "../output/table.ts";
import { terminalWidth } from "../output/terminal.ts";
import type { ConfigListOptions } from "./options.ts";

interface Setting {
  key: string;
  value: unknown;
  origin: Origin;
}

/**
 * Lists every key with its value and origin. A place that is broken is named and left out, so that the list is there to
 * mend it with; the exit code still tells.
 */
export async function configListCommand(options: ConfigListOptions, io: Io): Promise<number> {
  const survey = await surveyConfig(io.cwd, io.env, options);
  const { config, origins, ignored, problems } = survey;
  const settings = CONFIG_KEYS.map((key): Setting => ({
    key: key.name,
    value: shownValue(key, valueAt(config, key.path)),
    origin: origins.get(key.name) ?? "default",
  }));
  if (options.json) {
    writeJson(io, {
      settings: settings.map((each) => ({ ...each, value: each.value ?? null })),
      ignored: ignored.map(({ key }) => key),
      problems: problems.map(({ code, message, hint }) => ({ code, message, hint: hint ?? null })),
    });
  } else {
    // Before the table, which a pager may take the terminal for.
    warnOfIgnored(survey, io);
    for (const { message, hint } of problems) writeErr(io, plainLine(`Left out: ${message} ${hint ?? ""}`));
    writeOut(io, table(settings, io).join("\n"));
  }
  return problems.length === 0 ? ExitCode.ok : ExitCode.usage;
}

function table(settings: readonly Setting[], io: Io): string[] {
  return tableLines<Setting>(
    [
      { title: "KEY", value: (row) => row.key },
      { title: "VALUE", value: (row) => inWords(row.value), max: 60 },
      { title: "FROM", value: (row) => row.origin, tone: (row) => (row.origin === "default" ? "dim" : "accent") },
    ],
    settings,
    terminalWidth(io),
    painterFor(io.color.stdout),
  );
}
