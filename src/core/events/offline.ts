// The hook's own answers when no daemon answers in time: a prompt is answered by keyword alone, a session starts with
// the index as it is, and both write a receipt. The daemon that is being started takes the next event.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { HookOutput } from "../../../hooks/wire.ts";
import { STRATEGIES } from "../../../strategies/mod.ts";
import { loadConfig } from "../settings/config.ts";
import { messageOf } from "../../errors.ts";
import { Index, syncFolder } from "../index/mod.ts";
import { isAttended } from "../link/session_env.ts";
import type { MemoryFolder } from "../memory/memory.ts";
import { projectSettings } from "../memory/scopes.ts";
import type { Env, Paths } from "../../paths.ts";
import { plainWords } from "../redact/mod.ts";
import { DeliveryClaims, Prefetches, Tasks } from "../recall/pending.ts";
import { LiveBranches } from "../transcript/live_branch.ts";
import {
  contextFor,
  type EventHost,
  leaveReceipt,
  NOTHING_GIVEN,
  whilePaused,
} from "./conversation.ts";
import { answerSpoken, readEvent, SILENT, spokenIn } from "./event.ts";
import { sessionStart } from "./session_start.ts";
import { answerPrompt } from "./user_prompt_submit.ts";

/** Answers an event inside the hook. */
export async function answerOffline(
  input: unknown,
  { paths, projectDir, outcome }: {
    readonly paths: Paths;
    readonly projectDir?: string | undefined;
    /** Why the daemon has not answered. */
    readonly outcome: "no daemon" | "busy";
  },
  env: Env,
): Promise<HookOutput> {
  const event = readEvent(input);
  if (event?.name !== "UserPromptSubmit" && event?.name !== "SessionStart") return SILENT;
  await using host = hostOf(paths, env);
  const pid = Number(env["CLAUDE_PID"]) || undefined;
  const context = contextFor(event, host, { claude: paths.claude, projectDir, pid });
  try {
    const paused = whilePaused(event, context);
    if (paused !== undefined) return paused;
    if (event.name === "SessionStart") return await sessionStart(event, context);
    if (spokenIn(event) !== undefined) {
      return answerSpoken("did not answer in time: `memo log` shows whether the change was undone");
    }
    return await answerPrompt(event, context, { only: "keyword", outcome });
  } catch (error) {
    leaveReceipt(event, context, { ...NOTHING_GIVEN, outcome: "failed", why: messageOf(error) });
    return SILENT;
  }
}

/** The host services that a hook can provide by itself. Disposing of it runs the deferred work. */
function hostOf(paths: Paths, env: Env): EventHost & AsyncDisposable {
  let opened: Promise<Index> | undefined, spare: string | undefined;
  let filled = Promise.resolve();
  const open = () =>
    opened ??= Index.open(paths.db).catch(() => {
      // A state folder that is missing, full or not ours: the index is made for this one answer.
      spare = mkdtempSync(join(tmpdir(), "memo-"));
      return Index.open(join(spare, "index.db"));
    });
  const later: ((isTaken: boolean) => unknown)[] = [];
  return {
    paths,
    log: () => {},
    now: () => new Date(),
    configFor: (place) =>
      loadConfig(paths.config, env, { project: projectSettings(place), strategies: STRATEGIES }),
    withIndex: async (work) => await work(await open()),
    embed: undefined,
    // There is no time to load the redaction rules.
    redact: (text) => Promise.resolve(plainWords(text)),
    askFor: () => undefined,
    isPlain: false,
    isAttended: isAttended(env),
    prefetches: new Prefetches(),
    tasks: new Tasks(),
    told: new DeliveryClaims(),
    answers: {},
    branches: new LiveBranches(),
    // One folder after another: they write into one index.
    sync: (folder) => filled = filled.then(async () => await fill(await open(), [folder])),
    follow: () => Promise.resolve(),
    freshen: async (folders) => await fill(await open(), folders),
    warm: () => Promise.resolve(),
    captureSoon: () => {},
    defer: (work) => void later.push(work),
    async [Symbol.asyncDispose]() {
      // A failed write, for example in a read-only state folder, does not cost the answer.
      for (const work of later) await Promise.try(work, true).catch(() => {});
      await opened?.then((index) => index.close(), () => {});
      if (spare !== undefined) rmSync(spare, { recursive: true, force: true });
    },
  };
}

const FILL_MS = 100;

/**
 * Fills an index that is new, or that the schema of a newer memo has emptied, as far as time allows: the first prompt
 * after an installation or an upgrade finds no daemon of its build, which does the rest.
 */
async function fill(index: Index, folders: readonly MemoryFolder[]): Promise<void> {
  const isEmpty = await (await index.corpus(folders)).size() === 0;
  if (!isEmpty && await index.countUnread() === 0) return;
  const until = performance.now() + FILL_MS;
  const isEnough = () => performance.now() >= until;
  // Some files of each folder come in any case: on a busy machine the time is over with the first.
  for (const folder of folders) await syncFolder(index, folder, { isEnough });
}
