// Compiles src/ to dist/ and copies the files that TypeScript does not (assets under src/**/assets). What is compiled
// already is left as it is. Tests and the bench use these modules one by one; the program is bundled from them.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { basename, dirname, join } from "node:path";
import { bundleProgram } from "./bundle.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(root, "dist");
const source = readdirSync(join(root, "src"), { recursive: true }).map((path) => join("src", path));
const builtFrom = join(dist, ".built-from");

const digest = digestOf([
  ...source.toSorted(),
  "tsconfig.json",
  "tsconfig.build.json",
  "package.json",
  "scripts/build.mjs",
  "scripts/bundle.mjs",
  "scripts/bundle-plugins.mjs",
  "scripts/licences.mjs",
  "scripts/split-stemmers.mjs",
]);
if (readIfThere(builtFrom) !== digest) await build();

async function build() {
  rmSync(dist, { recursive: true, force: true });
  const compiler = join(root, "node_modules/typescript/bin/tsc");
  execFileSync(process.execPath, [compiler, "-p", join(root, "tsconfig.build.json")], { stdio: "inherit" });
  for (const path of source) {
    if (basename(path) === "assets") cpSync(join(root, path), join(root, path.replace(/^src/, "dist")), { recursive: true });
  }
  await bundleProgram(root);
  writeFileSync(builtFrom, digest);
}

function digestOf(paths) {
  const hash = createHash("sha256");
  for (const path of paths) {
    if (!statSync(join(root, path)).isFile()) continue;
    const bytes = readFileSync(join(root, path));
    hash.update(`${path}\n${bytes.length}\n`).update(bytes);
  }
  return hash.digest("hex");
}

function readIfThere(path) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
