import { MemoError, messageOf } from "../../../errors.ts";
import { readStream } from "../../../core/files/bounded.ts";

/** Maximum bytes of a memory: a larger file is not synced either. */
const MAX_BYTES = 8 * 1024 * 1024;

/** The text on stdin, for `memo add` or `memo edit`. Refuses bytes that are not text, because decoding would change them silently. */
export async function readText(verb: "add" | "edit"): Promise<string> {
  const bytes = await readStream(process.stdin, MAX_BYTES).catch((error: unknown) => {
    throw new MemoError("file", `Cannot ${verb} what is on stdin: ${messageOf(error)}`, {
      hint: "Split it into notes, and run `memo add < FILE` for each",
    });
  });
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    if (!text.includes("\0")) return text;
  } catch {
    // reported below
  }
  throw new MemoError("usage", `Cannot ${verb} a memory: stdin is not UTF-8 text`, {
    hint: `Run \`iconv -f ENCODING -t utf-8 FILE | memo ${
      verb === "add" ? "add" : "edit NAME --text -"
    }\``,
  });
}
