import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Engine, type EngineOptions } from "../../../src/core/engine/engine.ts";
import { FEATURES } from "../../../src/features.ts";
import type { Log } from "../../../src/core/files/log.ts";
import type { MemoryFolder } from "../../../src/core/memory/memory.ts";
import { memoryFolders, type Place, placeIn } from "../../../src/core/memory/scopes.ts";
import { listMemoryFiles } from "../../../src/core/memory/folder.ts";
import { type Env, pathsFor } from "../../../src/paths.ts";
import { coerce } from "../../../src/core/settings/config.ts";
import { changeSettingsFile } from "../../../src/core/settings/config_file.ts";
import { ON } from "../../../src/core/settings/purposes.ts";
import { settingOf, SETTINGS, variableOf } from "../../../src/core/settings/table.ts";
import { cached, type CachedEmbedder } from "../../../bench/vector_cache.ts";

/** A developer's home with projects in it, and a memo that lives there. */
export interface World extends AsyncDisposable {
  readonly engine: Engine;
  /** The environment of every session in it. */
  readonly env: Env;
  /** The developer's home. */
  readonly home: string;
  /** Claude Code's configuration folder. */
  readonly claude: string;
  /** The folder of a project, a git repository. */
  project(name: string): string;
  /** Enters what counts in a project into the index; returns where it is. */
  sync(name: string): Promise<{ readonly place: Place; readonly folders: readonly MemoryFolder[] }>;
  /** The file of every live memory that counts in some project, once. */
  paths(): string[];
  /** Their texts. */
  memories(): string[];
  /** Every text below the memory folders: memories, archives, journals. */
  written(): string[];
}

export interface WorldOptions {
  /** Where the language model is. */
  readonly model: string;
  /** Settings, as `MEMO_*` variables. */
  readonly settings: Env;
  readonly log: Log;
  /** Leaves out all vectors, which the extraction does not need. */
  readonly withoutVectors?: boolean;
  /** Where vectors of passages are kept from run to run. */
  readonly vectors?: string | undefined;
}

/** Settings of recall that an experiment does not fix can be varied by their variables. */
const VARIED = /^MEMO_RECON_/;
/** Blocks contain paths: where these are as long on every machine, the same fits into a block. */
const SHORT = "/tmp";

/** Makes the home; disposing of it deletes everything in it. */
export function makeWorld(
  { model, settings, log, withoutVectors = false, vectors }: WorldOptions,
): World {
  const root = mkdtempSync(join(existsSync(SHORT) ? SHORT : tmpdir(), "memo-bench-"));
  const claude = join(root, "home", ".claude");
  const env: Env = {
    HOME: join(root, "home"),
    CLAUDE_CONFIG_DIR: claude,
    MEMO_HOME: join(root, "state"),
    MEMO_LLM_PROVIDER: "anthropic",
    ANTHROPIC_API_KEY: "recorded",
    ANTHROPIC_BASE_URL: model,
    ...Object.fromEntries(Object.entries(process.env).filter(([key]) => VARIED.test(key))),
    ...settings,
  };
  const paths = pathsFor(env);
  // What a variable may only narrow is the file's.
  const own = SETTINGS.filter(({ key }) =>
    settingOf(key)?.narrow && env[variableOf(key)] !== undefined
  )
    .map(({ key }) => [key, coerce(key, env[variableOf(key)])] as const);
  changeSettingsFile(paths.config, {
    send: ON,
    "llm.hosts": new URL(model).host,
    ...Object.fromEntries(own),
  });
  const options = { paths, env, log, background: !withoutVectors, features: FEATURES };
  const engine = vectors === undefined ? new Engine(options) : new CachingEngine(options, vectors);
  const places = new Map<string, Place>();
  const live = () => {
    const folders = [...places.values()].flatMap((place) => memoryFolders(place));
    const files = folders.flatMap((folder) => listMemoryFiles(folder).map(({ path }) => path));
    return [...new Set(files)];
  };
  const project = (name: string) => {
    const cwd = join(root, "home", "code", name);
    mkdirSync(join(cwd, ".git"), { recursive: true });
    places.set(name, placeIn(paths, cwd));
    return cwd;
  };
  return {
    engine,
    env,
    home: join(root, "home"),
    claude,
    project,
    async sync(name) {
      project(name);
      const place = places.get(name)!, folders = memoryFolders(place);
      for (const folder of folders) await engine.sync(folder);
      return { place, folders };
    },
    paths: live,
    memories: () => live().map((path) => readFileSync(path, "utf8")),
    written: () => textsBelow(join(root, "home")),
    async [Symbol.asyncDispose]() {
      await engine.close();
      rmSync(root, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Transcripts are input, not output. */
function textsBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => readFileSync(join(folder, name), "utf8"));
}

/** An engine that takes the vectors of passages which an earlier run has embedded from a folder. */
class CachingEngine extends Engine {
  #cached: Promise<CachedEmbedder> | undefined;

  constructor(options: EngineOptions, folder: string) {
    super(options);
    const { model } = this;
    const load = model.embedder.bind(model);
    model.embedder = () => this.#cached ??= load().then((embedder) => cached(embedder, folder));
  }

  override async close(): Promise<void> {
    await this.#cached?.then((embedder) => embedder.flush(), () => {});
    await super.close();
  }
}
