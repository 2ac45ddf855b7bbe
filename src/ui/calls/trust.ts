import { basename } from "node:path";
import * as z from "zod";
import { grant, revoke } from "../../memory/trust.ts";
import { counted } from "../../text/counted.ts";
import { foldersOf, lookAgain } from "../memories/catalogue.ts";
import { type Changed, idSchema } from "../memories/changing.ts";
import { refuseModel } from "../review/consent.ts";
import { keepInverse } from "../review/inverses.ts";
import { itemOf } from "../review/waiting.ts";
import { type CallContext, defineCall } from "./call.ts";

/**
 * `trust {ids}`: allows files of one repository, with the content that the page has shown; `undo` takes just that back.
 * Several at once would not have been looked at.
 */
export const trust = defineCall({
  name: "trust",
  writes: true,
  params: z.strictObject({ ids: z.tuple([idSchema]) }),
  async run({ ids: [id] }, context): Promise<Changed> {
    refuseModel(context, "trust files");
    const { project, files } = itemOf(id, context, "files");
    const digests = files.map(({ digest }) => digest);
    const trusted = { file: context.paths.trust, project };
    await grant(trusted, digests, "you");
    await follow(project, context);
    const what = `${counted(files.length, "file")} of “${basename(project)}”`;
    const group = keepInverse(async () => {
      await revoke(trusted, digests);
      await follow(project, context);
      return `trusted ${what}`;
    }, context);
    return { said: `Trusted ${what}`, group };
  },
});

/** Updates the index from what a project's files are now. */
async function follow(project: string, context: CallContext): Promise<void> {
  lookAgain(context);
  const shared = foldersOf(context).filter((folder) =>
    folder.scope === "shared" && folder.project === project
  );
  for (const folder of shared) await context.engine.sync(folder);
}
