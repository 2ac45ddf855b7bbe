import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { addition, type Change } from "../change/change.ts";
import { textAt } from "../files/there.ts";
import { markOf, withProvenance } from "../memory/provenance.ts";
import { newChangeId } from "../ledger/change_log.ts";
import { serializeMemory } from "../memory/file.ts";
import {
  inheriting,
  mayChange,
  type Memory,
  type MemoryFolder,
  predecessors,
} from "../memory/memory.ts";
import { freeName } from "../memory/title.ts";
import { digestOf } from "../memory/trust.ts";
import type { Candidate } from "./candidate.ts";
import {
  contradicted,
  decide,
  type Decision,
  isOlder,
  mayReplace,
  type Provenance,
} from "./decide.ts";
import { compare } from "./dedupe.ts";
import { type Existing, isFile, type KnownFile } from "./known.ts";
import type { Similar } from "./remember.ts";
import type { Turn } from "../transcript/turns.ts";

interface MemoryDraft extends Existing {
  readonly memory: Memory;
  readonly target: KnownFile | undefined;
  /** Files that go with it. */
  readonly others: readonly KnownFile[];
  readonly similar: readonly Similar[];
}

/** A known memory. */
export type Comparable = KnownFile | MemoryDraft;

/** The surroundings of decisions; without a transcript a memory names no source. */
export type DraftsContext = { readonly now: () => Date; readonly transcript?: string | undefined };

/** The decisions of a capture so far; each candidate is compared with the existing memories and with these. */
export class Drafts {
  /** Existing memories that stay. */
  readonly #files: Set<KnownFile>;
  readonly #context: DraftsContext;
  #drafts = new Set<MemoryDraft>();
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

  get count(): number {
    return this.#drafts.size;
  }

