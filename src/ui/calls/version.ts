import { join } from "node:path";
import { diffLines } from "diff";
import * as z from "zod";
import { versionBytes } from "../../memory/archive.ts";
import { MemoError } from "../../errors.ts";
import { changesOf, versionAt } from "../../memory/versions.ts";
import { idSchema } from "../memories/changing.ts";
import { placeOf } from "../memories/place.ts";
import { defineCall } from "./call.ts";

/** The id of a change, after which a version was there. */
export const versionSchema = z.string().regex(/^[0-9a-f]{10}$/);

/** A line of a diff: in both texts, or in one of them. */
export interface DiffLine {
  readonly kind: "same" | "added" | "removed" | "skipped";
  readonly text: string;
}

/** Lines around a change that are shown, and maximum time and lines of a comparison. */
const AROUND = 3, COMPARED_MS = 500, MOST_LINES = 2000;

/** `version {id, version}`: what a change has made of a memory, line by line. */
export const version = defineCall({
  name: "version",
  writes: false,
  params: z.strictObject({ id: idSchema, version: versionSchema }),
  run({ id, version }, { listed }) {
    const place = placeOf(listed.get(id));
    const change = changesOf(place).find((each) => each.id === version);
    if (change === undefined) {
      throw new MemoError("not-found", "There is no such version on this page", {
        hint: "Reload the list",
      });
    }
    const path = join(place.folder.path, place.file);
    const before = change.before && versionBytes(change.before, { path, folder: place.folder });
    const after = change.after === undefined ? undefined : versionAt(place, { change: version });
    const isLost = (change.before !== undefined && before === undefined) ||
      (after !== undefined && after.kind === "none");
    if (isLost) return Promise.resolve({ lines: [], isLost });
    const [old, own] = [before, after?.kind === "version" ? after.bytes : undefined].map((bytes) =>
      bytes === undefined ? "" : new TextDecoder().decode(bytes)
    );
    return Promise.resolve({ lines: diffOf(old!, own!) });
  },
});

/** The lines of two texts, with what is the same in both left out but for what surrounds a change. */
export function diffOf(before: string, after: string): DiffLine[] {
  const parts = diffLines(before, after, { timeout: COMPARED_MS });
  if (parts === undefined) { // too much has changed to be told line by line
    return [...toLines(before, "removed"), ...toLines(after, "added")].slice(0, MOST_LINES);
  }
  const lines = parts.flatMap(({ value, added, removed }, i): DiffLine[] => {
    const all = toLines(value, added ? "added" : removed ? "removed" : "same");
    if (added || removed) return all;
    const head = i === 0 ? 0 : AROUND, tail = i === parts.length - 1 ? 0 : AROUND;
    const left = all.length - head - tail;
    if (left < 2) return all;
    const skipped: DiffLine = { kind: "skipped", text: String(left) };
    return [...all.slice(0, head), skipped, ...tail === 0 ? [] : all.slice(-tail)];
  });
  return lines.slice(0, MOST_LINES);
}

function toLines(text: string, kind: DiffLine["kind"]): DiffLine[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines.map((text) => ({ kind, text }));
}
