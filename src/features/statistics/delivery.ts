// Whether a block reached the model, read from the transcript that Claude Code writes. Its format is internal to Claude
// Code and changes: unknown lines are skipped, and a block that is not found is reported as missing.

import { existsSync, readFileSync, statSync } from "node:fs";
import {
  HOOK_TEXT,
  hookTexts,
  linesOf,
  subagentTranscripts,
  writesHookTexts,
} from "../../core/transcript/lines.ts";
import { LiveBranches } from "../../core/transcript/live_branch.ts";
import { timeOfAnswer } from "../../core/transcript/recent.ts";
import { blockName, blocksIn } from "../../core/text/block.ts";
import type { Receipt } from "../../core/recall/receipts.ts";

/** How a block was delivered. */
export type Delivery =
  | "delivered"
  | "cut to a preview" // Claude Code put it into a file, and the model saw its beginning
  | "taken back" // with Esc before the answer, or with /rewind: the model no longer has it
  | "dropped" // the session went on without it
  | "cannot be checked with this version" // an old Claude Code does not write down what hooks gave
  | "not written yet" // the model has not answered since
  | "no transcript"; // it was deleted, or the receipt names none

/** The preview replaces a text over 10,000 characters; the file that it names holds all of it. */
const PREVIEW = /^<persisted-output>\n[^\n]*? saved to: ([^\n]+)\n/;
/** The version of Claude Code in a line. */
const CLIENT = /"version": ?"(\d[\d.]{2,20})"/;
/** Limit far above the size of any file that Claude Code writes for a hook. */
const MAX_SAVED_BYTES = 1024 * 1024;

/** Reads the transcripts of receipts with a block, each once, and returns how the blocks were delivered. */
export async function verifyDelivery(receipts: readonly Receipt[]) {
  const read = new Map<string, ReturnType<typeof readTranscript>>();
  const verified: { readonly receipt: Receipt; readonly delivery: Delivery }[] = [];
  for (const receipt of receipts) {
    const { transcript = "", block, at } = receipt;
    if (block === undefined) continue;
    if (!read.has(transcript)) read.set(transcript, readTranscript(transcript));
    const judge = await read.get(transcript);
    verified.push({ receipt, delivery: judge?.(block, at) ?? "no transcript" });
  }
  return verified;
}

/** The block of a receipt as the model got it, from the transcript; undefined if that does not have it. */
export async function blockOf({ transcript, block }: Receipt): Promise<string | undefined> {
  if (transcript === undefined || block === undefined || !existsSync(transcript)) return undefined;
  for await (const line of linesOfSession(transcript, [HOOK_TEXT])) {
    for (const { text } of hookTexts(line)) {
      const saved = PREVIEW.exec(text)?.[1];
      const found = blocksIn(saved === undefined ? text : savedText(saved))
        .find((each) => blockName(each) === block);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

/** The lines of a session's transcript and its subagents'; none of one that is deleted meanwhile. */
async function* linesOfSession(transcript: string, holding: readonly string[]) {
  for (const path of [transcript, ...subagentTranscripts(transcript)]) {
    try {
      for await (const { text } of linesOf(path, { holding })) yield text;
    } catch {
      // deleted meanwhile, for example
    }
  }
}

/** How a block was delivered, by the transcripts of a session and its subagents; undefined if there is none. */
async function readTranscript(transcript: string) {
  if (!existsSync(transcript)) return undefined;
  /** Names of the texts that the model received whole, and of those that it received the beginning of. */
  const whole = new Set<string>(), previews = new Set<string>();
  let until = 0; // the model's last answer: everything delivered before it is in the transcript
  let client: string | undefined;
  let hasHookTexts = false;
  for await (const line of linesOfSession(transcript, ['"assistant"', HOOK_TEXT])) {
    until = Math.max(until, timeOfAnswer(line));
    client ??= CLIENT.exec(line)?.[1];
    for (const { text } of hookTexts(line)) {
      hasHookTexts = true;
      const saved = PREVIEW.exec(text)?.[1];
      if (saved === undefined) addNames(text, whole);
      else addNames(savedText(saved), previews);
    }
  }
  const takenBack = await new LiveBranches().takenBack(transcript);
  const isSilent = !hasHookTexts && client !== undefined && !writesHookTexts(client);
  return (block: string, at: string): Delivery => {
    if (takenBack.has(block)) return "taken back";
    if (whole.has(block)) return "delivered";
    if (previews.has(block)) return "cut to a preview";
    if (until <= Date.parse(at)) return "not written yet";
    return isSilent ? "cannot be checked with this version" : "dropped";
  };
}

function addNames(text: string, names: Set<string>): void {
  for (const block of blocksIn(text)) names.add(blockName(block));
}

/** The text in a file that Claude Code saved; empty, which matches no block, if the file cannot be read. */
function savedText(path: string): string {
  try {
    return statSync(path).size > MAX_SAVED_BYTES ? "" : readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
