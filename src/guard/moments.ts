import { AnchoredFiles } from "./anchors.ts";
import { Told } from "./told.ts";

/** What a daemon knows of moments, for all sessions. */
export class Moments {
  /** The files that memories name, by project. */
  readonly files = new AnchoredFiles();
  /** The entries that are on their way to a conversation. */
  readonly told = new Told();
}
