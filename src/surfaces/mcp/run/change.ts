import { basename } from "node:path";
import { candidateOf } from "../../../core/capture/candidate.ts";
import { provenanceOf, remember } from "../../../core/capture/remember.ts";
import { carryOut, carryOutOne } from "../../../core/change/carry_out.ts";
import { APPLIES, refuseForeign, revision } from "../../../core/change/change.ts";
import { findMemory, type FoundMemory } from "../../../core/ledger/find.ts";
import { changedOn } from "../../../core/memory/age.ts";
import { readMemoryFile } from "../../../core/memory/folder.ts";
import { inheriting, type Memory, type MemoryFile } from "../../../core/memory/memory.ts";
import {
  isSuspectMemory,
  marksIn,
  mayOvertake,
  withoutMarks,
  withProvenance,
} from "../../../core/memory/provenance.ts";
import { retitled } from "../../../core/memory/title.ts";
import { withDays } from "../../../core/memory/written_day.ts";
import type { Conflict } from "../../../core/relation/relate.ts";
import { counted } from "../../../core/text/counted.ts";
import { neutraliseLine } from "../../../core/text/neutralise.ts";
import { turnsAtEnd } from "../../../core/transcript/recent.ts";
import { MemoError } from "../../../errors.ts";
import { forget as forgetAll } from "../../../features/verbs/edit.ts";
import type { ToolContext, WritingContext } from "../methods.ts";
import { withoutSecrets } from "../present.ts";
import type { InputOf } from "../tools.ts";

/** Says why a request saved nothing, or nothing that is used yet. */
const REFUSED =
  "Not saved: this comes from a web page or tool output and contradicts one of the user's memories. Ask the user to " +
  "confirm it in their own words";
const HELD =
  "Saved, but not used until the user reviews it: it asks for something the user did not say in this conversation";

/** `memory_save`: writes a memory, at once. */
export async function save(
  input: InputOf<"memory_save">,
  context: WritingContext,
): Promise<string> {
  const { value, redacted } = await cleaned(input, context);
  const planned = await remember(value, { ...context, ...await conversationOf(context) });
  if (planned === undefined) {
    throw new MemoError("usage", "Cannot save a memory without text", {
      hint: "Pass the fact or rule as `text`",
    });
  }
  const { decision, changes, alike } = planned;
  const { done } = await carryOut(changes, context.surroundings);
  const saved = done.find(({ change }) => change.kind !== "archive");
  // Claude Code's own memory says the same, or the words are not the user's.
  if (saved === undefined) return decision === "confirmed" ? "Already known" : REFUSED;
  const { scope } = saved.change.folder;
  const memory = readMemoryFile(saved.path, scope);
  const against = saved.change.kind === "add" ? saved.change.against : undefined;
  const replaced = [
    saved.was,
    ...done.filter(({ change }) => change.kind === "archive").map(({ memory }) => memory.name),
  ].filter((name) => name !== undefined);
  const outcome = decision === "held"
    ? HELD
    : decision === "confirmed"
    ? "Already known"
    : replaced.length > 0
    ? `Saved; replaces ${replaced.map((name) => `“${neutraliseLine(name)}”`).join(", ")}`
    : "Saved";
  const advice = outcome !== "Saved"
    ? undefined
    : against !== undefined
    ? adviceOn(readMemoryFile(against.path, scope), against.kind)
    : alike && adviceOnSimilar(alike);
  return [
    `${outcome}: “${neutraliseLine(memory.name)}” (${APPLIES[memory.scope]}) ${memory.path}`,
    ...advice === undefined ? [] : [advice],
    ...redacted > 0 ? [`Redacted ${counted(redacted, "secret")}.`] : [],
    undoHint(memory),
  ].join("\n");
}

/** Says which older memory the new one replaces or contradicts, and what to do about it. */
function adviceOn({ name, path, ...dated }: MemoryFile, kind: Conflict): string {
  const old = `“${neutraliseLine(name)}” of ${changedOn(dated)} (${basename(path)})`;
  return kind === "overtaken"
    ? `${old} is kept, ranked below this one. Unless the user wants both, call memory_forget for it.`
    : `It conflicts with ${old}, and prompts get both. Ask the user which is true, and call ` +
      "memory_forget for the other.";
}

/** Says how two become one, which only the model or the person can decide. */
function adviceOnSimilar({ name, path }: MemoryFile): string {
  return `“${neutraliseLine(name)}” (${
    basename(path)
  }) is similar and stays. Call memory_forget for it ` +
    "if this one replaces it, or memory_update if it only needs other words.";
}

