// The briefing: what a project's memories say, by type, within the lines that each type has. It depends on the files,
// the day and, where others do not read it, on how often each memory was used.

import type { MemoryFile } from "../../core/memory/memory.ts";
import { changedAt, confidenceNow } from "../../core/memory/age.ts";
import { isMarked } from "../../core/memory/provenance.ts";
import { policyOf, TYPES } from "../../core/memory/types.ts";
import { MIN_CONFIDENCE, readUsage, usageOf, usageScore } from "../../core/ledger/usage.ts";
import { cutToWidth } from "../../core/text/terminal.ts";
import { neutraliseLine } from "../../core/text/neutralise.ts";
import { isRule } from "../../core/text/rule.ts";
import { join } from "node:path";
import { MemoError } from "../../errors.ts";
import { askGit } from "../../core/files/git.ts";
import { readMemories, withCommitDates } from "../../core/memory/list.ts";
import { type Place, projectAt, repositoryRoot } from "../../core/memory/project.ts";
import { privateFolder, sharedFolders } from "../../core/memory/scopes.ts";
import { mayRead } from "../../core/memory/trust.ts";
import type { Paths } from "../../paths.ts";
import { writeBriefing } from "./briefing_file.ts";
import type { JobContext } from "../../core/engine/jobs.ts";

interface BriefingOptions {
  readonly now: Date;
  /** How many turns have used a memory. */
  readonly usesOf: (path: string) => number;
  /** Whether it has the memories of the repository alone. */
  readonly isShared?: boolean;
}

/** Maximum columns of a line. */
const WIDTH = 120;
const HEADING = "# Project memory";
const NOTE =
  "Memories from earlier sessions, kept by memo. They may be outdated: check the code. `memo show NAME` prints one.";

/** The rules among memories whose type has no section: of the type that is the default, most of what binds. */
const RULES = { type: "rules", lines: 20 };

const SECTIONS = [
  RULES,
  ...TYPES.flatMap(({ name: type, briefingLines: lines }) =>
    lines === null ? [] : [{ type, lines }]
  ),
];
/** A blank line and the heading. */
const FRAME = 2;

/** The briefing of some memories, without its markers. */
export function briefingOf(memories: readonly MemoryFile[], options: BriefingOptions) {
  const parts = SECTIONS.map(({ type, lines }) => {
    const ranked = rank(memories.filter(isOf(type)), options);
    return { type, lines, ranked, wanted: ranked.length === 0 ? 0 : ranked.length + FRAME };
  });
  const room = handOn(parts);
  const sections = parts.flatMap(({ type, ranked }, i) =>
    ranked.length === 0 ? [] : [sectionOf(type, ranked, room[i]!)]
  );
  const body = sections.flatMap(({ lines }) => lines);
  const none = options.isShared ? "No shared memories." : "No memories.";
  return { sections, lines: [HEADING, "", NOTE, ...body.length === 0 ? ["", none] : body] };
}

function isOf(type: string): (memory: MemoryFile) => boolean {
  return type === RULES.type ? isRuleElsewhere : (memory) => memory.type === type;
}

/** Whether a memory binds whoever works on the project, and no other section has it. */
function isRuleElsewhere({ type, name, description }: MemoryFile): boolean {
  if (type === "user" || policyOf(type).briefingLines !== null) return false;
  return type === "feedback" || isRule(`${name}\n${description}`);
}

/** Those that count, best first. */
function rank(memories: readonly MemoryFile[], { now, usesOf }: BriefingOptions): MemoryFile[] {
  // Ages are counted to the start of the day, so that the order lasts for one.
  const day = new Date(now.getFullYear(), now.getMonth(), now.getDate());
  const scores = new Map(
    memories.filter((memory) =>
      !isMarked(memory) &&
      confidenceNow(memory, policyOf(memory.type).lifespanDays, day) >= MIN_CONFIDENCE
    ).map((each) => [each, usageScore(each, { now: day, used: usesOf(each.path) })]),
  );
  const compare = (a: string, b: string) => a === b ? 0 : a < b ? -1 : 1;
  return [...scores.keys()].sort((a, b) =>
    Number(b.pinned) - Number(a.pinned) || scores.get(b)! - scores.get(a)! ||
    changedAt(b) - changedAt(a) || compare(a.name, b.name) || compare(a.path, b.path)
  );
}

/**
 * The lines of each section, when what some leave over is handed on in equal parts to those that need more.
 * The sum stays the same.
 */
export function handOn(
  sections: readonly { readonly lines: number; readonly wanted: number }[],
): number[] {
  const room = sections.map(({ lines, wanted }) => Math.min(lines, wanted));
  let left = sections.reduce((sum, { lines }, i) => sum + lines - room[i]!, 0);
  for (;;) {
    const short = sections.flatMap(({ wanted }, i) => room[i]! < wanted ? [i] : []);
    if (short.length === 0 || left === 0) return room;
    const share = Math.max(1, Math.floor(left / short.length));
    for (const i of short) {
      const more = Math.min(share, left, sections[i]!.wanted - room[i]!);
      room[i]! += more;
      left -= more;
    }
  }
}

