import { statsOf } from "../../core/files/stats.ts";
import { within } from "../../core/link/within.ts";
import { type Bill, billOf } from "./bill.ts";
import { subagentTranscripts } from "../../core/transcript/subagents.ts";

/**
 * The bills of many sessions. A transcript of some megabytes takes a second to read, so that each is read once for a
 * state of its file, one after the other, whoever waits.
 */
export class Bills {
  readonly #known = new Map<string, { readonly stamp: string; readonly bill: Bill | undefined }>();
  #wanted: readonly string[] = [];
  #reading: Promise<void> | undefined;

  /** Reads the bills of some transcripts for up to `ms`, and goes on after that; returns how many are left. */
  async read(transcripts: readonly string[], ms: number): Promise<number> {
    this.#wanted = transcripts;
    this.#reading ??= this.#readAll().finally(() => this.#reading = undefined);
    await within(ms, this.#reading);
    return this.#unread().length;
  }

  /** The bill of a transcript as it was last read. */
  of(transcript: string): Bill | undefined {
    return this.#known.get(transcript)?.bill;
  }

  async #readAll(): Promise<void> {
    const tried = new Set<string>(); // one that is being written to waits for the next time
    const next = () => this.#unread().find((path) => !tried.has(path));
    for (let path = next(); path !== undefined; path = next()) {
      tried.add(path);
      const stamp = stampOf(path);
      this.#known.set(path, { stamp, bill: await billOf(path).catch(() => undefined) });
    }
    const wanted = new Set(this.#wanted);
    for (const path of this.#known.keys()) if (!wanted.has(path)) this.#known.delete(path);
  }

  #unread(): string[] {
    return this.#wanted.filter((path) => this.#known.get(path)?.stamp !== stampOf(path));
  }
}

function stampOf(transcript: string): string {
  return [transcript, ...subagentTranscripts(transcript)].map((path) => {
    const { size = 0, mtimeMs = 0 } = statsOf(path) ?? {};
    return `${size} ${mtimeMs}`;
  }).join("\n");
}
