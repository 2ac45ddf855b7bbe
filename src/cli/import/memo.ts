import { resolve } from "node:path";
import { MemoError } from "../../errors.ts";
import { readBundle } from "../../import/bundle.ts";
import type { ImportPlace, Skipped } from "../../import/record.ts";
import { applyRestore, planRestore, type Target } from "../../import/restore.ts";
import { tilde } from "../../paths.ts";
import { counted } from "../../text/counted.ts";
import { visible } from "../../text/neutralise.ts";
import { refuseModel } from "../../verbs/consent.ts";
import { surroundings } from "../shared/change.ts";
import type { CliContext } from "../shared/command.ts";
import { outJson, say } from "../shared/output.ts";
import { sayCounts, saySkipped } from "./report.ts";

/** `memo import memo`: takes back what `memo export` has written. */
export async function importExport(
  path: string | undefined,
  { dryRun, json }: { readonly dryRun?: boolean; readonly json?: boolean },
  { context, place }: { readonly context: CliContext; readonly place: ImportPlace },
): Promise<void> {
  if (path === undefined) {
    throw new MemoError("usage", "Cannot import an export without its path", {
      hint: "Run `memo import memo PATH`",
    });
  }
  if (!dryRun) refuseModel(context.env, "restore an export", "memo import memo PATH");
  const from = resolve(context.cwd, path);
  const bundle = await readBundle(from);
  const plan = await planRestore(bundle, place);
  const failed = dryRun ? [] : await applyRestore(plan, surroundings(context));
  const refused = bundle.refused.map((what) => ({
    what,
    because: "it is not a file of a memory folder",
  }));
  const skipped: Skipped[] = [
    ...plan.steps.filter(({ kind }) => kind === "skip")
      .map(({ file, because }) => ({ what: file.relativePath, because: because! })),
    ...refused,
    ...failed,
  ];
  const count = (wanted: string) => plan.steps.filter(({ kind }) => kind === wanted).length;
  const report = {
    added: count("add"),
    updated: count("update"),
    same: count("same"),
    skipped,
    targets: plan.targets,
  };
  if (json) return outJson({ source: "memo", path: from, written: !dryRun, ...report });
  saySkipped(skipped);
  sayCounts(tilde(from, context.env), [
    [report.added, dryRun ? "to add" : "added"],
    [report.updated, dryRun ? "to update" : "updated"],
    [report.same, "already imported"],
    [skipped.length, "skipped"],
  ]);
  for (const target of plan.targets) say(visible(whereTo(target, context)));
}

/** Where the memories of a folder are now: not always in the project that the import was run in. */
function whereTo({ project, memories, isAbsent }: Target, { env }: CliContext): string {
  const count = counted(memories, "memory", "memories");
  if (project === undefined) return `  ${count} for every project`;
  const root = tilde(project, env);
  return isAbsent
    ? `  ${count} for \`${root}\`, which is not on this machine: run \`memo doctor --moved ${root}\` where it is`
    : `  ${count} for \`${root}\``;
}
