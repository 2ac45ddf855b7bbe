/** The deepest nesting of JSON that is read: 30,000 levels take the parser seconds, 10,000 some milliseconds. */
export const MAX_DEPTH = 10_000;

/** Parses JSON from outside; throws where it is not JSON, or nested too deeply to be parsed in good time. */
export function parseBounded(text: string): unknown {
  if (isTooDeep(text)) throw new SyntaxError(`JSON is nested deeper than ${MAX_DEPTH} levels`);
  return JSON.parse(text);
}

/** To look at each character takes longer than to parse them, so it is done only where the brackets suffice for it. */
function isTooDeep(text: string): boolean {
  if (text.length <= MAX_DEPTH || openings(text) <= MAX_DEPTH) return false;
  let depth = 0;
  let isString = false;
  for (let i = 0; i < text.length; i++) {
    const character = text[i];
    if (isString) {
      if (character === "\\") i++;
      else if (character === '"') isString = false;
    } else if (character === '"') isString = true;
    else if (character === "[" || character === "{") depth++;
    else if (character === "]" || character === "}") depth--;
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}

function openings(text: string): number {
  return text.split("[").length + text.split("{").length - 2;
}