  /** Decides what becomes of a candidate, and keeps the decision. */
  consider(
    candidate: Candidate,
    { turn, provenance, offered, folder, invalidated = [], similar = [], isAsked = false }: {
      readonly turn: Turn;
      readonly provenance: Provenance;
      /** The memories that the model was shown, by the names used there. */
      readonly offered: ReadonlyMap<string, Comparable>;
      readonly folder: MemoryFolder;
      /** Memories that are wrong now that it holds, besides the one that it names. */
      readonly invalidated?: readonly Comparable[];
      /** Memories near it, with how it stands to each; default: none. */
      readonly similar?: readonly Similar[];
      /** Whether it is to be saved on request, even if it was saved or forgotten in this turn before. */
      readonly isAsked?: boolean;
    },
  ): Decision {
    const known = [...this.#files, ...this.#drafts];
    const named = offered.get(candidate.contradicts ?? candidate.replaces ?? "");
    // What the model has concluded stands beside the user's note that it names; what it has read does not even that.
    const isNamed = (each: Comparable) =>
      each === named && provenance !== "suspect" &&
      (provenance !== "concluded" || mayReplace(provenance, each.memory));
    const verdict = compare<Comparable>(candidate, known, known.find(isNamed));
    const old = verdict.known;
    const decision = decide({
      ...{ candidate, turn, provenance, verdict, known, isAsked },
      folder: old?.folder ?? folder,
    });
    // memo does not move Claude Code's own memories.
    const own = old !== undefined && mayChange(old.folder.scope) ? old : undefined;
    if (decision === "confirmed" && own !== undefined && isFile(own)) {
      this.#confirmed.set(own, turn.at);
    }
    if (decision !== "written" && decision !== "held") return decision;
    const gone = invalidated.filter((entry): entry is KnownFile =>
      provenance === "said" && entry !== old && isFile(entry) && !isOlder(turn, entry) &&
      this.#files.has(entry) && mayChange(entry.folder.scope)
    );
    for (const each of [...own === undefined ? [] : [own], ...gone]) {
      if (isFile(each)) this.#files.delete(each);
      else this.#drafts.delete(each);
    }
    const target = own === undefined || isFile(own) ? own : own.target;
    const memory = withProvenance(memoryOf(candidate, turn, this.#context), provenance);
    this.#drafts.add({
      memory: superseding(memory, target, gone),
      folder: own?.folder ?? folder,
      target,
      others: [...own !== undefined && !isFile(own) ? own.others : [], ...gone],
      similar,
    });
    return decision;
  }

  changes(): Change[] {
    const taken = new Set<string>();
    return [
      ...[...this.#drafts].flatMap((draft) => writing(draft, taken, this.#files)),
      ...[...this.#confirmed].filter(([file]) => this.#files.has(file))
        .flatMap(([file, at]) => confirming(file, at)),
    ];
  }
}

function memoryOf(candidate: Candidate, turn: Turn, { now, transcript }: DraftsContext): Memory {
  const at = Number.isNaN(Date.parse(turn.at)) ? now().toISOString() : turn.at;
  const { name, description, type, body, triggers, confidence, tags = [] } = candidate;
  const { session, id } = turn;
  return {
    ...{ name, description, type, body, triggers, confidence, tags },
    ...{ pinned: false, created: at, updated: undefined, supersedes: [] },
    source: transcript === undefined
      ? undefined
      : { session, ...id !== "" && { turn: id }, transcript },
  };
}

/** The same memory with slightly more confidence. */
function confirming({ memory, folder }: KnownFile, updated: string): Change[] {
  const text = textAt(memory.path);
  if (text === undefined) return [];
  const confidence = Math.round((memory.confidence + (1 - memory.confidence) / 2) * 100) / 100;
  return [{
    ...{ kind: "replace", what: "confirm", folder, path: memory.path, before: digestOf(text) },
    text: serializeMemory({ ...memory, confidence, updated }, text),
  }];
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
  if (target === undefined) return { ...whole, supersedes: predecessors(...names) };
  const { path, supersedes, created, updated, never } = target.memory;
  // What the model concludes again has not been confirmed by that, and goes on fading.
  const isAgain = [memory, target.memory].every((each) => markOf(each)?.basis === "concluded");
  return {
    ...whole,
    ...never !== undefined && { never },
    created: created ?? memory.created,
    updated: isAgain ? updated : memory.created,
    supersedes: predecessors(...supersedes, ...names, basename(path)),
  };
}

/** Adds the new file first, so that one of the two always exists; under the same name, it replaces the old one. */
function writing(draft: MemoryDraft, taken: Set<string>, files: ReadonlySet<KnownFile>): Change[] {
  const { memory, folder, target, others, similar } = draft;
  const old = target && { path: target.memory.path, text: textAt(target.memory.path) };
  const added = addition(memory, folder);
  const path = freeName(
    join(folder.path, added.file),
    (path) => taken.has(path) || (path !== old?.path && existsSync(path)),
  );
  taken.add(path);
  const file = basename(path);
  const gone = [...old !== undefined && old.path !== path ? [target!] : [], ...others].flatMap(
    ({ memory: { path }, folder }) => {
      const text = textAt(path);
      return text === undefined ? [] : [{ path, folder, before: digestOf(text) }];
    },
  );
  const change = { what: "supersede", ...gone.length > 0 && { group: newChangeId() } } as const;
  const archived = gone.map((each) => ({ kind: "archive", ...each, ...change } as const));
  if (old?.text !== undefined && path === old.path) {
    const { text } = added, before = digestOf(old.text);
    return [{ kind: "replace", folder, path, before, text, orAdd: true, ...change }, ...archived];
  }
  if (gone.length > 0) return [{ ...added, ...change, file }, ...archived];
  const beside = [...files].filter((other) => other.folder.path === folder.path);
  const { kind, known } = contradicted(memory, beside, similar) ?? {};
  const against = known && kind && { kind, name: known.memory.name, path: known.memory.path };
  return [{ ...added, file, against }];
}
