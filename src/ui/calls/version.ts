import { join } from "node:path";
import * as z from "zod";
import { versionBytes } from "../../memory/archive.ts";
import { MemoError } from "../../errors.ts";
import { changesOf, versionAt } from "../../memory/versions.ts";
import { diffOf } from "../diff.ts";
import { idSchema } from "../memories/changing.ts";
import { placeOf } from "../memories/place.ts";
import { defineCall } from "./call.ts";

/** The id of a change, after which a version was there. */
export const versionSchema = z.string().regex(/^[0-9a-f]{10}$/);

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
