import { existsSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import type { Command } from "commander";
import { followFolders } from "../change/follow.ts";
import { moveFolder } from "../change/move.ts";
import { MemoError } from "../errors.ts";
import { moveKept } from "../history/kept.ts";
import { journalDays } from "../journal/journal.ts";
import {
  type KnownProject,
  knownProjects,
  projectAt,
  projectOf,
  realPath,
  recordRoot,
} from "../memory/project.ts";
import { placeIn, privateFolder } from "../memory/scopes.ts";
import { JOURNAL, listMemoryFiles } from "../memory/folder.ts";
import { moveTrust } from "../memory/trust.ts";
import { tilde } from "../paths.ts";
import { surroundings } from "./shared/change.ts";
import type { CliContext } from "./shared/command.ts";
import { counted } from "../text/counted.ts";
import { withEngine } from "./shared/local.ts";
import { columns, out, outJson, paint, say } from "./shared/output.ts";

/** `memo project`: lists the projects that memo knows, and moves or merges their notes. */
export function define(command: Command, context: CliContext): void {
  command.command("list", { isDefault: true }).description(
    "List projects with memories or a journal",
  )
    .option("--json", "Print JSON")
    .action(({ json }: { json?: boolean }) => list(context, json ?? false));
  command.command("mv").description("Record that a project's folder has moved")
    .argument("<old>", "Former path")
    .argument("<new>", "New path")
    .option("--json", "Print JSON")
    .action(async (from: string, to: string, { json }: { json?: boolean }) => {
      const moved = await move(from, to, context);
      if (json) outJson(moved);
      else {say(
          `The notes of \`${tilde(moved.from, context.env)}\` are those of \`${
            tilde(moved.to, context.env)
          }\` now`,
        );}
    });
}

function list({ paths, env }: CliContext, json: boolean): void {
  const projects = knownProjects(paths.claude).map(({ root, folder }) => ({
    ...{ name: basename(root), root, folder },
    exists: existsSync(root),
    memories: listMemoryFiles(privateFolder({ root, folder })).length,
    days: journalDays(join(folder, JOURNAL)).length,
  }));
  if (json) return outJson(projects);
  if (projects.length === 0) return say("No projects yet");
  out(columns(projects.map(({ name, root, exists, memories, days }) => [
    name,
    counted(memories, "memory", "memories"),
    `${counted(days, "day")} of journal`,
    tilde(root, env) +
    (exists ? "" : paint("yellow", "  ! gone; `memo project mv OLD NEW` if it has moved")),
  ])));
}

/** Moves the notes of one project to another root; if that has notes of its own, they are merged. */
async function move(
  from: string,
  to: string,
  context: CliContext,
): Promise<{ readonly from: string; readonly to: string }> {
  const { paths, cwd } = context;
  const old = known(resolve(cwd, from), context);
  const there = realPath(resolve(cwd, to));
  if (!existsSync(there)) {
    throw new MemoError(
      "not-found",
      `Cannot move the memories to \`${there}\`: no such folder`,
      { hint: "Move the project's folder first, then run `memo project mv OLD NEW`" },
    );
  }
  const root = projectAt(placeIn(paths, there, there))?.root ?? refuseTarget(there);
  const { folder } = projectOf(root, paths.claude);
  if (folder !== old.folder) {
    const own = privateFolder({ root, folder });
    moveFolder(privateFolder(old), own);
    recordRoot(folder, root);
    await moveTrust(paths.trust, old.root, root);
    moveKept(paths, privateFolder(old), own);
    await withEngine(context, (engine) => engine.sync(privateFolder(old)));
    await followFolders([{ folder: own }], surroundings(context));
  }
  return { from: old.root, to: root };
}

/** The project with notes under a path, which may no longer exist. */
function known(path: string, { paths }: CliContext): KnownProject {
  const projects = knownProjects(paths.claude);
  const found = projects.find(({ root }) => root === path || root === realPath(path));
  if (found !== undefined) return found;
  throw new MemoError("not-found", `Cannot find memories of a project at \`${path}\``, {
    hint: "Run `memo project list` to see all projects",
  });
}

function refuseTarget(path: string): never {
  throw new MemoError(
    "usage",
    `Cannot make \`${path}\` a project: it is your home folder or above it`,
    {
      hint: "Pass the folder of the project",
    },
  );
}
