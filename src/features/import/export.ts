import { readFileSync, statSync } from "node:fs";
import { messageOf } from "../../errors.ts";
import type { Unreadable } from "../../core/memory/folder.ts";
import { identityOf } from "../../core/memory/identity.ts";
import type { MemoryFolder } from "../../core/memory/memory.ts";
import { teamNameIn } from "../../core/memory/teams.ts";
import { basename, join } from "node:path";
import type { Env } from "../../paths.ts";
import { redact } from "../../core/redact/redact.ts";
import { isArchived, portableFiles, type Unlisted } from "../sync/portable.ts";
import type { Bundle, BundleFile, BundleFolder } from "./bundle.ts";

/**
 * Collects memory folders for an export: memories and journal, and the archive if it is wanted; and names what cannot be
 * read.
 */
export async function collect(
  folders: readonly MemoryFolder[],
  { archive, env }: { readonly archive: boolean; readonly env: Env },
): Promise<Bundle & { readonly failed: readonly Unreadable[] }> {
  const listed: BundleFolder[] = [];
  const files: BundleFile[] = [];
  const failed: Unreadable[] = [];
  for (const folder of folders) {
    const id = idOf(folder);
    const root = folder.project;
    listed.push({ id, ...root !== undefined && { root, identity: await identityOf(root, env) } });
    const unlisted: Unlisted[] = [];
    for (const { relativePath, path } of portableFiles(folder, unlisted)) {
      if (isArchived(relativePath) && !archive) continue;
      try {
        const modified = Math.trunc(statSync(path).mtimeMs);
        files.push({ relativePath: `${id}/${relativePath}`, bytes: readFileSync(path), modified });
      } catch (error) {
        failed.push({ path, because: messageOf(error) });
      }
    }
    failed.push(...unlisted.filter(({ relativePath }) => archive || !isArchived(relativePath)));
  }
  return { folders: listed, files, failed };
}

/** Where a folder's files are in an export. */
function idOf({ scope, path }: MemoryFolder): string {
  if (scope === "user") return "user";
  const team = scope === "team" ? teamNameIn(join(path, "x")) : undefined;
  return team === undefined
    ? `projects/${basename(path)}`
    : basename(path) === "notes"
    ? `teams/${team}`
    : `teams/${team}/${basename(path)}`;
}

/** The files of an export that seem to hold a secret, with the kinds. */
export async function secretsIn(
  { files }: Bundle,
  patterns: readonly RegExp[],
): Promise<{ readonly relativePath: string; readonly kinds: readonly string[] }[]> {
  const found: { relativePath: string; kinds: string[] }[] = [];
  for (const { relativePath, bytes } of files) {
    const kinds = Object.keys((await redact(Buffer.from(bytes).toString("utf8"), patterns)).found);
    if (kinds.length > 0) found.push({ relativePath, kinds });
  }
  return found;
}
