// What a capture is going to write, decided before anything is written: it is kept in the state folder until all of
// it is done, so that a capture that was cut short is finished and not made a second time.

/** One change to a memory folder. Doing it twice is doing it once. */
export type Action =
  | {
    /** Writes a memory file. */
    readonly kind: "write";
    readonly path: string;
    readonly text: string;
    /** SHA-256 of the file that the plan was made for; undefined: there was none. */
    readonly before: string | undefined;
  }
  | {
    /** Moves a memory file that another one supersedes into its folder's archive. */
    readonly kind: "archive";
    readonly path: string;
  }
  | {
    /** Adds an entry to a day's journal unless its anchor is there. */
    readonly kind: "journal";
    readonly path: string;
    readonly anchor: string;
    readonly text: string;
  };

/** Everything that some turns of a transcript have come to. */
export interface Plan {
  readonly actions: readonly Action[];
}
