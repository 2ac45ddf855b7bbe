// A hook's JSON with a paste of megabytes in it: held as a whole, as text, and parsed, it would take a hook longer than
// all else that it does. So the middle of the paste is left out of the bytes, and as they come.

import { BACKSLASH, endOfString, isEscaped } from "./parse.ts";

const QUOTE = 0x22;
/**
 * Bytes to keep at each end of a long string: more than `MAX_PROMPT` at six bytes a character, the most that JSON takes
 * for one, so that the prompt is cut once more, and what is next to this cut is not part of it.
 */
const KEPT = 256 * 1024;
/** The longest escape, `\u0000`. */
const LONGEST_ESCAPE = 6;
const PLACE_OF_THE_REST = new Uint8Array([0x20]);

/** Bytes of an event that stay as they are; most events have less than a hundredth of it. */
const LONG_BYTES = 1024 * 1024;
/** Bytes of a longer event that are gathered before its long strings are cut. */
const ROOM_BYTES = 4 * LONG_BYTES;

/** JSON as it comes on stdin, with the head and the tail of its long strings alone if there is much of it. */
export class IncomingJson {
  readonly #parts: Uint8Array[] = [];
  #size = 0;
  /** One buffer for whatever comes: memory that a process has not had yet takes longer than to read into it. */
  #room: Buffer | undefined;

  add(bytes: Uint8Array): void {
    if (this.#room === undefined && this.#size + bytes.length <= LONG_BYTES) {
      this.#parts.push(bytes);
    } else this.#roomFor(bytes.length).set(bytes, this.#size);
    this.#size += bytes.length;
  }

  /** What has come so far. */
  get bytes(): Buffer {
    if (this.#room === undefined) return Buffer.concat(this.#parts);
    return withoutLongStrings(this.#room.subarray(0, this.#size));
  }

  /** The buffer with room behind what has come: a string that goes on is cut as if it ended here, and later once more. */
  #roomFor(more: number): Buffer {
    if (this.#room !== undefined && this.#size + more <= this.#room.length) return this.#room;
    const before = this.bytes;
    const needed = 2 * (before.length + more);
    if (this.#room === undefined || needed > this.#room.length) {
      this.#room = Buffer.allocUnsafe(Math.max(ROOM_BYTES, needed));
    }
    before.copy(this.#room);
    this.#size = before.length;
    return this.#room;
  }
}

/** JSON with the head and the tail of its long strings alone. */
export function withoutLongStrings(json: Buffer): Buffer {
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
  return Buffer.concat([...parts, json.subarray(from)]);
}

/** A position, or the beginning of the escape that it would split. */
function whereNothingSplits(json: Buffer, at: number): number {
  const start = at - LONGEST_ESCAPE + 1;
  const last = start + json.subarray(start, at).lastIndexOf(BACKSLASH);
  return last >= start && !isEscaped(json, last) ? last : at;
}

const TAG_NAMES = ["private", "Private", "PRIVATE"];
/** What opens a tag (`src/core/text/paste.ts`), in the bytes of JSON, and the most bytes between that and the name. */
const OPENINGS = ["<", "&lt;", "\\u003c", "\xef\xbc\x9c"];
const BEFORE_NAME = 32;

/** Whether a tag of private text may begin or end in a stretch: such a text is cut when it is parsed. */
function mayHoldTag(json: Buffer, from: number, to: number): boolean {
  return TAG_NAMES.some((name) => {
    const end = to + BEFORE_NAME; // what opens the tag may be before the cut
    for (let at = json.indexOf(name, from); at >= 0 && at < end; at = json.indexOf(name, at + 1)) {
      const before = json.toString("latin1", at - BEFORE_NAME, at).toLowerCase();
      if (OPENINGS.some((opening) => before.includes(opening))) return true;
    }
    return false;
  });
}
