import { type Dirent, readdirSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { MemoError } from "../errors.ts";
import { statsOf } from "../files/stats.ts";
import { autoName } from "../memory/scopes.ts";

/** Maximum sessions named in an error. */
const NAMED = 5;

/**
 * Finds the transcript of a session in Claude Code's folder by its id or a prefix of it. Throws a `not-found` MemoError
 * if none matches, and a `usage` one if several do.
 */
export function findTranscript(session: string, claude: string): string {
  const found = transcripts(join(claude, "projects")).filter((path) =>
    session !== "" && sessionOf(path).startsWith(session)
  );
  const exact = found.filter((path) => sessionOf(path) === session);
  const candidates = exact.length > 0 ? exact : found;
  const sessions = [...new Set(candidates.map(sessionOf))];
  if (sessions.length > 1) {
    const named = sessions.slice(0, NAMED).map((id) => `\`${id}\``).join(", ");
    throw new MemoError(
      "usage",
      `Session id \`${session}\` is ambiguous: ${sessions.length} sessions match`,
      { hint: `Use a longer prefix: ${named}${sessions.length > NAMED ? ", …" : ""}` },
    );
  }
  // A session that moved to another folder leaves its beginning in the first one.
  const newest = candidates.sort((a, b) => changedAt(b) - changedAt(a))[0];
  if (newest !== undefined) return newest;
  throw new MemoError("not-found", `Cannot find a transcript for session \`${session}\``, {
    hint:
      "Run `memo recall --log --json` to see recent sessions; Claude Code deletes transcripts after " +
      "30 days (`cleanupPeriodDays`)",
  });
}

/** A session's id, which is also its transcript's file name. */
export function sessionOf(transcript: string): string {
  return basename(transcript, ".jsonl");
}

/** A transcript on disk. */
export interface TranscriptFile {
  readonly path: string;
  /** Claude Code's folder of it. */
  readonly folder: string;
  readonly size: number;
  readonly changedAt: number;
}

/** The transcripts of the sessions that began in a folder, or of all, oldest first. */
export function listTranscripts(claude: string, cwd?: string): TranscriptFile[] {
  const wanted = cwd === undefined ? undefined : autoName(cwd);
  return transcripts(join(claude, "projects"))
    .map((path) => ({ path, folder: dirname(path), stats: statsOf(path) }))
    .flatMap(({ path, folder, stats }) =>
      stats === undefined || (wanted !== undefined && basename(folder) !== wanted)
        ? []
        : [{ path, folder, size: stats.size, changedAt: stats.mtimeMs }]
    )
    .sort((a, b) => a.changedAt - b.changedAt || (a.path < b.path ? -1 : 1));
}

function transcripts(projects: string): string[] {
  return entriesOf(projects).filter((entry) => entry.isDirectory()).flatMap(({ name }) => {
    const folder = join(projects, name);
    return entriesOf(folder).filter((entry) => entry.isFile() && entry.name.endsWith(".jsonl"))
      .map((entry) => join(folder, entry.name));
  });
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return []; // it does not exist
  }
}

function changedAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
