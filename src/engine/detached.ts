import { spawn } from "node:child_process";
import type { Log } from "../files/log.ts";
import { TELEMETRY_OFF } from "../link/spawn.ts";
import { selfCommand } from "../link/self.ts";
import { GUARDS } from "../link/session_env.ts";
import type { Env } from "../paths.ts";

const FAILED_CHARS = 300;

/** On whose behalf a command runs: the environment of a session, and where it is. */
export interface Behalf {
  readonly env: Env;
  readonly cwd: string;
  readonly log: Log;
}

/** Runs a command of memo's in a process of its own, so that the daemon never waits for a network. */
export function runDetached(
  name: string,
  words: readonly string[],
  { env, cwd, log }: Behalf,
): void {
  const { command, args } = selfCommand();
  const child = spawn(command, [...args, ...words], {
    cwd,
    detached: true,
    stdio: ["ignore", "ignore", "pipe"],
    windowsHide: true,
    env: {
      ...env,
      ...TELEMETRY_OFF,
      ...Object.fromEntries(GUARDS.map((name) => [name, "1"])),
    } as NodeJS.ProcessEnv,
  });
  let said = "";
  child.stderr.on("data", (part) => said = (said + part).slice(0, FAILED_CHARS));
  child.on("error", ({ message }) => log(name, { failed: message }));
  child.on("close", (code) => log(name, code === 0 ? {} : { failed: said.trim(), code }));
  child.unref();
}
