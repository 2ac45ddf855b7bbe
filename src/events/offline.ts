import { existsSync } from "node:fs";
import type { HookOutput } from "../../hooks/wire.ts";
import { STRATEGIES } from "../../strategies/mod.ts";
import { loadConfig } from "../settings/config.ts";
import { Index } from "../index/memory_index.ts";
import { syncFolder } from "../index/sync.ts";
import type { MemoryFolder } from "../memory/memory.ts";
import { projectSettings } from "../memory/scopes.ts";
import type { Env, Paths } from "../paths.ts";
import { Prefetches } from "../recall/prefetch.ts";
import { Tasks } from "../recall/tasks.ts";
import { contextFor, type Host } from "./context.ts";
import { readEvent, SILENT } from "./event.ts";
import { answerPrompt } from "./user_prompt_submit.ts";

/**
 * Fills what the schema of a newer memo has emptied, as far as there is time: the first prompt after an upgrade finds
 * no daemon of its build.
 */
async function readAgain(index: Index, folders: readonly MemoryFolder[]): Promise<void> {
  if (!await index.isUnread()) return;
  for (const folder of folders) await syncFolder(index, folder);
}

/**
 * Answers a prompt inside the hook, when there is no daemon: by words alone, from the index as it is. The
 * daemon that is being started takes the next one.
 */
export async function answerOffline(
  input: unknown,
  { paths, projectDir }: { readonly paths: Paths; readonly projectDir?: string | undefined },
  env: Env,
): Promise<HookOutput> {
  const event = readEvent(input);
  if (event?.name !== "UserPromptSubmit" || !existsSync(paths.db)) return SILENT;
  const index = await Index.open(paths.db);
  try {
    const caller = { claude: paths.claude, projectDir };
    const context = contextFor(event, hostWith(index, paths, env), caller);
    return await answerPrompt(event, context, { only: "keyword", outcome: "no daemon" });
  } finally {
    index.close();
  }
}

/** As much as a hook can do by itself. */
function hostWith(index: Index, paths: Paths, env: Env): Host {
  return {
    paths,
    log: () => {},
    now: () => new Date(),
    configFor: (place) =>
      loadConfig(paths.config, env, { project: projectSettings(place), strategies: STRATEGIES }),
    withIndex: (work) => work(index),
    embed: undefined,
    ask: undefined,
    isPlain: false,
    prefetches: new Prefetches(),
    tasks: new Tasks(),
    sync: () => Promise.resolve(),
    freshen: (folders) => readAgain(index, folders),
    captureSoon: () => {},
    afterwards: (work) => work(), // this process ends with the answer
  };
}
