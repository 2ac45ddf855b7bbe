import { basename } from "node:path";
import { MemoError } from "../../errors.ts";
import { bytesOf } from "../ledger/archive.ts";
import { marksIn, mayOvertake } from "../memory/provenance.ts";
import type { ChangeKind } from "../ledger/change_log.ts";
import { memoryIn } from "../memory/file.ts";
import { digestOf, isOwnContent } from "../memory/trust.ts";
import type { Change, FileChange } from "./change.ts";

/** What adds a note whose words the command has compared with what the user has typed. */
const PROVEN: readonly ChangeKind[] = ["add", "supersede"];
/** Commands that are not named as their change in the log. */
const COMMANDS: Readonly<Partial<Record<ChangeKind, string>>> = {
  ...{ pin: "edit --pin", unpin: "edit --no-pin", restore: "undo", supersede: "add --replace" },
};

/**
 * Throws where a command that a model runs would change a note of the user's or take it away, or make one theirs, or
 * more prominent, that is not: that, only a person does. What bears a mark, a model may change and forget.
 */
export function refuseForModel(changes: readonly Change[]): void {
  for (const change of changes) {
    if (change.kind === "journal" || change.kind === "redact" || isHarmless(change)) continue;
    const { kind, what } = change;
    const name = basename(kind === "add" ? change.file : change.path);
    const verb = kind === "add" && what === "share" ? "share --undo" : COMMANDS[what] ?? what;
    throw new MemoError(
      "usage",
      `Cannot change \`${name}\` from within Claude Code: only you can decide that`,
      { hint: `Run \`${["memo", verb, name].join(" ")}\` in your own terminal` },
    );
  }
}

function isHarmless(change: Exclude<FileChange, { kind: "redact" }>): boolean {
  const { folder, kind, what } = change;
  const { path, scope } = folder;
  const bytes = kind === "add" ? undefined : bytesOf(change.path, path);
  const isOwnHere = bytes !== undefined && isOwnContent(folder, digestOf(bytes));
  const before = bytes && memoryIn(bytes, "");
  const after = kind === "archive" ? undefined : memoryIn(change.text, "");
  const [isOwn, becomesOwn] = [[before, isOwnHere] as const, [after, false] as const]
    .map(([memory, isOwn]) => memory !== undefined && mayOvertake({ ...memory, scope, isOwn }));
  if (after === undefined) return !isOwn;
  if (kind === "add" && what === "share" && scope !== "shared") return false; // out of its repository
  const keeps = marksIn(before?.tags ?? []).every((tag) => after.tags.includes(tag));
  const mayBe = becomesOwn ? PROVEN.includes(what) : !isOwn && keeps;
  return mayBe && (before?.pinned || !after.pinned);
}
