import * as z from "zod";
import { sharing } from "../../change/share.ts";
import { MemoError } from "../../errors.ts";
import type { Found } from "../../memory/find.ts";
import { serializeMemory } from "../../memory/file.ts";
import type { MemoryFolder } from "../../memory/memory.ts";
import { projectAt } from "../../memory/project.ts";
import { placeIn, sharedFolderToWrite } from "../../memory/scopes.ts";
import { secretsIn } from "../../redact/secrets_in.ts";
import { changeAs, type Changed, idsSchema, ownMemories } from "../memories/changing.ts";
import { type CallContext, defineCall } from "./call.ts";

/** `share {ids, anyway?}`: puts memories into the repository of their project; those with a secret only `anyway`. */
export const share = defineCall({
  name: "share",
  writes: true,
  params: z.strictObject({ ids: idsSchema, anyway: z.boolean().default(false) }),
  async run(
    { ids, anyway },
    context,
  ): Promise<Changed | { readonly secrets: readonly string[] }> {
    const found = ownMemories(ids, "share", context)
      .filter(({ folder }) => folder.scope !== "shared");
    if (found.length === 0) return { said: "Shared already" };
    const moves = found.map((each) => ({ each, to: repositoryOf(each, context) }));
    if (!anyway) {
      const own = context.engine.config(context.place)["redact.patterns"];
      const kinds = await Promise.all(
        found.map(({ memory }) => secretsIn(serializeMemory(memory), own)),
      );
      const secrets = [...new Set(kinds.flat())];
      if (secrets.length > 0) return { secrets };
    }
    const { said, group } = await changeAs(
      "Shared",
      (group) => moves.flatMap(({ each, to }) => sharing(each, to, group)),
      context,
    );
    return { said: `${said}; commit it to share it with others`, group };
  },
});

/** The folder in the repository of a memory's project; what applies everywhere goes where `memo ui` was run. */
function repositoryOf({ memory, folder }: Found, { paths, place }: CallContext): MemoryFolder {
  const root = folder.project;
  const at = root === undefined ? place : placeIn(paths, root, root);
  const project = projectAt(at);
  if (project !== undefined) return sharedFolderToWrite(project, at);
  throw new MemoError("usage", `Cannot share \`${memory.name}\`: it belongs to no project`, {
    hint: "Move it to a project first, or run `memo ui` in the repository that it is for",
  });
}
