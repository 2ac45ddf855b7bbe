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

/** The installers and formulas of a release that lies at an address. */
export function packaging(manifest: Manifest, releases: string): Map<string, string> {
  const filled = Object.entries(TEMPLATES).map(([name, path]) =>
    [name, fill(readFileSync(join(ROOT, path), "utf8"), manifest, releases)] as const
  );
  return new Map(filled);
}

/** A template with its `{{…}}` filled; throws for one that means nothing. */
export function fill(template: string, manifest: Manifest, releases: string): string {
  return template.replace(/\{\{(\w+)(?: ([\w-]+))?\}\}/g, (whole, key: string, target?: string) => {
    if (target === undefined) {
      const value = { releases, version: manifest.version, homepage: homepageOf(releases) }[key];
      if (value !== undefined) return value;
    }
    const archive = target === undefined ? undefined : manifest.archives[target];
    if (archive === undefined) throw new Error(`Nothing is known of ${whole}`);
    if (key === "sha256") return archive.sha256;
    if (key === "url") return `${releases}/download/v${manifest.version}/${archive.file}`;
    throw new Error(`Nothing is known of ${whole}`);
  });
}

/** The project's page, going by that of its releases. */
function homepageOf(releases: string): string {
  return releases.replace(/\/releases$/, "");
}
