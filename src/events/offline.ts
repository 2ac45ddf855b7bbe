// What a hook does by itself when no daemon answers in time: a prompt is answered by words alone, a session begins with
// the index as it is, and both leave their receipt. The daemon that is being started takes the next event.

import { existsSync } from "node:fs";
import type { HookOutput } from "../../hooks/wire.ts";
import { STRATEGIES } from "../../strategies/mod.ts";
import { loadConfig } from "../settings/config.ts";
import { MemoError, messageOf } from "../errors.ts";
import { Index } from "../index/memory_index.ts";
import { syncFolder } from "../index/sync.ts";
import type { MemoryFolder } from "../memory/memory.ts";
import { projectSettings } from "../memory/scopes.ts";
import type { Env, Paths } from "../paths.ts";
import { Prefetches } from "../recall/prefetch.ts";
import { Tasks } from "../recall/tasks.ts";
import { plainWords } from "../redact/plain_words.ts";
import { LiveBranches } from "../transcript/live_branch.ts";
import { contextFor, type Host } from "./context.ts";
import { type EventContext, type HookEvent, readEvent, SILENT } from "./event.ts";
import { leaveReceipt, NOTHING_GIVEN } from "./receipt.ts";
import { sessionStart } from "./session_start.ts";
import { answerPrompt } from "./user_prompt_submit.ts";

/** Answers an event inside the hook. */
export async function answerOffline(
  input: unknown,
  { paths, projectDir }: { readonly paths: Paths; readonly projectDir?: string | undefined },
  env: Env,
): Promise<HookOutput> {
  const event = readEvent(input);
  if (event?.name !== "UserPromptSubmit" && event?.name !== "SessionStart") return SILENT;
  await using host = hostOf(paths, env);
  const context = contextFor(event, host, { claude: paths.claude, projectDir });
  try {
    return await answer(event, context);
  } catch (error) {
    const isNew = !existsSync(paths.db);
    const outcome = isNew ? "no daemon" : "failed";
    const why = isNew ? "no index yet" : messageOf(error);
    leaveReceipt(event, context, { ...NOTHING_GIVEN, outcome, why });
    return SILENT;
  }
}

async function answer(
  event: HookEvent<"UserPromptSubmit" | "SessionStart">,
  context: EventContext,
): Promise<HookOutput> {
  if (event.name === "SessionStart") return await sessionStart(event, context);
  return await answerPrompt(event, context, { only: "keyword", outcome: "no daemon" });
}

/** As much as a hook can do by itself. Disposing of it does the work that was left for afterwards. */
function hostOf(paths: Paths, env: Env): Host & AsyncDisposable {
  let opened: Promise<Index> | undefined;
  const open = () => {
    if (!existsSync(paths.db)) throw new MemoError("index", "There is no index yet");
    return opened ??= Index.open(paths.db);
  };
  const later: ((isTaken: boolean) => unknown)[] = [];
  return {
    paths,
    log: () => {},
    now: () => new Date(),
    configFor: (place) =>
      loadConfig(paths.config, env, { project: projectSettings(place), strategies: STRATEGIES }),
    withIndex: async (work) => await work(await open()),
    embed: undefined,
    // There is no time to load the rules that know secrets.
    redact: (text) => Promise.resolve(plainWords(text)),
    ask: undefined,
    isPlain: false,
    prefetches: new Prefetches(),
    tasks: new Tasks(),
    branches: new LiveBranches(),
    sync: () => Promise.resolve(),
    freshen: async (folders) => await readAgain(await open(), folders),
    warm: () => Promise.resolve(),
    captureSoon: () => {},
    afterwards: (work) => void later.push(work),
    async [Symbol.asyncDispose]() {
      // What cannot be written, where the state folder is read-only say, costs no answer.
      for (const work of later) await attempt(work);
      await opened?.then((index) => index.close(), () => {});
    },
  };
}

async function attempt(work: (isTaken: boolean) => unknown): Promise<void> {
  try {
    await work(true);
  } catch {
    // there is no log that a hook could write to
  }
}

/**
 * Fills what the schema of a newer memo has emptied, as far as there is time: the first prompt after an upgrade finds
 * no daemon of its build.
 */
async function readAgain(index: Index, folders: readonly MemoryFolder[]): Promise<void> {
  if (!await index.isUnread()) return;
  for (const folder of folders) await syncFolder(index, folder);
}
