// Whether a block reached the model, told from the transcript that Claude Code writes. Its format is Claude Code's own
// and changes: whatever is not understood is passed over, and a block that is not found is said to be missing.

import { existsSync, readFileSync, statSync } from "node:fs";
import { HOOK_TEXT, hookTexts } from "../transcript/hook_texts.ts";
import { linesOf } from "../transcript/lines.ts";
import { LiveBranches } from "../transcript/live_branch.ts";
import { timeOfAnswer } from "../transcript/parent.ts";
import { subagentTranscripts } from "../transcript/subagents.ts";
import { blockName } from "../text/block.ts";
import type { Receipt } from "./receipts.ts";

/** What became of a block. */
export type Delivery =
  | "delivered"
  | "cut to a preview" // Claude Code put it into a file, and the model saw its beginning
  | "taken back" // with Esc before the answer, or with /rewind: the model no longer has it
  | "dropped" // the session went on without it
  | "not written yet" // the model has not answered since
  | "no transcript"; // it is gone, or the receipt names none

/** A receipt with a block, and what became of that. */
export interface Verified {
  readonly receipt: Receipt;
  readonly delivery: Delivery;
}

/** What a session's transcript says about hooks. */
interface Evidence {
  /** Names of the texts that the model was given. */
  readonly whole: ReadonlySet<string>;
  /** Names of the texts that it was given the beginning of. */
  readonly previews: ReadonlySet<string>;
  /** Names of the blocks that the conversation no longer goes through. */
  readonly takenBack: ReadonlySet<string>;
  /** The time of the model's last answer: what it was given before that is all there. */
  readonly until: number;
}

/** The preview takes the place of a text over 10,000 characters; the file that it names holds all of it. */
const PREVIEW = /^<persisted-output>\n[^\n]*? saved to: ([^\n]+)\n/;
/** What Claude Code wrote for a hook is never near as large. */
const MAX_SAVED_BYTES = 1024 * 1024;

/** Reads the transcripts that receipts with a block name, each once, and tells what became of the blocks. */
export async function verifyDelivery(receipts: readonly Receipt[]): Promise<Verified[]> {
  const read = new Map<string, Promise<Evidence | undefined>>();
  const verified: Verified[] = [];
  for (const receipt of receipts) {
    const { transcript, block } = receipt;
    if (block === undefined) continue;
    if (transcript !== undefined && !read.has(transcript)) {
      read.set(transcript, readEvidence(transcript));
    }
    const evidence = transcript === undefined ? undefined : await read.get(transcript);
    verified.push({ receipt, delivery: judge(block, receipt.at, evidence) });
  }
  return verified;
}

function judge(block: string, at: string, evidence: Evidence | undefined): Delivery {
  if (evidence === undefined) return "no transcript";
  if (evidence.takenBack.has(block)) return "taken back";
  if (evidence.whole.has(block)) return "delivered";
  if (evidence.previews.has(block)) return "cut to a preview";
  return evidence.until > Date.parse(at) ? "dropped" : "not written yet";
}

/** What a session's transcript and those of its subagents say; undefined when there is none. */
async function readEvidence(transcript: string): Promise<Evidence | undefined> {
  if (!existsSync(transcript)) return undefined;
  const [whole, previews] = [new Set<string>(), new Set<string>()];
  let until = 0;
  for (const path of [transcript, ...subagentTranscripts(transcript)]) {
    try {
      for await (const { text: line } of linesOf(path, { holding: ['"assistant"', HOOK_TEXT] })) {
        until = Math.max(until, timeOfAnswer(line));
        for (const { text } of hookTexts(line)) {
          const saved = PREVIEW.exec(text)?.[1];
          if (saved === undefined) whole.add(blockName(text));
          else previews.add(savedName(saved));
        }
      }
    } catch {
      // deleted meanwhile, say
    }
  }
  return { whole, previews, takenBack: await new LiveBranches().takenBack(transcript), until };
}

/** Names the text in a file that Claude Code saved; nothing has the name of one that cannot be read. */
function savedName(path: string): string {
  try {
    if (statSync(path).size > MAX_SAVED_BYTES) return "";
    return blockName(readFileSync(path, "utf8"));
  } catch {
    return "";
  }
}
