import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import type { Command } from "commander";
import { carryOut } from "../../core/change/carry_out.ts";
import { sharing } from "../../core/change/change.ts";
import { MemoError } from "../../errors.ts";
import { newChangeId } from "../../core/ledger/change_log.ts";
import { serializeMemory } from "../../core/memory/file.ts";
import type { FoundMemory } from "../../core/ledger/find.ts";
import { askGit } from "../../core/files/git.ts";
import { addressOf, type Project, projectAt } from "../../core/memory/project.ts";
import type { MemoryFolder } from "../../core/memory/memory.ts";
import {
  localFolders,
  memoryFolders,
  privateFolder,
  sharedFolderToWrite,
} from "../../core/memory/scopes.ts";
import { readMemoryFile } from "../../core/memory/folder.ts";
import { membership, type NoteOrigin, proposeNote, REMOTE } from "../../features/team/mod.ts";
import { printChange, surroundings } from "./shared/change.ts";
import type { CliContext } from "./shared/command.ts";
import { findOne, lookUpHere, NAMES } from "./shared/find.ts";
import type { Flags, Texts } from "./shared/options.ts";
import { out, outJson, say } from "./shared/output.ts";
import { refuseSecrets } from "./shared/typed.ts";

interface ShareOptions extends Flags<"undo" | "anyway" | "json">, Texts<"to" | "change"> {
  readonly for?: string[];
}

/** `memo share`: puts a memory into the repository, for all who clone it, or proposes it to a team. */
export function define(command: Command, context: CliContext): void {
  command
    .argument("<name...>", `Memory: ${NAMES}`)
    .option("--undo", "Move it back to your private memories")
    .option("--to <team>", "Propose it to a team instead; you keep your copy")
    .option("--change <id>", "With `--to`: as a new version of this team memory")
    .option(
      "--for <remote...>",
      "With `--to`: only for these repositories, such as `github.com/you/app`",
    )
    .option("--anyway", "Share it even if it seems to contain a secret")
    .addHelpText("after", "\nFor your own machines: `memo sync`")
    .action(async (words: string[], options: ShareOptions) => {
      const { cwd, place } = context;
      if (options.to !== undefined) {
        return await propose(words, { ...options, to: options.to }, context);
      }
      const project = projectAt(place);
      if (project === undefined) {
        const hint = "Run it in the repository the memory belongs to";
        throw new MemoError("usage", `Cannot share a memory: \`${cwd}\` is not in a project`, {
          hint,
        });
      }
      const { undo = false, json } = options;
      const isThere = ({ scope }: MemoryFolder) => (scope === "shared") !== undo;
      const folders = localFolders(place).filter(({ scope }) => scope !== "team");
      const sayDone = ({ memory }: FoundMemory) =>
        printChange(memory, `“${memory.name}” is already ${undo ? "private" : "shared"}`, { json });
      const there = { folders: folders.filter(isThere) };
      const rest = { folders: folders.filter((folder) => !isThere(folder)) };
      const done = lookUpHere(words, context, there);
      if (done.kind === "found" && lookUpHere(words, context, rest).kind === "missing") {
        return sayDone(done.found);
      }
      const found = await findOne(words, context, rest);
      const copy = lookUpHere([found.memory.name], context, { ...there, exact: true });
      if (copy.kind === "found" && !undo) return sayDone(copy.found);
      const to = undo ? privateFolder(project) : sharedFolderToWrite(project, place);
      if (!undo && !options.anyway) await refuseSecrets(serializeMemory(found.memory), context);
      const changes = sharing(found, to, newChangeId());
      const { path } = (await carryOut(changes, surroundings(context))).done[0]!;
      const said = undo
        ? `Removed “${found.memory.name}” from the repository; it is private now`
        : whereItIs(found, path, project);
      printChange(readMemoryFile(path, to.scope), said, { json });
    });
}

/** Proposes a memory to a team; where its server cannot be reached, the proposal waits here. */
async function propose(
  words: readonly string[],
  { to, change, json, ...options }: ShareOptions & { readonly to: string },
  context: CliContext,
): Promise<void> {
  const { place, paths } = context;
  const member = membership(to, paths);
  const folders = memoryFolders(place).filter(({ scope }) => scope !== "team");
  const { memory } = await findOne(words, context, { folders });
  const origin = await originOf(options.for, context);
  const check = (body: string) => refuseSecrets(body, context);
  const { id, waits } = await proposeNote(memory, member, { origin, change, check });
  const { name } = memory;
  if (waits !== undefined) say(`warning: ${waits}`);
  if (json) return outJson({ id, team: to, name, sent: waits === undefined });
  out(`${id}\n`);
  const how = `with \`memo team show ${id}\` and approves it with \`memo team approve ${id}\``;
  if (waits === undefined) say(`Proposed “${name}” to \`${to}\`. A colleague reads it ${how}`);
  else say(`The next \`memo team sync\` proposes “${name}” to \`${to}\``);
}

/** The commit that the project is at, and the repositories that a note is for. */
async function originOf(
  remotes: readonly string[] | undefined,
  { place }: CliContext,
): Promise<NoteOrigin> {
  const root = projectAt(place)?.root;
  const commit = root === undefined ? "" : (await askGit(root, ["rev-parse", "HEAD"])).trim();
  const wanted = remotes?.map((remote) => {
    const address = /:|@/.test(remote) ? addressOf(remote) : remote.replace(/\/+$/, "");
    if (address !== undefined && REMOTE.test(address)) return address;
    const hint = "Pass its remote, such as `github.com/you/app`";
    throw new MemoError("usage", `Cannot use \`${remote}\` as a repository`, { hint });
  });
  return { ...commit !== "" && { commit }, ...wanted !== undefined && { remotes: wanted } };
}

function whereItIs(
  { memory: { name }, folder }: FoundMemory,
  path: string,
  { top }: Project,
): string {
  const file = relative(top, path);
  const own = folder.scope === "user" ? "\nYour own copy still applies in other projects" : "";
  return existsSync(join(top, ".git"))
    ? `Shared “${name}”; commit \`${file}\` to share it with others${own}`
    : `“${name}” is in \`${file}\`, but not shared: this folder is not a git repository${own}`;
}
