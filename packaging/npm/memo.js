#!/usr/bin/env node
// Runs the executable of this platform's package. Hooks skip this: `memo init` gives them the executable itself.

import { spawn } from "node:child_process";
import { constants } from "node:os";
import { executablePath } from "./index.js";

function fail(message) {
  console.error(`error: ${message}`);
  process.exit(2);
}

let executable;
try {
  executable = executablePath();
} catch ({ message, hint }) {
  fail(`${message}\n\nhint: ${hint}`);
}

const child = spawn(executable, process.argv.slice(2), { stdio: "inherit" });
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("error", (error) => fail(`Cannot run \`${executable}\`: ${error.message}`));
child.on("exit", (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
