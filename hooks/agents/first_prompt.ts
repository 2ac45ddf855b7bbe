import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { type Env, pathsFor, shortHash } from "../../src/paths.ts";

/** Whether a session of an agent has not asked for its titles yet, in any of its processes; from now on it has. */
export function isFirstPrompt(session: string, env: Env): boolean {
  try {
    mkdirSync(pathsFor(env).sessions, { recursive: true, mode: 0o700 });
    writeFileSync(markerOf(session, env), "", { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "EEXIST";
  }
}

/** The session has an empty conversation again. */
export function forgetFirstPrompt(session: string, env: Env): void {
  rmSync(markerOf(session, env), { force: true });
}

/** Beside the sessions' states, which are swept by age. The id is untrusted: no part of it is in the name. */
function markerOf(session: string, env: Env): string {
  return `${pathsFor(env).sessions}/${shortHash(session)}${shortHash(session + "/")}.begun`;
}
