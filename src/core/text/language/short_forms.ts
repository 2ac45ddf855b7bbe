import { MemoError } from "../../../errors.ts";
import { fold, stem } from "../analyze.ts";
import SHORT_FORMS from "./short_forms.txt" with { type: "text" };

// How developers abbreviate, and what each form is short for, in the languages where it is usual: `short_forms.txt`.

/** Terms by what they are short for, and the other way round. */
type FormTable = ReadonlyMap<string, ReadonlySet<string>>;

const ALIKE = read(SHORT_FORMS);

/** The terms that a term is short for, or whose long form it is; `own` is the text of `recall.words`. */
export function shortFormsOf(term: string, own = ""): readonly string[] {
  return [...ALIKE.get(term) ?? [], ...own === "" ? [] : ownForms(own).get(term) ?? []];
}

/** The last text of `recall.words`, parsed. */
let last = { own: "", alike: new Map() as FormTable };

/** The short forms of a text, `kn: customer number` a line; throws a `usage` MemoError for another line. */
export function ownForms(own: string): FormTable {
  if (own === last.own) return last.alike;
  last = { own, alike: read(own) };
  return last.alike;
}

function read(text: string): FormTable {
  const alike = new Map<string, Set<string>>();
  for (const line of text.split("\n").filter((line) => line.trim() !== "")) {
    const [, short, words] = /^\s*([\p{L}\p{N}_-]+):\s+(\S.*)$/u.exec(line) ?? [];
    if (short === undefined) {
      throw new MemoError("usage", `Cannot use \`${line.trim()}\` in \`recall.words\``, {
        hint: "Write one per line, such as `kn: customer number`",
      });
    }
    for (const long of words!.trim().split(/\s+/)) {
      const [a, b] = [short, long].map((word) => stem(fold(word))) as [string, string];
      for (const [from, to] of [[a, b], [b, a]] as const) {
        alike.set(from, (alike.get(from) ?? new Set()).add(to));
      }
    }
  }
  return alike;
}
