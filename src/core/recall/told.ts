// What is on its way to a conversation: two tools that run at once must not both bring the same memory.

/** A conversation: a session's own, or that of one of its subagents. */
export interface Conversant {
  readonly session: string;
  readonly agent: string | undefined;
}

/** Conversations that are kept; the least recent go first. */
const KEPT = 200;

/** Memories and files that conversations were told of and that no state file has yet. */
export class Told {
  readonly #byConversation = new Map<string, Set<string>>();

  /** Takes a memory and a file for a conversation; false if one of them is taken. */
  claim(who: Conversant, things: readonly string[]): boolean {
    const key = keyOf(who);
    const told = this.#byConversation.get(key) ?? new Set();
    this.#byConversation.delete(key);
    this.#byConversation.set(key, told);
    for (const oldest of this.#byConversation.keys()) {
      if (this.#byConversation.size <= KEPT) break;
      this.#byConversation.delete(oldest);
    }
    if (things.some((thing) => told.has(thing))) return false;
    for (const thing of things) told.add(thing);
    return true;
  }

  /** Whether a conversation was told of a memory or a file. */
  has(who: Conversant, thing: string): boolean {
    return this.#byConversation.get(keyOf(who))?.has(thing) ?? false;
  }

  /** Gives them back: the answer was not taken, or a state file has it now. */
  release(who: Conversant, things: readonly string[]): void {
    const told = this.#byConversation.get(keyOf(who));
    for (const thing of things) told?.delete(thing);
  }
}

function keyOf({ session, agent }: Conversant): string {
  return `${session}\n${agent ?? ""}`;
}
