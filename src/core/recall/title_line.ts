// What a memory says of itself in one line.

import { basename } from "node:path";
import type { IndexedMemory } from "../index/corpus.ts";
import { changedOn } from "../memory/age.ts";
import { globsIn, withoutGlobs } from "../memory/applies.ts";
import { markOf } from "../memory/provenance.ts";
import { formatStatus } from "../relation/standing.ts";
import { nameOfFile, shorten } from "../memory/title.ts";
import { policyOf } from "../memory/types.ts";
import { neutraliseLine } from "../text/neutralise.ts";
import { relativeDays } from "../text/relative_day.ts";
import { remembering } from "../text/remembered.ts";
import { isGeneral, isRule } from "../text/rule.ts";

const NAME_CHARS = 120;
const DESCRIPTION_CHARS = 200;
/** A memory of one line up to this length stands with all its text. */
const TEXT_CHARS = 300;
/** A title that is shortened to make room has at least so many characters. */
const SHORT_CHARS = 64;

/** How much of a memory its line says: nothing, the title cut, the title, or the title and what explains it. */
export type Form = "none" | "short" | "title" | "full";

/** The line of a memory. */
export interface TitleLine {
  readonly memory: IndexedMemory;
  /** The day that it looks forward to, if that has passed. */
  readonly due?: string | undefined;
  /** It says its day, whatever its type. */
  readonly isDated?: boolean | undefined;
  /** It is of the project around the submodule at hand. */
  readonly isAround?: boolean | undefined;
  readonly form: Form;
}

/** A line as it is written: a title, what explains it if that is wanted, and the date if its memory's type fades, or its words need it. */
export function lineOf({ memory, form, due, isDated = false }: TitleLine): string {
  const write = () => withLimit(writeLine(memory, form, isDated), memory);
  const line = isDated ? write() : said(memory).lines[form] ??= write();
  return due === undefined ? line : `${line} [was due ${neutraliseLine(due)}]`;
}

const LIMITS =
  /(?<![\p{L}\p{N}])(?:only (?:for|in|on|when|if|with|at|to)|except|unless|apart from|nur (?:für|in|im|bei|wenn|an|am)|außer|ausgenommen|sofern|(?:solo|sólo|solamente) (?:para|en|si|cuando)|salvo|excepto|(?:seulement|uniquement) (?:pour|dans|si|en)|sauf|solo (?:per|in|se)|tranne|somente (?:para|em|se)|exceto)(?![\p{L}\p{N}])|仅限|只在|除了/iu;
const LONGEST_LIMIT = 160;
/** Globs that a title names. */
const MOST_GLOBS = 3;

/** The sentence of a note's first paragraph that limits where it holds; undefined where what is shown of it says so. */
export function limitOf({ body }: { readonly body: string }, shown: string): string | undefined {
  if (LIMITS.test(shown)) return undefined;
  const [rule = ""] = body.trim().split(/\n\s*\n/, 1);
  const sentence = rule.split(/(?<=[.!?。])\s+|\n/u).find((each) => LIMITS.test(each));
  if (sentence === undefined || sentence.length <= LONGEST_LIMIT) return sentence;
  const at = LIMITS.exec(sentence)!.index;
  return `…${sentence.slice(at, at + LONGEST_LIMIT).toWellFormed()}`;
}

/** A line with what limits where its memory holds, if it does not say so: half of a rule is another rule. */
function withLimit(line: string, memory: IndexedMemory): string {
  const globs = globsIn(memory.body);
  const some = globs.slice(0, MOST_GLOBS).concat(globs.length > MOST_GLOBS ? "…" : []);
  const files = globs.length === 0 ? "" : ` [for ${neutraliseLine(some.join(", "))}]`;
  const limit = limitOf(memory, line);
  return line + files + (limit === undefined ? "" : ` [${neutraliseLine(limit)}]`);
}

function writeLine(memory: IndexedMemory, form: Form, isDated: boolean): string {
  const fades = isDated || policyOf(memory.type).lifespanDays !== null || hasDay(memory);
  const standing = formatStatus(memory).map((fact) => ` [${fact}]`).join("");
  const facts = [markOf(memory)?.inTitle, fades ? changedOn(memory) : undefined]
    .filter((fact) => fact !== undefined).join(", ");
  const date = (facts === "" ? "" : ` (${facts})`) + standing;
  const { title, explained } = said(memory);
  if (form !== "full") {
    return `- ${form === "short" ? shorten(title, SHORT_CHARS) : title}${date}`;
  }
  const { about } = explained;
  return `- ${explained.title}${date}${about === "" ? "" : `: ${about}`}`;
}

/** What a memory says of itself; a session's start looks at each several times. */
export const said = remembering(({ name, description, body, path }: IndexedMemory) => {
  const text = sentence(withoutGlobs(body));
  const about = line(description, DESCRIPTION_CHARS);
  const isHeadless = description === "" && basename(path, ".md") === name;
  const named = line(isHeadless ? nameOfFile(name, body) : name, NAME_CHARS);
  const isOf = (stem: string) => (whole: string | undefined) => whole?.startsWith(stem) === true;
  // Where the title is the cut beginning of the text or of the description, that instead of it.
  const title = !named.endsWith("…") ? named : [text, about].find(isOf(stemOf(named))) ?? named;
  const isBegun = isOf(stemOf(title));
  const day = DAY.exec(title)?.[0] ?? "";
  const only = text !== undefined && isBegun(day + text) ? day + text : undefined;
  // The title with what explains it: a short text whole, else the description, neither behind its own beginning.
  const explained = only !== undefined
    ? { title: only, about: "" }
    : isBegun(about)
    ? { title: about, about: "" }
    : { title, about };
  const saying = `${explained.title}\n${explained.about}`;
  /** How much its words oblige: 2 for a rule, 1 for what holds in every case or within limits, 0 for any other. */
  const binds = isRule(saying) ? 2 : isGeneral(saying) ? 1 : 0;
  const lines: Partial<Record<Form, string>> = {}; // once they are needed
  return { title, only, explained, saying, binds, lines };
});

/** Whether a memory names a day that only the day of writing tells ("next Monday"). */
export const hasDay = remembering((memory: IndexedMemory): boolean =>
  relativeDays(said(memory).saying).some(({ isDated }) => !isDated)
);

/** Whether a memory's words oblige, or say what holds in every case or within limits. */
export function isBinding(memory: IndexedMemory): boolean {
  return said(memory).binds > 0;
}

/** The text of a memory that is one short line and begins with its title; undefined for any other. */
export function onlyLine(memory: IndexedMemory): string | undefined {
  return said(memory).only;
}

/** The same as a line of the index. */
export function wholeLine(memory: IndexedMemory): string | undefined {
  return onlyLine(memory) === undefined ? undefined : lineOf({ memory, form: "full" });
}

/** What the title of a daily note has before its first sentence. */
const DAY = /^\d{4}-\d\d-\d\d: /;

/** The text of a memory that is one short line. */
function sentence(body: string): string | undefined {
  if (body.length > TEXT_CHARS || body.trim().includes("\n")) return undefined;
  return neutraliseLine(body).replace(/(?<![.。])[.。]$/, "");
}

function stemOf(title: string): string {
  return title.replace(/…$/, "").trimEnd();
}

function line(text: string, longest: number): string {
  const whole = neutraliseLine(text);
  return whole.length <= longest ? whole : whole.slice(0, longest).toWellFormed();
}
