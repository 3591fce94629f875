// Compiles src/ to dist/ and copies the files that TypeScript does not (assets under src/**/assets).
import { execFileSync } from "node:child_process";
import { cpSync, readdirSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { basename, dirname, join } from "node:path";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
rmSync(join(root, "dist"), { recursive: true, force: true });
execFileSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", join(root, "tsconfig.build.json")], {
  stdio: "inherit",
});
for (const folder of readdirSync(join(root, "src"), { recursive: true })) {
  if (basename(folder) === "assets") cpSync(join(root, "src", folder), join(root, "dist", folder), { recursive: true });
}
