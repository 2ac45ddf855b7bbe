import * as z from "zod";
import { refuseForeign } from "../../change/own.ts";
import { restoring } from "../../change/restore.ts";
import { MemoError } from "../../errors.ts";
import { versionAt } from "../../memory/versions.ts";
import { changeAs, type Changed, idSchema } from "../memories/changing.ts";
import { placeOf } from "../memories/place.ts";
import { defineCall } from "./call.ts";
import { versionSchema } from "./version.ts";

/** `restore {id, version}`: makes a memory what it was right after a change. */
export const restore = defineCall({
  name: "restore",
  writes: true,
  params: z.strictObject({ id: idSchema, version: versionSchema }),
  async run({ id, version }, context): Promise<Changed> {
    const listed = context.listed.get(id);
    const place = placeOf(listed);
    refuseForeign({
      memory: { path: listed.path, name: place.file } as never,
      ...{ folder: listed.folder, archived: false },
    }, "restore");
    const found = versionAt(place, { change: version });
    if (found.kind === "none") {
      throw new MemoError("not-found", `Cannot restore this version: ${found.because}`);
    }
    const { said, group } = await changeAs(
      "Restored",
      (group) => [{ ...restoring(place, found.bytes), group }],
      context,
    );
    return { said, group };
  },
});
