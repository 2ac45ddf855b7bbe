import { readFileSync } from "node:fs";
import type { Command } from "commander";
import { MemoError } from "../errors.ts";
import { sayAge } from "../memory/age.ts";
import { newestFirst, readMemories } from "../memory/list.ts";
import type { MemoryFile, MemoryFolder } from "../memory/memory.ts";
import { type Neighbour, neighboursOf } from "../recall/related.ts";
import { listArchive, listMemoryFiles, originalName } from "../memory/store.ts";
import { tilde } from "../paths.ts";
import { visible } from "../text/neutralise.ts";
import type { CliContext } from "./command.ts";
import { describe } from "./describe.ts";
import { findAnywhere, type FoundAnywhere } from "./find_anywhere.ts";
import { catchUp, withEngine } from "./local.ts";
import { out, outJson, paint, say } from "./output.ts";
import { transcriptCommand } from "../transcript/command.ts";

/** Another version of a memory. */
interface Version {
  /** Its file name before it was archived. */
  readonly file: string;
  /** Its present path; undefined if the file is gone. */
  readonly path: string | undefined;
  readonly name: string | undefined;
}

/** The fields that `--json` adds to those of `memo show --json`. */
interface Expanded {
  readonly archived: boolean;
  /** The `memo transcript` command that shows its conversation; undefined if unknown. */
  readonly sourceCommand: string | undefined;
  readonly supersedes: readonly Version[];
  readonly supersededBy: readonly Version[];
  /** Nearest first; empty for an archived memory. */
  readonly neighbours: readonly Neighbour[];
}

/** `memo expand`: shows a memory with its source, its other versions and similar memories, or a turn of history. */
export function define(command: Command, context: CliContext): void {
  command
    .argument(
      "<name...>",
      "Memory name, file name or path, or the id of a turn (a unique prefix is enough)",
    )
    .option("--json", "Print JSON")
    .action(async (words: string[], options: { json?: boolean }) => {
      const name = words.join(" ");
      const found = await memoryOrTurn(name, options, context);
      if (found === undefined) return;
      const { memory, folder, archived } = found;
      const expanded: Expanded = {
        archived,
        sourceCommand: memory.source && transcriptCommand(memory.source),
        ...versionsOf(memory, folder),
        neighbours: archived ? [] : await similarTo(memory, context),
      };
      const { days, problems: _, ...described } = describe(memory, new Date());
      if (options.json) {
        const { body, triggers, tags, confidence, source } = memory;
        outJson({ ...described, days, body, triggers, tags, confidence, source, ...expanded });
        return;
      }
      const facts = [memory.type, memory.scope, sayAge(days), ...(archived ? ["archived"] : [])];
      say(`${tilde(memory.path, context.env)} (${facts.join(", ")})`);
      out(visible(readFileSync(memory.path, "utf8")).trimEnd() + "\n");
      out(render(expanded, context));
    });
}

/** The memory of this name; undefined if it is no memory but a turn, which is then shown. */
async function memoryOrTurn(
  name: string,
  options: { json?: boolean },
  context: CliContext,
): Promise<FoundAnywhere | undefined> {
  try {
    return findAnywhere(name, context);
  } catch (error) {
    if (!(error instanceof MemoError && error.kind === "not-found")) throw error;
    const { expandTurn } = await import("./expand_turn.ts");
    if (await expandTurn(name, options, context)) return undefined;
    throw error;
  }
}

/** The older and newer versions of a memory, in its folder and in the archive. */
function versionsOf(
  memory: MemoryFile,
  folder: MemoryFolder,
): Pick<Expanded, "supersedes" | "supersededBy"> {
  const inUse = readMemories(folder, listMemoryFiles).memories;
  const archived = readMemories(folder, listArchive).memories;
  const own = originalName(memory.path);
  const others = [...archived, ...inUse].filter(({ path }) => path !== memory.path);
  // Versions of one file are in the archive under its name.
  const versions = others.filter(({ path }) => originalName(path) === own).sort(newestFirst);
  const isOlder = (other: MemoryFile) => newestFirst(memory, other) < 0 && !inUse.includes(other);
  const isInUse = inUse.some(({ path }) => path === memory.path);
  const older = versions.filter((other) => isInUse || isOlder(other));
  const named = memory.supersedes.filter((file) => file !== own).map((file) => {
    const found = others.find(({ path }) => originalName(path) === file);
    return { file, path: found?.path, name: found?.name };
  });
  const successors = others.filter(({ path, supersedes }) =>
    originalName(path) !== own && supersedes.includes(own)
  );
  return {
    supersedes: [...named, ...older.map(toVersion)],
    supersededBy: [...versions.filter((other) => !older.includes(other)).reverse(), ...successors]
      .map(toVersion),
  };
}

function toVersion({ path, name }: MemoryFile): Version {
  return { file: originalName(path), path, name };
}

/** The memories with the most similar passages. */
async function similarTo(memory: MemoryFile, context: CliContext): Promise<Neighbour[]> {
  return await withEngine(context, async (engine, folders) => {
    await catchUp(engine);
    return await engine.withIndex((index) => neighboursOf(memory.path, { index, folders }));
  });
}

function render(expanded: Expanded, { env }: CliContext): string {
  const { sourceCommand, supersedes, supersededBy, neighbours } = expanded;
  const place = (path: string) => paint("dim", tilde(path, env));
  const version = ({ file, path, name }: Version) =>
    path === undefined
      ? `${visible(file)} (not in the archive)`
      : `${visible(name ?? file)}  ${place(path)}`;
  const sections: readonly [title: string, lines: readonly string[]][] = [
    ["Source", sourceCommand === undefined ? [] : [sourceCommand]],
    ["Supersedes", supersedes.map(version)],
    ["Superseded by", supersededBy.map(version)],
    [
      "Similar",
      neighbours.map(({ cosine, name, path }) =>
        `${cosine.toFixed(2)}  ${visible(name)}  ${place(path)}`
      ),
    ],
  ];
  return sections.filter(([, lines]) => lines.length > 0)
    .map(([title, lines]) => `\n${paint("bold", title)}\n${lines.join("\n")}\n`).join("");
}
