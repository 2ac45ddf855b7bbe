// History: what happened in a project and when, from its journal, its commits and, by setting, from what was said in
// conversations.
// It is asked, and never comes up by itself.

import type { Config } from "../../core/settings/config.ts";
import type { Engine } from "../../core/engine/engine.ts";
import type { Days, Index, IndexedEntry } from "../../core/index/mod.ts";
import { journalOf } from "../../core/journal/journal.ts";
import type { MemoryFolder } from "../../core/memory/memory.ts";
import { memoryFolders, type Place } from "../../core/memory/scopes.ts";
import type { Env, Paths } from "../../paths.ts";
import { ownPatterns } from "../../core/redact/mod.ts";
import { pausedPrompts } from "../../core/transcript/pause.ts";
import { transcriptsOfProject } from "../../core/transcript/find.ts";
import { keptFolder } from "./kept.ts";
import { syncHistory } from "./sync.ts";
import { Query } from "../../core/index/query.ts";
import { isStopword } from "../../core/text/language/stopwords.ts";
import { rankLocally } from "../../../strategies/hybrid.ts";
import type { Hit } from "../../../strategies/strategy.ts";

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
        ...{ folder: keptFolder(paths, folder), days: config["history.days"], now: new Date() },
        ...{
          paused: pausedPrompts(paths.capture, paths),
          own: ownPatterns(config["redact.patterns"]),
        },
        ...{ pause, signal },
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
) {
  const all = { read: 0, dropped: 0 };
  for (const folder of folders) {
    const commits = config["history.commits"] ? folder.project : undefined;
    const source = { folder, kept: keptFolder(paths, folder), commits };
    const { read, dropped } = await syncHistory(index.history, source, { pause });
    all.read += read;
    all.dropped += dropped;
  }
  return all;
}

/** An entry that answers a query. */
export interface PastHit {
  readonly entry: IndexedEntry;
  readonly score: number;
  /** The part of its text that fits best. */
  readonly passage: string;
}

/** A hit with less than this share of the best one's score is noise. */
const NOISE = 0.4;
/** Two entries about one turn are one hit, so more are ranked than are wanted. */
const SPARE = 3;

/**
 * The entries that fit search terms or a question, best first, one per turn; without any what happened last, newest first.
 * A question about some days that asks for nothing in particular gets those days in order.
 */
export async function searchHistory(
  { text, days, limit }: {
    readonly text?: string | undefined;
    /** Only these days. */
    readonly days?: Days | undefined;
    readonly limit: number;
  },
  { index, folders, now, embed }: {
    readonly index: Index;
    /** The folders whose history is asked: those of one project. */
    readonly folders: readonly MemoryFolder[];
    readonly now: Date;
    /** Embeds the query; without it words alone count. */
    readonly embed?: ((text: string) => Promise<Float32Array>) | undefined;
  },
): Promise<PastHit[]> {
  const corpus = await index.history.corpus(folders, days), most = limit * SPARE;
  const isOpen = days !== undefined && text?.split(/[\s?!.,]+/).every(saysNothing);
  if (text === undefined || isOpen) {
    const newest = (await corpus.newest(most)).map(({ id }) => ({ memory: id, score: 0 }));
    const hits = await onePerTurn(newest, limit, index);
    return isOpen ? hits.reverse() : hits;
  }
  if (await corpus.size() === 0) return [];
  const ranked = await rankLocally(new Query(text, embed), corpus, { limit: most, now });
  const best = ranked[0]?.score ?? 0;
  return await onePerTurn(ranked.filter(({ score }) => score > NOISE * best), limit, index);
}

/** Words that ask what there was, and for nothing in particular. */
const ASKING =
  /^(happen(s|ed|ing)?|do|does|did|done|doing|was|went|going|on|show|list|everything|all|passiert(e)?|gemacht|war|passé|fait|pasó|hicimos|hecho)?$/;

function saysNothing(word: string): boolean {
  return isStopword(word.toLowerCase()) || ASKING.test(word.toLowerCase());
}

async function onePerTurn(
  ranked: readonly Hit[],
  limit: number,
  index: Index,
): Promise<PastHit[]> {
  const entries = await index.history.entries(ranked.map(({ memory }) => memory));
  const byId = new Map(ranked.map((hit) => [hit.memory, hit]));
  const firsts = Map.groupBy(entries, ({ id, turn = String(id) }) => turn).values()
    .map(([first]) => first!);
  return [...firsts.take(limit)].map((entry) => {
    const { score, passage } = byId.get(entry.id)!;
    const text = passage === undefined ? entry.text : entry.text.slice(passage.start, passage.end);
    return { entry, score: Math.min(1, score), passage: text };
  });
}
