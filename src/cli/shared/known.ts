import { statsOf } from "../../files/stats.ts";
import type { CliContext } from "./command.ts";
import { say } from "./output.ts";

/** The files of so small an index are as soon read: its library takes a while to load. */
const LEAST_BYTES = 2_000_000;

/** A context whose memory folders are known to the index, so that no command reads all of a large store's files. */
export async function withKnownFiles(context: CliContext): Promise<CliContext> {
  const { paths, place } = context;
  if ((statsOf(paths.db)?.size ?? 0) < LEAST_BYTES) return context;
  const { openKnown } = await import("../../index/known_memories.ts");
  const known = openKnown(paths.db);
  if (known === undefined) say("note: The index cannot be used: all memory files are read instead");
  return { ...context, place: { ...place, known } };
}
