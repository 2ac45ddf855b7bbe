import { spawn } from "node:child_process";
import type { Log } from "../files/log.ts";
import { TELEMETRY_OFF } from "../link/spawn.ts";
import { selfCommand } from "../link/self.ts";
import { GUARDS } from "../link/session_env.ts";
import type { Env } from "../paths.ts";

/** Syncs at most this often: the end of a session and of its capture come together. */
const GAP_MS = 20_000;
const FAILED_CHARS = 300;

let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Syncs soon, in a process of its own with the environment of the session that has ended, so that the daemon never waits
 * for a network. Several calls in a row make one sync. The daemon may end meanwhile; the next session syncs then.
 */
export function syncLater(
  { env, cwd, log }: { readonly env: Env; readonly cwd: string; readonly log: Log },
  gapMs: number = GAP_MS,
): void {
  clearTimeout(timer);
  timer = setTimeout(() => {
    const { command, args } = selfCommand();
    const child = spawn(command, [...args, "sync", "--quiet"], {
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
    child.on("error", ({ message }) => log("sync", { failed: message }));
    child.on("close", (code) => log("sync", code === 0 ? {} : { failed: said.trim(), code }));
    child.unref();
  }, gapMs);
}
