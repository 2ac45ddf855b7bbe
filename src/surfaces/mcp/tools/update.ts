import * as z from "zod";
import { MemoError } from "../../../errors.ts";
import { neutraliseLine } from "../../../core/text/neutralise.ts";
import { fields, name, text, title } from "../schemas.ts";
import { refuseRedacted, withoutSecrets } from "../secrets.ts";
import { defineTool } from "../tool.ts";

/** `memory_update`: changes fields of a memory; the old version goes to the archive. */
export const update = defineTool({
  name: "memory_update",
  title: "Update a memory",
  description:
    "Changes a memory that has become wrong or incomplete; fields that are left out stay. The old version is kept.",
  input: z.object({
    name,
    text: text.optional().describe("The new text, in place of the old one"),
    new_name: title.optional(),
    ...fields,
  }),
  writes: true,
  annotations: { idempotentHint: true },
  async run({ name: which, ...given }, context) {
    const { revision } = await import("../../../core/change/change.ts");
    const { readMemoryFile } = await import("../../../core/memory/folder.ts");
    const { carryOutOne } = await import("../../../core/change/carry_out.ts");
    const { findOwn, undoCommand } = await import("../find_named.ts");
    const { newFields } = await import("../new_fields.ts");
    const found = findOwn(which, context, "update");
    const { memory, folder } = found;
    const { value, redacted } = await withoutSecrets(given, context);
    await refuseRedacted(value.text);
    if (Object.values(value).every((field) => field === undefined)) {
      throw new MemoError("usage", `Cannot update \`${memory.name}\`: nothing to change is given`, {
        hint: "Pass `text`, `new_name`, `description`, `type`, `tags` or `triggers`",
      });
    }
    const change = revision(found, await newFields(memory, value, context), { what: "edit" });
    const { path } = await carryOutOne(change, context.surroundings);
    const written = readMemoryFile(path, folder.scope);
    const former = neutraliseLine(memory.name);
    const name = neutraliseLine(written.name);
    return [
      name === former ? `Updated “${former}”` : `Updated “${former}”, which is “${name}” now`,
      ...redacted > 0 ? [`${redacted} secrets were redacted in it`] : [],
      `The user can undo this with \`${undoCommand(written)}\`.`,
    ].join(". ");
  },
});
