import { createHash, randomBytes } from "node:crypto";
import { MemoError } from "../../errors.ts";
import type { MemoryFolder } from "../../core/memory/memory.ts";

/** Where a memory is. */
export interface ListedMemory {
  /** Absolute path of its file. */
  readonly path: string;
  readonly folder: MemoryFolder;
}

/**
 * The memories that the page has been told of, each by an opaque id: a path that the page sends is never used. The id
 * of a path is the same for as long as the page is open.
 */
export class Listed {
  readonly #secret = randomBytes(16);
  readonly #byId = new Map<string, ListedMemory>();

  /** The id of a memory, by which the page may name it from now on. */
  idOf(memory: ListedMemory): string {
    const id = createHash("sha256").update(this.#secret).update(memory.path).digest("base64url")
      .slice(0, 16);
    this.#byId.set(id, memory);
    return id;
  }

  /** The memory with an id; throws a `not-found` MemoError for one that the page was never given. */
  get(id: string): ListedMemory {
    const memory = this.#byId.get(id);
    if (memory !== undefined) return memory;
    throw new MemoError("not-found", "There is no such memory on this page", {
      hint: "Reload the list",
    });
  }
}
