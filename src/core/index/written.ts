// Whether a session has written a file of Claude Code's auto memory, whose folder lies beside the project's transcripts.

import { existsSync, readdirSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { MemoryFile, MemoryFolder } from "../memory/memory.ts";
import { linesOf } from "../transcript/lines.ts";

/** The transcripts that were changed since the file was, at most, and how much of each is read. */
const MOST = 8, TAIL_BYTES = 16 * 1024 * 1024;
/** A file is written while its session's transcript is. */
const SLACK_MS = 60_000;

/** Whether the file names its session, or a session has called a tool that wrote it. */
export async function isWritten(
  { path, mtimeMs, source }: MemoryFile,
  folder: MemoryFolder,
): Promise<boolean> {
  const beside = dirname(folder.path);
  const session = source?.session;
  if (session !== undefined && existsSync(join(beside, `${basename(session)}.jsonl`))) return true;
  const transcripts = readdirSync(beside).filter((name) => name.endsWith(".jsonl"))
    .map((name) => join(beside, name))
    .map((path) => ({ path, stats: statSync(path) }))
    .filter(({ stats }) => stats.isFile() && stats.mtimeMs > mtimeMs - SLACK_MS)
    .sort((a, b) => b.stats.mtimeMs - a.stats.mtimeMs).slice(0, MOST);
  const wanted = `"file_path":${JSON.stringify(path)}`;
  for (const { path, stats } of transcripts) {
    const from = Math.max(0, stats.size - TAIL_BYTES);
    for await (const { text } of linesOf(path, { from, holding: [wanted] })) {
      if (text.includes('"tool_use"')) return true;
    }
  }
  return false;
}
