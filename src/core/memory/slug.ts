/** Maximum length of a part, in characters and in bytes of UTF-8. */
interface Limit {
  readonly characters: number;
  readonly bytes: number;
}

/** Together with the archive's stamp they stay under the 255 bytes that file systems allow. */
const LONGEST: Limit = { characters: 60, bytes: 150 };
const LONGEST_TYPE: Limit = { characters: 30, bytes: 60 };
/** Device names that Windows reserves, with any extension. */
const RESERVED = /^(con|prn|aux|nul|com\d|lpt\d)$/;

/**
 * A text as one safe part of a file name: lower-case letters and digits of any script, joined by hyphens.
 * A text without any letters, such as an emoji, becomes `memory`.
 */
export function slug(text: string, longest: Limit = LONGEST): string {
  const words = text
    .normalize("NFKD").replace(/[\u0300-\u036f]/g, "").normalize("NFC")
    .toLowerCase()
    .match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  const short = cut(words.join("-"), longest);
  if (short === "") return "memory";
  return RESERVED.test(short) ? `${short}-memory` : short;
}

/** The file name of a memory: `{type}_{slug}.md`. */
export function fileName(type: string, name: string): string {
  return `${slug(type, LONGEST_TYPE)}_${slug(name)}.md`;
}

function cut(text: string, { characters, bytes }: Limit): string {
  let kept = "";
  for (const character of text) {
    const next = kept + character;
    if ([...next].length > characters || Buffer.byteLength(next) > bytes) break;
    kept = next;
  }
  return kept.replace(/-+$/, "");
}

/** A file name with a number: `a.md` → `a-2.md`. */
export function numbered(name: string, n: number): string {
  return `${name.replace(/\.md$/, "")}-${n}.md`;
}

/** A file name, or path, that is not taken: the wanted one, or the same with a number. */
export function freeName(wanted: string, isTaken: (name: string) => boolean): string {
  const nameOf = (n: number) => n === 1 ? wanted : numbered(wanted, n);
  return nameOf(freeNumber((n) => isTaken(nameOf(n))));
}

/** A free number whose predecessor is taken: the first one from 1, unless there are gaps. It asks for few of them. */
export function freeNumber(isTaken: (n: number) => boolean): number {
  let taken = 0;
  let free = 1;
  while (isTaken(free)) [taken, free] = [free, 2 * free];
  while (free - taken > 1) {
    const middle = (taken + free) >> 1;
    if (isTaken(middle)) taken = middle;
    else free = middle;
  }
  return free;
}