/** `memory_update`: changes fields of a memory; the old version goes to the archive. */
export async function update(
  { name: which, ...given }: InputOf<"memory_update">,
  context: WritingContext,
): Promise<string> {
  const found = findOwn(which, context, "update");
  const { memory, folder } = found;
  const { value, redacted } = await cleaned(given, context);
  if (Object.values(value).every((field) => field === undefined)) {
    throw new MemoError("usage", `Cannot update \`${memory.name}\`: nothing to change`, {
      hint: "Pass `text`, `new_name`, `description`, `type`, `tags` or `triggers`",
    });
  }
  const change = revision(found, await newFields(memory, value, context), { what: "edit" });
  const { path } = await carryOutOne(change, context.surroundings);
  const written = readMemoryFile(path, folder.scope);
  const former = neutraliseLine(memory.name);
  const name = neutraliseLine(written.name);
  return [
    name === former ? `Updated “${former}”` : `Updated “${former}”, now “${name}”`,
    ...redacted > 0 ? [`Redacted ${counted(redacted, "secret")}`] : [],
    undoHint(written),
  ].join(". ");
}

/**
 * The new fields, which are as little trusted as those of a new memory; those that are not given stay as they are. A
 * note keeps its marks; one of the user's takes no words that the user has not said.
 */
export async function newFields(
  memory: Memory,
  { text, new_name, ...given }: Omit<InputOf<"memory_update">, "name">,
  context:
    & Pick<WritingContext, "now" | "paths" | "session">
    & Partial<Pick<WritingContext, "embedder">>,
): Promise<Partial<Memory>> {
  const refused = (because: string) =>
    new MemoError("usage", `Cannot update \`${memory.name}\`: ${because}`, {
      hint: "Ask the user to say it, or to run `memo edit`",
    });
  if (isSuspectMemory(memory)) throw refused("it needs the user's review");
  const { turns, transcript } = await conversationOf(context);
  const made = text === undefined ? {} : retitled(memory, text);
  const name = new_name ?? made.name;
  const description = given.description ?? made.description;
  const said = [new_name, given.description, text].filter((field) => field !== undefined);
  const fields = { type: memory.type, name, description, triggers: given.triggers };
  const [candidate] = candidateOf({ ...fields, body: text ?? "unchanged" });
  const [claim] = candidateOf({ ...fields, body: said.join("\n") });
  const turn = turns.at(-1), { embedder } = context;
  const provenance = claim === undefined || said.length === 0
    ? "said"
    : await provenanceOf(claim, { turns, transcript, embedder, turn, replaced: memory });
  if (candidate === undefined || provenance === "suspect") {
    throw refused("the new text asks for something the user did not say");
  }
  if (provenance !== "said" && mayOvertake(memory)) {
    throw refused("the user did not say the new text in this conversation");
  }
  const successor: Memory = {
    ...memory,
    ...name !== undefined && { name: candidate.name },
    ...description !== undefined && { description: candidate.description },
    ...text !== undefined && { body: candidate.body },
    ...given.triggers !== undefined && { triggers: candidate.triggers },
    type: given.type ?? memory.type,
    tags: [...withoutMarks(given.tags ?? memory.tags), ...marksIn(memory.tags)],
    updated: context.now().toISOString(),
    source: turn === undefined
      ? memory.source
      : { session: turn.session, turn: turn.id, transcript: transcript! },
  };
  const { memory: dated } = await withDays(successor, { at: context.now(), before: memory });
  return withProvenance(inheriting(dated, [memory]), provenance);
}

/** `memory_forget`: moves a memory to the archive. */
export async function forget(
  { name }: InputOf<"memory_forget">,
  context: WritingContext,
): Promise<string> {
  const found = findOwn(name, context, "forget");
  const { said } = await forgetAll([found], context.surroundings);
  return `${neutraliseLine(said)}. ${undoHint(found.memory)}`;
}

/**
 * The memory that a tool may change: the user's own. What the repository shares is for its people to change, and Claude
 * Code's auto memory for Claude Code.
 */
function findOwn(
  name: string,
  { folders, place: { cwd } }: ToolContext,
  what: string,
): FoundMemory {
  const found = findMemory(name, folders, { cwd });
  const { memory, folder } = found;
  refuseForeign(found, what);
  if (folder.scope !== "shared") return found;
  throw new MemoError(
    "usage",
    `Cannot ${what} \`${memory.name}\`: the repository shares it`,
    { hint: `If the user wants that, edit \`${memory.path}\` like any file in the repository` },
  );
}

/** The fields of a memory without secrets; throws if nothing is left of its text: all marks look the same. */
async function cleaned<Fields extends { readonly text?: string | undefined }>(
  given: Fields,
  context: ToolContext,
) {
  const { isAllRedacted } = await import("../../../core/redact/redact.ts"); // its rules load slowly
  const found = await withoutSecrets(given, context);
  const { text } = found.value;
  if (text === undefined || !isAllRedacted(text)) return found;
  throw new MemoError(
    "usage",
    "Cannot save this text: nothing is left without its secrets and private parts",
    { hint: "Say where the secret is kept, not the secret itself" },
  );
}

/** What was said at the end of the conversation that a tool is called from. */
async function conversationOf({ session, paths }: Pick<ToolContext, "session" | "paths">) {
  const transcript = session?.transcript;
  return { transcript, turns: transcript === undefined ? [] : await turnsAtEnd(transcript, paths) };
}

/** How the last change of a memory is taken back. */
function undoHint({ path }: Pick<MemoryFile, "path">): string {
  return `The user can undo this with \`memo undo ${basename(path)}\`.`;
}
