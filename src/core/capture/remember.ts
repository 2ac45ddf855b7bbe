import { folderForNew } from "../change/place.ts";
import type { Embedder } from "../embed/mod.ts";
import { isPersonal } from "../memory/personal.ts";
import { withoutMarks } from "../memory/basis.ts";
import { isSuspectMemory } from "../memory/provenance.ts";
import { mayChange, type MemoryFolder } from "../memory/memory.ts";
import { DEFAULT_TYPE } from "../memory/types.ts";
import type { Place } from "../memory/scopes.ts";
import { titleOf } from "../memory/title.ts";
import type { Config } from "../settings/config.ts";
import type { Turn } from "../transcript/turn.ts";
import { type Candidate, candidateOf } from "./candidate.ts";
import { nearest } from "./dedupe.ts";
import { provenanceIn } from "./decide.ts";
import { Conversation } from "./conversation.ts";
import { evidenceOf } from "./evidence.ts";
import { Drafts, type DraftsContext } from "./drafts.ts";
import { type KnownFile, knownMemories } from "./known.ts";
import type { Similar } from "./similar.ts";

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
  /** The session that asks. */
  readonly session?: { readonly id: string } | undefined;
  /** The embedding model, which knows a text again in another language. */
  embedder?(): Promise<Embedder>;
  /** The indexed memories nearest to a text. */
  similar(text: string, folders: readonly MemoryFolder[]): Promise<readonly Similar[]>;
}

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
  const last = turns.at(-1) ?? { ...NO_TURN, session: context.session?.id ?? "" };
  const turn: Turn = { ...last, at: context.now().toISOString() };
  const { transcript, embedder } = context;
  const evidence = await evidenceOf(turns, new Conversation(transcript), embedder);
  const decision = drafts.consider(candidate, {
    turn,
    provenance: await provenanceIn(candidate, { evidence, turn }),
    offered: new Map(),
    folder: folderForNew(
      { type: candidate.type, text: request.text, proposed: request.scope },
      { place, setting: config["capture.scope"] },
    ),
    isAsked: true,
  });
  const changes = drafts.changes();
  const isNew = decision === "written" && changes.every(({ kind }) => kind === "add");
  const alike = isNew ? await mostSimilar(candidate, known, context) : undefined;
  return { decision, changes, alike };
}

async function mostSimilar(
  candidate: Candidate,
  known: readonly KnownFile[],
  { similar, folders }: RememberContext,
): Promise<KnownFile["memory"] | undefined> {
  const { name, description, body } = candidate;
  const near = await similar([name, description, body].join("\n"), folders);
  const cosines = new Map(near.map(({ path, cosine }) => [path, cosine]));
  const own = known.filter(({ folder, memory }) =>
    mayChange(folder.scope) && !isSuspectMemory(memory)
  );
  return nearest(candidate, own, ({ memory }) => cosines.get(memory.path))?.memory;
}

/** Where nothing is known of the conversation. */
export const NO_TURN: Turn = {
  id: "",
  session: "",
  at: "",
  cwd: "",
  prompt: "",
  steps: [],
  wrote: [],
  end: 0,
};

/** What is to be saved, as a harmless memory; the default for its name is its first sentence. */
function candidateFor({ text, name, type, ...request }: SaveRequest): Candidate | undefined {
  const title = titleOf(text);
  const [candidate] = candidateOf({
    body: text,
    name: name ?? title.name,
    confidence: CONFIDENCE,
    type: type ?? (isPersonal(text) ? "user" : DEFAULT_TYPE),
    description: request.description ?? aboutOf(title, name),
    triggers: request.triggers ?? [],
    scope: request.scope,
  });
  return candidate && { ...candidate, tags: withoutMarks(request.tags ?? []) };
}

/** The first sentence, unless the name says it already. */
function aboutOf(
  { name, sentence }: ReturnType<typeof titleOf>,
  given: string | undefined,
): string {
  return given === undefined && sentence.replace(/[.。]$/, "") === name ? "" : sentence;
}
