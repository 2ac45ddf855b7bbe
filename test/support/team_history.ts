// A team's table with a past, and what is asked of its server.

import { createServer } from "node:http";
import { digestOf } from "../../src/core/memory/trust.ts";
import { type NewEntry, rulesEntry } from "../../src/features/team/entry.ts";

/** What a server was asked, and what it read for that. */
export interface Asked {
  readonly requests: number;
  /** Bytes of the bodies, both ways. */
  readonly bytes: number;
  /** Rows, as the server counts and Turso bills them. */
  readonly rowsRead: number;
  readonly rowsWritten: number;
}

/** Stands before a libSQL server and counts; `take` returns what was asked since the last call. */
export async function countingServer(target: () => string) {
  let asked = { requests: 0, bytes: 0, rowsRead: 0, rowsWritten: 0 };
  const sum = (text: string, name: string) =>
    [...text.matchAll(new RegExp(`"${name}":(\\d+)`, "g"))]
      .reduce((all, [, count]) => all + Number(count), 0);
  const server = createServer(async (request, response) => {
    if (request.method === "GET") return void response.writeHead(404).end(); // it speaks JSON then
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const body = Buffer.concat(parts);
    const headers = { authorization: request.headers.authorization ?? "" };
    const reply = await fetch(target() + request.url, { method: "POST", headers, body })
      .catch(() => undefined);
    const text = await reply?.text() ?? "";
    asked = {
      requests: asked.requests + 1,
      bytes: asked.bytes + body.length + Buffer.byteLength(text),
      rowsRead: asked.rowsRead + sum(text, "rows_read"),
      rowsWritten: asked.rowsWritten + sum(text, "rows_written"),
    };
    response.writeHead(reply?.status ?? 502, { "content-type": "application/json" }).end(text);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${port}`,
    take(): Asked {
      const taken = asked;
      asked = { requests: 0, bytes: 0, rowsRead: 0, rowsWritten: 0 };
      return taken;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

/** The first row of a team. */
export function firstRow(at: string): NewEntry {
  return rulesEntry({ version: 1, name: "platform", alone: [] }, { author: "Ada", at });
}

/**
 * The rows of a team that has `notes` approved notes and then gets proposals: of twenty, nine change a note, five are
 * rejected and six are new notes, for each of which an older one is retired. Members take turns.
 */
export function* history(
  { notes, members, from }: {
    readonly notes: number;
    readonly members: readonly string[];
    /** The date of what is before the first row. */
    readonly from: string;
  },
): Generator<NewEntry[], never> {
  let made = 0, turn = 0, clock = Date.parse(from);
  const current: { id: string; sha256: string }[] = [];
  const row = (more: Pick<NewEntry, "id" | "sha256" | "state"> & Partial<NewEntry>): NewEntry => ({
    ...{ kind: "note", body: "", origin: {}, at: new Date(clock += 1000).toISOString() },
    ...{ author: members[turn++ % members.length]!, ...more },
  });
  const proposed = (id: string) => {
    const what = `ordinance ${made++} about shed ${made % 977} and kiln ${made % 89}`;
    const body = `---\nname: The ${what}\ntype: feedback\n---\nKeep to ${what}: ${
      "open the flap first, note the heat, and tell the one who fires next. ".repeat(3 + made % 9)
    }\n`;
    return row({ id, state: "proposed", body, sha256: digestOf(body) });
  };
  const approve = (proposal: NewEntry, at: number) => {
    const { id, sha256 } = proposal;
    current[at] = { id, sha256 };
    return [proposal, row({ id, sha256, state: "approved" })];
  };
  const newId = () => made.toString(16).padStart(10, "0");
  for (let at = 0; at < notes; at++) yield approve(proposed(newId()), at);
  for (let step = 0;; step++) {
    const at = (step * 7919) % notes;
    const { id, sha256 } = current[at]!;
    if (step % 20 < 9) yield approve(proposed(id), at);
    else if (step % 20 < 14) {
      const proposal = proposed(newId());
      yield [proposal, row({ id: proposal.id, sha256: proposal.sha256, state: "retired" })];
    } else yield [row({ id, sha256, state: "retired" }), ...approve(proposed(newId()), at)];
  }
}
