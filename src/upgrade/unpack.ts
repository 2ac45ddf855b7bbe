import { unzipSync } from "fflate";
import { unpackTar } from "modern-tar";
import { gunzipSync } from "node:zlib";
import { MemoError } from "../errors.ts";
import { type Archive, checkSum } from "./releases.ts";

/** Takes the executable out of an archive's bytes, and checks its sum. */
export async function executableIn(
  bytes: Uint8Array,
  { file, executable }: Archive,
): Promise<Uint8Array> {
  const found = file.endsWith(".zip")
    ? unzipSync(bytes, { filter: ({ name }) => name === executable.name })[executable.name]
    : (await unpackTar(gunzipSync(bytes), { filter: ({ name }) => name === executable.name }))[0]
      ?.data;
  if (found === undefined) {
    throw new MemoError("file", `\`${file}\` has no \`${executable.name}\` in it`, {
      hint: "Nothing was changed. Run `memo upgrade` again later",
    });
  }
  checkSum(found, executable.sha256, `\`${executable.name}\` in \`${file}\``);
  return found;
}
