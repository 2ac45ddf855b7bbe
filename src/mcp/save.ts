import { basename } from "node:path";
import { remember } from "../capture/remember.ts";
import { MemoError } from "../errors.ts";
import { APPLIES } from "../change/place.ts";
import { readMemoryFile } from "../memory/folder.ts";
import type { Scope } from "../memory/memory.ts";
import type { MemoryFile } from "../memory/memory.ts";
import { neutraliseLine } from "../text/neutralise.ts";
import { turnsAtEnd } from "../transcript/recent.ts";
import { undoCommand } from "./change.ts";
import { referenceTo } from "./present.ts";
import { refuseRedacted, withoutSecrets } from "./secrets.ts";
import type { ToolContext, ToolResult } from "./tool.ts";
import type { InputOf, OutputOf } from "./schemas.ts";

/** What is said of a wish that leads to nothing new. */
const REFUSED =
  "Not saved: its words were read in a web page or a tool's output, and a memory of the user's says something else " +
  "about the same. Ask the user to say it themselves";
const QUARANTINED =
  "Kept for the user to review, and not recalled: it asks for something that the user has not said in this conversation";

/** `memory_save`: writes a memory, at once. */
export async function run(
  input: InputOf<"memory_save">,
  context: ToolContext,
): Promise<ToolResult<OutputOf<"memory_save">>> {
  const { value, redacted } = await withoutSecrets(input, context);
  refuseRedacted(value.text);
  const { session } = context;
  const transcript = session?.transcript;
  const planned = await remember(value, {
    ...context,
    transcript,
    turns: transcript === undefined ? [] : await turnsAtEnd(transcript),
  });
  if (planned === undefined) {
    throw new MemoError("usage", "Cannot save a memory without text", {
      hint: "Pass the fact or rule itself as `text`",
    });
  }
  const { fate, changes, alike } = planned;
  const { done } = await context.change(changes);
  const saved = done.find(({ change }) => change.kind !== "archive");
  if (saved === undefined) {
    // Claude Code's own memory says the same, or the words are not the user's.
    const outcome = fate === "confirmed" ? "Already known" : REFUSED;
    return { data: { outcome, redacted }, text: outcome };
  }
  const memory = readMemoryFile(saved.path, saved.change.folder.scope);
  const replaced = [
    saved.was,
    ...done.filter(({ change }) => change.kind === "archive").map(({ memory }) => memory.name),
  ].filter((name) => name !== undefined);
  const outcome = fate === "quarantined"
    ? QUARANTINED
    : fate === "confirmed"
    ? "Already known"
    : replaced.length > 0
    ? `Saved, in place of ${replaced.map((name) => `“${neutraliseLine(name)}”`).join(", ")}`
    : alike !== undefined
    ? besideOf(alike)
    : "Saved";
  const undo = undoCommand(memory);
  const data = { ...referenceTo(memory, context), outcome, undo, redacted };
  return { data, text: textOf({ ...data, scope: memory.scope }) };
}

/** Says how two become one, which only the model or the person can decide. */
function besideOf({ name, path }: MemoryFile): string {
  return `Saved beside one like it, “${neutraliseLine(name)}” (${
    basename(path)
  }), which stays: call memory_forget ` +
    "for that one if the new one takes its place, or memory_update if it only needs other words";
}

function textOf(
  { outcome, name, scope, path, undo, redacted }:
    & { readonly [Key in "outcome" | "name" | "path" | "undo"]: string }
    & { readonly scope: Scope; readonly redacted: number },
): string {
  return [
    `${outcome}: “${name}” (${APPLIES[scope]}) ${path}`,
    ...redacted > 0 ? [`${redacted} secrets were taken out of it.`] : [],
    `The user can take it back with \`${undo}\`.`,
  ].join("\n");
}
