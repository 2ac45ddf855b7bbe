// Words and patterns that stand in tables, most of them in several languages.

import lists from "./word_lists.json" with { type: "json" };

/** The words of a list. */
export function wordList(name: keyof typeof lists): string[] {
  return lists[name].join(" ").split(" ");
}

/**
 * The regular expressions of a table: on each line flags and a pattern, in which a name in braces stands for the pattern
 * on the line that begins with it.
 */
export function patternsIn(table: string): readonly RegExp[] {
  const named = new Map<string, string>();
  return table.split("\n").filter((line) => line !== "" && !line.startsWith("# ")).flatMap(
    (line) => {
      const [key, pattern] = line.split("\t") as [string, string];
      const whole = pattern.replace(/\{[a-z]+\}/g, (name) => named.get(name)!);
      if (!key.startsWith("{")) return [new RegExp(whole, key)];
      named.set(key, whole);
      return [];
    },
  );
}
