/** The exit code of a process that Ctrl-C has ended. */
export const INTERRUPTED = 130;

/** The signals that end a command. */
export const ENDINGS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** A person has answered a question with Ctrl-C: the command ends with `INTERRUPTED`, and does nothing more. */
export class Interrupted extends Error {}
