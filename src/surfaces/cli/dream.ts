import type { Command } from "commander";
import { relative } from "node:path";
import { readFileSync } from "node:fs";
import { MemoError } from "../../errors.ts";
import { openLog } from "../../core/files/log.ts";
import {
  type Dream,
  dreamNow,
  type DreamStep,
  enrich,
  lastDreamId,
  memoriesWithFewTriggers,
  newDreamId,
  ownFolders,
} from "../../features/upkeep/mod.ts";
import { diffOf } from "./init/install.ts";
import { CHANGES } from "../../core/ledger/change_log.ts";
import { tilde } from "../../paths.ts";
import { visible } from "../../core/text/neutralise.ts";
import { undo } from "../../features/verbs/undo.ts";
import { notifyDaemon, surroundings } from "./shared/change.ts";
import type { CliContext } from "./shared/command.ts";
import { counted } from "../../core/text/counted.ts";
import { catchUp, withEngine } from "./shared/local.ts";
import { columns, out, outJson, paint, say } from "./shared/output.ts";
import { progressBar } from "./shared/progress.ts";

interface DreamCommandOptions {
  readonly dryRun?: boolean;
  readonly undo?: boolean;
  readonly force?: boolean;
  readonly enrich?: boolean;
  readonly json?: boolean;
}

/** `memo dream`: merges and tidies memories, as one change that can be undone. */
export function define(command: Command, context: CliContext): void {
  command
    .option("--dry-run", "Show what would change, as a diff")
    .option("--undo", "Undo the last dream")
    .option("--force", "Allow any number of removals, and redo changes you undid")
    .option("--enrich", "Only add example prompts to memories that have few")
    .action(async (options: DreamCommandOptions) => {
      if (options.enrich) return await enrichHere(options, context);
      if (options.undo) return await undoLast(options, context);
      const dreams = await run(options, context);
      if (options.json) return outJson(dreams.map(toJson));
      for (const dream of dreams) print(dream, options, context);
    });
}

async function run(
  { dryRun = false, force = false }: DreamCommandOptions,
  context: CliContext,
): Promise<Dream[]> {
  const { paths, env, place } = context;
  const dreams: Dream[] = [], id = newDreamId();
  await withEngine(context, async (engine) => {
    for (const folder of ownFolders(place)) {
      using bar = progressBar("Dreaming");
      const result = await dreamNow(engine, { folder, place }, {
        ...{ env, log: openLog(paths.logs), now: new Date(), isDry: dryRun, force, id },
        onProgress: bar.update,
      });
      if (result === undefined) {
        throw new MemoError("timeout", "Cannot dream: another memo process is dreaming", {
          hint: "Run `memo daemon logs` to see its progress, and try again later",
        });
      }
      dreams.push(result);
    }
  });
  await notifyDaemon(context);
  return dreams;
}

async function undoLast({ json }: DreamCommandOptions, context: CliContext): Promise<void> {
  const { paths, place } = context;
  const folders = ownFolders(place);
  const id = lastDreamId(folders);
  if (id === undefined) {
    throw new MemoError("not-found", "Cannot undo a dream: there was none here", {
      hint: "Run `memo log` to see what memo has changed",
    });
  }
  const { reverted, left } = await undo(id, folders, { ...surroundings(context), paths });
  const kept = left.map(({ change: { name }, because }) => ({ name, because }));
  if (json) return outJson({ id, reverted: reverted.length, left: kept });
  say(`Undid ${id}: restored ${counted(reverted.length, "file")}`);
  for (const { name, because } of kept) say(`Skipped \`${name}\`: ${because}`);
  if (left.length > 0) process.exitCode = 1;
}

function print(dream: Dream, { dryRun }: DreamCommandOptions, { env }: CliContext): void {
  const { folder, before, after, steps, left, refused, unasked } = dream;
  const place = tilde(folder, env);
  if (dryRun) out(steps.map((step) => diffOfStep(step, folder)).join(""));
  else if (steps.length > 0) out(columns(steps.map(row)));
  const count = counted(before, "memory");
  say(
    steps.length === 0
      ? `${place}: nothing to tidy in ${count}`
      : `${place}: ${count}, ${dryRun ? "would become" : "now"} ${after}`,
  );
  if (unasked !== undefined) say(`note: ${unasked}`);
  for (const { op, names, because } of refused) {
    say(`Refused to ${op} ${names.map((name) => `\`${name}\``).join(", ")}: ${because}`);
  }
  for (const { name } of left) say(`Skipped \`${name}\`: it changed during the dream`);
  if (!dryRun && steps.length > 0) say("Undo: `memo dream --undo`. Details: `memo log`");
}

function row({ kind, what, name, because = "" }: DreamStep): string[] {
  const where = kind === "archive" ? "archived" : "rewritten";
  return [CHANGES[what], where, `${visible(name)} ${paint("dim", `(${visible(because)})`)}`];
}

function diffOfStep(step: DreamStep, folder: string): string {
  const { path, because = "", what } = step;
  const after = step.kind === "archive" ? undefined : String(step.text);
  const name = relative(folder, path);
  const heading = paint("bold", `# ${what} ${visible(name)}: ${visible(because)}`);
  return `${heading}\n${visible(diffOf({ before: readFileSync(path, "utf8"), after }, name))}\n`;
}

function toJson({ steps, left, ...dream }: Dream) {
  const brief = ({ kind, path, name, what, because, group }: DreamStep) => {
    return { name, path, what, because, group, archived: kind === "archive" };
  };
  return { ...dream, changes: steps.map(brief), left: left.map(brief) };
}

/** Asks a language model for example prompts of the memories that have few. */
async function enrichHere(
  { dryRun, json }: DreamCommandOptions,
  context: CliContext,
): Promise<void> {
  const result = await withEngine(context, async (engine, folders) => {
    const { paths: { triggers: suggestions }, env, place } = context;
    const given = { index: await engine.index(), folders, suggestions, isByHand: true };
    const memories = (await memoriesWithFewTriggers(given))
      .map(({ name, path }) => ({ name, path }));
    if (dryRun || memories.length === 0) return { memories, asked: 0, applied: 0 };
    const ask = engine.askFor(env, place, "enrich");
    if (ask === undefined) {
      throw new MemoError("llm", "Cannot enrich memories: no language model is available", {
        hint: "Run `memo doctor` to see why",
      });
    }
    using bar = progressBar("Enriching");
    const done = await enrich({ ...given, ask, now: new Date(), onProgress: bar.update });
    await catchUp(engine);
    return { memories, ...done };
  });
  if (json) return outJson(result);
  const { memories, applied } = result, count = counted(memories.length, "memory");
  if (dryRun) out(memories.map(({ name }) => `${visible(name)}\n`).join(""));
  if (memories.length === 0) say("Every memory has enough example prompts");
  else if (dryRun) say(`Would ask for example prompts for ${count}`);
  else say(`Enriched ${counted(applied, "memory")}`);
}
