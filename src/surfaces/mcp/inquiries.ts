// What commands ask of the index. The daemon answers, which has it warm, or the command's own engine: questions and
// answers are plain JSON.

import { strongestOf } from "../../../strategies/need.ts";
import { relatedTo } from "./run/show.ts";
import type { MemoryText } from "../../core/capture/dedupe.ts";
import type { ToolContext, WritingContext } from "./methods.ts";
import { neutraliseLine, visible } from "../../core/text/neutralise.ts";
import { hasTools } from "../../core/memory/claude_settings.ts";
import { readUsage } from "../../core/ledger/usage.ts";
import { folderAt, workAt } from "../../core/recall/at_work.ts";
import { type Considered, formatNothing, reasonOf } from "../../core/recall/receipts.ts";
import { type Recall, recall } from "../../core/recall/recall.ts";
import { loadSession } from "../../core/recall/session.ts";
import { NOTHING_SHOWN, shown } from "../../core/recall/shown.ts";
import { startBlock } from "../../core/recall/start_block.ts";
import { typeSettings } from "../../core/settings/config.ts";
import { findTranscript, type TranscriptPlace } from "../../core/transcript/find.ts";
import { LiveBranches } from "../../core/transcript/live_branch.ts";
import { lastTurns } from "../../core/transcript/recent.ts";
import { sep } from "node:path";
import type { ChangedFolder } from "../../core/change/follow.ts";
import { statsOf } from "../../core/files/there.ts";
import type { IndexedMemory } from "../../core/index/corpus.ts";
import type { MemoryFolder } from "../../core/memory/memory.ts";
import { isSelected, type Selection } from "../../core/memory/list.ts";
import { search } from "../../core/recall/search.ts";

/** Every inquiry, by name. */
export const INQUIRIES = {
  search: answerSearch,
  recall: answerRecall,
  related: answerRelated,
  similar: answerSimilar,
} as const satisfies Record<string, (question: never, context: WritingContext) => Promise<unknown>>;

export type Inquiry = keyof typeof INQUIRIES;
export type InquiryInput<I extends Inquiry> = Parameters<typeof INQUIRIES[I]>[0];
export type Answered<I extends Inquiry> = Awaited<ReturnType<typeof INQUIRIES[I]>>;

/** `memo search --like`. */
async function answerRelated(
  { path, limit }: { readonly path: string; readonly limit: number },
  context: WritingContext,
) {
  const near = await relatedTo(path, limit, context);
  return near.slice(0, limit).map(({ memory: { name, type, scope, path }, ...how }) => ({
    ...{ name: neutraliseLine(name), type, scope, path, ...how },
  }));
}

/** `memo add`: the memories near a new one, with how it stands to each. */
async function answerSimilar(memory: MemoryText, { similar, folders }: WritingContext) {
  return await similar(memory, folders);
}

/** What a prompt would get, and what else was considered. */
export type RecallAnswer = Awaited<ReturnType<typeof answerRecall>>;

type RankedHit = Pick<Recall["dropped"][number], "memory" | "score" | "strategy" | "sum">;

/** Deadline for a person at a terminal, who waits longer than a prompt does. */
const PATIENCE_MS = 60_000;

