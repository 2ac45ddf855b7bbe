// Writes src/core/text/relative_days.tsv: how people name days from the day of writing, in the words of CLDR. memo reads
// the table instead of asking `Intl`, which takes 50 ms for these languages, and other words in each runtime.
//
//   deno run -A tools/relative_days.ts

import { writeFileSync } from "node:fs";

const LANGUAGES = "en de fr es it pt nl sv da nb pl cs ru uk tr el zh ja ko".split(" ");
const UNITS = ["day", "week", "month"] as const;
/** Numbers behind which nouns have other forms: 1 день, 2 дня, 5 дней. */
const NUMBERS = [1, 2, 5];
const SUNDAY = Date.UTC(2026, 10, 29), DAY_MS = 86_400_000;

/** English has words for these, and CLDR does not. */
const OTHERS = {
  "day after tomorrow": 2,
  "the day after tomorrow": 2,
  "day before yesterday": -2,
  "the day before yesterday": -2,
};
/** French for yesterday, German and Dutch for here; Chinese for the day after tomorrow, and for acquired. */
const UNSURE = new Set(["hier", "后天"]);

/** The table: on each line a distance in days, or a kind, and its phrases; `#` stands for a number, in digits or as a word. */
export function relativeDayTable() {
  const days = new Map<string, number>(Object.entries(OTHERS));
  const now = new Set<string>(), counted = new Set<string>(), periods = new Set<string>();
  for (const language of LANGUAGES) {
    const words = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
    const numbers = new Intl.RelativeTimeFormat(language);
    for (const unit of UNITS) {
      for (const distance of unit === "day" ? [-2, -1, 0, 1, 2] : [-1, 0, 1]) {
        const phrase = words.format(distance, unit).toLowerCase();
        if (/\p{N}/u.test(phrase)) continue; // there is no word for it
        const other = days.get(phrase) ?? distance;
        if (distance === 0 || UNSURE.has(phrase)) now.add(phrase);
        else if (unit === "day" && other === distance) days.set(phrase, distance);
        else {
          days.delete(phrase);
          periods.add(phrase);
        }
      }
      for (const distance of NUMBERS.flatMap((number) => [-number, number])) {
        const pattern = numbers.formatToParts(distance, unit).map(({ type, value }) =>
          type === "integer" ? "#" : value.toLowerCase()
        ).join("");
        (unit === "day" && distance < 0 ? counted : periods).add(pattern);
      }
    }
    const weekday = new Intl.DateTimeFormat(language, { weekday: "long", timeZone: "UTC" });
    for (let day = 0; day < 7; day++) {
      counted.add(weekday.format(SUNDAY + day * DAY_MS).toLowerCase());
    }
  }
  const rows = [-2, -1, 1, 2].map((distance) =>
    [String(distance), [...days.keys()].filter((phrase) => days.get(phrase) === distance)] as const
  );
  return [...rows, ["now", [...now]], ["counted", [...counted]], ["period", [...periods]]]
    .map(([kind, phrases]) => `${kind}\t${[...phrases!].toSorted().join("|")}\n`).join("");
}

if (import.meta.main) {
  writeFileSync(new URL("../src/core/text/relative_days.tsv", import.meta.url), relativeDayTable());
}
