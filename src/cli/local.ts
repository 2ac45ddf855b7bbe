import { MemoError } from "../errors.ts";
import { embedPending } from "../index/embed_pending.ts";
import type { MemoryFolder } from "../memory/memory.ts";
import { memoryFolders } from "../memory/scopes.ts";
import { openLog } from "../files/log.ts";
import { Engine } from "../engine/engine.ts";
import type { CliContext } from "./command.ts";
import { say } from "./output.ts";

/** Runs a command's work with an engine of its own, on the folders that count here, in step with the disk. */
export async function withEngine<T>(
  context: CliContext,
  work: (engine: Engine, folders: readonly MemoryFolder[]) => Promise<T>,
): Promise<T> {
  const { paths, env, cwd } = context;
  const engine = new Engine({ paths, env, log: openLog(paths.logs), background: false });
  try {
    const folders = memoryFolders({ cwd, claude: paths.claude });
    for (const folder of folders) await engine.sync(folder);
    await sayUpgrade(engine);
    return await work(engine, folders);
  } finally {
    await engine.close();
  }
}

/** Says that the index is not what it was. */
export async function sayUpgrade(engine: Engine): Promise<void> {
  if ((await engine.index()).upgradedFrom === undefined) return;
  say("The index was made by an older memo: the memory files have been read again");
}

/** A command makes this many missing vectors itself; more are left to `memo index`. */
const EMBED_AT_MOST = 50;

/** Makes the few vectors that may be missing since the last session. */
export async function catchUp(engine: Engine): Promise<void> {
  try {
    const embedder = await engine.embedder();
    const index = await engine.index();
    await index.useModel(embedder.id, embedder.dimensions);
    const { pending } = await index.statistics();
    if (pending <= EMBED_AT_MOST) await embedPending(index, embedder);
    else {say(
        `hint: ${pending} memories are found by their words alone until \`memo index\` has run`,
      );}
  } catch (error) {
    // Search goes on by keyword, and the ranking's own failure says so.
    if (!(error instanceof MemoError && error.kind === "model")) throw error;
  }
}
