#!/usr/bin/env node
// Runs the executable of this platform's package. Hooks do not come this way: `memo install` names the executable itself.

import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { constants } from "node:os";

const { name } = JSON.parse(readFileSync(new URL("package.json", import.meta.url), "utf8"));
const isMusl = process.platform === "linux" &&
  !process.report.getReport().header.glibcVersionRuntime;
const target = `${process.platform}-${process.arch}${isMusl ? "-musl" : ""}`;
const file = process.platform === "win32" ? "memo.exe" : "memo";

let executable;
try {
  executable = createRequire(import.meta.url).resolve(`${name}-${target}/${file}`);
} catch {
  console.error(
    `error: Cannot find memo for ${target}: the package \`${name}-${target}\` is not installed

hint: Install without --omit=optional: npm install --global ${name}`,
  );
  process.exit(2);
}

const child = spawn(executable, process.argv.slice(2), { stdio: "inherit" });
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("error", (error) => {
  console.error(`error: Cannot run \`${executable}\`: ${error.message}`);
  process.exit(2);
});
child.on("exit", (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
