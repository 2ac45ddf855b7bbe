// What a session's start finds out about a project that has moved, in the daemon: a folder that was certainly renamed
// takes its memories along, and all else is the person's to decide.

import { join } from "node:path";
import type { Engine } from "../../core/engine/engine.ts";
import type { JobContext } from "../../core/engine/jobs.ts";
import { fileStamp, statsOf } from "../../core/files/there.ts";
import { projectsOn } from "../../core/memory/off.ts";
import {
  type Identity,
  isFolder,
  type Place,
  projectAt,
  safeIdentityOf,
} from "../../core/memory/project.ts";
import { recordRoot } from "../../core/memory/project_record.ts";
import { counted } from "../../core/text/counted.ts";
import { visible } from "../../core/text/neutralise.ts";
import { messageOf } from "../../errors.ts";
import { tilde } from "../../paths.ts";
import { formatFormer, formerProjects } from "./former.ts";
import { joinProject } from "./join.ts";

/** What a session's start says of the project at a place, whose certain memories are there from then on. */
export async function arrive(engine: Engine, place: Place): Promise<string | undefined> {
  const { log, features: { follows } } = engine, paths = { ...engine.paths, claude: place.claude };
  try {
    const found = await formerProjects(place, identityNow);
    const [renamed] = found;
    if (renamed?.evidence !== "renamed") return formatFormer(found, process.env);
    const { root: old, memories } = renamed, { root } = projectAt(place)!;
    const { from } = await joinProject(renamed, root, { paths, follows });
    engine.sync(from).catch(() => {}); // logged
    log("moved", { from: old, to: root, memories });
    const what = counted(memories, "memory");
    return `moved ${what} here from \`${visible(tilde(old))}\`, this folder's former path`;
  } catch (error) {
    log("moved", { failed: messageOf(error) });
    return undefined;
  }
}

/** Maximum projects from before there were records that one run records. */
const MOST_AT_ONCE = 10;

/** Records what the project of a place is known by once its folder is gone, and some others that have no record. */
export async function recordProjects({ place }: JobContext): Promise<void> {
  const root = projectAt(place)?.root, all = projectsOn(place);
  const own = all.filter((each) => each.root === root);
  const others = all.filter((each) => each.identity === undefined && each.root !== root);
  const due = [...own, ...others].filter((each) => isFolder(each.root));
  for (const { folder, root } of due.slice(0, MOST_AT_ONCE)) {
    recordRoot(folder, root, await identityNow(root));
  }
}

/** What git has said of each root in this process, and as long as what stays the same. */
const identities = new Map<
  string,
  { readonly stamp: string; readonly said: Promise<Identity | undefined> }
>();

/**
 * The identity of a project; git is asked again if it has not answered, and once its remotes may have changed, or it has
 * its first commit.
 */
function identityNow(root: string): Promise<Identity | undefined> {
  const git = join(root, ".git"), hasCommits = statsOf(join(git, "logs", "HEAD")) !== undefined;
  const stamp = `${fileStamp(join(git, "config"))} ${hasCommits}`, last = identities.get(root);
  if (last?.stamp === stamp) return last.said;
  const said = safeIdentityOf(root);
  identities.set(root, { stamp, said });
  said.then((identity) => identity ?? identities.delete(root));
  return said;
}
