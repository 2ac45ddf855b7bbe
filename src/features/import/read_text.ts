import { codeOf, MemoError, messageOf } from "../../errors.ts";
import { readRegular } from "../../core/files/bounded.ts";

/** Maximum bytes of one file, and of an archive when it is unpacked: more is not a store of notes. */
export const MAX_BYTES = 256 * 1024 * 1024;

/** The text of a source's file; throws a MemoError that says what is wrong with it. */
export function readText(path: string, maxBytes = MAX_BYTES): string {
  const bytes = readBytes(path, maxBytes);
  const [first, second] = bytes;
  // PowerShell writes UTF-16, with a mark of the order of its bytes.
  const wide = first === 0xff && second === 0xfe
    ? "le"
    : first === 0xfe && second === 0xff
    ? "be"
    : "";
  const text = new TextDecoder(wide === "" ? "utf-8" : `utf-16${wide}`).decode(bytes);
  return text.replaceAll("\0", "");
}

/** The bytes of a source's file. */
export function readBytes(path: string, maxBytes = MAX_BYTES): Uint8Array {
  try {
    return readRegular(path, maxBytes);
  } catch (error) {
    const isMissing = codeOf(error) === "ENOENT";
    const why = isMissing ? "no such file or folder" : messageOf(error);
    throw new MemoError(isMissing ? "not-found" : "file", `Cannot import \`${path}\`: ${why}`, {
      hint: "Run `memo import` to see what can be imported",
      cause: error,
    });
  }
}

/** The value of a JSON file. */
export function readJson(path: string): unknown {
  const text = readText(path);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new MemoError("file", `Cannot import \`${path}\`: it is not JSON: ${messageOf(error)}`, {
      cause: error,
    });
  }
}
