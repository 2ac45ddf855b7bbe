import { MemoError } from "../../errors.ts";
import { type Applied, applyChanges, type ApplyOptions, type Done } from "./apply.ts";
import { refuseForModel } from "./by_model.ts";
import type { Change, FileChange } from "./change.ts";
import { follow, type Surroundings } from "./follow.ts";

export type { Applied, ApplyOptions, Done } from "./apply.ts";

/** Applies changes and follows them up, also those that were made before one failed. */
export async function carryOut(
  changes: readonly Change[],
  surroundings: Surroundings & Pick<ApplyOptions, "onStep" | "onDone" | "onFailure" | "pause">,
): Promise<Applied> {
  const done: Done[] = [];
  const onDone = (each: Done) => {
    done.push(each);
    surroundings.onDone?.(each);
  };
  if (surroundings.isByModel) refuseForModel(changes);
  try {
    return await applyChanges(changes, { ...surroundings, onDone });
  } finally {
    await follow(done, surroundings);
  }
}

/** Carries out one change; throws a `file` MemoError if somebody has changed the memory since it was decided. */
export async function carryOutOne(change: FileChange, surroundings: Surroundings): Promise<Done> {
  const { done: [done] } = await carryOut([change], surroundings);
  if (done !== undefined) return done;
  throw new MemoError(
    "file",
    `Cannot change \`${
      "path" in change ? change.path : change.file
    }\`: it has changed since it was read`,
    { hint: "Run the command again" },
  );
}
