import { createHash } from "node:crypto";

/** What `manifest.json` of a release says; `memo upgrade` and the installers' formulas go by it. */
export interface Manifest {
  readonly name: "memo";
  readonly version: string;
  readonly commit: string;
  /** When the commit was made. */
  readonly date: string;
  /** By target. */
  readonly archives: Readonly<Record<string, ArchiveRow>>;
}

/** One archive of a release. */
export interface ArchiveRow {
  readonly file: string;
  readonly size: number;
  readonly sha256: string;
  /** The same for MCP clients that install a file, on the platforms that have some. */
  readonly bundle?: { readonly file: string; readonly sha256: string } | undefined;
  /** The executable in the archive. */
  readonly executable: { readonly name: string; readonly size: number; readonly sha256: string };
}

/** SHA-256 in hex. */
export function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** `SHA256SUMS` as `sha256sum --check` reads it, by name. */
export function sumsFile(files: ReadonlyMap<string, Uint8Array>): string {
  return [...files].sort(([a], [b]) => a < b ? -1 : 1)
    .map(([name, bytes]) => `${sha256(bytes)}  ${name}\n`).join("");
}
