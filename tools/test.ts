// Runs every test and ends with one plain line, `N passed, N failed`.
//
//   deno run -A tools/test.ts [path ...] [--filter text]

import { spawn } from "node:child_process";

const args = process.argv.slice(2);
const paths = args.some((arg) => !arg.startsWith("-")) ? args : ["test", ...args];
const child = spawn(process.execPath, ["test", "-A", "--no-check", ...paths], {
  stdio: ["ignore", "pipe", "inherit"],
  env: { ...process.env, NO_COLOR: "1" },
});
let tail = "";
child.stdout.setEncoding("utf8").on("data", (text: string) => {
  process.stdout.write(text);
  tail = (tail + text).slice(-4000);
});
const code = await new Promise<number>((done) => child.on("close", (code) => done(code ?? 1)));
const [, passed = "0", failed = "0"] = /(\d+) passed.*?\| (\d+) failed/.exec(tail) ?? [];
console.log(`${passed} passed, ${code !== 0 && failed === "0" ? 1 : failed} failed`);
process.exitCode = code;
