/** What kind of thing went wrong; decides the exit code and where it is reported. */
export type ErrorKind =
  | "usage" // the command line or a setting was wrong
  | "not-found" // a memory, model or file that was named does not exist
  | "file" // a file or folder cannot be read, parsed or written
  | "index" // the derived database is unusable
  | "model" // an embedding model cannot be fetched or loaded
  | "llm" // a language model cannot be asked, or gave no usable answer
  | "daemon" // the daemon cannot be reached, or answered nonsense
  | "timeout"; // a deadline passed

/**
 * An error for people: the message names what was attempted and what was found (sentence case, no
 * final period, backticks round what can be typed or opened), the hint is a command that helps.
 */
export class MemoError extends Error {
  readonly kind: ErrorKind;
  readonly hint: string | undefined;

  constructor(
    kind: ErrorKind,
    message: string,
    { hint, cause }: { readonly hint?: string | undefined; readonly cause?: unknown } = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "MemoError";
    this.kind = kind;
    this.hint = hint;
  }
}

/** The text of anything that was thrown. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** The system's error code (`ENOENT`, `EACCES`, …) of anything that was thrown, if it has one. */
export function codeOf(thrown: unknown): string | undefined {
  const code = (thrown as { code?: unknown } | null)?.code;
  return typeof code === "string" ? code : undefined;
}

/** An error as it is printed: `error: …`, and on its own line `hint: …`. */
export function renderError(thrown: unknown): string {
  const lines = [`error: ${messageOf(thrown)}`];
  if (thrown instanceof MemoError && thrown.hint !== undefined) {
    lines.push("", `hint: ${thrown.hint}`);
  }
  return lines.join("\n") + "\n";
}

/** The exit code that an error ends the process with: 1 nothing found, 2 everything else. */
export function exitCodeOf(thrown: unknown): 1 | 2 {
  return thrown instanceof MemoError && thrown.kind === "not-found" ? 1 : 2;
}
