import type { IndexedMemory } from "./corpus.ts";

/** Characters of text that are kept, of some 1,500 memories of ordinary length. */
const KEPT_CHARS = 2_000_000;

/** The memories that were loaded since the last write: prompt after prompt finds the same ones. */
export class LoadedMemories {
  readonly #byId = new Map<number, IndexedMemory>();
  #chars = 0;

  has(id: number): boolean {
    return this.#byId.has(id);
  }

  /** The memories with these ids, in their order, of those that are kept and those just `found`; vanished ones are left out. */
  among(ids: readonly number[], found: readonly IndexedMemory[]): IndexedMemory[] {
    const byId = this.#byId;
    for (const memory of found) {
      byId.set(memory.id, memory);
      this.#chars += memory.name.length + memory.description.length + memory.body.length;
    }
    const memories = ids.flatMap((id) => byId.get(id) ?? []);
    if (this.#chars > KEPT_CHARS) {
      byId.clear();
      this.#chars = 0;
    }
    return memories;
  }
}
