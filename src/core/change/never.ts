import { MemoError } from "../../errors.ts";
import type { Found } from "../ledger/find.ts";
import { oneLine } from "../text/one_line.ts";
import { type Replace, revision } from "./change.ts";
import { refuseForeign } from "./own.ts";

/** Maximum prompts that a memory is not for, and maximum length of one in UTF-16 units: a longer one is cut. */
const MOST = 20;
const LONGEST = 300;

/**
 * Notes with a memory a prompt that it is not for, without its secrets; undefined if it is noted already. Throws a `usage` MemoError for a
 * memory that others read too: a prompt is the person's own.
 */
export function neverFor(
  found: Found,
  prompt: string,
  group?: string,
): Replace | undefined {
  refuseForeign(found, "change");
  const { memory: { name, never = [] }, folder: { scope } } = found;
  const example = oneLine(prompt).slice(0, LONGEST).toWellFormed();
  const refuse = (because: string, hint: string) =>
    new MemoError("usage", `Cannot keep \`${name}\` away from such prompts: ${because}`, { hint });
  if (scope === "shared") {
    throw refuse(
      "it is in the repository, and your prompt would be, too",
      "Run `memo share --undo NAME` first, or change when it applies in its own words",
    );
  }
  if (example === "") {
    throw refuse("the prompt is empty", "Pass a prompt that it should not come with");
  }
  if (never.includes(example)) return undefined;
  if (never.length >= MOST) {
    throw refuse(
      `it has ${MOST} such prompts already`,
      "Run `memo edit NAME` to say in it when it applies, or to shorten the list",
    );
  }
  const because = `never for “${example}”`;
  return revision(found, { never: [...never, example] }, { what: "edit", because, group });
}
