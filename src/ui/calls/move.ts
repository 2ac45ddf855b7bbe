import * as z from "zod";
import { moving } from "../../change/share.ts";
import { MemoError } from "../../errors.ts";
import type { MemoryFolder } from "../../memory/memory.ts";
import { projectOf } from "../../memory/project.ts";
import { privateFolder, userFolder } from "../../memory/scopes.ts";
import { catalogueOf } from "../memories/catalogue.ts";
import { changeAs, type Changed, idsSchema, ownMemories } from "../memories/changing.ts";
import { type CallContext, defineCall } from "./call.ts";

/** `move {ids, to}`: makes memories apply everywhere (an empty `to`), or in one project alone (its key). */
export const move = defineCall({
  name: "move",
  writes: true,
  params: z.strictObject({ ids: idsSchema, to: z.string().max(12) }),
  async run({ ids, to: key }, context): Promise<Changed> {
    const to = await folderOf(key, context);
    const found = ownMemories(ids, "move", context).filter(({ folder }) => folder.path !== to.path);
    if (found.length === 0) return { said: "They are there already" };
    const { said, group } = await changeAs(
      "Moved",
      (group) => found.flatMap((each) => moving(each, to, group)),
      context,
    );
    return { said, group };
  },
});

async function folderOf(key: string, context: CallContext): Promise<MemoryFolder> {
  if (key === "") return userFolder(context.place);
  const { projects } = await catalogueOf(context);
  const project = projects.find((each) => each.key === key);
  if (project !== undefined) return privateFolder(projectOf(project.root, context.place.claude));
  throw new MemoError("not-found", "There is no such project on this page", {
    hint: "Reload the list",
  });
}
