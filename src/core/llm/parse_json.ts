/** Maximum places in a text that are tried as the beginning of JSON. */
const MAX_TRIES = 50;

/**
 * The JSON object or array in a model's reply: the whole text, or the longest one in prose or a code fence. undefined
 * if there is none or it is incomplete; never throws.
 */
export function parseJson(text: string): object | undefined {
  const whole = parse(text.trim());
  if (whole !== undefined) return whole;
  let best: { readonly value: object; readonly length: number } | undefined;
  let tries = 0;
  for (let at = nextOpening(text, 0); at >= 0 && tries < MAX_TRIES; tries++) {
    const end = endOf(text, at);
    const value = end === undefined ? undefined : parse(text.slice(at, end));
    if (value !== undefined && end! - at > (best?.length ?? 0)) best = { value, length: end! - at };
    at = nextOpening(text, value === undefined ? at + 1 : end!);
  }
  return best?.value;
}

function parse(text: string): object | undefined {
  if (!/^[{[]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as object;
  } catch {
    return undefined;
  }
}

function nextOpening(text: string, from: number): number {
  const offset = text.slice(from).search(/[{[]/);
  return offset < 0 ? -1 : from + offset;
}

/** The end of the bracket that opens at `start`, ignoring brackets in strings. */
function endOf(text: string, start: number): number | undefined {
  let depth = 0;
  for (let i = start, isString = false; i < text.length; i++) {
    const char = text[i];
    if (isString) {
      if (char === "\\") i++;
      else if (char === '"') isString = false;
    } else if (char === '"') isString = true;
    else if (char === "{" || char === "[") depth++;
    else if ((char === "}" || char === "]") && --depth === 0) return i + 1;
  }
  return undefined;
}
