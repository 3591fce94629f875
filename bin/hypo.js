#!/usr/bin/env node
// Checks the Node version before anything else is loaded: on older versions a native module crashes the process.
const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  process.stderr.write(
    `hypo needs Node.js 22.19 or newer, and this is ${process.versions.node} (${process.execPath}).\n` +
      "Install a newer Node.js (https://nodejs.org), or from a checkout of hypo use `npx hypo`, which brings its own.\n",
  );
  process.exit(2);
}
// Compiled code is kept between starts, where the temporary folder can be written.
process.getBuiltinModule("node:module").enableCompileCache();
await import("../dist/program/main.js");
