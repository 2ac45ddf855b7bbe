// Secrets in a column whose head announces them: tables in Markdown, CSV and TSV, what `psql` and `column -t` print.

import { isLikelySecret } from "./likely.ts";
import type { SecretSpan } from "./spans.ts";
import { COMPOUNDS, type SecretWord } from "./words.ts";

/** A word that announces a secret, at a position in a text. */
export interface SecretWordPlace {
  readonly at: number;
  readonly end: number;
  readonly word: SecretWord;
}

/** What stands between two cells; a line of heads is split by the first of them that it contains. */
const SEPARATORS: readonly RegExp[] = [/[|│┃]/g, /\t/g, /,/g, /;/g, / {2,}/g];
/** A bar at an end or beside a blank, unlike in `a|b`. */
const FRAME = /(?:^|\s)[|│┃]|[|│┃](?:\s|$)/;
/** A line between the rows of a table. */
const RULE = /^[\s|│┃+:=┼├┤╪╞╡─━═-]*$/;
/** A head of a few words, without the signs of code. */
const HEAD = /^[\p{L}\p{M}\d _.#/'’"`*-]{1,40}(?:\([^()]{0,20}\))?["`*]*$/u;
/** What may follow the word in its head: "passwords", "password (staging)", "password old", but not "password policy". */
const HEAD_END = new RegExp(
  String.raw`^(?:e?[snr])?["'\x60*]*(?:[ _-]?(?:\d{1,2}|\([^)]*\)|(?<more>(?!(?:${
    COMPOUNDS.join("|")
  })\b)[\p{L}\p{M}]{1,12})))?[ "'\x60*)]*$`,
  "iu",
);
/** A number with a unit, a date, a version. */
const QUANTITY = /^[^\p{L}\d]*\d[\d.,:/-]*\s?[\p{L}%]{0,3}$/u;
const CODE = /^\d(?:[ -]?\d){3,9}$/;
const MAX_LINE = 4000;

/** The secrets in the columns of which a place is the head; the places are in text order. */
export function tableSecrets(text: string, places: readonly SecretWordPlace[]): SecretSpan[] {
  const spans: SecretSpan[] = [];
  let from = 0;
  for (let i = 0; i < places.length;) {
    const { at } = places[i]!;
    const line = { start: text.lastIndexOf("\n", at) + 1, end: lineEnd(text, at) };
    const heads: SecretWordPlace[] = [];
    for (; i < places.length && places[i]!.at < line.end; i++) heads.push(places[i]!);
    if (at < from || line.end - line.start > MAX_LINE) continue;
    const table = tableAt(text, line, heads);
    spans.push(...table?.spans ?? []);
    from = table?.end ?? from;
  }
  return spans;
}

type LineRange = Pick<SecretSpan, "start" | "end">;
type Cell = Pick<SecretSpan, "start"> & { readonly value: string };

/** The table that begins with a line of heads: where it ends, and its secrets. */
function tableAt(text: string, line: LineRange, places: readonly SecretWordPlace[]) {
  const row = text.slice(line.start, line.end);
  const separator = SEPARATORS.find((each) => row.search(each) >= 0);
  if (separator === undefined || separator === SEPARATORS[0] && !FRAME.test(row)) return undefined;
  const heads = cellsOf(text, line, separator);
  const columns = heads.flatMap(({ start, value }, index) => {
    const place = places.findLast(({ at }) => at >= start && at < start + value.length);
    const end = place && HEAD_END.exec(text.slice(place.end, start + value.length));
    if (!place || !end || end.groups!["more"] !== undefined && !place.word.isPassword) return [];
    return [{ index, word: place.word, cells: [] as Cell[] }];
  });
  // What introduces a table can stand before its first head; a frame makes an empty cell at both ends.
  const names = heads.map(({ value }, i) =>
    i === 0 ? value.replace(/^.*[:：](?:\s|$)/u, "") : value
  );
  const isTable = names.length > (names.includes("") ? 2 : 1) &&
    names.every((name) => HEAD.test(name) || name === "" && separator === SEPARATORS[0]);
  if (columns.length === 0 || !isTable) return undefined;
  let { end } = line;
  while (end < text.length) {
    const next = { start: end + 1, end: lineEnd(text, end + 1) };
    if (next.end === next.start || next.end - next.start > MAX_LINE) break;
    if (!RULE.test(text.slice(next.start, next.end))) {
      const cells = cellsOf(text, next, separator);
      if (cells.length !== heads.length) break;
      for (const { index, cells: column } of columns) column.push(cells[index]!);
    }
    end = next.end;
  }
  // In code and prose blanks stand between words, too.
  const isLoose = /[,;] /.test(row) || separator === SEPARATORS.at(-1);
  return {
    end,
    spans: columns.flatMap(({ word, cells }) => secretsInColumn(cells, word, isLoose)),
  };
}

function secretsInColumn(cells: readonly Cell[], word: SecretWord, isLoose: boolean): SecretSpan[] {
  // Letters alone are a password if all that the column has can be one.
  const isFar = isLoose || word.word === "pass" ||
    !cells.every(({ value }) => value === "" || isSecret(value, word, false));
  return cells.filter(({ value }) => isSecret(value, word, isFar))
    .map(({ start, value }) => ({ kind: "assigned", start, end: start + value.length }));
}

function isSecret(value: string, { isPassword, isCode }: SecretWord, isFar: boolean): boolean {
  if (isCode && CODE.test(value)) return true;
  if (/\s/.test(value) || QUANTITY.test(value) && !/^\d{6,}$/.test(value)) return false;
  const isWord = isPassword && !isCode;
  return isLikelySecret(value, { endsClause: true, isPassword: isWord, isFar: isFar || !isWord });
}

/** The cells of a line, without their blanks, quotation marks and emphasis. */
function cellsOf(text: string, { start, end }: LineRange, separator: RegExp): Cell[] {
  let line = text.slice(start, end).trimEnd();
  // A separator in quotation marks is none.
  if (line.includes('"')) line = line.replace(/"[^"]*"/g, (quoted) => "x".repeat(quoted.length));
  const cells: Cell[] = [];
  for (let from = separator.source === " {2,}" ? line.search(/\S|$/) : 0;;) {
    separator.lastIndex = from;
    const sign = separator.exec(line);
    const cell = text.slice(start + from, start + (sign?.index ?? line.length));
    const value = cell.trim().replace(/^["'`*]+|["'`*]+$/g, "");
    cells.push({ start: start + from + cell.indexOf(value), value });
    if (sign === null) return cells;
    from = sign.index + sign[0].length;
  }
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end;
}
