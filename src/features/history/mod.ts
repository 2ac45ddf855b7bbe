// History: what happened in a project and when, from its journal, its commits and, by setting, from what was said in
// conversations.
// It is asked, and never comes up by itself.

import type { Config } from "../../core/settings/config.ts";
import type { Engine } from "../../core/engine/engine.ts";
import type { Index } from "../../core/index/mod.ts";
import { journalOf } from "../../core/journal/journal.ts";
import type { MemoryFolder } from "../../core/memory/memory.ts";
import { memoryFolders, type Place } from "../../core/memory/scopes.ts";
import type { Env, Paths } from "../../paths.ts";
import { ownPatterns } from "../../core/redact/mod.ts";
import { pausedPrompts } from "../../core/transcript/pause.ts";
import { transcriptsOfProject } from "../../core/transcript/find.ts";
import { keptFolder } from "./kept.ts";
import { type HistorySynced, syncHistory } from "./sync.ts";

/** The memory folders whose history counts in a place: the project's private one, outside any project the user's. */
export function historyFolders(folders: readonly MemoryFolder[]): MemoryFolder[] {
  const journal = journalOf(folders);
  return journal === undefined ? [] : [journal.folder];
}

/** Keeps and indexes what has happened in a place since; it waits for prompts, and no prompt waits for it. */
export async function followHistory(
  { engine, place, env, others = [] }: {
    readonly engine: Engine;
    readonly place: Place;
    readonly env?: Env | undefined;
    /** More folders to index. */
    readonly others?: readonly MemoryFolder[];
  },
): Promise<void> {
  await engine.later(async (signal) => {
    const { paths } = engine, config = engine.config(place, env);
    const pause = () => engine.yieldToPrompts();
    const own = historyFolders(memoryFolders(place)), [folder] = own;
    let kept = 0;
    if (folder !== undefined && config["history.transcripts"]) {
      const { keepTurns } = await import("./keep.ts"); // loads many redaction rules
      kept = await keepTurns(transcriptsOfProject(place), {
        folder: keptFolder(paths, folder),
        days: config["history.days"],
        paused: pausedPrompts(paths.capture),
        own: ownPatterns(config["redact.patterns"]),
        now: new Date(),
        pause,
        signal,
      });
    }
    const { read, dropped } = await engine.withIndex((index) =>
      indexHistory(index, [...own, ...others], { paths, config, pause })
    );
    if (kept + read + dropped > 0) engine.log("history", { kept, read, dropped });
  });
}

/** Brings the index in step with the history of some folders. */
export async function indexHistory(
  index: Index,
  folders: readonly MemoryFolder[],
  { paths, config, pause }: {
    readonly paths: Paths;
    readonly config: Config;
    /** Awaited between steps: prompts go first. */
    readonly pause?: (() => Promise<void>) | undefined;
  },
): Promise<HistorySynced> {
  const all = { read: 0, dropped: 0 };
  for (const folder of folders) {
    const commits = config["history.commits"] ? folder.project : undefined;
    const source = { folder, kept: keptFolder(paths, folder), commits };
    const { read, dropped } = await syncHistory(index.history, source, pause ? { pause } : {});
    all.read += read;
    all.dropped += dropped;
  }
  return all;
}
