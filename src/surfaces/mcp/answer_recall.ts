import { MemoError } from "../../errors.ts";
import { hasTools } from "../../core/memory/claude_plugin.ts";
import type { ToolContext } from "./tool.ts";
import type { Paths } from "../../paths.ts";
import { readUsage } from "../../core/ledger/usage.ts";
import { type Considered, formatNothing, reasonOf } from "../../core/recall/reason.ts";
import { type Recall, recall } from "../../core/recall/recall.ts";
import { loadSession } from "../../core/recall/session.ts";
import { NOTHING_SHOWN, shown } from "../../core/recall/shown.ts";
import { startBlock } from "../../core/recall/start_block.ts";
import { typeSettings } from "../../core/settings/config.ts";
import { findTranscript } from "../../core/transcript/find.ts";
import { LiveBranches } from "../../core/transcript/live_branch.ts";
import { lastTurns } from "../../core/transcript/recent.ts";
import { visible } from "../../core/text/neutralise.ts";

/** `memo recall`, as the daemon is asked for it. */
export interface RecallQuestion {
  readonly prompt: string;
  /** Leaves out what this session has received. */
  readonly session?: string | undefined;
  readonly strategy?: string | undefined;
}

/** What a prompt would get, and what else was considered. */
export type RecallAnswer = Awaited<ReturnType<typeof answerRecall>>;

type Ranked = Pick<Recall["dropped"][number], "memory" | "score" | "strategy" | "parts">;

/** Deadline for a person at a terminal, who waits longer than a prompt does. */
const PATIENCE_MS = 60_000;

/** Goes through recall for a prompt, without marking anything as shown. */
export async function answerRecall(
  { prompt, session, strategy }: RecallQuestion,
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
      shown: session === undefined
        ? NOTHING_SHOWN
        : shown(loadSession(paths.sessions, session), branch),
      before: async () =>
        transcript === undefined ? undefined : (await lastTurns(transcript, 1))[0],
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
      start: await startBlock({ index, config, folders, now: now(), usage, journal: [] }),
    };
  });
  const { outcome, why, timings, rankings, entries, dropped, before } = result;
  /** A memory with its fate: the form in which it is in the block, or why it is not. */
  const considered = (
    { memory: { name, path, type }, score, strategy, parts = {} }: Ranked,
    { form, because, by }: Pick<Considered, "form" | "because" | "by">,
  ) => {
    const { threshold } = typeSettings(config, type);
    const fate = form ?? (by === undefined ? because! : `${because} by “${by}”`);
    const reason = reasonOf({ strategy, form, because, by }, before);
    return { name, path, type, score, threshold, strategy, fate, reason, parts };
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
async function transcriptOf(session: string, { claude, home }: Paths): Promise<string | undefined> {
  try {
    return await findTranscript(session, { claude, home });
  } catch (error) {
    if (!(error instanceof MemoError)) throw error;
    return undefined;
  }
}
