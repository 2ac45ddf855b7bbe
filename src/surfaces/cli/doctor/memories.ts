// The checks of the memories, from their files to the index, and of whom they are shared with.

import { foreignIndexFile } from "../../../core/change/follow.ts";
import { presence, restOf } from "../../../core/daemon/lifecycle.ts";
import { changedOn } from "../../../core/memory/age.ts";
import { repositoryFiles } from "../../../core/memory/list.ts";
import { isOthers, mayChange } from "../../../core/memory/memory.ts";
import { isHeldBack } from "../../../core/memory/trust.ts";
import type { IndexedMemory } from "../../../core/index/corpus.ts";
import { contradictionsIn } from "../../../core/recall/overtaken.ts";
import { counted, localTime } from "../../../core/text/counted.ts";
import { visible } from "../../../core/text/neutralise.ts";
import {
  commandFor,
  formatMemoriesOf,
  formerProjects,
  goneProjects,
} from "../../../features/move/former.ts";
import { readLast, repositoryIn } from "../../../features/sync/mod.ts";
import { lastPoll, memberships } from "../../../features/team/mod.ts";
import { tilde } from "../../../paths.ts";
import { idHere } from "../shared/find.ts";
import { fail, type Finding, type Patient, warn } from "./check.ts";

/** Maximum memories and files to name. */
const NAMED = 3;

/** The first names of a list, and how many more there are. */
function namesOf<T>(all: readonly T[], nameOf: (one: T) => string): string {
  const rest = all.length > NAMED ? ` and ${all.length - NAMED} more` : "";
  return all.slice(0, NAMED).map(nameOf).join(", ") + rest;
}

/** Checks that the daemon answers and is of this build. */
export async function daemon({ paths, now }: Patient): Promise<Finding | string> {
  const restart = "Run `memo daemon restart`";
  const { [await presence(paths)]: found } = {
    "same build": "running",
    serves: "running, another build of memo",
    older: warn("running an older build; the next prompt replaces it", restart),
    foreign: warn("running an incompatible memo", restart),
    hung: fail("not responding", restart),
    none: undefined,
  };
  if (found !== undefined) return found;
  // The system kills what needs more memory than there is, and the next daemon would come to the same end.
  const rest = restOf(paths, now);
  if (rest === undefined) return "not running; the next prompt starts it";
  const { seconds } = localTime(rest.until);
  return fail(
    `killed or out of memory ${rest.times} times in a row; not restarted before ${seconds}, prompts match by keyword until then`,
    "Free some memory, or raise its limit, then run `memo daemon start`; `memo daemon logs` has details",
  );
}

/** Checks that the embedding model loads and embeds a text. */
export async function model({ engine }: Patient): Promise<string> {
  const embedder = await (await engine()).model.embedder();
  const vector = await embedder.embed("Which package manager do we use?", "query");
  return `\`${embedder.id}\`, ${vector.length} dimensions`;
}

/** Checks that the index opens and every memory in it is embedded. */
export async function index({ engine }: Patient): Promise<Finding | string> {
  const index = await (await engine()).index();
  const { memories, pending, bytes } = await index.statistics();
  const unread = await index.countUnread();
  const old = unread === 0 ? "" : ` (${unread} as before the upgrade, until their project is used)`;
  const size = `${counted(memories, "memory")}${old}, ${(bytes / 1e6).toFixed(1)} MB`;
  const skipped = await index.queue.skippedAfterFailures();
  if (skipped.length > 0) {
    const names = namesOf(skipped, (path) => `\`${path}\``);
    return warn(
      `${size}; ${names} matched by keyword only: memo died twice while embedding`,
      "Split the file, or remove what is not text",
    );
  }
  if (pending === 0) return size;
  return warn(`${size}; ${pending} not embedded yet, matched by keyword only`, "Run `memo index`");
}

/** Checks the front matter of all memory files, and that `MEMORY.md` is memo's. */
export async function memoryFiles(patient: Patient): Promise<Finding | string> {
  const { engine, env, folders, listings } = patient;
  const [hidden] = listings().flatMap(({ failed }) => failed)
    .sort((a, b) => a.path.length - b.path.length); // a folder before what is in it
  if (hidden !== undefined) {
    const path = tilde(hidden.path, env);
    return fail(
      `cannot read \`${path}\`: ${hidden.because}`,
      `Run \`chmod u+rwX ${path}\`, or move it`,
    );
  }
  const unsound = await (await (await engine()).index()).problems();
  const [first] = unsound;
  if (first !== undefined) {
    const names = namesOf(unsound, ({ path, problems }) => {
      const messages = problems.map(({ message }) => message).join(", ");
      return `\`${tilde(path, env)}\` (${messages})`;
    });
    return warn(names, `Run \`memo edit ${tilde(first.path, env)}\``);
  }
  const foreign = folders.map(foreignIndexFile).find((path) => path !== undefined);
  if (foreign === undefined) return `all valid, in ${counted(folders.length, "folder")}`;
  return warn(
    `\`${tilde(foreign, env)}\` was not written by memo, so memo does not update it`,
    "Rename it so that memo can keep a list of memories there",
  );
}

