import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { changedAt } from "../memory/age.ts";
import { newChangeId } from "../memory/change_log.ts";
import { serializeMemory } from "../memory/file.ts";
import type { Memory, MemoryFolder } from "../memory/memory.ts";
import { asRead, mayStand } from "../memory/provenance.ts";
import { fileName } from "../memory/slug.ts";
import type { Candidate } from "./candidate.ts";
import type { CaptureContext } from "./capture.ts";
import { compare, termsOf } from "./dedupe.ts";
import { type KnownFile, type Offerable, wasArchived } from "./known.ts";
import { type Action, hashOf } from "./plan.ts";
import { isSuspect, quarantined, readIn } from "./suspect.ts";
import type { Turn } from "../transcript/turn.ts";

/** The origin of a candidate and its destination. */
export interface Circumstances {
  readonly turn: Turn;
  /** Every turn that the model saw with it. */
  readonly all: readonly Turn[];
  /** The memories that the model was shown, by the names used there. */
  readonly offered: ReadonlyMap<string, Comparable>;
  readonly folder: MemoryFolder;
  /** Whether it is to be saved on request, even if it was saved or forgotten in this turn before. */
  readonly isAsked?: boolean;
}

/** What becomes of a candidate. */
export type Fate = "written" | "quarantined" | "confirmed" | "dropped";

/** A memory to be written. */
interface Draft extends Offerable {
  readonly memory: Memory;
  readonly folder: MemoryFolder;
  /** The file that it supersedes. */
  readonly target: KnownFile | undefined;
}

/** A known memory. */
export type Comparable = KnownFile | Draft;

/** The surroundings of decisions; without a transcript a memory names no source. */
export type DraftsContext =
  & Pick<CaptureContext, "similar" | "now">
  & Partial<Pick<CaptureContext, "transcript">>;

/** The decisions of a capture so far; each candidate is compared with the existing memories and with these. */
export class Drafts {
  /** Existing memories that stay. */
  readonly #files: Set<KnownFile>;
  readonly #folders: readonly MemoryFolder[];
  readonly #context: DraftsContext;
  #drafts = new Set<Draft>();
  /** When each memory was last confirmed. */
  #confirmed = new Map<KnownFile, string>();

  constructor(
    files: readonly KnownFile[],
    folders: readonly MemoryFolder[],
    context: DraftsContext,
  ) {
    this.#files = new Set(files);
    this.#folders = folders;
    this.#context = context;
  }

  /** The memories to show the model: existing ones and those that this capture has decided on. */
  get known(): Comparable[] {
    return [...this.#drafts, ...this.#files];
  }

  /** The number of memories to write. */
  get count(): number {
    return this.#drafts.size;
  }

  /** Decides whether a candidate is new, supersedes a memory, confirms one, or is dropped. */
  async consider(
    candidate: Candidate,
    { turn, all, offered, folder, isAsked = false }: Circumstances,
  ): Promise<Fate> {
    const said = [candidate.name, candidate.description, candidate.body].join("\n");
    // A page's claims about the user, or its instructions, are not the user's word.
    const isWish = ["user", "feedback"].includes(candidate.type);
    const [rule = ""] = candidate.body.split(/\n\s*\n/); // the model words the reasons
    const reading = readIn(rule, { turn, all }) ?? (candidate.fromTool ? "tool" : undefined);
    const mistrusted = (isWish && reading !== undefined) || isSuspect(said, merged(all));
    const name = mistrusted ? undefined : candidate.contradicts ?? candidate.replaces;
    const entries = [...this.#files, ...this.#drafts];
    const verdict = compare<Comparable>(candidate, entries, {
      named: this.#stillKnown(name === undefined ? undefined : offered.get(name)),
      cosineOf: await this.#cosines(said),
    });
    const twin = verdict.kind === "new" ? undefined : verdict.known;
    const isNews = twin === undefined || !isOlder(turn, twin);
    const isCaptured = twin?.memory.source?.turn === turn.id && "path" in twin.memory;
    if (isCaptured && !isAsked) return "dropped";
    // Facts that were only read neither replace a memory nor confirm one.
    if (!isNews || ((mistrusted || reading !== undefined) && twin !== undefined)) return "dropped";
    // A fact that was only read before, and that the user has said now, becomes a normal memory.
    if (verdict.kind === "repeats" && mayStand(verdict.known.memory)) {
      if (isFile(verdict.known) && verdict.known.folder.scope !== "auto") {
        this.#confirmed.set(verdict.known, turn.at);
      }
      return "confirmed";
    }
    const own = { type: candidate.type, name: candidate.name, turn: turn.id };
    if (!isAsked && wasArchived(own, twin?.folder ?? folder)) return "dropped";
    const note = noteOf(candidate, twin?.memory);
    const memory = this.#memoryOf(candidate, turn);
    const marked = reading === undefined || mistrusted ? memory : asRead(memory, reading);
    this.#add(marked, { twin, folder, mistrusted, note });
    return mistrusted ? "quarantined" : "written";
  }

  /** All decisions, as file changes. */
  actions(): Action[] {
    const taken = new Set<string>();
    return [
      ...[...this.#drafts].flatMap((draft) => writing(draft, taken)),
      ...[...this.#confirmed].filter(([file]) => this.#files.has(file))
        .flatMap(([file, at]) => confirming(file, at)),
    ];
  }

  #add(
    memory: Memory,
    { twin, folder, mistrusted, note }: {
      readonly twin: Comparable | undefined;
      readonly folder: MemoryFolder;
      readonly mistrusted: boolean;
      readonly note: string;
    },
  ): void {
    // memo does not move Claude Code's own memories.
    const old = twin?.folder.scope === "auto" ? undefined : twin;
    const target = old === undefined ? undefined : isFile(old) ? old : old.target;
    if (old !== undefined && isFile(old)) this.#files.delete(old);
    else if (old !== undefined) this.#drafts.delete(old);
    const whole = mistrusted ? quarantined(memory) : superseding(memory, target, note);
    this.#drafts.add({
      memory: whole,
      terms: termsOf(memory),
      folder: old?.folder ?? folder,
      fileName: fileName(memory.type, memory.name),
      scope: (old?.folder ?? folder).scope,
      target,
    });
  }

  #memoryOf(candidate: Candidate, turn: Turn): Memory {
    const at = Number.isNaN(Date.parse(turn.at)) ? this.#context.now().toISOString() : turn.at;
    const { name, description, type, body, triggers, confidence } = candidate;
    const { transcript } = this.#context;
    return {
      ...{ name, description, type, body, triggers, confidence },
      tags: candidate.tags ?? [],
      pinned: false,
      created: at,
      updated: undefined,
      supersedes: [],
      source: transcript === undefined
        ? undefined
        : { session: turn.session, turn: turn.id, transcript },
    };
  }

