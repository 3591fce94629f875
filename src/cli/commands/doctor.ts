import { surveyConfig } from "../config/load.ts";
import { checkConfig } from "../doctor/check-config.ts";
import { checkDocker } from "../doctor/check-docker.ts";
import { checkIndex } from "../doctor/check-index.ts";
import { checkDisk, checkNode, checkStateFolder } from "../doctor/check-machine.ts";
import { checkModels } from "../doctor/check-models.ts";
import { checkServices } from "../doctor/check-services.ts";
import { runChecks, type Check, type CheckResult } from "../doctor/check.ts";
import { writeErr, writeJson, writeOut, type Io } from "../io.ts";
import { painterFor, type Tone } from "../output/color.ts";
import { plainLine } from "../output/plain-text.ts";
import { withSpinner } from "../output/spinner.ts";
import { findProject } from "../project/project.ts";
import type { DoctorOptions } from "./options.ts";

/** Longest time of one check, in milliseconds. */
const CHECK_MS = 20_000;

const TONES: Readonly<Record<CheckResult["status"], Tone>> = { ok: "good", warn: "warn", fail: "bad" };

/** Looks at everything hypo needs and says what to do about what is missing. Resolves to 1 where something fails. */
export async function doctorCommand(options: DoctorOptions, io: Io): Promise<number> {
  const results = await withSpinner({ text: "Looking at everything hypo needs", json: options.json }, io, () => examineAll(options, io));
  const failed = results.filter(({ status }) => status === "fail").length;
  if (options.json) {
    writeJson(io, {
      ok: failed === 0,
      checks: results.map(({ name, status, detail, fix }) => ({ name, status, detail, fix: fix ?? null })),
    });
  } else {
    const paint = painterFor(io.color.stdout);
    for (const { name, status, detail, fix } of results) {
      writeOut(io, `${paint(TONES[status], status.padEnd(4))}  ${name.padEnd(15)}  ${plainLine(detail)}`);
      if (fix !== undefined) writeOut(io, `      ${" ".repeat(15)}  ${paint("dim", plainLine(fix))}`);
    }
    const warned = results.filter(({ status }) => status === "warn").length;
    writeErr(io, `${failed} failed, ${warned} to know of, ${results.length - failed - warned} well.`);
  }
  return failed === 0 ? 0 : 1;
}

async function examineAll(options: DoctorOptions, io: Io): Promise<CheckResult[]> {
  const { preparePi } = await import("../../pi/examine-models.ts");
  // Whatever goes wrong here goes wrong again in Pi's own check, which tells it.
  await preparePi({ agentDir: options.agentDir, env: process.env }).catch(() => undefined);
  return runChecks(await listChecks(options, io), CHECK_MS);
}

async function listChecks({ agentDir }: DoctorOptions, io: Io): Promise<Check[]> {
  const project = await findProject(io.cwd);
  const survey = await surveyConfig(io.cwd, io.env);
  const { config } = survey;
  return [
    checkNode(process.versions.node, process.execPath),
    checkConfig(survey),
    ...checkModels(async () => {
      const { examineModels } = await import("../../pi/examine-models.ts");
      // Pi reads and sets the environment of the process itself, so it is given that one.
      return examineModels({ cwd: io.cwd, agentDir, model: config.model, subagentModel: config.subagent_model, env: process.env });
    }),
    checkDocker(config.experiment),
    ...checkServices(config),
    checkStateFolder(project, io.cwd),
    checkDisk(project, io.cwd),
    checkIndex(project),
  ];
}