/** Checks that the repository's files are trusted, or reports that they wait for consent. */
export function trust({ env, place }: Patient): Finding | string {
  const { files, refused: [refused] } = repositoryFiles(place) ?? { files: [], refused: [] };
  if (refused !== undefined) {
    return warn(
      `\`${tilde(refused.path, env)}\` is not read: ${refused.because}`,
      "Make it a folder you own inside the repository",
    );
  }
  if (files.length === 0) return "this repository has no memories or settings for memo";
  const waiting = files.filter(({ trusted }) => !trusted).length;
  if (waiting === 0) return `${counted(files.length, "file")} in this repository, all trusted`;
  return warn(
    `${counted(waiting, "file")} in this repository not trusted, so not read`,
    "Run `memo trust --show`, then `memo trust`",
  );
}

/** Counts captured memories, and those held back, of others too, because they ask for something the user never said. */
export function capturedMemories(patient: Patient): Finding | string {
  const all = patient.listings().flatMap(({ folder, memories }) =>
    memories.map((memory) => ({ memory, folder }))
  );
  const held = all.filter(({ memory, folder }) => isHeldBack(memory, folder)), [first] = held;
  if (first === undefined) {
    const captured = all.filter(({ memory }) => memory.source?.turn !== undefined).length;
    return captured === 0 ? "none yet" : `${captured}, none to review`;
  }
  const names = namesOf(held, ({ memory }) => `\`${visible(memory.name)}\``);
  const of = `${held.length} of ${counted(all.length, "memory")}`;
  const then = isOthers(first.folder.scope)
    ? "have its file reworded if it is harmless"
    : "`memo forget` it or remove its tag `suspect`";
  return warn(
    `to review: ${of}, for requesting actions you never asked for: ${names}`,
    `Run \`memo show ${idHere(first.memory, patient)}\`, then ${then}`,
  );
}

/** Counts memories that a later one has overtaken by its words, or says otherwise of, and that wait for a decision. */
export async function contradictions(patient: Patient): Promise<Finding | string> {
  const own = patient.folders.filter(({ scope }) => mayChange(scope));
  const found = await (await patient.engine()).withIndex((index) => contradictionsIn(index, own));
  const [first] = found;
  if (first === undefined) return "none";
  const name = (memory: IndexedMemory) => `“${visible(memory.name)}” (${changedOn(memory)})`;
  const count = counted(found.length, "memory conflicts", "memories conflict");
  const id = idHere(first.older, patient);
  return warn(
    `${count} with a newer one: ${name(first.older)}, newer ${name(first.later)}`,
    `Run \`memo forget ${id}\` if it is outdated, or decide under Review in \`memo ui\``,
  );
}

/** Lists the memories that may belong here, and those of all projects whose folders are gone. */
export async function movedProjects({ env, place }: Patient): Promise<Finding | string> {
  const former = await formerProjects(place), here = new Set(former.map(({ root }) => root));
  const all = [...former, ...goneProjects(place).filter(({ root }) => !here.has(root))];
  const lines = all.map((each) => {
    const where = here.has(each.root) ? "" : " in its new folder";
    return `${formatMemoriesOf(each, env)}: \`${commandFor(each, env)}\`${where}`;
  });
  if (lines.length === 0) return "none";
  const detail = `not used: ${lines.join("; ")}`;
  return here.size === 0 ? detail : warn(detail, "If a project is this one, run its command here");
}

/** Checks how the last sync has ended: one at the end of a session has nobody to tell. */
export function lastSync({ paths, env }: Patient): Finding | string {
  if (!repositoryIn(paths, env).exists()) return "not set up";
  const last = readLast(paths);
  if (last === undefined) return "not synced yet";
  const { at, error, hint, heldBack = 0, withSecrets = 0 } = last;
  if (error !== undefined) return warn(error, hint ?? "Run `memo sync`");
  if (withSecrets > 0) {
    const files = counted(withSecrets, "file");
    return warn(`${files} with a secret not synced`, "Run `memo doctor --secrets --fix`");
  }
  if (heldBack === 0) return `last at ${at}`;
  return warn(`${counted(heldBack, "file")} not synced`, "Run `memo sync` to see which and why");
}

/** Checks how the last look at each team's server has ended: one in the background has nobody to tell. */
export function teams({ paths }: Patient): Finding | string {
  const all = memberships(paths);
  const [failed] = all.flatMap((member) => lastPoll(member)?.failed ?? []);
  if (failed !== undefined) return warn(failed.because, failed.hint ?? "Run `memo team sync`");
  return all.map(({ name }) => name).join(", ") || "none joined";
}
