import { existsSync } from "node:fs";
import type { Command } from "commander";
import { stopDaemon } from "../../core/daemon/lifecycle.ts";
import { Engine } from "../../core/engine/engine.ts";
import { MemoError } from "../../errors.ts";
import { followHistory } from "../../features/history/mod.ts";
import { embedAll, Index, setAside, syncFolder } from "../../core/index/mod.ts";
import { openLog } from "../../core/files/log.ts";
import type { MemoryFolder } from "../../core/memory/memory.ts";
import { offAt } from "../../core/memory/off.ts";
import { memoryFolders } from "../../core/memory/scopes.ts";
import { tilde } from "../../paths.ts";
import type { CliContext } from "./shared/command.ts";
import { counted } from "../../core/text/counted.ts";
import { printUpgrade } from "./shared/local.ts";
import { printUnreadable } from "./shared/unreadable.ts";
import { out, outJson, say } from "./shared/output.ts";
import { progressBar } from "./shared/progress.ts";

/** `memo index`: updates the index and `MEMORY.md` from the memory files, and embeds all of them. */
export function define(command: Command, context: CliContext): void {
  command
    .option("--rebuild", "Delete the index and rebuild it from the memory files")
    .action(async (options: { rebuild?: boolean; json?: boolean }) => {
      const report = await reindex(context, options.rebuild ?? false);
      if (options.json) outJson(report);
      else out(render(report, context));
      const failed = report.folders.flatMap(({ failed }) => failed);
      printUnreadable(failed, context);
      if (failed.length > 0) process.exitCode = 1;
    });
}

async function reindex(context: CliContext, rebuild: boolean) {
  const { paths, env, place } = context;
  const folders = memoryFolders(place);
  if (rebuild) {
    folders.push(...await otherFolders(context, folders));
    await stopDaemon(paths); // it would keep using the deleted file
    setAside(paths.db);
  }
  const engine = new Engine({ paths, env, log: openLog(paths.logs), background: false });
  try {
    const reports: Awaited<ReturnType<typeof read>>[] = [];
    for (const folder of folders) reports.push(await read(engine, folder, rebuild));
    const here = memoryFolders(place).map((folder) => ({ folder, paths: [] })); // just compared
    await engine.follow(here, (message) => say(`warning: ${message}`));
    await printUpgrade(engine);
    const others = folders.filter(({ scope }) => scope === "user" || scope === "project");
    await followHistory({ engine, place, others });
    const embedded = await embed(engine);
    const index = await engine.index();
    const { pendingHistory: _, ...statistics } = await index.statistics();
    return { ...statistics, folders: reports, embedded };
  } finally {
    await engine.close();
  }
}

/** Folders of other projects in the index, which a rebuild must not lose. */
async function otherFolders(
  { paths }: CliContext,
  here: readonly MemoryFolder[],
): Promise<MemoryFolder[]> {
  if (!existsSync(paths.db)) return [];
  try {
    const index = await Index.open(paths.db);
    const known = await index.files.folders().finally(() => index.close());
    const isHere = (path: string) => here.some((folder) => folder.path === path);
    return known.filter(({ path, project: cwd }) =>
      !isHere(path) && existsSync(path) &&
      (cwd === undefined || offAt({ ...paths, cwd }) === undefined)
    );
  } catch {
    return []; // damaged, or from a newer memo: each project's next session adds its folder again
  }
}

async function read(engine: Engine, folder: MemoryFolder, thorough: boolean) {
  using bar = progressBar("Reading ");
  const result = await engine.withIndex((index) =>
    syncFolder(index, folder, { thorough, onProgress: bar.update })
  );
  return { path: folder.path, ...result };
}

async function embed(engine: Engine): Promise<number> {
  using bar = progressBar("Embedding");
  try {
    const embedder = await engine.model.embedder();
    const index = await engine.index();
    if (await index.useModel(embedder.id, embedder.dimensions)) {
      say(`The embedding model has changed; embedding all memories again with ${embedder.id}`);
    }
    const { pending, pendingHistory } = await index.statistics();
    const onProgress = (done: number) => bar.update(done, pending + pendingHistory);
    return Math.min(pending, await embedAll(index, embedder, { isUrgent: true, onProgress }));
  } catch (error) {
    if (!(error instanceof MemoError && error.kind === "model")) throw error;
    say(`warning: ${error.message}; memories match by keyword only`);
    if (error.hint) say(`hint: ${error.hint}`);
    return 0;
  }
}

function render(report: Awaited<ReturnType<typeof reindex>>, { env }: CliContext): string {
  const lines = report.folders.map(
    ({ path, added, changed, removed, unchanged, waiting, failed }) => {
      const parts = Object.entries({
        ...{ new: added, changed, removed, unchanged, untrusted: waiting, failed: failed.length },
      })
        .filter(([, count]) => count > 0).map(([word, count]) => `${count} ${word}`);
      return `${tilde(path, env)}: ${parts.join(", ") || "no memories"}`;
    },
  );
  const all = [counted(report.memories, "memory"), counted(report.passages, "passage")];
  if (report.history > 0) all.push(counted(report.history, "history entry"));
  lines.push([...all, `${(report.bytes / 1e6).toFixed(1)} MB`].join(", "));
  return lines.join("\n") + "\n";
}
