import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { changedAt } from "../memory/age.ts";
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

/** Where a candidate was found, and where it would go. */
export interface Circumstances {
  readonly turn: Turn;
  /** Every turn that the model saw with it. */
  readonly all: readonly Turn[];
  /** The memories that the model was shown, by the names they had. */
  readonly offered: ReadonlyMap<string, Comparable>;
  readonly folder: MemoryFolder;
}

/** A memory that is to be written. */
interface Draft extends Offerable {
  readonly memory: Memory;
  readonly folder: MemoryFolder;
  /** The file that it supersedes. */
  readonly target: KnownFile | undefined;
}

/** A memory that is known. */
export type Comparable = KnownFile | Draft;

/** What a capture has decided on so far; each candidate is compared with the memories that are there and with those. */
export class Drafts {
  /** The memories that are there and stay. */
  readonly #files: Set<KnownFile>;
  readonly #folders: readonly MemoryFolder[];
  readonly #context: Pick<CaptureContext, "transcript" | "similar" | "now">;
  #drafts = new Set<Draft>();
  /** When each was said again. */
  #confirmed = new Map<KnownFile, string>();

  constructor(
    files: readonly KnownFile[],
    folders: readonly MemoryFolder[],
    context: Pick<CaptureContext, "transcript" | "similar" | "now">,
  ) {
    this.#files = new Set(files);
    this.#folders = folders;
    this.#context = context;
  }

  /** What a model may be shown as known: the memories that are there, and those that this capture has decided on. */
  get known(): Comparable[] {
    return [...this.#drafts, ...this.#files];
  }

  /** How many memories are to be written. */
  get count(): number {
    return this.#drafts.size;
  }

  /** Decides on a candidate: it is new, supersedes a memory, confirms one, or is nothing. */
  async consider(
    candidate: Candidate,
    { turn, all, offered, folder }: Circumstances,
  ): Promise<void> {
    const said = [candidate.name, candidate.description, candidate.body].join("\n");
    // What a page says about the user, or wants to be done, is not the user's word.
    const isWish = ["user", "feedback"].includes(candidate.type);
    const [rule = ""] = candidate.body.split(/\n\s*\n/); // the reasons are in the model's words
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
    if (twin?.memory.source?.turn === turn.id && "path" in twin.memory) return; // captured before
    // What was only read takes no memory's place, and makes none surer.
    if (!isNews || ((mistrusted || reading !== undefined) && twin !== undefined)) return;
    // What was only read before, and the user has said now, becomes a memory like any other.
    if (verdict.kind === "repeats" && mayStand(verdict.known.memory)) {
      if (isFile(verdict.known) && verdict.known.folder.scope !== "auto") {
        this.#confirmed.set(verdict.known, turn.at);
      }
      return;
    }
    const own = { type: candidate.type, name: candidate.name, turn: turn.id };
    if (wasArchived(own, twin?.folder ?? folder)) return;
    const note = noteOf(candidate, twin?.memory);
    const memory = this.#memoryOf(candidate, turn);
    const marked = reading === undefined || mistrusted ? memory : asRead(memory, reading);
    this.#add(marked, { twin, folder, mistrusted, note });
  }

  /** Everything decided, as changes to files. */
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
    // Claude Code's own memories are not memo's to move.
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
    return {
      ...{ name, description, type, body, triggers, confidence },
      tags: [],
      pinned: false,
      created: at,
      updated: undefined,
      supersedes: [],
      source: { session: turn.session, turn: turn.id, transcript: this.#context.transcript },
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

/** Turns as one. */
function merged(turns: readonly Turn[]): Pick<Turn, "prompt" | "steps"> {
  return {
    prompt: turns.map(({ prompt }) => prompt).join("\n"),
    steps: turns.flatMap(({ steps }) => steps),
  };
}

/** The same memory, a little surer. */
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

/** Whether a turn was over before a memory was last changed: then the memory is the newer one. */
function isOlder({ at }: Turn, entry: Comparable): boolean {
  return isFile(entry) && Date.parse(at) < changedAt(entry.memory);
}

/** What a memory says of the one that it replaces, which may be true all the same where only words are alike. */
function noteOf({ name, replaces, contradicts }: Candidate, old: Memory | undefined): string {
  if (old === undefined || old.name === name) return "";
  if (contradicts !== undefined) return `\n\nBefore, it was: ${old.name}`;
  return replaces === undefined ? `\n\nIt took the place of a similar one: ${old.name}` : "";
}

/** A memory in place of another one. */
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

/** A memory remembers so many predecessors. */
const MOST_SUPERSEDED = 10;

/** The new file first, so that there is always one of the two; under the same name the old one makes room. */
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
  return [
    { kind: "write", path, folder, text, before: undefined },
    { kind: "archive", path: old.path, folder, before },
  ];
}

/** The path of a file's name in a folder, with a number where that is taken. */
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
    return undefined; // gone since
  }
}
