// The folders of the teams that the user has joined: read-only copies of approved notes, below memo's state.

import { join } from "node:path";
import { entriesIn, orNothing } from "../files/there.ts";
import { shortHash } from "../../paths.ts";
import { addressOf, readGitFile } from "./project.ts";
import type { MemoryFolder } from "./memory.ts";

const EVERYWHERE = "notes";
/** The folder of notes for one repository each, by its remote. */
const FOR = "notes-for";

/** The form of a team's name: it names a folder. */
export const TEAM_NAME = /^[a-z0-9][a-z0-9-]{0,39}$/;

/** Names of the teams below a folder. */
export function teamNames(teams: string): string[] {
  return foldersIn(teams).filter((name) => TEAM_NAME.test(name)).sort();
}

/** The memory folders of the teams that apply in a project; undefined: outside any. */
export function teamFolders(teams: string, root: string | undefined): MemoryFolder[] {
  return teamNames(teams).flatMap((name) => {
    const team = join(teams, name);
    const bound = foldersIn(join(team, FOR));
    const own = bound.length === 0 || root === undefined ? [] : remotesOf(root).map(remoteFolder);
    return [join(team, EVERYWHERE), ...own.map((id) => join(team, FOR, id))]
      .map((path): MemoryFolder => ({ scope: "team", path }));
  });
}

/** Every folder with copies of a team, whatever they are for. */
export function allFoldersOf(team: string): string[] {
  return [join(team, EVERYWHERE), ...foldersIn(join(team, FOR)).map((id) => join(team, FOR, id))];
}

/** The folders in a team's folder of a note for some remotes; none: for all repositories. */
export function foldersFor(remotes: readonly string[] = []): string[] {
  return remotes.length === 0 ? [EVERYWHERE] : remotes.map((each) => join(FOR, remoteFolder(each)));
}

/** The name of the team whose copy a path is. */
export function teamNameIn(path: string): string | undefined {
  return COPY.exec(path)?.[1];
}

/** The id of the note whose copy a path is, as its file name has it. */
export function noteIdIn(path: string): string | undefined {
  return teamNameIn(path) && /-([0-9a-f]{10})\.md$/.exec(path)?.[1];
}

const COPY = /[/\\]team[/\\]([a-z0-9-]+)[/\\]notes(?:-for[/\\][0-9a-f]{8})?[/\\]/;

/** Who wrote a team's note, and who approved it. */
export interface Attribution {
  readonly by: string;
  readonly approved: string;
}

/** Tags that say whose a team's note is; only memo gives them, in a team's folder. */
const TAGS: Readonly<Record<keyof Attribution, string>> = { by: "by:", approved: "approved:" };

/** The tags of a team's note that say whose it is. */
export function attributionTags(whose: Attribution): string[] {
  return (["by", "approved"] as const).map((key) => TAGS[key] + whose[key].replaceAll(",", " "));
}

/** Whether a tag says whose a team's note is. */
export function isAttribution(tag: string): boolean {
  return Object.values(TAGS).some((prefix) => tag.startsWith(prefix));
}

/** Whose a copy of a team's note is: “team platform, by Ada, approved by Bo”. */
export function formatTeam(path: string, tags: readonly string[]): string {
  const of = (prefix: string) => tags.find((tag) => tag.startsWith(prefix))?.slice(prefix.length);
  return `team ${teamNameIn(path) ?? "?"}, by ${of(TAGS.by) ?? "?"}, approved by ${
    of(TAGS.approved) ?? "?"
  }`;
}

function remoteFolder(remote: string): string {
  return shortHash(remote);
}

function remotesOf(root: string): string[] {
  const text = orNothing(() => readGitFile(join(root, ".git", "config"))) ?? "";
  const urls = [...text.matchAll(/^\s*url\s*=\s*(.+)$/gm)].map(([, url]) => addressOf(url!));
  return [...new Set(urls.filter((url) => url !== undefined))];
}

function foldersIn(folder: string): string[] {
  return entriesIn(folder).filter((entry) => entry.isDirectory()).map(({ name }) => name);
}
