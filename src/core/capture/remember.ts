// What is to be remembered on request: saved by a tool, or typed, by a person or by a model for them in a shell. It is decided
// by the same table as what is captured.

import { type Add, addition, folderForNew, type Replace, revision } from "../change/change.ts";
import { calibrationOf, type Embedder } from "../embed/mod.ts";
import { DEFAULT_TYPE, isPersonal } from "../memory/types.ts";
import { isSuspectMemory, withoutMarks } from "../memory/provenance.ts";
import { mayChange, type Memory, type MemoryFile, type MemoryFolder } from "../memory/memory.ts";
import { localFolders, type Place } from "../memory/scopes.ts";
import { titleOf } from "../memory/title.ts";
import { withDays } from "../memory/written_day.ts";
import type { Config } from "../settings/config.ts";
import type { Turn } from "../transcript/turns.ts";
import { type Candidate, candidateOf } from "./candidate.ts";
import { findDuplicate, isNamesake, type MemoryText, nearest } from "./dedupe.ts";
import { contradicted, decide, type Provenance, provenanceIn } from "./decide.ts";
import { ConversationProof } from "./conversation.ts";
import { evidenceOf } from "./evidence.ts";
import { Drafts, type DraftsContext } from "./drafts.ts";
import { type KnownFile, knownMemories } from "./known.ts";
import type { Index } from "../index/mod.ts";
import { CUTOFFS } from "../relation/cutoffs.ts";
import { readMemories } from "../memory/list.ts";
import { openJudge } from "../relation/judge.ts";
import { type Conflict, relate, type Relation, tellingTerms } from "../relation/relate.ts";

/** What is to be remembered on request, without secrets. */
export interface SaveRequest {
  readonly text: string;
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly type?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly triggers?: readonly string[] | undefined;
  readonly scope?: "user" | "project" | undefined;
}

export interface RememberContext extends DraftsContext {
  readonly place: Place;
  readonly folders: readonly MemoryFolder[];
  readonly config: Config;
  /** The conversation's last turns, oldest first; the request is the last. A first prompt may not be written yet. */
  readonly turns: readonly Turn[];
  readonly session?: { readonly id: string } | undefined;
  embedder?(): Promise<Embedder>;
  similar: FindSimilar;
}

/** Finds the memories of some folders nearest to a new one; none without an embedding model. */
export type FindSimilar = (
  memory: MemoryText,
  folders: readonly MemoryFolder[],
) => Promise<readonly Similar[]>;

/** The user's own request is as certain as a captured memory may be. */
const CONFIDENCE = 0.95;

/**
 * Plans to save something on request: compared with the known memories, and with what was said and read in the
 * conversation, as everything that is captured. A text without content gives undefined.
 */
export async function remember(
  request: SaveRequest,
  context: RememberContext,
) {
  const { place, folders, config, turns } = context;
  const candidate = candidateFor(request);
  if (candidate === undefined) return undefined;
  const known = await knownMemories(folders);
  const drafts = new Drafts(known, context);
  const { memory: dated } = await withDays(candidate, { at: context.now() });
  const last = turns.at(-1) ?? { ...NO_TURN, session: context.session?.id ?? "" };
  const turn: Turn = { ...last, at: context.now().toISOString() };
  const similar = await context.similar(candidate, folders);
  const decision = drafts.consider(dated, {
    ...{ turn, similar },
    provenance: await provenanceOf(candidate, { ...context, turn }),
    offered: new Map(),
    folder: folderForNew(
      { type: candidate.type, text: request.text, proposed: request.scope },
      { place, setting: config["capture.scope"] },
    ),
    isAsked: true,
  });
  const changes = drafts.changes();
  const isNew = decision === "written" && changes.every(({ kind }) => kind === "add");
  const alike = isNew ? mostSimilar(dated, known, similar) : undefined;
  return { decision, changes, alike };
}

function mostSimilar(
  candidate: Candidate,
  known: readonly KnownFile[],
  similar: readonly Similar[],
): KnownFile["memory"] | undefined {
  const cosines = new Map(similar.map(({ path, cosine }) => [path, cosine]));
  const own = known.filter(({ folder, memory }) =>
    mayChange(folder.scope) && !isSuspectMemory(memory)
  );
  return nearest(candidate, own, ({ memory }) => cosines.get(memory.path))?.memory;
}

/** Where nothing is known of the conversation. */
const NO_TURN: Turn = {
  ...{ id: "", session: "", at: "", cwd: "", prompt: "" },
  ...{ steps: [], wrote: [], end: 0 },
};

