import { resolve } from "node:path";
import { MemoError } from "../../../errors.ts";
import {
  applyRestore,
  coveredIn,
  type ImportPlace,
  isOwnKey,
  keepOwnKey,
  keepWritten,
  mayBeOwn,
  planRestore,
  readBundle,
  type Skipped,
  type SourceContent,
  wroteFile,
} from "../../../features/import/mod.ts";
import { tilde } from "../../../paths.ts";
import { counted } from "../../../core/text/counted.ts";
import { visible } from "../../../core/text/neutralise.ts";
import { refuseModel } from "../../../features/verbs/changed.ts";
import { surroundings } from "../shared/change.ts";
import type { ImportOptions } from "../import.ts";
import type { CliContext } from "../shared/command.ts";
import { confirm } from "../shared/confirm.ts";
import { outJson, say } from "../shared/output.ts";
import { APPLIES } from "../../../core/change/change.ts";
import type { Scope } from "../../../core/memory/memory.ts";

/** `memo import memo`: takes back what `memo export` has written. */
export async function importExport(
  path: string | undefined,
  { dryRun, json, yes, overwrite }: ImportOptions,
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
  const { seal } = bundle;
  const covered = coveredIn(bundle);
  const isKnown = seal !== undefined && isOwnKey(seal.key, context.paths.own);
  const planned = (own: ReadonlySet<string>) => planRestore(bundle, place, { own, overwrite });
  let plan = await planned(isKnown ? covered : new Set());
  const mayAsk = !dryRun && !json && !yes && process.stdin.isTTY && !isKnown &&
    (seal === undefined || covered.size > 0) && plan.steps.some(({ isMarked }) => isMarked);
  if (mayAsk) {
    say(
      `This machine did not export \`${
        tilde(from, context.env)
      }\`; if it is yours, so are its memories`,
    );
  }
  if (mayAsk && await confirm("Is this export yours?")) {
    if (seal !== undefined) await keepOwnKey(seal.key, context.paths.own);
    const all = new Set(bundle.files.map(({ relativePath }) => relativePath));
    plan = await planned(seal === undefined ? all : covered);
  }
  const failed = dryRun ? [] : await applyRestore(plan, surroundings(context));
  const { targets } = plan;
  const of = (wanted: string) => plan.steps.filter(({ kind }) => kind === wanted);
  const [added, updated, same] = [of("add"), of("update"), of("same").length];
  const skipped: Skipped[] = [
    ...of("skip").map(({ file, because }) => ({ what: file.relativePath, because: because! })),
    ...bundle.refused.map((what) => ({ what, because: "it does not belong in a memory folder" })),
    ...failed,
  ];
  if (json) {
    const counts = { added: added.length, updated: updated.length, same, skipped, targets };
    return outJson({ source: "memo", path: from, written: !dryRun, ...counts });
  }
  const report = { added, updated, same, skipped };
  printReport(tilde(from, context.env), report, { isPlan: dryRun ?? false });
  // Not always in the project that the import was run in.
  for (const { project, memories, isAbsent } of targets) {
    const root = project === undefined ? "every project" : `\`${tilde(project, context.env)}\``;
    const hint = isAbsent
      ? `, which is not on this machine: run \`memo doctor --moved ${
        root.slice(1, -1)
      }\` where it is`
      : "";
    say(visible(`  ${counted(memories, "memory")} for ${root}${hint}`));
  }
  const written = [...added, ...updated];
  const marked = written.filter(({ isMarked }) => isMarked).length;
  if (!dryRun) printMarked(marked, written.length);
}

/** The files of instructions that the person wrote themselves: asked once, of those that nobody else has committed. */
export async function ownFiles(
  { records }: SourceContent,
  { dryRun, yes, json }: ImportOptions,
  { paths, env }: CliContext,
): Promise<ReadonlySet<string>> {
  const files: string[] = [];
  for (const file of new Set(records.flatMap(({ file }) => file ?? []))) {
    if (await mayBeOwn(file, paths)) files.push(file);
  }
  const isWritten = (file: string) => wroteFile(file, paths.own);
  const open = files.filter((file) => isWritten(file) === undefined);
  if (open.length > 0 && !dryRun && !yes && !json && process.stdin.isTTY) {
    for (const file of open) say(`  ${tilde(file, env)}`);
    const question = open.length === 1 ? "Did you write this file?" : "Did you write these files?";
    await keepWritten(open, await confirm(question, { usually: true }), paths.own);
  }
  return new Set(files.filter((file) => isWritten(file) === true));
}

const NAMED = 20;

/** Says what an import has done, or is to do, with the records of a source, without what there is none of. */
export function printReport(
  from: string,
  { added, updated, archived = [], same, skipped }: {
    readonly added: readonly unknown[];
    readonly updated: readonly unknown[];
    readonly archived?: readonly unknown[];
    readonly same: number;
    readonly skipped: readonly Skipped[];
  },
  { isPlan }: { readonly isPlan: boolean },
): void {
  for (const { what, because } of skipped.slice(0, NAMED)) {
    say(visible(`skipped \`${what}\`: ${because}`));
  }
  if (skipped.length > NAMED) say(`… and ${skipped.length - NAMED} more; \`--json\` lists all`);
  const counts = [
    [added.length, isPlan ? "to add" : "added"],
    [updated.length, isPlan ? "to update" : "updated"],
    [archived.length, isPlan ? "to archive" : "archived"],
    [same, "already imported"],
    [skipped.reduce((sum, { count = 1 }) => sum + count, 0), "skipped"],
  ] as const;
  const said = counts.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`);
  say(`${visible(from)}: ${said.join(", ") || "nothing to import"}`);
}

/** Says where imported memories apply. */
export function printScopes(
  scopes: readonly Scope[],
  { isPlan }: { readonly isPlan: boolean },
): void {
  if (scopes.length === 0) return;
  const counts = [...Map.groupBy(scopes, (scope) => scope)];
  const parts = counts.map(([scope, { length }]) =>
    counts.length === 1 ? APPLIES[scope] : `${length} ${APPLIES[scope]}`
  );
  say(`${isPlan ? "To save" : "Saved"} ${parts.join(", ")}; \`--scope\` changes that`);
}

/** Says that imported memories do not count as the person's own yet. */
export function printMarked(marked: number, all: number): void {
  if (marked === 0) return;
  const which = marked === all ? "They are" : `${marked} of them ${marked === 1 ? "is" : "are"}`;
  say(`${which} marked as imported; \`memo trust\` marks them as yours`);
}
