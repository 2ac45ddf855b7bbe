import { resolve } from "node:path";
import { followFolders } from "../../../core/change/follow.ts";
import { MemoError } from "../../../errors.ts";
import { joinProject } from "../../../features/move/join.ts";
import { projectsOn } from "../../../core/memory/off.ts";
import { projectAt, realPath } from "../../../core/memory/project.ts";
import { tilde } from "../../../paths.ts";
import { surroundings } from "../shared/change.ts";
import type { CliContext } from "../shared/command.ts";
import { withEngine } from "../shared/local.ts";
import { outJson, say } from "../shared/output.ts";

/** Moves the memories of a project that was at `from` to the one that is here, and merges them with any it has. */
export async function followMove(
  from: string,
  { json }: { readonly json?: boolean },
  context: CliContext,
): Promise<void> {
  const { paths, cwd, place, env } = context, path = resolve(cwd, from);
  const old = projectsOn(paths)
    .find(({ root }) => root === path || root === realPath(path)); // which may no longer exist
  if (old === undefined) {
    throw new MemoError("not-found", `Cannot find memories of a project at \`${path}\``, {
      hint: "Run `memo list --projects` to see all projects",
    });
  }
  const root = projectAt(place)?.root;
  if (root === undefined) {
    throw new MemoError(
      "usage",
      `Cannot make \`${cwd}\` a project: it is your home folder or above it`,
      { hint: "Run it in the folder where the project is now" },
    );
  }
  if (root !== old.root) {
    const moved = await withEngine(context, async (engine) => {
      const folders = await joinProject(old, root, { paths, follows: engine.features.follows });
      await engine.sync(folders.from);
      return folders;
    });
    await followFolders([{ folder: moved.to }], surroundings(context));
  }
  if (json) return outJson({ from: old.root, to: root });
  say(`Moved the memories of \`${tilde(old.root, env)}\` to \`${tilde(root, env)}\``);
}
