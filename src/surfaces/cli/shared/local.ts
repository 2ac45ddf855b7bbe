import { followHistory } from "../../../features/history/mod.ts";
import { embedPending } from "../../../core/index/mod.ts";
import type { MemoryFolder } from "../../../core/memory/memory.ts";
import { memoryFolders } from "../../../core/memory/scopes.ts";
import { FEATURES } from "../../../features.ts";
import { openLog } from "../../../core/files/log.ts";
import { Engine } from "../../../core/engine/engine.ts";
import { counted } from "../../../core/text/counted.ts";
import type { CliContext } from "./command.ts";
import { say } from "./output.ts";
import { type Answered, INQUIRIES, type Inquiry, type InquiryInput } from "../../mcp/inquiries.ts";
import { toolContext } from "../../mcp/methods.ts";
import { printUnreadable } from "./unreadable.ts";

/** Runs a command with its own engine, on the folders that apply here, after updating the index. */
export async function withEngine<T>(
  context: CliContext,
  work: (engine: Engine, folders: readonly MemoryFolder[]) => Promise<T>,
): Promise<T> {
  const { paths, env, place } = context, log = openLog(paths.logs);
  const engine = new Engine({ paths, env, log, background: false, features: FEATURES });
  try {
    const folders = memoryFolders(place);
    for (const folder of folders) {
      if (folder.known?.isCurrent(folder)) continue;
      printUnreadable((await engine.sync(folder)).failed, context);
    }
    await printUpgrade(engine);
    return await work(engine, folders);
  } finally {
    await engine.close();
  }
}

/** Reports that the index was upgraded. */
export async function printUpgrade(engine: Engine): Promise<void> {
  if (!(await engine.index()).isUpgraded) return;
  say("Upgraded the index from an older memo, and read all memory files again");
}

/** Maximum pending memories that a command embeds, and maximum time for it; `memo index` embeds the rest. */
const EMBED_AT_MOST = 50;
const EMBED_MS = 3000;

/** Brings history up to date: of this place, and of other folders that are asked. */
export async function catchUpHistory(
  engine: Engine,
  others: readonly MemoryFolder[],
  { place }: CliContext,
): Promise<void> {
  await followHistory({ engine, place, others });
  await catchUp(engine, true);
}

/** Embeds the few memories that may have changed since the last session, and after them entries of history. */
export async function catchUp(engine: Engine, isHistory = false): Promise<void> {
  // Without a model, search continues by keyword, as a prompt does; the ranking reports the failure.
  const embedder = await engine.model.embedder().catch(() => undefined);
  if (embedder === undefined) return;
  const index = await engine.index();
  await index.useModel(embedder.id, embedder.dimensions);
  const { pending, pendingHistory } = await index.statistics();
  const atMost = pending + (isHistory ? pendingHistory : 0);
  if (atMost <= EMBED_AT_MOST) {
    await embedPending(index, embedder, { atMost, signal: AbortSignal.timeout(EMBED_MS) });
  }
  const left = await index.statistics();
  const count = isHistory ? left.pendingHistory : left.pending;
  if (count === 0) return;
  const texts = isHistory ? counted(count, "entry") : counted(count, "memory");
  const [have, match] = count === 1 ? ["has", "matches"] : ["have", "match"];
  say(`hint: ${texts} ${have} no embedding yet and ${match} by keyword only; run \`memo index\``);
}

/** The answer to a command where no daemon runs: the same, later. It starts none, which would stay. */
export async function answerHere<I extends Inquiry>(
  inquiry: I,
  question: InquiryInput<I>,
  context: CliContext,
): Promise<Answered<I>> {
  const { paths, env, place } = context;
  return await withEngine(context, async (engine) => {
    await catchUp(engine);
    const log = openLog(paths.logs);
    const tools = toolContext(engine, { place, env, log, session: undefined });
    return await INQUIRIES[inquiry](question as never, tools) as Answered<I>;
  });
}
