import { followFolders } from "../../../core/change/follow.ts";
import { MemoError, messageOf } from "../../../errors.ts";
import { followHistory } from "../../../features/history/mod.ts";
import { memoryFolders } from "../../../core/memory/scopes.ts";
import { tilde } from "../../../paths.ts";
import { repositoryIn } from "../../../features/sync/mod.ts";
import { visible } from "../../../core/text/neutralise.ts";
import {
  type Erasable,
  erase,
  type EraseOptions,
  type EraseReport,
  previewOf,
} from "../../../features/upkeep/mod.ts";
import { refuseModel } from "../../../features/verbs/changed.ts";
import { surroundings } from "../shared/change.ts";
import type { CliContext } from "../shared/command.ts";
import { confirm } from "../shared/confirm.ts";
import { withEngine } from "../shared/local.ts";
import { outJson, say } from "../shared/output.ts";

/** `memo forget --hard`: shows what it takes, asks, deletes it for good, and says what remains elsewhere. */
export async function eraseAll(
  chosen: readonly Erasable[],
  context: CliContext,
  { yes, json }: { readonly yes?: boolean; readonly json?: boolean },
): Promise<void> {
  const { paths, env, place } = context;
  refuseModel(env, "delete for good", "memo forget NAME --hard");
  const folders = memoryFolders(place);
  const repository = repositoryIn(paths, env);
  const remote = repository.exists() ? await repository.remote() : undefined;
  const options = { paths, folders, remote };
  if (!yes) await confirmErasing(chosen, options, context);
  const erased: (EraseReport & { readonly path: string })[] = [];
  for (const memory of chosen) erased.push({ path: memory.path, ...erase(memory, options) });
  const changed = [...new Set(chosen.map(({ folder }) => folder))].map((folder) => ({ folder }));
  await followFolders(changed, surroundings(context));
  await purgeIndex(context);
  if (json) return outJson(erased.length === 1 ? erased[0] : erased);
  for (const each of erased) printErased(each, context);
}

/** Shows what is deleted, and asks; without a terminal, only `--yes` deletes. */
async function confirmErasing(
  chosen: readonly Erasable[],
  options: EraseOptions,
  { env }: CliContext,
): Promise<void> {
  for (const memory of chosen) {
    const { files, bullets } = previewOf(memory, options);
    for (const path of files) say(`Will delete \`${tilde(path, env)}\``);
    for (const bullet of bullets) say(visible(`Will delete from the journal: ${bullet}`));
  }
  if (!process.stdin.isTTY) {
    throw new MemoError(
      "usage",
      "Cannot delete for good: there is no terminal to ask for confirmation",
      { hint: "Pass `--yes`, or run `memo forget NAME` to move it to the archive" },
    );
  }
  const what = chosen.length === 1 ? "this memory" : `these ${chosen.length} memories`;
  if (!await confirm(`Delete ${what} for good?`)) {
    throw new MemoError("usage", "Nothing was deleted", {
      hint: "Run `memo forget NAME` to move it to the archive",
    });
  }
}

/** The index forgets a memory with its file; its pages are overwritten, too. */
async function purgeIndex(context: CliContext): Promise<void> {
  try {
    await withEngine(context, async (engine) => {
      await followHistory({ engine, place: context.place });
      await engine.withIndex((index) => index.purge());
    });
  } catch (error) {
    say(`warning: The index may still contain its text: ${messageOf(error)}`);
    say("hint: Run `memo index --rebuild`");
  }
}

function printErased(
  { path, removed, remains }: EraseReport & { readonly path: string },
  { env }: CliContext,
): void {
  const counts = Object.entries(removed).map(([name, count]) => `${name} (${count})`);
  const all = [...counts, "its rows in the index"].join(", ");
  say(`Deleted \`${tilde(path, env)}\` for good: ${all}`);
  for (const place of remains) say(`Not deleted: ${place}`);
}
