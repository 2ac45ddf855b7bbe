import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { addition, type Change } from "../change/change.ts";
import { changedAt } from "../memory/age.ts";
import { newChangeId } from "../memory/change_log.ts";
import { serializeMemory } from "../memory/file.ts";
import { mayChange, type Memory, type MemoryFolder } from "../memory/memory.ts";
import { asRead, mayStand } from "../memory/provenance.ts";
import { predecessors } from "../memory/limits.ts";
import { inheriting } from "../memory/talks.ts";
import { fileName, freeName } from "../memory/slug.ts";
import { digestOf } from "../memory/trust.ts";
import { haveSameFacts } from "../memory/same.ts";
import { hasTrait } from "../memory/types.ts";
import type { Candidate } from "./candidate.ts";
import type { CaptureContext } from "./capture.ts";
import { compare, nearest, termsOf } from "./dedupe.ts";
import { type KnownFile, type Offerable, wasArchived } from "./known.ts";
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
  /** Memories that are wrong now that it holds, besides the one that it names. */
  readonly misled?: readonly Comparable[];
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
  /** Files that go with it. */
  readonly others: readonly KnownFile[];
}

/** A known memory. */
export type Comparable = KnownFile | Draft;

/** The surroundings of decisions; without a transcript a memory names no source. */
export type DraftsContext =
  & Pick<CaptureContext, "now">
  & Partial<Pick<CaptureContext, "transcript">>;

/** The decisions of a capture so far; each candidate is compared with the existing memories and with these. */
export class Drafts {
  /** Existing memories that stay. */
  readonly #files: Set<KnownFile>;
  readonly #context: DraftsContext;
  #drafts = new Set<Draft>();
  /** When each memory was last confirmed. */
  #confirmed = new Map<KnownFile, string>();

