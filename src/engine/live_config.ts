import { statSync } from "node:fs";
import { STRATEGIES } from "../../strategies/mod.ts";
import { type Config, loadConfig } from "../settings/config.ts";
import type { Log } from "../files/log.ts";
import { type Place, projectSettings } from "../memory/scopes.ts";
import type { Env } from "../paths.ts";

/** Settings of this many projects are kept; a machine rarely has more in use at once. */
const KEPT = 32;

interface Read {
  /** What the files looked like when they were read. */
  readonly stamp: string;
  readonly config: Config;
}

/** The settings in force, everywhere or in a project, read again when a file that they come from has changed. */
export class LiveConfig {
  readonly #path: string;
  readonly #env: Env;
  readonly #log: Log;
  /** By path of the project's file, empty where there is none, and the variables. */
  readonly #read = new Map<string, Read>();

  constructor(path: string, { env, log }: { readonly env: Env; readonly log: Log }) {
    this.#path = path;
    this.#env = env;
    this.#log = log;
  }

  /**
   * The settings at a place, under a session's own variables; without a place, those that no project has a say in. A
   * prompt pays a few `stat` for it.
   */
  at(place: Place | undefined, env: Env = this.#env): Config {
    const project = place && projectSettings(place);
    const stamp = `${stampOf(this.#path)} ${project === undefined ? "" : stampOf(project)}`;
    const key = `${project ?? ""}\n${variablesOf(env)}`;
    const read = this.#read.get(key);
    if (read?.stamp === stamp) return read.config;
    const config = loadConfig(this.#path, env, { project, strategies: STRATEGIES });
    for (const warning of config.warnings) this.#log("config", { warning });
    if (this.#read.size >= KEPT) this.#read.clear();
    this.#read.set(key, { stamp, config });
    return config;
  }
}

/** The variables that may be settings, as one text. */
function variablesOf(env: Env): string {
  return Object.entries(env).filter(([name]) => name.startsWith("MEMO_")).sort().join("\n");
}

/** Changes with every change of a file: an atomic write makes a new inode, another one a new time or size. */
function stampOf(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats === undefined ? "none" : `${stats.ino}:${stats.mtimeMs}:${stats.size}`;
}
