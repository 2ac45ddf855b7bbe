import { type Zippable, zipSync } from "fflate";
import { createTar } from "nanotar";
import { gzipSync } from "node:zlib";

/** A file of an archive. */
export interface ArchiveFile {
  /** With `/`, and without a leading one. */
  readonly name: string;
  readonly data: Uint8Array;
  readonly isExecutable?: boolean;
}

/**
 * The forms of archives; the same files and time make the same bytes. At the usual level: the highest one takes four times
 * as long for one percent.
 */
export const ARCHIVES = {
  "tar.gz": tarGz,
  zip,
} as const satisfies Record<string, (files: readonly ArchiveFile[], time: Date) => Uint8Array>;

/** A form of archive. */
export type ArchiveForm = keyof typeof ARCHIVES;

function tarGz(files: readonly ArchiveFile[], time: Date): Uint8Array {
  const attrs = { uid: 0, gid: 0, user: "root", group: "root", mtime: time.getTime() };
  const tar = createTar(files.map(({ name, data, isExecutable }) => ({
    name,
    data,
    attrs: { ...attrs, mode: isExecutable ? "755" : "644" },
  })));
  // nanotar writes one block of zeros at the end; tar warns where there are not two.
  return gzipSync(Buffer.concat([tar, Buffer.alloc(512)]));
}

/** Marks a zip's entry as coming from Unix, without which modes in it mean nothing. */
const UNIX = 3;

function zip(files: readonly ArchiveFile[], time: Date): Uint8Array {
  const entries: Zippable = {};
  for (const { name, data, isExecutable } of files) {
    entries[name] = [data, { os: UNIX, attrs: (isExecutable ? 0o100755 : 0o100644) << 16 }];
  }
  // A zip has the time of the place where it is made: the same numbers everywhere, whatever the place.
  const local = new Date(time.getTime() + time.getTimezoneOffset() * 60_000);
  return zipSync(entries, { level: 6, mtime: local });
}
