/** The exit code of a process that Ctrl-C has ended. */
export const INTERRUPTED = 130;

/** A person has answered a question with Ctrl-C: the command ends with `INTERRUPTED`, and does nothing more. */
export class Interrupted extends Error {}
