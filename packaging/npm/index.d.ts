/** Where a memory applies. */
export type Scope = "user" | "project" | "shared" | "auto";

/** A memory that was found or added. */
export interface Memory {
  readonly name: string;
  readonly type: string;
  readonly scope: Scope;
  /** Its Markdown file. */
  readonly path: string;
}

/** A memory in a list. */
export interface ListedMemory extends Memory {
  readonly description: string;
  readonly tags: readonly string[];
  /** Days since its last change. */
  readonly days: number;
  readonly created: string | null;
}

/** A result of a search, best first. */
export interface FoundMemory extends Memory {
  readonly score: number;
  /** True if a prompt would not get it. */
  readonly belowThreshold: boolean;
  /** The part of its text that matches best. */
  readonly passage: string;
}

/** What a prompt would get. */
export interface Recall {
  /** `hit`, or why there is nothing. */
  readonly outcome: string;
  /** The text Claude Code would add to the conversation; `""` if there is none. */
  readonly block: string;
  readonly memories: readonly {
    readonly name: string;
    readonly path: string;
    readonly type: string;
    readonly score: number;
  }[];
}

/** Which memories are listed or searched. */
export interface Filters {
  readonly type?: string | readonly string[];
  readonly tag?: string | readonly string[];
  readonly scope?: Scope;
  /** Changed since a date, or a time ago such as `7d`. */
  readonly since?: string;
  readonly before?: string;
}

/** What to save with the text of a new memory. */
export interface AddOptions {
  /** Default: the first sentence. */
  readonly name?: string;
  readonly description?: string;
  readonly type?: string;
  readonly scope?: Exclude<Scope, "auto">;
  readonly tags?: readonly string[];
}

/** A memory that was forgotten. */
export interface ForgottenMemory extends Memory {
  /** Where its file is now; `memo undo` restores it. */
  readonly archived: string;
}

/** A change to a memory. */
export interface Change {
  readonly id: string;
  /** ISO 8601. */
  readonly at: string;
  /** `add`, `supersede`, `archive`, … */
  readonly what: string;
  readonly name: string;
  readonly scope: Scope | "team";
  readonly path: string;
  /** The same for changes that were made together and are undone together. */
  readonly group?: string;
  readonly undone?: boolean;
}

/** A type of memories. */
export interface MemoryType {
  readonly name: string;
  readonly keeps: string;
  readonly strategy: string;
  readonly threshold: number;
  readonly lifespanDays: number | null;
}

/** The memories that apply in a folder. Every method rejects with a `MemoError` if memo cannot do what you asked. */
export interface Memo {
  /** What a prompt would get from memo. */
  recall(prompt: string): Promise<Recall>;
  search(
    query: string,
    options?: Filters & { readonly limit?: number },
  ): Promise<readonly FoundMemory[]>;
  add(text: string, options?: AddOptions): Promise<Memory>;
  /** Replaces the text of a memory, and its name if that was made from the old text, which is archived. */
  update(
    name: string,
    text: string,
    options?: Pick<AddOptions, "description" | "tags">,
  ): Promise<Memory>;
  /** Archives a memory; `hard` deletes it with every version. */
  forget(name: string, options?: { readonly hard?: boolean }): Promise<ForgottenMemory>;
  list(filters?: Filters): Promise<readonly ListedMemory[]>;
  /** The changes to a memory, newest first. */
  history(name: string, options?: { readonly limit?: number }): Promise<readonly Change[]>;
  types(): Promise<readonly MemoryType[]>;
  /** Every change from now on, whoever makes it, until `signal` is aborted; asks memo every `everyMs` (2000). */
  events(options?: {
    readonly everyMs?: number;
    readonly signal?: AbortSignal;
  }): AsyncGenerator<Change, void, void>;
}

/** Where memo is opened. */
export interface OpenOptions {
  /** The working directory, which decides the project. Default: the current one. */
  readonly cwd?: string;
  /** memo's environment. Default: this process's. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** An executable to use instead of the package's. */
  readonly executable?: string;
}

/** Opens the memories that apply in a folder. */
export function openMemo(options?: OpenOptions): Memo;

/** The path of this platform's executable. */
export function executablePath(): string;

/** Thrown when memo cannot do what you asked. */
export class MemoError extends Error {
  readonly kind: string;
  /** What to do about it. */
  readonly hint?: string;
}
