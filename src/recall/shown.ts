import { linesOf } from "../transcript/lines.ts";
import { OPEN } from "../text/block.ts";
import { HOOK_TEXT, hookTexts } from "../transcript/hook_texts.ts";
import { FRESH_SESSION, type SessionState, withShown } from "./session.ts";

const BOUNDARY = '"compact_boundary"';

/**
 * What a session was shown, read from its transcript: for a fork, whose own state memo has never seen, and for a
 * session whose state was lost. What came before a compaction no longer counts.
 */
export async function shownIn(transcript: string): Promise<SessionState> {
  let state = FRESH_SESSION;
  try {
    const holding = [BOUNDARY, HOOK_TEXT];
    for await (const { text: line } of linesOf(transcript, { holding })) {
      if (line.includes(BOUNDARY)) state = FRESH_SESSION;
      else if (line.includes(OPEN)) {
        for (const block of blocksIn(line)) state = withShown(state, block, pathsIn(block));
      }
    }
  } catch {
    // there is no transcript yet, or not any more
  }
  return state;
}

function blocksIn(line: string): string[] {
  return hookTexts(line).filter((text) => text.startsWith(OPEN));
}

/** The paths in a block's headings: `## name [type, age] path`. */
function pathsIn(block: string): string[] {
  return [...block.matchAll(/^## .*? \[[^\]\n]*\] (.+?)(?: \(not shown here; see the file\))?$/gm)]
    .map((match) => match[1]!);
}
