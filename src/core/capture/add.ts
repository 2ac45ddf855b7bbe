// What becomes of a memory that a person has typed, or a model for them in a shell: by the same table as what is captured.

import { type Add, addition, type Replace, revision } from "../change/change.ts";
import { withoutMarks } from "../memory/basis.ts";
import { readMemories } from "../memory/list.ts";
import { mayChange, type Memory, type MemoryFile, type MemoryFolder } from "../memory/memory.ts";
import { memoryFolders, type Place } from "../memory/scopes.ts";
import { type Rivalry, tellingTerms } from "../relation/relate.ts";
import { Conversation } from "./conversation.ts";
import { contradicted, decide, type Existing, type Provenance, provenanceIn } from "./decide.ts";
import { findDuplicate, isNamesake, nearest } from "./dedupe.ts";
import { evidenceOf } from "./evidence.ts";
import { NO_TURN } from "./remember.ts";

/** A memory that is there. */
export interface Beside extends Existing {
  readonly memory: MemoryFile;
}

/** What a new memory has to do with those that are there; nothing, if none of these is set. */
export interface Compared {
  /** It has the same name and type, or says the same, and stands. */
  readonly twin?: Beside;
  /** The same, and the new one takes its place: nobody had said it. */
  readonly replaced?: Beside;
  /** The new one overtakes it, or says otherwise. */
  readonly rival?: Beside & { readonly kind: Rivalry };
  readonly alike?: Beside | undefined;
}

/** Compares a memory with those that apply at a place, but for Claude Code's own. */
export function compareTyped(
  memory: Memory,
  { place, folder, provenance }: {
    readonly place: Place;
    /** Where it would be written. */
    readonly folder: MemoryFolder;
    readonly provenance: Provenance;
  },
): Compared {
  const words = tellingTerms(memory);
  const known = memoryFolders(place).filter(({ scope }) => mayChange(scope))
    .flatMap((folder) =>
      readMemories(folder, { words }).memories.map((memory): Beside => ({ memory, folder }))
    );
  const beside = known.filter((other) => other.folder.path === folder.path);
  const twin = beside.find((other) => isNamesake(memory, other.memory)) ??
    findDuplicate(memory, beside);
  if (twin !== undefined) {
    const none = { turn: undefined, scope: undefined, replaces: undefined, contradicts: undefined };
    const decision = decide({
      candidate: { ...memory, ...none, fromTool: false },
      turn: { ...NO_TURN, at: new Date().toISOString() },
      verdict: { kind: "repeats", known: twin },
      ...{ provenance, known, folder, isAsked: true },
    });
    return decision === "written" ? { replaced: twin } : { twin };
  }
  const { known: rival, kind } = contradicted(memory, beside) ?? {};
  return rival !== undefined && kind !== undefined
    ? { rival: { ...rival, kind } }
    : { alike: nearest(memory, known) };
}

/** Whose word a memory is that a model adds: the user's, if they have typed it in the session with this transcript. */
export async function provenanceOfAdded(
  memory: Memory,
  transcript: string | undefined,
): Promise<Provenance> {
  if (transcript === undefined) return "concluded";
  const evidence = await evidenceOf([], new Conversation(transcript));
  return await provenanceIn({ ...memory, fromTool: false }, { evidence, turn: undefined });
}

/** The change that adds a memory, or puts it in the place of another, whose tags and triggers it keeps unless it has its own. */
export function changeFor(
  memory: Memory,
  folder: MemoryFolder,
  { text, old }: { readonly text: string; readonly old: MemoryFile | undefined },
): (Add | Replace) & { readonly text: string } {
  if (old === undefined) return addition(memory, folder, { original: text });
  const successor = {
    ...memory,
    tags: memory.tags.length > 0 ? memory.tags : withoutMarks(old.tags),
    triggers: memory.triggers.length > 0 ? memory.triggers : old.triggers,
    created: old.created ?? memory.created,
    updated: new Date().toISOString(),
  };
  return revision({ memory: old, folder }, successor, { what: "supersede", original: text });
}
