import type { Command } from "commander";
import { MemoError } from "../errors.ts";
import { type ChangeKind, CHANGES, isOf, type Logged, readChanges } from "../memory/change_log.ts";
import { revertChange, type Reverted } from "../change/revert.ts";
import { everyFolder } from "../memory/every_folder.ts";
import { memoryFolders } from "../memory/scopes.ts";
import { visible } from "../text/neutralise.ts";
import { surroundings } from "./shared/change.ts";
import type { CliContext } from "./shared/command.ts";
import { changesFor } from "./log.ts";
import { NAMES } from "./shared/find.ts";
import { outJson, outPath, say } from "./shared/output.ts";

/** Changes that nobody is told of; the last change that a person means is another one. */
const QUIET: readonly ChangeKind[] = ["confirm", "enrich", "date", "undo", "sync", "conflict"];

/** `memo undo`: takes back the last change, the last one of a memory, or the one with an id. */
export function define(command: Command, context: CliContext): void {
  command
    .argument(
      "[name...]",
      `Memory whose last change to revert: ${NAMES}; or the id of a change or run`,
    )
    .option("--json", "Print JSON")
    .action(async (words: string[], { json }: { json?: boolean }) => {
      const { paths, place } = context;
      const id = await meant(words.join(" "), context);
      // What was done in one step is taken back in one, in whatever projects it was.
      const result = await revertChange(id, everyFolder(place), {
        ...surroundings(context),
        suggestions: paths.triggers,
        rungs: paths.rungs,
      });
      if (json) outJson(toJson(result));
      else report(result);
      if (result.reverted.length === 0 || result.left.length > 0) process.exitCode = 1;
    });
}

/** The id of the change, or of the group that it belongs to. */
async function meant(name: string, context: CliContext): Promise<string> {
  const { place } = context;
  const all = readChanges(memoryFolders(place));
  if (name !== "" && all.some((change) => isOf(change, name) && !change.undone)) return name;
  const change = (await changesFor(name, context)).find(({ what, undone }) =>
    !undone && !QUIET.includes(what)
  );
  if (change !== undefined) return change.group ?? change.id;
  const what = name === "" ? "memo has changed nothing here" : `no change of \`${name}\` is left`;
  throw new MemoError("not-found", `Cannot undo: ${what}`, {
    hint: "Run `memo log` to see the changes, `memo restore NAME` to bring a memory back",
  });
}

function report({ reverted, written, left }: Reverted): void {
  for (const path of written) outPath(path);
  for (const change of reverted) say(`Undid: ${inWords(change)}`);
  for (const { change, because } of left) {
    say(`warning: Cannot undo: ${inWords(change)}: ${because}`);
  }
  if (left.length > 0) say("hint: Run `memo log NAME`, then `memo restore NAME@TIME`");
}

function inWords({ what, name }: Logged): string {
  return `${CHANGES[what]} “${visible(name)}”`;
}

function toJson({ reverted, left }: Reverted) {
  const short = ({ id, what, name, folder: { scope }, file }: Logged) => ({
    ...{ id, what, name, scope, file },
  });
  return {
    undone: reverted.map(short),
    left: left.map(({ change, because }) => ({ ...short(change), because })),
  };
}
