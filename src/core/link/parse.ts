/** The byte that begins an escape. */
export const BACKSLASH = 0x5c;
/** The maximum nesting of JSON: 30,000 levels take the parser seconds, 10,000 some milliseconds. */
export const MAX_DEPTH = 10_000;

/** Parses JSON from outside; throws if it is invalid or nested too deeply to parse quickly. */
export function parseBounded(text: string): unknown {
  if (isTooDeep(text)) throw new SyntaxError(`JSON is nested deeper than ${MAX_DEPTH} levels`);
  return JSON.parse(text);
}

/** The fields of a value that came as JSON, unchecked; none if it is no object. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? value as Record<string, unknown>
    : {};
}

/** Checking each character takes longer than parsing, so it is done only if there are enough brackets. */
function isTooDeep(text: string): boolean {
  if (text.length <= MAX_DEPTH || openings(text) <= MAX_DEPTH) return false;
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const character = text[i];
    if (character === '"') i = endOfString(text, i);
    else if (character === "[" || character === "{") depth++;
    else if (character === "]" || character === "}") depth--;
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}

/** The closing quote of the string that opens at `start`: a search is much faster than a look at each character. */
export function endOfString(json: string | Buffer, start: number): number {
  let end = json.indexOf('"', start + 1);
  while (end >= 0 && isEscaped(json, end)) end = json.indexOf('"', end + 1);
  return end < 0 ? json.length : end;
}

/** Whether a character, or a byte, belongs to the escape that the backslash before it begins. */
export function isEscaped(json: string | Buffer, at: number): boolean {
  let first = at;
  while (json[first - 1] === "\\" || json[first - 1] === BACKSLASH) first--;
  return (at - first) % 2 === 1;
}

function openings(text: string): number {
  return text.split("[").length + text.split("{").length - 2;
}
