import { isRule } from "../../../core/text/rule.ts";
import { oneLine } from "../../../core/text/neutralise.ts";
import type { Memory } from "../../../core/memory/memory.ts";
import { isPersonal } from "../../../core/memory/types.ts";
import { titleOf } from "../../../core/memory/title.ts";
import { MemoError, messageOf } from "../../../errors.ts";
import { readStream } from "../../../core/files/bounded.ts";
import { secretsIn } from "../../../core/redact/mod.ts";
import type { CliContext } from "./command.ts";
import { list, type Texts } from "./options.ts";
import { configHere } from "./config_here.ts";

/** What a person says of a memory besides its text. */
export interface TypedFields extends Texts<"name" | "description" | "type" | "tags"> {
  readonly trigger?: readonly string[] | undefined;
}

/**
 * Completes what was typed, with whether it was recognised as a rule; undefined if it has no text. What the person says
 * overrides front matter, and a text without a type may be a rule.
 */
export function typedMemory(
  memory: Memory,
  said: TypedFields,
  { text, now }: { /** All that was typed. */ readonly text: string; readonly now: Date },
) {
  const content = memory.body || oneLine(said.description ?? "") || memory.description;
  if (content === "") return undefined;
  const title = titleOf(content);
  const name = oneLine(said.name ?? "") || memory.name || title.name;
  const isPlain = said.type === undefined && memory.body === text.trim();
  const isUsers = isPlain && isPersonal(text);
  const isGuessed = isPlain && !isUsers && isRule(text);
  const guessed = isUsers ? "user" : isGuessed ? "feedback" : memory.type;
  const sentence = title.sentence.replace(/[.。]$/, "") === name ? "" : title.sentence;
  const { trigger = [] } = said;
  const built = {
    ...memory,
    name,
    description: oneLine(said.description ?? "") || memory.description || sentence,
    type: oneLine(said.type ?? "") || guessed,
    tags: said.tags === undefined ? memory.tags : tagsIn(said.tags),
    triggers: trigger.length > 0 ? trigger.map(oneLine) : memory.triggers,
    created: memory.created ?? now.toISOString(),
  };
  return { memory: built, isGuessed };
}

/** The tags in a text that names them between commas. */
export function tagsIn(text: string): string[] {
  return list(text).map(oneLine);
}

/** Maximum bytes of a memory: a larger file is not synced either. */
const MAX_BYTES = 8 * 1024 * 1024;

/** The text on stdin, for `memo add` or `memo edit`. Refuses bytes that are not text, because decoding would change them silently. */
export async function readText(verb: "add" | "edit"): Promise<string> {
  const bytes = await readStream(process.stdin, MAX_BYTES).catch((error: unknown) => {
    throw new MemoError("file", `Cannot read stdin: ${messageOf(error)}`, {
      hint: "Split it into files, and run `memo add < FILE` for each",
    });
  });
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    if (!text.includes("\0")) return text;
  } catch {
    // reported below
  }
  throw new MemoError("usage", `Cannot ${verb} a memory: stdin is not UTF-8 text`, {
    hint: `Run \`iconv -f ENCODING -t utf-8 FILE | memo ${
      verb === "add" ? "add" : "edit NAME --text -"
    }\``,
  });
}

/** Throws a `usage` MemoError for a text with a secret in it: a memory is a file, and files are shared and copied. */
export async function refuseSecrets(text: string, context: CliContext): Promise<void> {
  const kinds = await secretsIn(text, configHere(context)["redact.patterns"]);
  if (kinds.length === 0) return;
  throw new MemoError(
    "usage",
    `Cannot save this memory: it seems to contain a secret (${kinds.join(", ")})`,
    { hint: "Write where the secret is stored instead, or pass `--anyway`" },
  );
}
