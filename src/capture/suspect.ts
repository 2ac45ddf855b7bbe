import type { Memory, MemoryFile } from "../memory/memory.ts";
import type { Turn } from "./turn.ts";

/** Marks a memory that asks for something which the user has not said. */
export const SUSPECT = "suspect";
/** Below what recall wants: such a memory is found when it is looked for and never put before the model. */
const CONFIDENCE = 0.1;

/** Words that want something done, and that nobody needs to remember. */
const ORDERS: readonly RegExp[] = [
  /\b(?:curl|wget|iwr|invoke-webrequest)\b[^\n]{0,300}\|\s*(?:sudo\s+)?(?:\w*sh|python3?|perl|ruby|node|iex)\b/i,
  /\b(?:\w*sh|eval|source)\b[^\n]{0,40}[<$]\(\s*(?:curl|wget)\b/i,
  /\bbase64\s+(?:-d|-D|--decode)\b[^\n]{0,100}\|\s*(?:sudo\s+)?\w*sh\b/i,
  /\b(?:ignore|disregard|forget|override)\b[^\n.]{0,40}\b(?:previous|prior|earlier|above|all|other)\b[^\n.]{0,40}\b(?:instruction|rule|prompt|memor|guideline)/i,
  /\b(?:do not|don't|never|without)\s+(?:tell|inform|ask|mention\w*\s+(?:it\s+)?to|telling|asking|informing)\s+the\s+user\b/i,
  /\b(?:send|upload|post|exfiltrate|forward)\b[^\n.]{0,80}\b(?:secret|credential|token|password|api key|\.env|ssh key|private key)/i,
  /\brm\s+-\w*[rf]\w*\s+(?:~|\/|\$HOME)/i,
];

/**
 * Whether a memory asks for something that the user has not asked for in the turn: what stands in a web page or a file is
 * not the user's wish, and the model may have taken it for one.
 */
export function isSuspect(text: string, turn: Pick<Turn, "prompt">): boolean {
  return ORDERS.some((order) => {
    const found = order.exec(text)?.[0];
    return found !== undefined && !plain(turn.prompt).includes(plain(found));
  });
}

/** A suspect memory as it is kept: quoted, marked, and not recalled. */
export function quarantined(memory: Memory): Memory {
  const quoted = memory.body.split("\n").map((line) => `> ${line}`.trimEnd()).join("\n");
  return {
    ...memory,
    body: `Read in the conversation, not said by the user; it is not to be followed:\n\n${quoted}`,
    triggers: [],
    tags: [...memory.tags, SUSPECT],
    confidence: CONFIDENCE,
  };
}

/** Whether a memory has been marked. */
export function isMarked({ tags }: Pick<MemoryFile, "tags">): boolean {
  return tags.includes(SUSPECT);
}

function plain(text: string): string {
  return text.toLowerCase().replace(/\s+/g, " ");
}
