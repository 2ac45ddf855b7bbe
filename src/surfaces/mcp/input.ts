// The messages of a client, one a line. One that is too long is answered with an error instead of ending the server.

/** Maximum bytes of a message: no tool takes as much. */
export const MAX_MESSAGE = 10 * 1024 * 1024;
/** How much of a longer one is kept of both ends, to find its id. */
const EDGE = 200;

const ID = String.raw`"id"\s*:\s*(?<id>\d{1,15}|"[^"\\]{1,100}")`;
/** Its id as a member of the message itself: the first one, after the version, or the last one. */
const FIRST = new RegExp(String.raw`^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?${ID}`);
const LAST = new RegExp(String.raw`[,{]\s*${ID}\s*\}\s*$`);

/** The lines of a stream as they come; `refuse` is called for a longer one, with its id if it is found. */
export async function* messagesIn(
  stream: AsyncIterable<Uint8Array>,
  refuse: (id: string | number | undefined) => void,
  maxBytes = MAX_MESSAGE,
): AsyncGenerator<Buffer> {
  let held: Uint8Array[] = [];
  let length = 0;
  let head = "";
  const hold = (part: Uint8Array) => {
    length += part.length;
    held.push(part);
    if (length <= maxBytes) return;
    const all = Buffer.concat(held);
    head ||= all.subarray(0, EDGE).toString("latin1");
    held = [all.subarray(-EDGE)];
  };
  for await (const chunk of stream) {
    let from = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      hold(chunk.subarray(from, end + 1));
      const line = Buffer.concat(held);
      if (length <= maxBytes) yield line;
      else refuse(idIn(head, line.toString("latin1")));
      held = [];
      length = 0;
      head = "";
      from = end + 1;
    }
    hold(chunk.subarray(from));
  }
}

function idIn(head: string, tail: string): string | number | undefined {
  const { id } = (FIRST.exec(head) ?? LAST.exec(tail))?.groups ?? {};
  return id === undefined ? undefined : JSON.parse(id);
}
