import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Manifest } from "./manifest.ts";
import { MANIFESTS } from "./manifests.ts";
import { isPlaceholder } from "./repository.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Files that name a release's archives by address and sum, by what they are called in a release. */
const TEMPLATES: Readonly<Record<string, string>> = {
  "install.sh": "install.sh",
  "install.ps1": "install.ps1",
  "INSTALL.md": "packaging/INSTALL.md",
  ...Object.fromEntries(
    MANIFESTS.flatMap(({ name, template }) => template === undefined ? [] : [[name, template]]),
  ),
};

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
  if (isPlaceholder(filling.releases)) {
    throw new Error(
      `${filling.releases} has no owner: write the repository into packaging/repository`,
    );
  }
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

/** What a release's address says of its project. */
export function projectAt(releases: string) {
  const homepage = releases.replace(/\/releases$/, "");
  const [owner = "", name = ""] = homepage.split("/").slice(-2);
  return { homepage, owner, repository: `${owner}/${name}`, mcp: `io.github.${owner}/${name}` };
}

/** A template with its `{{…}}` filled; throws for one that means nothing. */
export function fill(template: string, { manifest, releases, keys }: Filling): string {
  const { version } = manifest;
  const values = {
    ...{ releases, version, ...projectAt(releases) },
    ...{ keys: keys.join(" "), key: keys.at(-1) ?? "" },
  };
  return template.replace(PLACE, (whole, key: string, target?: string) => {
    const value = target === undefined ? values[key as keyof typeof values] : undefined;
    if (value !== undefined) return value;
    const archive = target === undefined ? undefined : manifest.archives[target];
    if (archive === undefined) throw new Error(`Unknown placeholder ${whole}`);
    const file = key.startsWith("bundle") ? archive.bundle : archive;
    if (file !== undefined && /(^|_)sha256$/.test(key)) return file.sha256;
    if (file !== undefined && /^(url|bundle)$/.test(key)) {
      return `${releases}/download/v${version}/${file.file}`;
    }
    throw new Error(`Unknown placeholder ${whole}`);
  });
}
