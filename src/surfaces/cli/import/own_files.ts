import { keepWritten, mayBeOwn, type Reading, wroteFile } from "../../../features/import/mod.ts";
import { tilde } from "../../../paths.ts";
import type { ImportOptions } from "../import.ts";
import type { CliContext } from "../shared/command.ts";
import { choose } from "../shared/confirm.ts";
import { say } from "../shared/output.ts";

/** The files of instructions that the person wrote themselves: asked once, of those that nobody else has committed. */
export async function ownFiles(
  { records }: Reading,
  { dryRun, yes, json }: ImportOptions,
  { paths, env }: CliContext,
): Promise<ReadonlySet<string>> {
  const files: string[] = [];
  for (const file of new Set(records.flatMap(({ file }) => file ?? []))) {
    if (await mayBeOwn(file, paths.claude)) files.push(file);
  }
  const isWritten = (file: string) => wroteFile(file, paths.own);
  const open = files.filter((file) => isWritten(file) === undefined);
  if (open.length > 0 && !dryRun && !yes && !json && process.stdin.isTTY) {
    for (const file of open) say(`  ${tilde(file, env)}`);
    const answer = await choose(
      open.length === 1 ? "Did you write it?" : "Did you write these?",
      "[Y/n]",
    );
    if (answer !== undefined) await keepWritten(open, /^(?:y(?:es)?)?$/i.test(answer), paths.own);
  }
  return new Set(files.filter((file) => isWritten(file) === true));
}
