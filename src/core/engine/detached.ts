import { spawn } from "node:child_process";
import { TELEMETRY_OFF } from "../link/spawn.ts";
import { selfCommand } from "../link/self.ts";
import { GUARDS } from "../link/session_env.ts";
import type { JobContext } from "./jobs.ts";

const FAILED_CHARS = 300;

/** Runs a command of memo's in a process of its own, so that the daemon never waits for a network. */
export function runDetached(
  [name = "", ...words]: readonly string[],
  { env, place: { cwd }, log }: Pick<JobContext, "env" | "place" | "log">,
): void {
  const { command, args } = selfCommand();
  const child = spawn(command, [...args, name, ...words], {
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
