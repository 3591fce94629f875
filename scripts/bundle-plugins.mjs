// What the bundler does to the program beside putting it together.
import { relative, sep } from "node:path";

/** Modules name files beside them by `import.meta.url`: they still mean those beside their own compiled file. */
export function keepAddresses(dist) {
  return {
    name: "keep-addresses",
    transform(code, id) {
      if (!id.startsWith(dist) || !code.includes("import.meta.url")) return undefined;
      const own = JSON.stringify(`../${relative(dist, id).split(sep).join("/")}`);
      return code.replaceAll("import.meta.url", `new URL(${own}, import.meta.url).href`);
    },
  };
}

/** better-sqlite3 looks for its native part beside its own files, which are where the package is installed. */
export function findNativeSqlite() {
  const find = `let folder;
function ownFolder() { return folder ??= path.dirname(require("node:module").createRequire(import.meta.url).resolve("better-sqlite3")); }`;
  return {
    name: "find-native-sqlite",
    transform(code, id) {
      if (!id.endsWith("/better-sqlite3/lib/binding.js")) return undefined;
      return `${code.replaceAll("__dirname", "ownFolder()")}\n${find}`;
    },
  };
}

/** What these modules of Node.js offer is loaded when it is first called: each takes some milliseconds, and many commands use none. */
const LOADED_WHEN_CALLED = new Set(["node:child_process", "node:crypto", "node:fs/promises", "node:zlib"]);

/** An `import` from a module of Node.js makes that load all it offers, streams and keys and all; this takes what is named. */
export function takeBuiltinsAsTheyAre() {
  return {
    name: "take-builtins-as-they-are",
    renderChunk: (code) =>
      code
        .replace(/^import \{ ([^}]+) \} from "(node:[^"]+)";$/gm, (_, names, from) => takeNames(names.split(", "), from))
        .replace(/^import ([\w$]+) from "(node:[^"]+)";$/gm, (_, name, from) => takeWhole(name, from)),
  };
}

/** A module that stands in a file with others is imported from there, not from a file that only passes its exports on. */
export function importWithoutDetours() {
  return {
    name: "import-without-detours",
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter(({ type }) => type === "chunk");
      for (const { fileName, code } of chunks) {
        const [, names, from] = /^export \{ ([^}]+) \} from "([^"]+)";\s*$/.exec(code) ?? [];
        if (names === undefined) continue;
        const exports = names.split(", ").map((each) => each.split(" as "));
        const taken = exports.map(([inner, outer = inner]) => `${outer}: them.${inner}`).join(", ");
        const direct = `import(${JSON.stringify(from)}).then((them) => ({ ${taken} }))`;
        for (const chunk of chunks) chunk.code = chunk.code.replaceAll(`import("./${fileName}")`, direct);
        if (!chunks.some(({ code: rest }) => rest.includes(`"./${fileName}"`))) delete bundle[fileName];
      }
    },
  };
}

function takeNames(names, from) {
  if (!LOADED_WHEN_CALLED.has(from)) return `const { ${names.map((name) => name.replace(" as ", ": ")).join(", ")} } = ${builtin(from)};`;
  const offered = process.getBuiltinModule(from);
  const taken = names.map((each) => {
    const [name, local = name] = each.split(" as ");
    return isFunction(offered[name])
      ? `const ${local} = (...args) => ${builtin(from)}.${name}(...args);`
      : `const ${local} = ${builtin(from)}.${name};`;
  });
  return taken.join("\n");
}

function takeWhole(name, from) {
  if (!LOADED_WHEN_CALLED.has(from)) return `const ${name} = ${builtin(from)};`;
  return `const ${name} = new Proxy({}, { get: (_, member) => ${builtin(from)}[member] });`;
}

function builtin(from) {
  return `globalThis.process.getBuiltinModule(${JSON.stringify(from)})`;
}

/** Classes are made with `new`, and are taken as they are. */
function isFunction(value) {
  return typeof value === "function" && !/^class\b/.test(Function.prototype.toString.call(value));
}
