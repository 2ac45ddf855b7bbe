import { appendEntry, journalEntry, journalOf } from "../../src/core/journal/journal.ts";
import { memoryFolders, placeIn } from "../../src/core/memory/scopes.ts";
import { pathsFor } from "../../src/paths.ts";
import type { Home } from "./home.ts";

/** Writes an entry about a conversation to the journal of the home's project, as capture does. */
export async function noteInJournal(
  { env, project }: Home,
  { session, transcript }: { readonly session: string; readonly transcript: string },
  text: string,
): Promise<void> {
  const journal = journalOf(memoryFolders(placeIn(pathsFor(env), project, project)))!;
  const entry = journalEntry({ id: `turn-of-${session}`, session }, {
    ...{ bullets: [text], transcript, journal, at: new Date() },
  });
  await appendEntry(entry!);
}