/** What is to be saved, as a harmless memory; by default its first sentence is its name, and what that leaves out its description. */
function candidateFor({ text, name, type, ...request }: SaveRequest): Candidate | undefined {
  const title = titleOf(text);
  const isSaid = name === undefined && title.sentence.replace(/[.。]$/, "") === title.name;
  const [candidate] = candidateOf({
    body: text,
    name: name ?? title.name,
    confidence: CONFIDENCE,
    type: type ?? (isPersonal(text) ? "user" : DEFAULT_TYPE),
    description: request.description ?? (isSaid ? "" : title.sentence),
    triggers: request.triggers ?? [],
    scope: request.scope,
  });
  return candidate && { ...candidate, tags: withoutMarks(request.tags ?? []) };
}

/** A memory that is there, and what a new one has to do with it. */
export interface ComparedMemory extends KnownFile {
  /**
   * `namesake`, `same`: the new one has its name and type, or says the same; `replaced`: the same, and the new one takes
   * its place, because nobody had said it; else the new one overtakes it, says otherwise, or is like it.
   */
  readonly how: "namesake" | "same" | "replaced" | Conflict | "alike";
}

/** The memory at a place that a new one is to be compared with, if any; none of Claude Code's own. */
export function compareTyped(
  memory: Memory,
  { place, folder, provenance, similar }: {
    readonly similar: readonly Similar[];
    readonly place: Place;
    readonly folder: MemoryFolder;
    readonly provenance: Provenance;
  },
): ComparedMemory | undefined {
  const words = tellingTerms(memory);
  const known = localFolders(place).filter(({ scope }) => mayChange(scope)).flatMap((folder) =>
    readMemories(folder, { words }).memories.map((memory) => ({ memory, folder }))
  );
  const beside = known.filter((other) => other.folder.path === folder.path);
  const namesake = beside.find((other) => isNamesake(memory, other.memory));
  const duplicate = namesake ?? findDuplicate(memory, beside);
  if (duplicate !== undefined) {
    const none = { turn: undefined, scope: undefined, replaces: undefined, contradicts: undefined };
    const decision = decide({
      candidate: { ...memory, ...none, fromTool: false },
      turn: { ...NO_TURN, at: new Date().toISOString() },
      verdict: { kind: "repeats", known: duplicate },
      ...{ provenance, known, folder, isAsked: true },
    });
    return {
      ...duplicate,
      how: decision === "written" ? "replaced" : namesake ? "namesake" : "same",
    };
  }
  const { known: rival, kind } = contradicted(memory, beside, similar) ?? {};
  if (rival !== undefined && kind !== undefined) return { ...rival, how: kind };
  const alike = nearest(memory, known);
  return alike && { ...alike, how: "alike" };
}

/** Whose word a memory is, by what the conversation with this transcript shows. */
export async function provenanceOf(
  memory: Pick<Memory, "name" | "description" | "type" | "body">,
  { turns, transcript, embedder, turn, replaced }: {
    readonly turns: readonly Turn[];
    readonly transcript?: string | undefined;
    readonly embedder?: (() => Promise<Embedder>) | undefined;
    readonly turn?: Turn | undefined;
    readonly replaced?: Memory | undefined;
  },
): Promise<Provenance> {
  const evidence = await evidenceOf(turns, new ConversationProof(transcript), embedder);
  return await provenanceIn({ ...memory, fromTool: false }, { evidence, turn, replaced });
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

/** A memory's similarity to a text. */
export interface Similar {
  readonly path: string;
  /** Of the text with the memory's nearest passage, scaled so that two statements of one fact are above `CUTOFFS.retold`. */
  readonly cosine: number;
  /** How the text stands to the memory as a later one. */
  readonly relation?: Relation | undefined;
}

const NEAREST = 10;

/** The indexed memories of these folders nearest to a new one, with how it stands to each. */
export async function similarMemories(
  memory: MemoryText,
  folders: readonly MemoryFolder[],
  { index, embedder }: { readonly index: Index; readonly embedder: Embedder },
): Promise<Similar[]> {
  const { retold } = calibrationOf(embedder.id);
  const corpus = await index.corpus(folders);
  const { name, description, body } = memory;
  const vector = await embedder.embed([name, description, body].join("\n"));
  const hits = await corpus.nearest(vector, { limit: NEAREST });
  const cosines = new Map(hits.map((hit) => [hit.memory, hit.cosine]));
  const judge = openJudge(embedder);
  const found: Similar[] = [];
  for (const known of await corpus.memories([...cosines.keys()])) {
    const isNear = cosines.get(known.id)! >= CUTOFFS.neighbours;
    const relation = relate(
      known,
      memory,
      isNear ? await judge?.compare(known, memory) : undefined,
    );
    const cosine = cosines.get(known.id)! * CUTOFFS.retold / retold;
    found.push({ path: known.path, cosine, ...relation && { relation } });
  }
  return found;
}
