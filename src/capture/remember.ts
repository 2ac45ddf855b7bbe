import { basename } from "node:path";
import { isPersonal } from "../memory/personal.ts";
import type { MemoryFolder } from "../memory/memory.ts";
import { DEFAULT_TYPE } from "../memory/types.ts";
import type { Place } from "../memory/scopes.ts";
import { titleOf } from "../memory/title.ts";
import type { Config } from "../settings/config.ts";
import type { Turn } from "../transcript/turn.ts";
import { type Candidate, candidateOf } from "./candidate.ts";
import { Drafts, type DraftsContext, type Fate } from "./drafts.ts";
import { knownMemories } from "./known.ts";
import { folderToWrite } from "./place.ts";
import type { Plan } from "./plan.ts";

/** What is to be remembered on request, without secrets. */
export interface Wish {
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
  /** The conversation's last turns, oldest first; the request is the last. */
  readonly turns: readonly Turn[];
}

/** What is to be done about a wish. */
export interface Remembering {
  readonly fate: Fate;
  readonly plan: Plan;
  /** The memory as it is known: written, or confirmed. */
  readonly path: string | undefined;
  readonly folder: MemoryFolder | undefined;
  /** Names of the files that it replaces. */
  readonly replaced: readonly string[];
}

/** The user's own request is as certain as a captured memory may be. */
const CONFIDENCE = 0.95;

/**
 * Plans to save something on request: compared with the known memories, and with what was said and read in the
 * conversation, as everything that is captured. A text without content gives undefined.
 */
export async function remember(
  wish: Wish,
  context: RememberContext,
): Promise<Remembering | undefined> {
  const { place, folders, config, turns } = context;
  const candidate = candidateFor(wish);
  if (candidate === undefined) return undefined;
  const drafts = new Drafts(await knownMemories(folders), folders, context);
  const turn: Turn = { ...turns.at(-1) ?? NO_TURN, at: context.now().toISOString() };
  const fate = await drafts.consider(candidate, {
    turn,
    all: [...turns.slice(0, -1), turn],
    offered: new Map(),
    folder: folderToWrite(candidate, config["capture.scope"], place),
    isAsked: true,
  });
  return { fate, ...outcomeOf({ actions: drafts.actions() }) };
}

/** Where nothing is known of the conversation. */
const NO_TURN: Turn = {
  id: "",
  session: "",
  at: "",
  cwd: "",
  prompt: "",
  steps: [],
  wrote: [],
  end: 0,
};

/** The wish as a harmless memory; the default for its name is its first sentence. */
function candidateFor({ text, name, type, ...wish }: Wish): Candidate | undefined {
  const title = titleOf(text);
  const [candidate] = candidateOf({
    ...{ body: text, name: name ?? title.name, confidence: CONFIDENCE },
    type: type ?? (isPersonal(text) ? "user" : DEFAULT_TYPE),
    description: wish.description ?? aboutOf(title, name),
    triggers: wish.triggers ?? [],
    scope: wish.scope,
  });
  return candidate && { ...candidate, tags: wish.tags ?? [] };
}

/** The first sentence, unless the name says it already. */
function aboutOf(
  { name, sentence }: ReturnType<typeof titleOf>,
  given: string | undefined,
): string {
  return given === undefined && sentence.replace(/[.。]$/, "") === name ? "" : sentence;
}

function outcomeOf(plan: Plan): Omit<Remembering, "fate"> {
  let path: string | undefined, folder: MemoryFolder | undefined;
  const replaced: string[] = [];
  for (const action of plan.actions) {
    if (action.kind === "journal") continue;
    if (action.kind === "archive" || action.before !== undefined && action.kind === "write") {
      replaced.push(basename(action.path));
    }
    if (action.kind !== "archive") ({ path, folder } = action);
  }
  return { plan, path, folder, replaced };
}
