import { closeSync, openSync, readSync, statSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { refuseIrregular } from "../files/bounded.ts";

/** A whole line of a file. */
export interface Line {
  readonly text: string;
  /** Its end in the file, in bytes, with its line break. */
  readonly end: number;
}

export interface LinesOptions {
  /** The byte to start at, where a line begins. */
  readonly from?: number;
  /** Yield only lines that contain one of these; the bytes are searched, so other lines are never decoded. */
  readonly holding: readonly string[];
}

const CHUNK_BYTES = 256 * 1024;
/** A longer line is matched on its first bytes and skipped without buffering if they do not match. */
const HEAD_BYTES = 64 * 1024;
/** A longer line is given without its text. */
const MAX_BYTES = 16 * 1024 * 1024;

/**
 * Streams the lines of a file, for transcripts: they are large, and a tenth of them is conversation. A last line
 * without its line break is still being written and is left out. A file of one chunk is read without a pause, so that a
 * prompt that waits for it has it, however busy the machine is. Throws the system's error if the file does not exist.
 */
export async function* linesOf(path: string, options: LinesOptions): AsyncGenerator<Line> {
  const { from = 0, holding } = options;
  const line = new PartialLine(holding);
  refuseIrregular(statSync(path));
  const file = openSync(path, "r");
  try {
    for (let at = from, size = CHUNK_BYTES; size === CHUNK_BYTES; at += size) {
      if (at > from) await setImmediate();
      const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
      size = readSync(file, chunk, 0, CHUNK_BYTES, at);
      const bytes = chunk.subarray(0, size);
      let start = 0;
      for (let stop; (stop = bytes.indexOf("\n", start)) >= 0; start = stop + 1) {
        line.add(bytes.subarray(start, stop));
        const text = line.take();
        if (text !== undefined) yield { text, end: at + stop + 1 };
      }
      line.add(bytes.subarray(start));
    }
  } finally {
    closeSync(file);
  }
}

/** A partly read line. */
class PartialLine {
  readonly #holding: readonly string[];
  #pieces: Buffer[] = [];
  #size = 0;
  #state: "unknown" | "wanted" | "skipped" = "unknown";

  constructor(holding: readonly string[]) {
    this.#holding = holding;
  }

  add(piece: Buffer): void {
    if (this.#state === "skipped") return;
    this.#pieces.push(piece);
    this.#size += piece.length;
    if (this.#state === "unknown" && this.#size > HEAD_BYTES) this.#judge();
    if (this.#size > MAX_BYTES) this.#pieces = [];
  }

  /** Returns the line if it matches, and begins the next one. */
  take(): string | undefined {
    if (this.#state === "unknown") this.#judge();
    const text = this.#state === "wanted" ? this.#bytes().toString("utf8") : undefined;
    this.#pieces = [];
    this.#size = 0;
    this.#state = "unknown";
    return text;
  }

  #judge(): void {
    const bytes = this.#bytes();
    this.#state = this.#holding.some((text) => bytes.includes(text)) ? "wanted" : "skipped";
    if (this.#state === "skipped") this.#pieces = [];
  }

  #bytes(): Buffer {
    return this.#pieces.length === 1 ? this.#pieces[0]! : Buffer.concat(this.#pieces);
  }
}
