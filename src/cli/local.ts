import { MemoError } from "../errors.ts";
import { embedPending } from "../index/embed_pending.ts";
import type { MemoryFolder } from "../memory/memory.ts";
import { memoryFolders, placeIn } from "../memory/scopes.ts";
import { openLog } from "../files/log.ts";
import { Engine } from "../engine/engine.ts";
import type { CliContext } from "./command.ts";
import { say } from "./output.ts";

/** Runs a command with its own engine, on the folders that apply here, after updating the index. */
export async function withEngine<T>(
  context: CliContext,
  work: (engine: Engine, folders: readonly MemoryFolder[]) => Promise<T>,
): Promise<T> {
  const { paths, env, cwd } = context;
  const engine = new Engine({ paths, env, log: openLog(paths.logs), background: false });
  try {
    const folders = memoryFolders(placeIn(paths, cwd));
    for (const folder of folders) await engine.sync(folder);
    await sayUpgrade(engine);
    return await work(engine, folders);
  } finally {
    await engine.close();
  }
}

/** Reports that the index was upgraded. */
export async function sayUpgrade(engine: Engine): Promise<void> {
  if ((await engine.index()).upgradedFrom === undefined) return;
  say("Upgraded the index of an older memo: all memory files were read again");
}

/** Maximum pending memories that a command embeds, and maximum time for it; `memo index` embeds the rest. */
const EMBED_AT_MOST = 50;
const EMBED_MS = 3000;

/** Embeds the few memories that may have changed since the last session. */
export async function catchUp(engine: Engine): Promise<void> {
  try {
    const embedder = await engine.embedder();
    const index = await engine.index();
    await index.useModel(embedder.id, embedder.dimensions);
    const waiting = (await index.statistics()).pending;
    if (waiting <= EMBED_AT_MOST) {
      await embedPending(index, embedder, { signal: AbortSignal.timeout(EMBED_MS) });
    }
    const { pending } = await index.statistics();
    if (pending > 0) {
      say(
        `hint: ${pending} memories have no embedding yet and match by keyword only; run \`memo index\``,
      );
    }
  } catch (error) {
    // Search continues by keyword; the ranking reports its own failure.
    if (!(error instanceof MemoError && error.kind === "model")) throw error;
  }
}
