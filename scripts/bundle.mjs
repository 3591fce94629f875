// Puts the compiled program and the small packages it always needs into few files, dist/program/: a start that opens
// dozens of files costs more than what it then runs. What a command imports when it is used stays a file of its own.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { rolldown } from "rolldown";

/** Packages whose many or large files cost more to find and read than to run; all others are loaded as they are installed. */
const BUNDLED = ["ansi-regex", "commander", "get-east-asian-width", "stopword", "string-width", "strip-ansi", "zod"];

/** Bundles dist/ of the package at `root`. */
export async function bundleProgram(root) {
  const dist = join(root, "dist");
  const bundle = await rolldown({
    input: join(dist, "cli/main.js"),
    platform: "node",
    external: (id) => isPackage(id) && !BUNDLED.some((name) => id === name || id.startsWith(`${name}/`)),
    plugins: [keepAddresses(dist)],
  });
  const { output } = await bundle.write({
    dir: join(dist, "program"),
    chunkFileNames: "[name]-[hash].js",
    plugins: [takeBuiltinsAsTheyAre()],
  });
  await bundle.close();
  writeFileSync(join(dist, "program/modules.json"), JSON.stringify(modulesOf(output, root)));
  writeFileSync(join(dist, "program/LICENSES"), BUNDLED.map((name) => licenceOf(join(root, "node_modules", name))).join("\n"));
}

function isPackage(id) {
  return !id.startsWith(".") && !id.startsWith("/") && !/^[A-Za-z]:[\\/]/.test(id);
}

/** Modules name files beside them by `import.meta.url`: they still mean those beside their own compiled file. */
function keepAddresses(dist) {
  return {
    name: "keep-addresses",
    transform(code, id) {
      if (!id.startsWith(dist) || !code.includes("import.meta.url")) return undefined;
      const own = JSON.stringify(`../${relative(dist, id).split(sep).join("/")}`);
      return code.replaceAll("import.meta.url", `new URL(${own}, import.meta.url).href`);
    },
  };
}

/** An `import` from a module of Node.js makes that load all it offers, streams and keys and all; this takes what is named. */
function takeBuiltinsAsTheyAre() {
  const take = (names, from) => `const ${names} = globalThis.process.getBuiltinModule(${from});`;
  return {
    name: "take-builtins-as-they-are",
    renderChunk: (code) =>
      code
        .replace(/^import \{ ([^}]+) \} from ("node:[^"]+");$/gm, (_, names, from) => take(`{ ${names.replaceAll(" as ", ": ")} }`, from))
        .replace(/^import ([\w$]+) from ("node:[^"]+");$/gm, (_, name, from) => take(name, from)),
  };
}

/** Which modules stand in each file, for whoever asks what a command loads. */
function modulesOf(output, root) {
  return Object.fromEntries(
    output.map(({ fileName, moduleIds = [] }) => [fileName, moduleIds.map((id) => relative(root, id).split(sep).join("/"))]),
  );
}

function licenceOf(folder) {
  const file = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name));
  if (file === undefined) throw new Error(`${folder} has no licence to put beside its code.`);
  const { name, version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  return `${name} ${version}\n\n${readFileSync(join(folder, file), "utf8")}`;
}
