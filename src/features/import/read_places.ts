import { MemoError, messageOf } from "../../errors.ts";
import { statsOf } from "../../core/files/stats.ts";
import { tilde } from "../../paths.ts";
import type { ImportPlace, ImportSource, Reading, Skipped, SourceRecord } from "./record.ts";

/** The places of a tool where there is anything; throws a `not-found` MemoError that names them all if there is none. */
export function placesThatAre(source: ImportSource, place: ImportPlace): readonly string[] {
  const places = [...new Set(source.places(place))];
  const found = places.filter((path) => statsOf(path) !== undefined);
  if (found.length > 0) return found;
  const looked = places.map((path) => `\`${tilde(path, place.env)}\``).join(", ");
  throw new MemoError(
    places.length === 0 ? "usage" : "not-found",
    places.length === 0
      ? `Cannot import from ${source.name} without a path`
      : `Cannot find anything of ${source.name}: there is no ${looked}`,
    { hint: `Run \`memo import ${source.name} PATH\`` },
  );
}

/** Reads all places of a source; one that cannot be read is named, unless none can. */
export async function readPlaces(
  source: ImportSource,
  paths: readonly string[],
  place: ImportPlace,
): Promise<Reading> {
  const records = new Map<string, SourceRecord>();
  const skipped: Skipped[] = [];
  const failures: MemoError[] = [];
  for (const path of paths) {
    try {
      const reading = await source.read(path, place);
      const isOnly = paths.length === 1;
      // What two places have is one record; within one place, a repetition is a mistake that is reported.
      for (const [i, record] of reading.records.entries()) {
        const key = isOnly ? `${i}` : record.id;
        if (!records.has(key)) records.set(key, record);
      }
      skipped.push(...reading.skipped);
    } catch (error) {
      if (!(error instanceof MemoError)) throw error;
      failures.push(error);
      skipped.push({ what: tilde(path, place.env), because: messageOf(error) });
    }
  }
  if (failures.length === paths.length) throw failures[0]!;
  return { records: [...records.values()], skipped };
}
