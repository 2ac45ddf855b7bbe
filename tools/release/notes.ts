import { markdownTable } from "../docs/table.ts";

/** What a release says of one archive. */
export interface Contained {
  readonly target: string;
  readonly label: string;
  readonly archive: string;
  readonly archiveBytes: number;
  /** Files of the archive. */
  readonly files: readonly { readonly name: string; readonly size: number }[];
  /** Parts of the executable. */
  readonly parts: readonly { readonly name: string; readonly size: number }[];
  /** How far it was tried. */
  readonly tried: string;
}

/** The notes of a release: what changed, what there is to download, and all that is in it. */
export function releaseNotes(
  version: string,
  { changes, contained, releases }: {
    readonly changes: string;
    readonly contained: readonly Contained[];
    /** The address of all releases; empty: there are no installers. */
    readonly releases: string;
  },
): string {
  const download = `${releases}/download/v${version}`;
  const install = releases === "" ? "" : `## Install

Linux and macOS:

\`\`\`sh
curl -fsSL ${download}/install.sh | sh -s -- --version ${version}
memo init
\`\`\`

Windows (PowerShell):

\`\`\`powershell
& ([scriptblock]::Create((irm ${download}/install.ps1))) -Version ${version}
memo init
\`\`\`

`;
  return `# memo ${version}

${changes}

${install}## Downloads

${
    markdownTable(
      ["platform", "archive", "size", "checked"],
      contained.map(({ label, archive, archiveBytes, tried }) => [
        label,
        `\`${archive}\``,
        megabytes(archiveBytes),
        tried,
      ]),
    )
  }

\`SHA256SUMS\` has the checksums, \`manifest.json\` the same for programs, \`.minisig\` the signatures of both,
\`sbom.cdx.json\` every package inside (CycloneDX), \`NOTICE\` their licences.

## Contents

${contained.map(section).join("\n")}`;
}

function section({ target, files, parts }: Contained): string {
  const rows = [
    ...files.map(({ name, size }) => [`\`${name}\``, bytes(size)]),
    ...parts.map(({ name, size }) => [`&nbsp;&nbsp;in the executable: ${name}`, bytes(size)]),
  ];
  return `### ${target}\n\n${markdownTable(["", "bytes"], rows)}\n`;
}

/** The part of the changelog about one version. */
export function changesOf(changelog: string, version: string): string {
  const sections = changelog.split(/^## /m).slice(1);
  const own = sections.find((text) => text.split(/\s/)[0] === version);
  if (own === undefined) throw new Error(`CHANGELOG.md has no section \`## ${version}\``);
  return own.slice(own.indexOf("\n")).trim();
}

function megabytes(size: number): string {
  return `${(size / 1e6).toFixed(1)} MB`;
}

function bytes(size: number): string {
  return size.toLocaleString("en-US");
}