/** The lines of one type, or of rules: heading, memories and what was cut. */
function sectionOf(type: string, ranked: readonly MemoryFile[], room: number) {
  const fit = room - FRAME;
  const listed = ranked.length <= fit ? ranked.length : fit - 1;
  const omitted = ranked.length - listed;
  const lines = ["", `## ${type[0]!.toUpperCase()}${type.slice(1)}`];
  lines.push(...ranked.slice(0, listed).map(lineOf));
  const where = type === RULES.type ? "memo list" : `memo list --type ${type}`;
  if (omitted > 0) lines.push(`- … ${omitted} more: \`${where}\``);
  return { type, lines, listed, omitted };
}

/** A memory in a line: its name, and its description as far as there is room. */
function lineOf({ name, description }: MemoryFile): string {
  const title = plain(name), about = plain(description);
  const isSaid = about === "" ||
    title.toLowerCase().includes(about.toLowerCase().replace(/\.$/, ""));
  const line = cutToWidth(`- ${isSaid ? title : `${title}: ${about}`}`, WIDTH - 1);
  return (line.match(/`/g)?.length ?? 0) % 2 === 0 ? line : `${line}\``;
}

/**
 * Text that cannot act in a CLAUDE.md: neither close the section, nor open a comment, nor import a file, which `@path`
 * does outside code.
 */
function plain(text: string): string {
  return neutraliseLine(text).replace(/<!--|-->/g, (mark) => mark.replace(/[<>]/g, ""))
    .split(/(`[^`]*`)/)
    .map((part) => part.startsWith("`") ? part : part.replace(/(?<!\w)@[^\s`]+/g, "`$&`"))
    .join("");
}

/** A project's briefing for a file. */
export type ProjectBriefing = Awaited<ReturnType<typeof briefProject>>;

/**
 * The briefing of a project for a file in it. A file that the repository shares has shared memories alone, and uses do
 * not count in it: it would be another one for each who reads it. Throws outside any project.
 */
export async function briefProject(
  { place, paths, file, now, withPrivate = false }: {
    readonly place: Place;
    readonly paths: Pick<Paths, "usage">;
    readonly file: string;
    readonly now: Date;
    /** Has private memories in it even where others read the file. */
    readonly withPrivate?: boolean | undefined;
  },
) {
  const project = projectAt(place);
  if (project === undefined) {
    throw new MemoError(
      "usage",
      `Cannot write a briefing for \`${place.cwd}\`: it is not in a project`,
      { hint: "Run it in a repository, or in a folder where Claude Code has worked" },
    );
  }
  const path = join(project.top, ...file.split("/"));
  const isShared = await isSharedFile(project.top, path);
  const shared: MemoryFile[] = [];
  for (const folder of sharedFolders(project, place).folders) {
    const listed = readMemories(folder).memories.filter(({ digest }) => mayRead(folder, digest));
    shared.push(...await withCommitDates(folder, listed));
  }
  const own = readMemories(privateFolder(project)).memories;
  const usage = readUsage(paths.usage);
  const usesOf = (path: string) => isShared ? 0 : usageOf(usage, path).used;
  const isTold = withPrivate || !isShared;
  const brief = (memories: readonly MemoryFile[]) =>
    briefingOf(memories, { now, usesOf, isShared: !isTold });
  return {
    path,
    /** The work tree that the file is in. */
    root: project.top,
    /** Whether others get the file with the repository. */
    isShared,
    briefing: brief([...shared, ...isTold ? own : []]),
    /** Private memories that are not in it because others would read them. */
    leftOut: brief(isTold ? [] : own).sections
      .reduce((sum, { listed, omitted }) => sum + listed + omitted, 0),
  };
}

/** Whether a file is in a repository, or would be with the next commit of everything. */
async function isSharedFile(root: string, path: string): Promise<boolean> {
  if (repositoryRoot(root) === undefined) return false;
  const tracked = await askGit(root, ["ls-files", "--", path]);
  if (tracked !== "") return true;
  return await askGit(root, ["check-ignore", "--", path]) === "";
}

/**
 * Updates the briefing of a project where there is one. Rejects at a section that was edited, or a file that cannot be
 * written, and leaves it as it is.
 */
export async function refreshBriefing(
  { engine, place, env, log, now }: JobContext,
): Promise<void> {
  const { paths } = engine, file = engine.config(place, env)["briefing.file"];
  const { path, root, briefing } = await briefProject({ place, paths, file, now });
  const done = writeBriefing(path, briefing.lines, { root, onlyUpdate: true });
  if (done === "written") log("briefing", { path });
}
