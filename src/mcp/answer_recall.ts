import { MemoError } from "../errors.ts";
import { hasTools } from "../memory/claude_plugin.ts";
import type { ToolContext } from "./tool.ts";
import type { Paths } from "../paths.ts";
import { type Recall, recall } from "../recall/recall.ts";
import { loadSession } from "../recall/session.ts";
import { NOTHING_SHOWN, type Shown, shown } from "../recall/shown.ts";
import { typeSettings } from "../settings/config.ts";
import { findTranscript } from "../transcript/find.ts";
import { LiveBranches } from "../transcript/live_branch.ts";

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
  const result = await withIndex(async (index) =>
    await recall({
      prompt,
      folders,
      shown: session === undefined ? NOTHING_SHOWN : await shownIn(session, paths),
    }, {
      ...{ index, config, now: now(), embed, ask },
      patienceMs: PATIENCE_MS,
      only: strategy,
      hasTools: hasTools(paths),
    })
  );
  /** A memory with its fate: the form in which it is in the block, or why it is not. */
  const considered = (
    { memory: { name, path, type }, score, strategy, parts = {} }: Ranked,
    fate: string,
  ) => {
    const { threshold } = typeSettings(config, type);
    return { name, path, type, score, threshold, strategy, fate, parts };
  };
  const { outcome, why, timings, rankings, entries, dropped } = result;
  return {
    ...{ outcome, timings, block: result.block ?? null },
    ...why === undefined ? {} : { why },
    memories: entries.map(({ fused, form }) => considered(fused, form)),
    dropped: dropped.map((each) =>
      considered(each, each.by === undefined ? each.because : `${each.because} by “${each.by}”`)
    ),
    rankings,
  };
}

/** The memories in context in a session. */
async function shownIn(session: string, { sessions, claude, home }: Paths): Promise<Shown> {
  const state = loadSession(sessions, session);
  try {
    return shown(
      state,
      await new LiveBranches().of(await findTranscript(session, { claude, home })),
    );
  } catch (error) {
    if (!(error instanceof MemoError)) throw error;
    return shown(state, undefined); // it has no transcript yet
  }
}