  constructor(files: readonly KnownFile[], context: DraftsContext) {
    this.#files = new Set(files);
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
  consider(
    candidate: Candidate,
    { turn, all, offered, folder, misled = [], isAsked = false }: Circumstances,
  ): Fate {
    const said = wordsOf(candidate);
    // A page's claims about the user, or its instructions, are not the user's word.
    const isWish = hasTrait(candidate.type, "wish");
    const [rule = ""] = candidate.body.split(/\n\s*\n/); // the model words the reasons
    const reading = readIn(rule, { turn, all }) ?? (candidate.fromTool ? "tool" : undefined);
    const mistrusted = (isWish && reading !== undefined) || isSuspect(said, merged(all));
    const name = mistrusted ? undefined : candidate.contradicts ?? candidate.replaces;
    const named = this.#stillKnown(name === undefined ? undefined : offered.get(name));
    const entries = [...this.#files, ...this.#drafts];
    const verdict = compare<Comparable>(candidate, entries, named);
    const twin = verdict.kind === "new" ? undefined : verdict.known;
    const isNews = twin === undefined || !isOlder(turn, twin);
    const captured = entries.filter((entry) =>
      isFile(entry) && entry.memory.source?.turn === turn.id
    );
    const isCaptured = twin === undefined ? isRetold(candidate, captured) : captured.includes(twin);
    if (isCaptured && !isAsked) return "dropped";
    // What was only read neither replaces a memory nor confirms one, nor stands beside one that says otherwise.
    const isRival = mistrusted
      ? nearest(candidate, entries) !== undefined
      : reading !== undefined && entries.some(({ memory }) => isNamesake(candidate, memory));
    const isOnlyRead = mistrusted || reading !== undefined;
    if (!isNews || isRival || (isOnlyRead && twin !== undefined)) return "dropped";
    // A fact that was only read before, and that the user has said now, becomes a normal memory.
    if (verdict.kind === "repeats" && mayStand(verdict.known.memory)) {
      if (isFile(verdict.known) && mayChange(verdict.known.folder.scope)) {
        this.#confirmed.set(verdict.known, turn.at);
      }
      return "confirmed";
    }
    const own = { type: candidate.type, name: candidate.name, turn: turn.id };
    if (!isAsked && wasArchived(own, twin?.folder ?? folder)) return "dropped";
    const memory = this.#memoryOf(candidate, turn);
    const marked = reading === undefined || mistrusted ? memory : asRead(memory, reading);
    const others = isOnlyRead
      ? []
      : misled.filter((entry) => entry !== twin && !isOlder(turn, entry));
    this.#add(marked, { twin, others, folder, mistrusted });
    return mistrusted ? "quarantined" : "written";
  }

  /** All decisions, as file changes. */
  changes(): Change[] {
    const taken = new Set<string>();
    return [
      ...[...this.#drafts].flatMap((draft) => writing(draft, taken)),
      ...[...this.#confirmed].filter(([file]) => this.#files.has(file))
        .flatMap(([file, at]) => confirming(file, at)),
    ];
  }

  #add(
    memory: Memory,
    { twin, others, folder, mistrusted }: {
      readonly twin: Comparable | undefined;
      readonly others: readonly Comparable[];
      readonly folder: MemoryFolder;
      readonly mistrusted: boolean;
    },
  ): void {
    // memo does not move Claude Code's own memories.
    const old = twin !== undefined && !mayChange(twin.folder.scope) ? undefined : twin;
    const target = old === undefined ? undefined : isFile(old) ? old : old.target;
    if (old !== undefined && isFile(old)) this.#files.delete(old);
    else if (old !== undefined) this.#drafts.delete(old);
    const gone = others.filter((entry): entry is KnownFile =>
      isFile(entry) && this.#files.has(entry) && mayChange(entry.folder.scope)
    );
    for (const file of gone) this.#files.delete(file);
    const whole = mistrusted ? quarantined(memory) : superseding(memory, target, gone);
    this.#drafts.add({
      memory: whole,
      terms: termsOf(memory),
      folder: old?.folder ?? folder,
      fileName: fileName(memory.type, memory.name),
      scope: (old?.folder ?? folder).scope,
      target,
      others: [...old !== undefined && !isFile(old) ? old.others : [], ...gone],
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
        : { session: turn.session, ...turn.id !== "" && { turn: turn.id }, transcript },
    };
  }

  #stillKnown(entry: Comparable | undefined): Comparable | undefined {
    if (entry === undefined) return undefined;
    return (isFile(entry) ? this.#files.has(entry) : this.#drafts.has(entry)) ? entry : undefined;
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
function confirming({ memory, folder }: KnownFile, updated: string): Change[] {
  const text = read(memory.path);
  if (text === undefined) return [];
  const confidence = Math.round((memory.confidence + (1 - memory.confidence) / 2) * 100) / 100;
  const surer = serializeMemory({ ...memory, confidence, updated }, text);
  return [{
    ...{ kind: "replace", what: "confirm", path: memory.path, folder },
    ...{ text: surer, before: digestOf(text) },
  }];
}

function isFile(entry: Comparable): entry is KnownFile {
  return "path" in entry.memory;
}

/** Whether a turn ended before a memory was last changed, which makes the memory the newer one. */
function isOlder({ at }: Turn, entry: Comparable): boolean {
  return isFile(entry) && Date.parse(at) < changedAt(entry.memory);
}

/** Whether a turn that is captured again has left this before, in other words. */
function isRetold(candidate: Candidate, captured: readonly Comparable[]): boolean {
  const alike = nearest(
    candidate,
    captured.filter(({ memory }) => memory.type === candidate.type),
  );
  return alike !== undefined && haveSameFacts(wordsOf(candidate), wordsOf(alike.memory));
}

function isNamesake(one: Pick<Memory, "name" | "type">, other: Pick<Memory, "name" | "type">) {
  return one.type === other.type && one.name.toLowerCase() === other.name.toLowerCase();
}

function wordsOf({ name, description, body }: Pick<Memory, "name" | "description" | "body">) {
  return `${name}\n${description}\n${body}`;
}

/** A memory that replaces another one, and with it others that went wrong at the same time. */
function superseding(
  memory: Memory,
  target: KnownFile | undefined,
  others: readonly KnownFile[],
): Memory {
  const names = others.map(({ memory }) => basename(memory.path));
  const replaced = [...others, ...target === undefined ? [] : [target]];
  const whole = inheriting(memory, replaced.map(({ memory }) => memory));
  if (target === undefined) {
    return names.length === 0 ? whole : { ...whole, supersedes: predecessors(...names) };
  }
  const { path, supersedes, created, never } = target.memory;
  return {
    ...whole,
    ...never !== undefined && { never },
    created: created ?? memory.created,
    updated: memory.created,
    supersedes: predecessors(...supersedes, ...names, basename(path)),
  };
}

/** Adds the new file first, so that one of the two always exists; under the same name, it replaces the old one. */
function writing({ memory, folder, target, others }: Draft, taken: Set<string>): Change[] {
  const old = target && { path: target.memory.path, text: read(target.memory.path) };
  const added = addition(memory, folder);
  const path = freeName(
    join(folder.path, added.file),
    (path) => taken.has(path) || (path !== old?.path && existsSync(path)),
  );
  taken.add(path);
  const file = basename(path);
  const gone = [...old !== undefined && old.path !== path ? [target!] : [], ...others].flatMap(
    ({ memory: { path }, folder }) => {
      const text = read(path);
      return text === undefined ? [] : [{ path, folder, before: digestOf(text) }];
    },
  );
  const change = { what: "supersede", ...gone.length > 0 && { group: newChangeId() } } as const;
  const archived = gone.map((each) => ({ kind: "archive", ...each, ...change } as const));
  if (old?.text !== undefined && path === old.path) {
    const { text } = added, before = digestOf(old.text);
    return [
      { kind: "replace", folder, path, before, text, orAdd: true, ...change },
      ...archived,
    ];
  }
  return gone.length === 0 ? [{ ...added, file }] : [{ ...added, ...change, file }, ...archived];
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined; // deleted since
  }
}
