// Compiles src/ to dist/ and copies the files that TypeScript does not (assets under src/**/assets).
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, globSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { dirname, join } from "node:path";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
rmSync(join(root, "dist"), { recursive: true, force: true });
execFileSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", join(root, "tsconfig.build.json")], {
  stdio: "inherit",
});
for (const folder of globSync("**/assets", { cwd: join(root, "src") })) {
  const from = join(root, "src", folder);
  if (existsSync(from)) cpSync(from, join(root, "dist", folder), { recursive: true });
}
