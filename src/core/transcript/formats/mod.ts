import { statSync } from "node:fs";
import { basename } from "node:path";
import { readPart, refuseIrregular } from "../../files/bounded.ts";
import { codex } from "./codex.ts";
import { copilot } from "./copilot.ts";
import type { TranscriptFormat } from "./format.ts";
import { gemini } from "./gemini.ts";
import { kilo, opencode } from "./opencode.ts";
import { qwen } from "./qwen.ts";
import { databaseOf } from "../lines.ts";

/** The forms of transcripts beside Claude Code's. */
export const FORMATS: readonly TranscriptFormat[] = [codex, gemini, qwen, copilot, opencode, kilo];

/** Enough of a file's first line to tell them apart. */
const HEAD_BYTES = 256;

/** The form of a transcript; undefined for Claude Code's own. Throws the system's error if the file does not exist. */
export function formatOf(path: string): TranscriptFormat | undefined {
  const database = databaseOf(path);
  refuseIrregular(statSync(database ?? path));
  if (database !== undefined) {
    return FORMATS.find(({ files }) => files.at(-1) === basename(database));
  }
  const head = readPart(path, HEAD_BYTES).toString();
  return FORMATS.find((format) => format.head.test(head));
}
