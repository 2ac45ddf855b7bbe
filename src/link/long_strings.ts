// A hook's JSON with a paste of megabytes in it: as text, and parsed, it would take a hook longer than all else that it
// does. So the middle of the paste is left out of the bytes.

const QUOTE = 0x22, BACKSLASH = 0x5c;
/**
 * Bytes to keep at each end of a long string: more than `MAX_PROMPT` at six bytes a character, the most that JSON takes
 * for one, so that the prompt is cut once more, and what is next to this cut is not part of it.
 */
const KEPT = 256 * 1024;
/** The longest escape, `\u0000`. */
const LONGEST_ESCAPE = 6;
const PLACE_OF_THE_REST = new Uint8Array([0x20]);

/** JSON as text, with the head and the tail of its long strings alone. */
export function withoutLongStrings(json: Buffer): string {
  const parts: Uint8Array[] = [];
  let from = 0;
  for (let start = json.indexOf(QUOTE); start >= 0;) {
    const end = endOfString(json, start);
    if (end - start > 2 * KEPT) {
      const head = whereNothingSplits(json, start + KEPT);
      const tail = whereNothingSplits(json, end - KEPT);
      if (!mayHoldTag(json, head, tail)) {
        parts.push(json.subarray(from, head), PLACE_OF_THE_REST);
        from = tail;
      }
    }
    start = json.indexOf(QUOTE, end + 1);
  }
  return Buffer.concat([...parts, json.subarray(from)]).toString("utf8");
}

/** The position of the quote that closes a string. */
function endOfString(json: Buffer, start: number): number {
  let end = json.indexOf(QUOTE, start + 1);
  while (end >= 0 && isEscaped(json, end)) end = json.indexOf(QUOTE, end + 1);
  return end < 0 ? json.length : end;
}

/** Whether the character at a position belongs to the escape that the backslash before it begins. */
function isEscaped(json: Buffer, at: number): boolean {
  return json[at - 1] === BACKSLASH && opensEscape(json, at - 1);
}

/** Whether a backslash begins an escape, and is not what the one before it escapes. */
function opensEscape(json: Buffer, at: number): boolean {
  let first = at;
  while (json[first - 1] === BACKSLASH) first--;
  return (at - first) % 2 === 0;
}

/** A position, or the beginning of the escape that it would split. */
function whereNothingSplits(json: Buffer, at: number): number {
  const start = at - LONGEST_ESCAPE + 1;
  const last = start + json.subarray(start, at).lastIndexOf(BACKSLASH);
  return last >= start && opensEscape(json, last) ? last : at;
}

const TAG_NAMES = ["private", "Private", "PRIVATE"];
/** What opens a tag (`src/text/private.ts`), in the bytes of JSON, and the most bytes between that and the name. */
const OPENINGS = ["<", "&lt;", "\\u003c", "\xef\xbc\x9c"];
const BEFORE_NAME = 32;

/** Whether a tag of private text may begin or end in a stretch: such a text is cut when it is parsed. */
function mayHoldTag(json: Buffer, from: number, to: number): boolean {
  return TAG_NAMES.some((name) => {
    for (let at = json.indexOf(name, from); at >= 0 && at < to; at = json.indexOf(name, at + 1)) {
      const before = json.toString("latin1", at - BEFORE_NAME, at).toLowerCase();
      if (OPENINGS.some((opening) => before.includes(opening))) return true;
    }
    return false;
  });
}
