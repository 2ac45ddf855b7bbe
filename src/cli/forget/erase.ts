import { followFolders } from "../../change/follow.ts";
import { messageOf } from "../../errors.ts";
import { memoryFolders, placeIn } from "../../memory/scopes.ts";
import { type Erasable, erase, type Erased } from "../../upkeep/erase.ts";
import { surroundings } from "../shared/change.ts";
import type { CliContext } from "../shared/command.ts";
import { withEngine } from "../shared/local.ts";
import { outJson, say } from "../shared/output.ts";

/** `memo forget --hard`: deletes memories for good, and says what was removed and what remains elsewhere. */
export async function eraseAll(
  chosen: readonly Erasable[],
  context: CliContext,
  { json }: { readonly json?: boolean },
): Promise<void> {
  const { paths, cwd } = context;
  const folders = memoryFolders(placeIn(paths, cwd));
  const erased: (Erased & { readonly path: string })[] = [];
  for (const memory of chosen) {
    erased.push({ path: memory.path, ...erase(memory, { paths, folders }) });
  }
  await followFolders([...new Set(chosen.map(({ folder }) => folder))], surroundings(context));
  await purgeIndex(context);
  if (json) return outJson(erased.length === 1 ? erased[0] : erased);
  for (const each of erased) tell(each);
}

/** The index forgets a memory with its file; its pages are overwritten, too. */
async function purgeIndex(context: CliContext): Promise<void> {
  try {
    await withEngine(context, async (engine, folders) => {
      await engine.syncHistory(placeIn(context.paths, context.cwd), folders);
      await engine.withIndex((index) => index.purge());
    });
  } catch (error) {
    say(`warning: The index may still have some of its words: ${messageOf(error)}`);
    say("hint: Run `memo index --rebuild`");
  }
}

function tell({ path, removed, remains }: Erased & { readonly path: string }): void {
  const counts = Object.entries(removed).map(([name, count]) => `${count} × ${name}`);
  say(`Deleted \`${path}\` for good: ${[...counts, "its rows in the index"].join(", ")}`);
  for (const place of remains) say(`Remains: ${place}`);
}