  #stillKnown(entry: Comparable | undefined): Comparable | undefined {
    if (entry === undefined) return undefined;
    return (isFile(entry) ? this.#files.has(entry) : this.#drafts.has(entry)) ? entry : undefined;
  }

  async #cosines(text: string): Promise<((entry: Comparable) => number | undefined) | undefined> {
    const near = await this.#context.similar?.(text, this.#folders);
    if (near === undefined) return undefined;
    const cosines = new Map(near.map(({ path, cosine }) => [path, cosine]));
    return (entry) => isFile(entry) ? cosines.get(entry.memory.path) : undefined;
  }
}

/** Several turns as one. */
function merged(turns: readonly Turn[]): Pick<Turn, "prompt" | "steps"> {
  return {
    prompt: turns.map(({ prompt }) => prompt).join("\n"),
    steps: turns.flatMap(({ steps }) => steps),
  };
}

/** The same memory with slightly more confidence. */
function confirming({ memory, folder }: KnownFile, updated: string): Action[] {
  const text = read(memory.path);
  if (text === undefined) return [];
  const confidence = Math.round((memory.confidence + (1 - memory.confidence) / 2) * 100) / 100;
  const surer = serializeMemory({ ...memory, confidence, updated }, text);
  return [{ kind: "confirm", path: memory.path, folder, text: surer, before: hashOf(text) }];
}

function isFile(entry: Comparable): entry is KnownFile {
  return "path" in entry.memory;
}

/** Whether a turn ended before a memory was last changed, which makes the memory the newer one. */
function isOlder({ at }: Turn, entry: Comparable): boolean {
  return isFile(entry) && Date.parse(at) < changedAt(entry.memory);
}

/** The note that a memory has about the one it replaces, which may still be true if only their words are alike. */
function noteOf({ name, replaces, contradicts }: Candidate, old: Memory | undefined): string {
  if (old === undefined || old.name === name) return "";
  if (contradicts !== undefined) return `\n\nBefore, it was: ${old.name}`;
  return replaces === undefined ? `\n\nIt took the place of a similar one: ${old.name}` : "";
}

/** A memory that replaces another one. */
function superseding(memory: Memory, target: KnownFile | undefined, note: string): Memory {
  if (target === undefined) return memory;
  const { path, supersedes, created } = target.memory;
  return {
    ...memory,
    body: memory.body + note,
    created: created ?? memory.created,
    updated: memory.created,
    supersedes: [...new Set([basename(path), ...supersedes])].slice(0, MOST_SUPERSEDED),
  };
}

/** Maximum predecessors that a memory lists. */
const MOST_SUPERSEDED = 10;

/** Writes the new file first, so that one of the two always exists; under the same name, the old file makes room. */
function writing({ memory, folder, target }: Draft, taken: Set<string>): Action[] {
  const old = target && { path: target.memory.path, text: read(target.memory.path) };
  const text = serializeMemory(memory);
  const path = freePath(
    folder,
    fileName(memory.type, memory.name),
    (path) => taken.has(path) || (path !== old?.path && existsSync(path)),
  );
  taken.add(path);
  const before = old?.text === undefined ? undefined : hashOf(old.text);
  if (old === undefined || before === undefined) {
    return [{ kind: "write", path, folder, text, before: undefined }];
  }
  if (path === old.path) return [{ kind: "write", path, folder, text, before }];
  const group = newChangeId();
  return [
    { kind: "write", path, folder, text, before: undefined, group },
    { kind: "archive", path: old.path, folder, before, group },
  ];
}

/** The path for a file name in a folder, with a number if the name is taken. */
export function freePath(
  folder: MemoryFolder,
  name: string,
  isTaken: (path: string) => boolean,
): string {
  const stem = name.replace(/\.md$/, "");
  for (let n = 1;; n++) {
    const path = join(folder.path, n === 1 ? name : `${stem}-${n}.md`);
    if (!isTaken(path)) return path;
  }
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined; // deleted since
  }
}
