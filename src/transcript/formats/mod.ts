import { closeSync, openSync, readSync, statSync } from "node:fs";
import { refuseIrregular } from "../../files/bounded.ts";
import { codex } from "./codex.ts";
import { copilot } from "./copilot.ts";
import type { TranscriptFormat } from "./format.ts";
import { gemini } from "./gemini.ts";
import { qwen } from "./qwen.ts";

/** The forms of transcripts beside Claude Code's. */
export const FORMATS: readonly TranscriptFormat[] = [codex, gemini, qwen, copilot];

/** Enough of a file's first line to tell them apart. */
const HEAD_BYTES = 256;

/** The form of a transcript; undefined for Claude Code's own. Throws the system's error if the file does not exist. */
export function formatOf(path: string): TranscriptFormat | undefined {
  refuseIrregular(statSync(path));
  const bytes = Buffer.alloc(HEAD_BYTES);
  const file = openSync(path, "r");
  try {
    const head = bytes.subarray(0, readSync(file, bytes, 0, HEAD_BYTES, 0)).toString();
    return FORMATS.find((format) => format.head.test(head));
  } finally {
    closeSync(file);
  }
}
