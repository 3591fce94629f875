// Puts the compiled program and the small packages it always needs into few files, dist/program/: a start that opens
// dozens of files costs more than what it then runs. What a command imports when it is used stays a file of its own.
import { writeFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { rolldown } from "rolldown";
import { findNativeSqlite, importWithoutDetours, keepAddresses, takeBuiltinsAsTheyAre } from "./bundle-plugins.mjs";
import { licenceOf } from "./licences.mjs";
import { splitStemmers, takeSplitStemmers } from "./split-stemmers.mjs";

/** Packages whose many or large files cost more to find and read than to run; all others are loaded as they are installed. */
const BUNDLED = ["ansi-regex", "better-sqlite3", "commander", "get-east-asian-width", "stopword", "string-width", "strip-ansi", "zod"];

/**
 * Modules that stand in one file with all that they import: to find, read and link a file costs about as much as to run
 * what is in it, and these are used together. What several of the files use is in the first of them that does.
 */
const TOGETHER = [
  { name: "start", modules: ["cli/start.js", "cli/io.js", "cli/lost-output.js"] },
  { name: "commands", modules: ["cli/registry.js", "cli/help-topics.js", "cli/nearest.js"] },
  { name: "command-line", modules: ["cli/parse.js", "cli/given.js"] },
  {
    name: "project",
    modules: ["cli/project/project.js", "cli/stores.js", "cli/runs/find-run.js", "domain/hash.js", "domain/one-at-a-time.js"],
  },
  { name: "sqlite", modules: ["files/index-database.js", "files/sqlite-errors.js"] },
  { name: "memory-schema", modules: ["memory/index/schema.js"] },
  { name: "memory", modules: ["memory/index.js", "memory/text/stopword-lists.js", "cli/commands/memory-search.js"] },
];

/** Bundles dist/ of the package at `root`. */
export async function bundleProgram(root) {
  const dist = join(root, "dist");
  splitStemmers(dist);
  const bundle = await rolldown({
    input: join(dist, "cli/main.js"),
    platform: "node",
    external: (id) => isPackage(id) && !BUNDLED.some((name) => id === name || id.startsWith(`${name}/`)),
    plugins: [takeSplitStemmers(dist), keepAddresses(dist), findNativeSqlite()],
  });
  const { output } = await bundle.write({
    dir: join(dist, "program"),
    chunkFileNames: "[name]-[hash].js",
    codeSplitting: { groups: TOGETHER.map((group, at) => groupOf(dist, group, TOGETHER.length - at)) },
    plugins: [takeBuiltinsAsTheyAre(), importWithoutDetours()],
  });
  await bundle.close();
  writeFileSync(join(dist, "program/modules.json"), JSON.stringify(modulesOf(output, root)));
  writeFileSync(
    join(dist, "program/LICENSES"),
    [...BUNDLED, "snowball-stemmers"].map((name) => licenceOf(join(root, "node_modules", name))).join("\n"),
  );
}

function isPackage(id) {
  return !id.startsWith(".") && !id.startsWith("/") && !/^[A-Za-z]:[\\/]/.test(id);
}

function groupOf(dist, { name, modules }, priority) {
  const ids = new Set(modules.map((module) => join(dist, module)));
  return { name, priority, test: (id) => ids.has(id) };
}

/** Which modules stand in each file, for whoever asks what a command loads. */
function modulesOf(output, root) {
  return Object.fromEntries(
    output.map(({ fileName, moduleIds = [] }) => [fileName, moduleIds.map((id) => relative(root, id).split(sep).join("/"))]),
  );
}
