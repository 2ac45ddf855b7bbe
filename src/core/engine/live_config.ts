import { fileStamp } from "../files/there.ts";
import { STRATEGIES } from "../../../strategies/mod.ts";
import { type Config, loadConfig } from "../settings/config.ts";
import type { Log } from "../files/log.ts";
import { type Place, projectSettings } from "../memory/scopes.ts";
import type { Env } from "../../paths.ts";

/** Maximum projects with cached settings; a machine rarely has more in use at once. */
const KEPT = 32;

interface ReadConfig {
  /** The state of the files when they were read. */
  readonly stamp: string;
  readonly config: Config;
}

/** The settings in force, globally or in a project, reloaded when a file they come from changes. */
export class LiveConfig {
  readonly #path: string;
  readonly #env: Env;
  readonly #log: Log;
  /** By path of the project's file (empty if none) and variables. */
  readonly #read = new Map<string, ReadConfig>();

  constructor(path: string, { env, log }: { readonly env: Env; readonly log: Log }) {
    this.#path = path;
    this.#env = env;
    this.#log = log;
  }

  /** The settings at a place, or without a project's, with a session's variables; a prompt costs a few `stat` calls. */
  at(place: Place | undefined, env: Env = this.#env): Config {
    const project = place && projectSettings(place);
    const stamp = `${fileStamp(this.#path)} ${project === undefined ? "" : fileStamp(project)}`;
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

/** The environment variables that can be settings, as one text. */
function variablesOf(env: Env): string {
  return Object.entries(env).filter(([name]) => name.startsWith("MEMO_")).sort().join("\n");
}
