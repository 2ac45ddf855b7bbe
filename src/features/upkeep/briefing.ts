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

export interface BriefingOptions {
  readonly now: Date;
  /** How many turns have used a memory. */
  readonly usesOf: (path: string) => number;
  /** Whether it has the memories of the repository alone. */
  readonly isShared?: boolean;
}

/** The lines of one type, or of rules. */
export interface BriefingSection {
  readonly type: string;
  /** Heading, memories and what was cut. */
  readonly lines: readonly string[];
  readonly listed: number;
  /** Memories for which there was no room. */
  readonly omitted: number;
}

/** A briefing, without its markers. */
export interface Briefing {
  readonly sections: readonly BriefingSection[];
  readonly lines: readonly string[];
}

/** Maximum columns of a line. */
const WIDTH = 120;
const HEADING = "# Project notes";
const NOTE =
  "Notes from earlier sessions, kept by memo; they may be stale: verify against current code. `memo show NAME` prints one.";

/** A part of the briefing. */
interface Part {
  /** The type of its memories, or `RULES`. */
  readonly type: string;
  readonly lines: number;
}

/**
 * The rules among memories whose type has no section: of the type that is the default, most of what binds.
 */
const RULES: Part = { type: "rules", lines: 20 };

const SECTIONS: readonly Part[] = [
  RULES,
  ...TYPES.flatMap(({ name, briefingLines }) =>
    briefingLines === null ? [] : [{ type: name, lines: briefingLines }]
  ),
];
/** A blank line and the heading. */
const FRAME = 2;

/** The briefing of some memories. */
export function briefingOf(memories: readonly MemoryFile[], options: BriefingOptions): Briefing {
  const ranked = SECTIONS.map(({ type }) => rank(memories.filter(isOf(type)), options));
  const room = handOn(SECTIONS.map((part, i) => {
    const wanted = ranked[i]!.length === 0 ? 0 : ranked[i]!.length + FRAME;
    return { lines: part.lines, wanted };
  }));
  const sections = SECTIONS.flatMap(({ type }, i) =>
    ranked[i]!.length === 0 ? [] : [sectionOf(type, ranked[i]!, room[i]!)]
  );
  const body = sections.flatMap(({ lines }) => lines);
  const none = options.isShared ? "There are none that the repository shares." : "There are none.";
  return { sections, lines: [HEADING, "", NOTE, ...body.length === 0 ? ["", none] : body] };
}

/** How many memories of these the briefing is made from: those of its types that count now. */
export function countBriefed(memories: readonly MemoryFile[], options: BriefingOptions): number {
  return SECTIONS.reduce(
    (sum, { type }) => sum + rank(memories.filter(isOf(type)), options).length,
    0,
  );
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
function rank(
  memories: readonly MemoryFile[],
  { now, usesOf }: BriefingOptions,
): MemoryFile[] {
  // Ages are counted to the start of the day, so that the order lasts for one.
  const day = new Date(now.getFullYear(), now.getMonth(), now.getDate());
  const counts = (memory: MemoryFile) =>
    !isMarked(memory) &&
    confidenceNow(memory, policyOf(memory.type).lifespanDays, day) >= MIN_CONFIDENCE;
  return memories.filter(counts)
    .map((memory) => ({
      memory,
      score: usageScore(memory, { now: day, used: usesOf(memory.path) }),
    }))
    .sort((a, b) =>
      Number(b.memory.pinned) - Number(a.memory.pinned) || b.score - a.score ||
      changedAt(b.memory) - changedAt(a.memory) || compare(a.memory.name, b.memory.name) ||
      compare(a.memory.path, b.memory.path)
    ).map(({ memory }) => memory);
}

function compare(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
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

function sectionOf(type: string, ranked: readonly MemoryFile[], room: number): BriefingSection {
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
  const title = plain(name);
  const about = plain(description);
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

interface BriefProjectOptions {
  readonly place: Place;
  readonly paths: Pick<Paths, "usage">;
  /** The file in the project that it is for. */
  readonly file: string;
  readonly now: Date;
  /** Has private memories in it even where others read the file. */
  readonly withPrivate?: boolean | undefined;
}

/** A project's briefing for a file. */
export interface ProjectBriefing {
  /** Absolute path of the file. */
  readonly path: string;
  /** The work tree that the file is in. */
  readonly root: string;
  /** Whether others get the file with the repository. */
  readonly isShared: boolean;
  readonly briefing: Briefing;
  /** Private memories that are not in it because others would read them. */
  readonly leftOut: number;
}

/**
 * The briefing of a project. A file that the repository shares has shared memories alone, and uses do not count in it:
 * it would be another one for each who reads it. Throws outside any project.
 */
export async function briefProject(options: BriefProjectOptions): Promise<ProjectBriefing> {
  const { place, paths, file, now, withPrivate = false } = options;
  const project = projectAt(place);
  if (project === undefined) {
    throw new MemoError("usage", `Cannot brief \`${place.cwd}\`: it is not in a project`, {
      hint: "Run it in a repository, or in a folder that Claude Code has worked in",
    });
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
  return {
    path,
    root: project.top,
    isShared,
    briefing: briefingOf([...shared, ...isTold ? own : []], { now, usesOf, isShared: !isTold }),
    leftOut: isTold ? 0 : countBriefed(own, { now, usesOf }),
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
