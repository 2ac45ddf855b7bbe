/** Longest slug, in characters and in bytes of UTF-8: with type and suffix it stays under every file system's limit. */
const MAX_CHARACTERS = 60;
const MAX_BYTES = 180;
/** Device names that Windows takes for themselves, with any extension. */
const RESERVED = /^(con|prn|aux|nul|com\d|lpt\d)$/;

/**
 * A text as one safe part of a file name: lower-case letters and digits of any script, joined by hyphens.
 * What leaves nothing, such as an emoji, becomes `memory`.
 */
export function slug(text: string): string {
  const words = text
    .normalize("NFKD").replace(/[\u0300-\u036f]/g, "").normalize("NFC")
    .toLowerCase()
    .match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  const short = cut(words.join("-"));
  if (short === "") return "memory";
  return RESERVED.test(short) ? `${short}-memory` : short;
}

/** The file name of a memory (DESIGN §2): `{type}_{slug}.md`. */
export function fileName(type: string, name: string): string {
  return `${slug(type)}_${slug(name)}.md`;
}

function cut(text: string): string {
  let kept = "";
  for (const character of text) {
    const next = kept + character;
    if ([...next].length > MAX_CHARACTERS || Buffer.byteLength(next) > MAX_BYTES) break;
    kept = next;
  }
  return kept.replace(/-+$/, "");
}
