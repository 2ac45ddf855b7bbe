import { MemoError } from "../../errors.ts";
import type { MemoryFolder, OwnScope, Scope } from "../memory/memory.ts";
import { isPersonal } from "../memory/personal.ts";
import { type Place, projectAt } from "../memory/project.ts";
import { privateFolder, sharedFolderToWrite, userFolder } from "../memory/scopes.ts";
import { hasTrait } from "../memory/types.ts";

/** What decides where a new memory goes. */
export interface NewMemory {
  readonly type: string;
  /** Its words: what people say about themselves applies everywhere. */
  readonly text: string;
  /** The scope that a model or a source proposes; `capture.scope` may overrule it. */
  readonly proposed?: "user" | "project" | undefined;
  /** The scope that the person has chosen. */
  readonly scope?: OwnScope | undefined;
}

/**
 * The folder of a new memory, for everyone who writes one: the scope that the person chose; else the user's folder for
 * what is about the user, and in a project that project's private one. Nothing goes into a repository unless the person
 * or `capture.scope` says so. Throws a `usage` MemoError if the scope needs a project and there is none.
 */
export function folderForNew(
  { type, text, proposed, scope }: NewMemory,
  { place, setting }: { readonly place: Place; readonly setting: string },
): MemoryFolder {
  if (scope === "user") return userFolder(place);
  const project = projectAt(place);
  if (project === undefined) {
    if (scope === undefined) return userFolder(place);
    throw new MemoError(
      "usage",
      `Cannot add a ${scope} memory: \`${place.cwd}\` is not in a project`,
      { hint: "Run it in a project, or run `memo add --scope user`" },
    );
  }
  if (scope === "shared") return sharedFolderToWrite(project, place);
  if (scope === "project") return privateFolder(project);
  const isUsers = type === "user" || setting === "user" ||
    (setting === "auto" && proposed === "user") || (proposed === undefined && isPersonal(text));
  if (isUsers) return userFolder(place);
  // How people want to work is nothing for a repository unless somebody says so.
  const isOwn = proposed === undefined && hasTrait(type, "private");
  return setting === "shared" && !isOwn
    ? sharedFolderToWrite(project, place)
    : privateFolder(project);
}

/** Where the memories of each scope apply, for confirmations: “Saved for this project”. */
export const APPLIES: Readonly<Record<Scope, string>> = {
  user: "for every project",
  project: "for this project",
  shared: "for this repository",
  auto: "in Claude Code's auto memory",
  team: "for your team",
};
