// Which Claude Code is installed. A settings file with an event that it does not know is dropped whole by an old one,
// so `memo init` asks before it writes.

import { execFile } from "node:child_process";
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { readState } from "../../../core/files/state.ts";
import { childEnv, findClaude } from "../../../core/llm/mod.ts";
import { loadConfig } from "../../../core/settings/config.ts";
import type { InstallPlace } from "../../../features/install/install.ts";

/** How long `claude --version` may take, in milliseconds. */
const PATIENCE_MS = 10_000;

/**
 * The version of the user's `claude`, such as `2.1.329`; undefined if there is none or it does not tell. Nothing of a
 * project is run for it: neither an executable that lies in the project, nor any in the project's folder.
 */
export async function claudeVersion(
  { env, paths, cwd }: InstallPlace,
): Promise<string | undefined> {
  const config = loadConfig(paths.config, env);
  const command = findClaude({ paths, env, cwd, config });
  if (command === undefined) return undefined;
  mkdirSync(paths.state, { recursive: true, mode: 0o700 });
  const options = { cwd: paths.state, env: childEnv(env, command), timeout: PATIENCE_MS };
  try {
    const { stdout } = await promisify(execFile)(command, ["--version"], options);
    return /^\d+\.\d+\.\d+/.exec(stdout.trim())?.[0];
  } catch {
    return versionBeside(command);
  }
}

/** The version of the package in a local installation, whose script may lack its Node here. */
function versionBeside(command: string): string | undefined {
  const parts = ["node_modules", "@anthropic-ai", "claude-code", "package.json"];
  const { version } = readState(join(dirname(command), ...parts)) ?? {};
  return /^\d+\.\d+\.\d+/.exec(String(version))?.[0];
}
