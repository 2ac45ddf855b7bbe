import { createTwoFilesPatch, FILE_HEADERS_ONLY } from "diff";
import type { FileChange } from "./install.ts";

/** A file before and after; undefined: there is none. */
export type TextChange = Pick<FileChange, "before" | "after">;

/** A change of a file as a unified diff; empty when there is none. `name` is the file as people write it. */
export function diffOf({ before, after }: TextChange, name: string): string {
  if (before === after) return "";
  const side = (text: string | undefined) => text === undefined ? "/dev/null" : name;
  return createTwoFilesPatch(
    side(before),
    side(after),
    before ?? "",
    after ?? "",
    undefined,
    undefined,
    { headerOptions: FILE_HEADERS_ONLY },
  );
}
