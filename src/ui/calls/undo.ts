import * as z from "zod";
import { revertChange } from "../../change/revert.ts";
import { MemoError } from "../../errors.ts";
import { CHANGES } from "../../memory/change_log.ts";
import { foldersOf } from "../memories/catalogue.ts";
import { type Changed, memoriesIn, stayed, surroundingsFor } from "../memories/changing.ts";
import { takeInverse } from "../review/inverses.ts";
import { defineCall } from "./call.ts";

/** `undo {group}`: takes back what was done in one step. */
export const undo = defineCall({
  name: "undo",
  writes: true,
  params: z.strictObject({ group: z.string().regex(/^[0-9a-f]{10}(?:\/\d+)?$/) }),
  async run({ group }, context): Promise<Changed> {
    const { paths } = context;
    const inverse = takeInverse(group, context);
    if (inverse !== undefined) return { said: `Undid: ${await inverse()}` };
    const { reverted, left } = await revertChange(group, foldersOf(context), {
      ...surroundingsFor(context),
      suggestions: paths.triggers,
      rungs: paths.rungs,
    });
    const [first] = reverted;
    if (first === undefined) {
      const [problem] = left;
      throw new MemoError(
        problem === undefined ? "not-found" : "file",
        problem === undefined
          ? "Cannot undo: it was undone already"
          : `Cannot undo what was done to “${problem.change.name}”: ${problem.because}`,
        { hint: "Its versions are in its history" },
      );
    }
    const added = reverted.filter(({ before }) => before === undefined).length;
    const what = memoriesIn(reverted, added);
    return { said: `Undid: ${CHANGES[first.what]} ${what}${stayed(left.length)}` };
  },
});
