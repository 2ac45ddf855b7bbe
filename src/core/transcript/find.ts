import { basename, dirname, join, sep } from "node:path";
import { MemoError } from "../../errors.ts";
import { entriesIn } from "../files/there.ts";
import { type Place, placeIn, projectAt } from "../memory/project.ts";
import { autoName, folderBegunIn } from "../memory/scopes.ts";
import type { Paths } from "../../paths.ts";
import { FORMATS } from "./formats/mod.ts";
import { transcriptsIn, transcriptStats } from "./lines.ts";

/** Where clients keep their transcripts. */
export type TranscriptPlace = Pick<Paths, "claude" | "home">;

/** Finds a session's transcript by its id or a prefix. Throws a `not-found` MemoError if none matches, `usage` if several. */
export async function findTranscript(session: string, place: TranscriptPlace): Promise<string> {
  const all = session === "" ? [] : await allTranscripts(place);
  const found = all.filter((path) => isOf(path, session));
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
  const newest = byAge(candidates).at(-1);
  if (newest !== undefined) return newest.path;
  throw new MemoError("not-found", `Cannot find a transcript for session \`${session}\``, {
    hint:
      "Run `memo recall --log --json` to see recent sessions; Claude Code deletes transcripts after " +
      "30 days (`cleanupPeriodDays`)",
  });
}

/** Gemini CLI names a file by the beginning of its session's id. */
const SHORT_ID_CHARS = 8, NAMED = 5;
/** An id at the end of a file's name, or of its folder's. */
const ID = /([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|-[0-9a-f]{8})(?:\/events)?\.jsonl$/;

/** A session's id, which its transcript's name ends with: for Gemini CLI the beginning of it. */
export function sessionOf(transcript: string): string {
  return ID.exec(transcript)?.[1]?.replace(/^-/, "") ?? basename(transcript, ".jsonl");
}

function isOf(transcript: string, session: string): boolean {
  const id = sessionOf(transcript);
  return id.startsWith(session) || id.length === SHORT_ID_CHARS && session.startsWith(id);
}

/** The client that a transcript is of, by where it is: the name of an agent; undefined for Claude Code's. */
export function clientOf(transcript: string, home: string): string | undefined {
  return FORMATS.find(({ files }) => {
    const names = files.slice(0, files.findIndex((name) => typeof name !== "string"));
    return transcript.startsWith(join(home, ...names.map(String), sep));
  })?.agent;
}

/** A transcript on disk. */
export type TranscriptFile = ReturnType<typeof byAge>[number];

/** The transcripts of all clients, oldest first. */
export async function listTranscripts(place: TranscriptPlace): Promise<TranscriptFile[]> {
  return byAge(await allTranscripts(place));
}

/** Those of Claude Code's sessions that began in one folder, oldest first; default: in any. */
export function claudeTranscripts(place: TranscriptPlace, cwd?: string): TranscriptFile[] {
  return byAge(claudeFiles(place, cwd && autoName(cwd)));
}

/**
 * Claude Code's transcripts of the project at a place, newest first; where there is none, those of conversations outside
 * any project. Claude Code has a folder of them for each folder that it was started in.
 */
export function transcriptsOfProject(place: Place): TranscriptFile[] {
  const root = projectAt(place)?.root;
  const files = Map.groupBy(claudeTranscripts(place).reverse(), ({ folder }) => folder);
  return [...files.values()].flatMap((some) => {
    const cwd = some.map(({ path }) => folderBegunIn(path)).find((cwd) => cwd !== undefined);
    const isOfProject = cwd !== undefined && projectAt(placeIn(place, cwd, cwd))?.root === root;
    return isOfProject ? some : [];
  });
}

/** What there is of these transcripts, with the folder, or the database, that each is in; oldest first. */
export function byAge(paths: readonly string[]) {
  return paths.flatMap((path) => {
    const stats = transcriptStats(path);
    if (stats === undefined) return [];
    return [{ path, folder: dirname(path), size: stats.size, mtimeMs: stats.mtimeMs }];
  }).sort((a, b) => a.mtimeMs - b.mtimeMs || (a.path < b.path ? -1 : 1));
}

async function allTranscripts(place: TranscriptPlace): Promise<string[]> {
  const found = claudeFiles(place);
  for (const path of FORMATS.flatMap(({ files }) => filesAt(place.home, files))) {
    found.push(...path.endsWith(".db") ? await transcriptsIn(path) : [path]);
  }
  return found;
}

function claudeFiles({ claude }: TranscriptPlace, folder: RegExp | string = /^/): string[] {
  return filesAt(claude, ["projects", folder, /\.jsonl$/]);
}

/** The files at a path below a folder; a part of it is a name, or what a name matches. */
function filesAt(folder: string, [part, ...rest]: readonly (RegExp | string)[]): string[] {
  const isLast = rest.length === 0;
  return entriesIn(folder)
    .filter((entry) => isLast ? entry.isFile() : entry.isDirectory())
    .filter(({ name }) => typeof part === "string" ? name === part : part!.test(name))
    .map(({ name }) => join(folder, name))
    .flatMap((path) => isLast ? [path] : filesAt(path, rest));
}
