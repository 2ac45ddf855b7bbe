import type { Log } from "../files/log.ts";
import { textAt } from "../files/there.ts";
import { KNOWN_TYPES, TYPES } from "../memory/types.ts";
import { beginningOf } from "../redact/redact.ts";
import { neutralise, neutraliseLine } from "../text/neutralise.ts";
import { withoutPrivate } from "../text/paste.ts";
import { type AskContext, askModel } from "./ask.ts";
import { type Extraction, MOST, readReply, SCHEMA } from "./candidate.ts";
import builtinPrompt from "./extract_prompt.md" with { type: "text" };
import type { KnownMemory } from "./dedupe.ts";
import { type ConversationPiece, indented } from "./pieces.ts";

/** `today` is the day of the capture, `2026-11-21`. */
type ExtractContext = AskContext & { readonly today: string };

/** Maximum LLM calls to get a valid answer; then the piece is put off. */
const TRIES = 2;
const MAX_TOKENS = 6000, MAX_PROMPT_BYTES = 64 * 1024;

/**
 * Extracts memories and journal bullets from a piece of conversation; `offered` has known memories by the names to show,
 * likeliest first. Rejects if no model answers, and with an UnusableAnswer if no answer is valid.
 */
export function extract(
  piece: ConversationPiece,
  offered: ReadonlyMap<string, KnownMemory>,
  context: ExtractContext,
): Promise<Extraction> {
  return askModel({
    ...{ purpose: "extract", schema: SCHEMA, maxTokens: MAX_TOKENS, read: readReply },
    system: systemPrompt(context),
    prompt: `Known memories:\n${manifest(offered)}\n\nConversation:\n\n${piece.text}`,
  }, { ...context, tries: TRIES });
}

function systemPrompt({ paths, today, log }: ExtractContext): string {
  const values: Record<string, string> = {
    today,
    most: String(MOST),
    types: TYPES.filter(({ name }) => KNOWN_TYPES.includes(name))
      .map(({ name, keeps }) => `- ${name}: ${keeps}`).join("\n"),
  };
  return (ownPrompt(paths.extractPrompt, log) ?? builtinPrompt)
    .replace(/\{\{(\w+)\}\}/g, (whole, name: string) => values[name] ?? whole);
}

function ownPrompt(path: string, log: Log): string | undefined {
  const text = textAt(path);
  if (text === undefined) return undefined;
  if (text.trim() !== "" && Buffer.byteLength(text) <= MAX_PROMPT_BYTES) return text;
  log("extract", { prompt: path, failed: "it is empty or too long; the built-in one is used" });
  return undefined;
}

/** The likeliest known memories with enough text to replace them; the others by name only. */
function manifest(offered: ReadonlyMap<string, KnownMemory>): string {
  if (offered.size === 0) return "(none)";
  return [...offered].map(([name, { memory: { type, name: title, description, body } }], i) => {
    const line = `- ${name} (${neutraliseLine(type)}): ${
      withoutPrivate(neutraliseLine(`${title}. ${description}`)).slice(0, 240)
    }`;
    const text = beginningOf(neutralise(body), BODY_CHARS);
    return i < WITH_BODY ? `${line}\n${indented(text).join("\n")}` : line;
  }).join("\n").toWellFormed();
}

/** How many known memories are shown with their text, and its maximum characters. */
const WITH_BODY = 8, BODY_CHARS = 500;
