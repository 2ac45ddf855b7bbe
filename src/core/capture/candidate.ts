// Memories proposed by a language model. A proposal is untrusted input: the model has read web pages and files, and can
// repeat what they say. Here it becomes a harmless memory or is dropped.

import { fieldsOf } from "../link/parse.ts";
import { list, object, oneOf, TEXT, WHOLE } from "../llm/mod.ts";
import { LIMITS, type Memory } from "../memory/memory.ts";
import { titleOf } from "../memory/title.ts";
import { DEFAULT_TYPE, KNOWN_TYPES } from "../memory/types.ts";
import { neutralise, neutraliseLine } from "../text/neutralise.ts";

/** A proposed memory. */
export interface Candidate
  extends Pick<Memory, "name" | "description" | "type" | "body" | "triggers" | "confidence"> {
  /** The number of its turn, according to the model. */
  readonly turn: number | undefined;
  /** Only a memory that is saved on request has any. */
  readonly tags?: readonly string[];
  readonly scope: "user" | "project" | undefined;
  /** File name of the known memory that it replaces, according to the model. */
  readonly replaces: string | undefined;
  /** The same, if that memory is now wrong. */
  readonly contradicts: string | undefined;
  readonly fromTool: boolean;
}

/** A model's reply. */
export interface Extraction {
  /** Bullets by the number of their turn. */
  readonly journal: ReadonlyMap<number, readonly string[]>;
  readonly candidates: readonly Candidate[];
}

/** Maximum memories per piece. */
export const MOST = 8;
/** No piece has more turns than `MOST_ENTRIES`. */
const LONGEST_BULLET = 400, MOST_BULLETS = 6, MOST_ENTRIES = 1000;
/** The default, and the minimum: a memory worth saving is worth recalling. */
const USUAL_CONFIDENCE = 0.8, LEAST_CONFIDENCE = 0.4;
const FRONT_MATTER = /^\s*---[ \t]*\n(?:[^]*?\n)?---[ \t]*(?:\n|$)/;

/** The JSON schema of a reply. */
export const SCHEMA = object({
  journal: list(object({ turn: WHOLE, bullets: { ...list(TEXT), maxItems: MOST_BULLETS } })),
  memories: list(
    object(
      {
        ...{ turn: WHOLE, name: TEXT, type: oneOf(KNOWN_TYPES), description: TEXT, body: TEXT },
        triggers: { ...list(TEXT), maxItems: LIMITS.triggers },
        ...{ scope: oneOf(["user", "project"]), origin: oneOf(["user", "assistant", "tool"]) },
        ...{ replaces: TEXT, contradicts: TEXT },
        confidence: { type: "number", minimum: 0, maximum: 1 },
      },
      "scope",
      "replaces",
      "contradicts",
      "confidence",
    ),
    MOST,
  ),
});

/** The valid parts of a reply; undefined if it lacks the two lists. */
export function readReply(reply: unknown): Extraction | undefined {
  const { journal, memories } = fieldsOf(reply);
  if (!Array.isArray(journal) || !Array.isArray(memories)) return undefined;
  const bullets = new Map<number, readonly string[]>();
  for (const each of journal.slice(0, MOST_ENTRIES)) {
    const entry = fieldsOf(each);
    const turn = Number(entry["turn"]);
    const said = linesOf(entry["bullets"], MOST_BULLETS, LONGEST_BULLET);
    if (Number.isInteger(turn) && said.length > 0) bullets.set(turn, said);
  }
  return { journal: bullets, candidates: memories.slice(0, MOST).flatMap(candidateOf) };
}

/** The memory in a proposal; none without a text. */
export function candidateOf(proposed: unknown): Candidate[] {
  const fields = fieldsOf(proposed);
  const body = bodyOf(fields["body"]);
  if (body === "") return [];
  const type = lineOf(fields["type"], LIMITS.name);
  const { scope, turn, confidence } = fields;
  const said = Number.isFinite(confidence) ? confidence as number : USUAL_CONFIDENCE;
  return [{
    turn: Number.isInteger(turn) ? turn as number : undefined,
    name: lineOf(fields["name"], LIMITS.name) || titleOf(body).name || "Untitled",
    description: lineOf(fields["description"], LIMITS.description),
    type: KNOWN_TYPES.includes(type) ? type : DEFAULT_TYPE,
    body,
    triggers: linesOf(fields["triggers"], LIMITS.triggers, LIMITS.trigger),
    scope: scope === "user" || scope === "project" ? scope : undefined,
    replaces: lineOf(fields["replaces"], 255) || undefined,
    contradicts: lineOf(fields["contradicts"], 255) || undefined,
    fromTool: fields["origin"] === "tool",
    confidence: Math.round(Math.min(0.95, Math.max(LEAST_CONFIDENCE, said)) * 100) / 100,
  }];
}

function bodyOf(value: unknown): string {
  if (typeof value !== "string") return "";
  let body = neutralise(shorten(value.trim(), LIMITS.body), { isStored: true });
  while (FRONT_MATTER.test(body)) body = body.replace(FRONT_MATTER, "");
  return body.trim();
}

function lineOf(value: unknown, longest: number): string {
  return typeof value === "string"
    ? shorten(neutraliseLine(value.slice(0, 2 * longest), { isStored: true }), longest)
    : "";
}

function linesOf(value: unknown, most: number, longest: number): string[] {
  if (!Array.isArray(value)) return [];
  const lines = value.slice(0, most).map((line) => lineOf(line, longest));
  return [...new Set(lines)].filter((line) => line !== "");
}

function shorten(text: string, longest: number): string {
  return text.length <= longest ? text : text.slice(0, longest - 1).toWellFormed().trimEnd() + "…";
}
