import * as z from "zod";
import { grant } from "../../memory/trust.ts";
import { basename } from "node:path";
import { counted } from "../../text/counted.ts";
import { foldersOf, lookAgain } from "../memories/catalogue.ts";
import { type Changed, idSchema } from "../memories/changing.ts";
import { refuseModel } from "../review/consent.ts";
import { itemOf } from "../review/waiting.ts";
import { defineCall } from "./call.ts";

/** `trust {id}`: allows files of a repository, with the content that the page has shown; `memo trust --revoke` ends it. */
export const trust = defineCall({
  name: "trust",
  writes: true,
  params: z.strictObject({ id: idSchema }),
  async run({ id }, context): Promise<Changed> {
    refuseModel(context, "trust files");
    const { project, files } = itemOf(id, context, "files");
    const digests = files.map(({ digest }) => digest);
    await grant({ file: context.paths.trust, project }, digests, "you");
    lookAgain(context);
    const shared = foldersOf(context).filter((folder) =>
      folder.scope === "shared" && folder.project === project
    );
    for (const folder of shared) await context.engine.sync(folder);
    return { said: `Trusted ${counted(files.length, "file")} of “${basename(project)}”` };
  },
});
