// Claude Code's own summary of a conversation that it compacts: what happened, without a language model of memo's.

import { redactAll } from "../redact/redact.ts";
import type { Turn } from "../transcript/turns.ts";
import { isSuspect } from "../memory/provenance.ts";

/** The words around a summary that tell the model what it is, and to go on. */
const HEAD = /^[^]*?(?:^|\n)Summary:\n/;
const TAIL =
  /\n+(?:If you need specific details from before compaction|(?:Please c|C)ontinue the conversation from where) [^]*$/;
const TAGGED = /<summary>([^]*?)(?:<\/summary>|$)/;

/** The journal's bullets for summaries: the sections of each, without secrets and without instructions. */
export async function summaryBullets(
  summaries: readonly Turn[],
  own: readonly RegExp[],
): Promise<Map<Turn, string[]>> {
  const redacted = await redactAll(summaries.map(textOf), own);
  return new Map(summaries.map((turn, i) => [
    turn,
    sectionsOf(redacted[i]!.text).filter((bullet) => !isSuspect(bullet)),
  ]));
}

function textOf({ steps }: Turn): string {
  return steps.map((step) => step.kind === "text" ? step.text : "").join("\n");
}

function sectionsOf(text: string): string[] {
  const summary = TAGGED.exec(text)?.[1] ?? text.replace(HEAD, "").replace(TAIL, "");
  const sections = summary.trim().split(/\n+(?=\d+\. |#+ )/);
  return sections.map((section, place) => place === 0 ? `In summary: ${section}` : section);
}
