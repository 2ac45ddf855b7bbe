import { isRule } from "../../../core/text/rule.ts";
import { oneLine } from "../../../core/text/neutralise.ts";
import type { Memory } from "../../../core/memory/memory.ts";
import { isPersonal } from "../../../core/memory/types.ts";
import { titleOf } from "../../../core/memory/title.ts";

/** What a person says of a memory beside its text. */
export interface Said {
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly type?: string | undefined;
  readonly tags?: string | undefined;
  readonly trigger?: readonly string[] | undefined;
}

/** The memory that a person has typed, and whether it was recognised as a rule; undefined if it has no text. */
export interface Typed {
  readonly memory: Memory;
  readonly isGuessed: boolean;
}

/** Completes what was typed: what the person says overrides front matter, and a text without a type may be a rule. */
export function typedMemory(
  memory: Memory,
  said: Said,
  { text, now }: { /** All that was typed. */ readonly text: string; readonly now: Date },
): Typed | undefined {
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
  return text.split(",").map(oneLine).filter((tag) => tag !== "");
}
