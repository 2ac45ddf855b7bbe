// Runs memo's commands one after another in this process, as `test/support/commands.ts` sends them.

import { createReadStream, writeSync } from "node:fs";
import { createInterface } from "node:readline";
import { runCli } from "../../src/surfaces/cli/mod.ts";

process.umask(0o077);
for await (const line of createInterface({ input: createReadStream("", { fd: 3 }) })) {
  const { args, env, cwd } = JSON.parse(line);
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  process.chdir(cwd);
  process.exitCode = 0;
  const code = await runCli(args, process.env);
  for (const fd of [1, 2]) writeSync(fd, `\0${code}\n`);
}
