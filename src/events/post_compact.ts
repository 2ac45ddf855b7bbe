import type { HookOutput } from "../../hooks/wire.ts";
import { appendEntry, journalEntry } from "../journal/write.ts";
import { isSuspect } from "../capture/suspect.ts";
import { compactionId } from "../transcript/turn.ts";
import { journalOf } from "../journal/journal.ts";
import { ownPatterns } from "../redact/own_patterns.ts";
import { type EventContext, type HookEvent, SILENT } from "./event.ts";

/**
 * A conversation was summarised: writes the beginning of the summary to the journal, before the hook is answered;
 * nothing is queued, because the transcript has all of it.
 */
export async function postCompact(
  event: HookEvent<"PostCompact">,
  context: EventContext,
): Promise<HookOutput> {
  const { session, promptId, summary, transcript, isSubagent } = event;
  const journal = journalOf(context.folders);
  if (!context.config["capture.enabled"] || isSubagent) return SILENT;
  if (!summary || !session || !transcript || !journal) return SILENT;
  const { redact } = await import("../redact/redact.ts"); // its rules are slow to load
  const own = ownPatterns(context.config["redact.patterns"]);
  const at = context.now();
  const entry = journalEntry({ id: compactionId(promptId ?? `${at.getTime()}`), session }, {
    bullets: bulletsOf((await redact(summary, own)).text).filter((bullet) =>
      !isSuspect(bullet, { prompt: "", steps: [] })
    ),
    transcript,
    journal,
    at,
  });
  if (entry !== undefined) await appendEntry(entry);
  return SILENT;
}

/** The sections of a summary, if it has any, without the summariser's reasoning. */
function bulletsOf(summary: string): string[] {
  const text = /<summary>([\s\S]*?)(?:<\/summary>|$)/.exec(summary)?.[1] ?? summary;
  const sections = text.trim().split(/\n+(?=\d+\. |#+ )/);
  return sections.map((section, place) => place === 0 ? `In summary: ${section}` : section);
}
