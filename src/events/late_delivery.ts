import type { HookOutput } from "../../hooks/wire.ts";
import { compose } from "../recall/recall.ts";
import { loadSession, saveSession } from "../recall/session.ts";
import { additionalContext, type EventContext, type HookEvent, SILENT } from "./event.ts";
import { leaveRecallReceipt } from "./receipt.ts";

/** Tools have run: what a language model has picked for the prompt meanwhile is delivered, once. */
export async function deliverLate(
  event: HookEvent<"PostToolBatch">,
  context: EventContext,
): Promise<HookOutput> {
  const { session } = event;
  const { paths, folders, config } = context;
  // A subagent's tools run under the session's id, and the text would go to the subagent.
  if (session === undefined || event.isSubagent) return SILENT;
  const settled = context.prefetches.take(session);
  if (settled === undefined) return SILENT;
  const result = await context.withIndex(async (index) =>
    await compose(
      settled.rankings,
      { folders, session: loadSession(paths.sessions, session), terms: settled.terms },
      { corpus: await index.corpus(folders), config, now: context.now() },
    )
  );
  if (result.block !== undefined) saveSession(paths.sessions, session, result.session);
  leaveRecallReceipt(event, context, result);
  return additionalContext("PostToolBatch", result.block);
}
