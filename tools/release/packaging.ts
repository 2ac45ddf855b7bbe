import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Manifest } from "./manifest.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Files that name a release's archives by address and sum, by what they are called in a release. */
const TEMPLATES = {
  "install.sh": "install.sh",
  "install.ps1": "install.ps1",
  "memo.rb": "packaging/homebrew/memo.rb",
  "memo.scoop.json": "packaging/scoop/memo.json",
} as const;

/** How the installers and formulas of a release are filled. */
export interface Filling {
  readonly manifest: Manifest;
  /** The address of all releases. */
  readonly releases: string;
  /** The public keys of releases. */
  readonly keys: readonly string[];
}

/** The installers and formulas of a release, but for those that need an archive which it does not have. */
export function packaging(filling: Filling): Map<string, string> {
  const templates = Object.entries(TEMPLATES)
    .map(([name, path]) => [name, readFileSync(join(ROOT, path), "utf8")] as const);
  const { archives } = filling.manifest;
  const possible = templates.filter(([, text]) =>
    targetsIn(text).every((target) => Object.hasOwn(archives, target))
  );
  return new Map(possible.map(([name, text]) => [name, fill(text, filling)]));
}

const PLACE = /\{\{(\w+)(?: ([\w-]+))?\}\}/g;

function targetsIn(template: string): string[] {
  return [...template.matchAll(PLACE)].flatMap(([, , target]) => target ?? []);
}

/** A template with its `{{…}}` filled; throws for one that means nothing. */
export function fill(template: string, { manifest, releases, keys }: Filling): string {
  const { version } = manifest;
  const values = { releases, version, homepage: homepageOf(releases), keys: keys.join(" ") };
  return template.replace(PLACE, (whole, key: string, target?: string) => {
    const value = target === undefined ? values[key as keyof typeof values] : undefined;
    if (value !== undefined) return value;
    const archive = target === undefined ? undefined : manifest.archives[target];
    if (archive === undefined) throw new Error(`Nothing is known of ${whole}`);
    if (key === "sha256") return archive.sha256;
    if (key === "url") return `${releases}/download/v${version}/${archive.file}`;
    throw new Error(`Nothing is known of ${whole}`);
  });
}

/** The project's page, going by that of its releases. */
function homepageOf(releases: string): string {
  return releases.replace(/\/releases$/, "");
}
