import type { IndexedMemory } from "./corpus.ts";
import { orCompact } from "./passage_block.ts";
import type { PassageBlock, StoredPassage } from "./passage_rows.ts";

/** To ask the database so often costs as much as to take all vectors out of it. */
const FEW = 2;

/** The vectors of each folder, read on demand and updated on every write. */
export class FolderVectors {
  readonly #read: (folder: number) => Promise<PassageBlock>;
  readonly #blocks = new Map<number, PassageBlock>();
  readonly #loading = new Map<number, Promise<PassageBlock>>();
  /** Counts the changes. */
  #version = 0;
  #askedWithout = 0;

  constructor(read: (folder: number) => Promise<PassageBlock>) {
    this.#read = read;
  }

  /** The memory that they take. */
  get bytes(): number {
    return [...this.#blocks.values()].reduce((sum, block) => sum + block.bytes, 0);
  }

  /** Whether some are not in memory, and so few have asked for them that it is not worth it. */
  isRarelyAsked(folders: readonly number[]): boolean {
    const isThere = (folder: number) => this.#blocks.has(folder) || this.#loading.has(folder);
    return !folders.every(isThere) && this.#askedWithout++ < FEW;
  }

  /** A folder's vectors, read once for all who ask at the same time. */
  of(folder: number): Promise<PassageBlock> {
    const known = this.#blocks.get(folder);
    if (known !== undefined) return Promise.resolve(known);
    const loading = this.#loading.get(folder) ??
      this.#load(folder).finally(() => this.#loading.delete(folder));
    this.#loading.set(folder, loading);
    return loading;
  }

  /** A memory has other passages. */
  replace(
    folder: number,
    { id, type }: Pick<IndexedMemory, "id" | "type">,
    passages: readonly Omit<StoredPassage, "memory" | "type">[],
  ): void {
    this.#version++;
    const block = this.#blocks.get(folder);
    if (block === undefined) return;
    block.remove(id);
    for (const { start, end, vector } of passages) {
      block.add({ memory: id, type, start, end, vector });
    }
    this.#blocks.set(folder, orCompact(block));
  }

  remove(memories: readonly number[]): void {
    this.#version++;
    for (const block of this.#blocks.values()) for (const id of memories) block.remove(id);
  }

  /** All of them may have changed. */
  forget(): void {
    this.#version++;
    this.#blocks.clear();
  }

  async #load(folder: number): Promise<PassageBlock> {
    const version = this.#version;
    const block = await this.#read(folder);
    // It may lack concurrent writes, so it answers the present callers and is not cached.
    if (version === this.#version) this.#blocks.set(folder, block);
    return block;
  }
}
