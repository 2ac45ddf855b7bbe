import { readAnchor, readSummary, splitDay } from "../journal/journal.ts";
import type { PastEntry } from "../index/history.ts";

/** A heading above entries; it says nothing. */
const HEADING = /^## (?:Session|Summary) .*$/gm;
const TIME = /^### (\d\d:\d\d)/;

/** What a day's journal says: an entry a turn, and what a person wrote above them. */
export function journalEntries(day: string, text: string): PastEntry[] {
  const { head, entries } = splitDay(text.replaceAll("\r\n", "\n"));
  const own = head.replace(HEADING, "").trim();
  return [
    ...own === "" ? [] : [{ kind: "journal" as const, day, time: "", title: "", text: own }],
    ...entries.flatMap(({ text, anchor }): PastEntry[] => {
      const isSaid = (line: string) =>
        readAnchor(line) === undefined && readSummary(line) === undefined;
      const said = text.split("\n").slice(1).filter(isSaid).join("\n").trim();
      if (said === "") return [];
      const time = TIME.exec(text)?.[1] ?? "";
      return [{ kind: "journal", day, time, title: "", text: said, ...anchor }];
    }),
  ];
}
