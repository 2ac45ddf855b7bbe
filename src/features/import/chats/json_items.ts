const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
/** `[` and `{`, `]` and `}`. */
const isOpening = (byte: number) => byte === 0x5b || byte === 0x7b;
const isClosing = (byte: number) => byte === 0x5d || byte === 0x7d;

/**
 * The items of the first array in a stream of JSON, as text, each as soon as it has ended, so that one at most is held;
 * one longer than `maxBytes` is not held, and undefined. Throws if the stream ends before the array does, or has none.
 */
export async function* jsonItems(
  stream: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<string | undefined> {
  let pieces: Uint8Array[] = [], bytes = 0;
  const add = (piece: Uint8Array) => {
    bytes += piece.length;
    if (bytes > maxBytes) pieces = [];
    else pieces.push(piece);
  };
  const take = () => {
    const item = bytes > maxBytes ? undefined : Buffer.concat(pieces).toString("utf8");
    [pieces, bytes] = [[], 0];
    return item;
  };
  /** How deep in the array; 0: before it. */
  let depth = 0;
  let isText = false, isEscaped = false;
  for await (const chunk of stream) {
    let start = 0;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at]!;
      if (isText) {
        if (isEscaped) isEscaped = false;
        else if (byte === BACKSLASH) isEscaped = true;
        else if (byte === QUOTE) isText = false;
      } else if (byte === QUOTE) isText = true;
      else if (depth === 0) {
        if (byte === 0x5b) [depth, start] = [1, at + 1];
      } else if (isOpening(byte)) depth++;
      else if ((isClosing(byte) && --depth === 0) || (byte === COMMA && depth === 1)) {
        add(chunk.subarray(start, at));
        start = at + 1;
        const item = take();
        if (item?.trim() !== "") yield item;
        if (depth === 0) return;
      }
    }
    if (depth > 0) add(chunk.subarray(start));
  }
  throw new Error(depth === 0 ? "it has no list" : "it ends in the middle");
}