/** `memo recall`: goes through recall for a prompt, without marking anything as shown. */
export async function answerRecall(
  { prompt, session, strategy }: {
    readonly prompt: string;
    /** Leaves out what this session has received. */
    readonly session?: string | undefined;
    readonly strategy?: string | undefined;
  },
  { withIndex, paths: own, place, folders, config: settings, now, embed, ask }: ToolContext,
) {
  const config = { ...settings, "recall.deadline_ms": PATIENCE_MS };
  const paths = { ...own, claude: place.claude };
  const transcript = session === undefined ? undefined : await transcriptOf(session, paths);
  const branch = transcript === undefined ? undefined : await new LiveBranches().of(transcript);
  const { result, start } = await withIndex(async (index) => {
    const result = await recall({
      prompt,
      folders,
      folder: () => folderAt(place),
      shown: session === undefined
        ? NOTHING_SHOWN
        : shown(loadSession(paths.sessions, session), branch),
      before: async () =>
        transcript === undefined ? undefined : (await lastTurns(transcript, 1, paths))[0],
    }, {
      ...{ index, config, now: now(), embed, ask },
      patienceMs: PATIENCE_MS,
      only: strategy,
      hasTools: hasTools(paths),
    });
    if (result.block !== undefined || result.dropped.length === 0) return { result };
    const usage = readUsage(paths.usage);
    return {
      result,
      start: await startBlock({
        ...{ index, config, folders, now: now(), usage, journal: [] },
        folder: folderAt(place),
        work: () => workAt(place, paths.receipts),
      }),
    };
  });
  const { outcome, why, timings, rankings, entries, dropped, before } = result;
  /** A memory with its fate: the form in which it is in the block, or why it is not. */
  const considered = (
    { memory: { name, path, type }, score, strategy, sum }: RankedHit,
    { form, because, by }: Pick<Considered, "form" | "because" | "by">,
  ) => {
    const { threshold } = typeSettings(config, type);
    const fate = form ?? (by === undefined ? because! : `${because} by “${by}”`);
    const reason = reasonOf({ strategy, form, because, by, reasons: strongestOf(sum) }, before);
    return { name, path, type, score, threshold, strategy, fate, reason, sum };
  };
  const [nearest] = dropped.toSorted((a, b) => b.score - a.score);
  const miss = nearest && {
    ...nearest,
    title: `“${visible(nearest.memory.name)}”`,
    threshold: typeSettings(config, nearest.memory.type).threshold,
    isAtStart: start !== undefined &&
      [...start.listed, ...start.memories].some(({ path }) => path === nearest.memory.path),
  };
  return {
    ...{ outcome, timings, block: result.block ?? null },
    ...why === undefined ? {} : { why },
    ...result.block === undefined && { nothing: formatNothing({ outcome, why, nearest: miss }) },
    memories: entries.map(({ fused, form }) => considered(fused, { form })),
    dropped: dropped.map((each) => considered(each, each)),
    rankings,
  };
}

/** A session's transcript; undefined if it has none yet. */
export async function transcriptOf(
  session: string,
  place: TranscriptPlace,
): Promise<string | undefined> {
  return await findTranscript(session, place).catch(() => undefined);
}

/** What was found; failures say why another strategy ranked than the one in the settings. */
export type SearchAnswer = Awaited<ReturnType<typeof answerSearch>>;

/** `memo search`. */
async function answerSearch(
  { query, limit, strategy, selection, all }: {
    readonly query: string;
    readonly limit: number;
    readonly strategy?: string | undefined;
    readonly selection?: Selection | undefined;
    /** Those too that do not fit the query. */
    readonly all: boolean;
  },
  { withIndex, folders, config, now, embed, ask, surroundings }: WritingContext,
) {
  const find = () =>
    withIndex((index) =>
      search(query, {
        limit,
        only: strategy,
        keep: selection === undefined ? undefined : (memory) => isSelected(memory, selection),
      }, { index, folders, config, now: now(), embed, ask })
    );
  const found = await find();
  const changed = changedOf(found.hits.map(({ memory }) => memory), folders);
  if (changed.length > 0) await surroundings.sync(changed);
  const { hits, failures } = changed.length > 0 ? await find() : found;
  const shown = hits.filter(({ fits }) => all || fits);
  return {
    hits: shown.map(({ memory: { name, type, scope, path }, ...hit }) => {
      const { score, belowThreshold, strategy, passage, overtakenBy } = hit;
      return {
        ...{ name, type, scope, path, score, belowThreshold, strategy, passage },
        ...overtakenBy && { overtakenBy: overtakenBy.name },
      };
    }),
    failures,
  };
}

/** The files of memories that are not as the index has them: a large folder is compared with it at times only. */
function changedOf(
  memories: readonly IndexedMemory[],
  folders: readonly MemoryFolder[],
): ChangedFolder[] {
  const paths = memories.filter(({ path, mtimeMs, size }) => {
    const stats = statsOf(path);
    return stats?.mtimeMs !== mtimeMs || stats.size !== size;
  }).map(({ path }) => path);
  return folders.map((folder) => ({
    folder,
    paths: paths.filter((path) => path.startsWith(folder.path + sep)),
  })).filter(({ paths }) => paths.length > 0);
}
