import type { Config } from "../settings/config.ts";
import { identifiersIn } from "../text/analyze.ts";
import { isSynthetic } from "../transcript/lines.ts";
import { queryText, topicTerms } from "./query_text.ts";

/** Why a prompt is not searched for. */
export type GateReason =
  | "empty"
  | "slash command"
  | "machine prompt"
  | "too short"
  | "no memories"
  | "paused"
  | "session budget spent";

export type Gate =
  | { readonly kind: "pass"; readonly query: string }
  | { readonly kind: "stop"; readonly why: GateReason };

export interface GateInput {
  readonly prompt: string;
  /** The origin of the prompt, as newer versions of Claude Code report it. */
  readonly source?: string | undefined;
  readonly memories: number;
  /** Bytes left in the session's budget. */
  readonly bytesLeft: number;
  /** Whether a memory has the prompt in its name or a trigger: such a prompt is never too short. */
  readonly isKnown?: boolean | undefined;
  /** Whether the prompt answers a question of the model: even "yes" then says what is to be done. */
  readonly isAnswer?: boolean | undefined;
}

/** Values of `source` that mean a person, or a program that acts for one. */
const HUMAN_SOURCES: readonly (string | undefined)[] = [undefined, "user", "sdk"];
/** `/clear`, `/plugin:command args`; but not `/home/me/file.ts fails`. */
const SLASH_COMMAND = /^\s*\/[\w:.-]+(\s|$)/;
const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;
/** One such character carries about as much information as three Latin letters. */
const CJK_WEIGHT = 3;

/** Decides whether to search for a prompt, and for which text. */
export function gate(input: GateInput, config: Config): Gate {
  const { prompt } = input;
  if (prompt.trim() === "") return { kind: "stop", why: "empty" };
  if (isSynthetic(prompt) || !HUMAN_SOURCES.includes(input.source)) {
    return { kind: "stop", why: "machine prompt" };
  }
  if (SLASH_COMMAND.test(prompt)) return { kind: "stop", why: "slash command" };
  if (!input.isKnown && !input.isAnswer && isTooShort(prompt.trim(), config["recall.min_chars"])) {
    return { kind: "stop", why: "too short" };
  }
  if (input.memories === 0) return { kind: "stop", why: "no memories" };
  if (input.bytesLeft <= 0) return { kind: "stop", why: "session budget spent" };
  return { kind: "pass", query: queryText(prompt) };
}

/**
 * One word or a few characters are too little to search for, unless they are an identifier such as `LIN-795`; fewer are
 * enough for what says what it is about: `jwt auth`, `部署`.
 */
function isTooShort(prompt: string, minChars: number): boolean {
  if (prompt.length >= minChars && /\s/.test(prompt)) return false; // a paste has many words to look at
  const cjk = prompt.match(CJK)?.length ?? 0;
  const isOneWord = cjk < 2 && !/\s/.test(prompt);
  const says = new Set(topicTerms(prompt)).size >= (cjk < 2 ? TOPIC_WORDS : 1);
  const least = says ? minChars / 2 : minChars;
  const isShort = isOneWord || prompt.length + cjk * (CJK_WEIGHT - 1) < least;
  return isShort && identifiersIn(prompt).size === 0;
}

/** With so many words that say something, half the characters are enough. */
const TOPIC_WORDS = 2;
