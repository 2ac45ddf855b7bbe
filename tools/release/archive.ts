import { type Zippable, zipSync } from "fflate";
import { packTar } from "modern-tar";
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
export const ARCHIVES = { "tar.gz": tarGz, zip } as const satisfies Record<string, Archiver>;

type Archiver = (files: readonly ArchiveFile[], time: Date) => Promise<Uint8Array> | Uint8Array;

/** A form of archive. */
export type ArchiveForm = keyof typeof ARCHIVES;

async function tarGz(files: readonly ArchiveFile[], time: Date): Promise<Uint8Array> {
  const owner = { uid: 0, gid: 0, uname: "root", gname: "root", mtime: time };
  return gzipSync(
    await packTar(files.map(({ name, data, isExecutable }) => ({
      header: { name, size: data.length, mode: isExecutable ? 0o755 : 0o644, ...owner },
      body: data,
    }))),
  );
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
