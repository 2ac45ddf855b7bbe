import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { readMemories } from "./list.ts";
import { type Place, type Project, projectAt } from "./project.ts";
import { type Refused, settingsOf, sharedFolders } from "./scopes.ts";
import { digestOf, trusted } from "./trust.ts";

/** A file of memo's in a repository. */
export interface RepositoryFile {
  readonly path: string;
  readonly kind: "memory" | "settings";
  readonly name: string;
  readonly type?: string;
  readonly digest: string;
  readonly trusted: boolean;
}

/** All files of memo's in a repository. */
export interface RepositoryFiles {
  readonly project: Project;
  readonly files: readonly RepositoryFile[];
  readonly refused: readonly Refused[];
}

/** The memories and settings of the repository at a place; undefined outside any project. */
export function repositoryFiles(place: Place): RepositoryFiles | undefined {
  const project = projectAt(place);
  if (project === undefined) return undefined;
  const { folders, refused } = sharedFolders(project, place);
  const contents = trusted({ file: place.trust, project: project.root });
  const memories = folders.flatMap((folder) => readMemories(folder).memories)
    .map(({ path, name, type, digest = "" }): RepositoryFile => ({
      path,
      kind: "memory",
      name,
      type,
      digest,
      trusted: contents.has(digest),
    }));
  const settings = settingsOf(project, place);
  const files = settings.path === undefined
    ? memories
    : [...memories, settingsFile(settings.path, contents)];
  const refusals = settings.refused === undefined ? refused : [...refused, settings.refused];
  return { project, files, refused: refusals };
}

function settingsFile(path: string, contents: ReadonlySet<string>): RepositoryFile {
  const digest = digestOf(readFileSync(path));
  return { path, kind: "settings", name: basename(path), digest, trusted: contents.has(digest) };
}
