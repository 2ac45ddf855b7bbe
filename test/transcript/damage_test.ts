// One line never costs a conversation: whatever a transcript of any agent holds, the turns around it are complete.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import Database from "libsql";
import { ConversationProof } from "../../src/core/capture/conversation.ts";
import { tell } from "../../src/core/capture/pieces.ts";
import { errorExcerpt, errorLines } from "../../src/core/transcript/tool_line.ts";
import { FORMATS } from "../../src/core/transcript/formats/mod.ts";
import { LiveBranches } from "../../src/core/transcript/live_branch.ts";
import { databaseOf } from "../../src/core/transcript/lines.ts";
import { readTurns, type Step, type Turn } from "../../src/core/transcript/turns.ts";
import { placeSession, STORED } from "../support/agent_sessions.ts";
import { temporaryFolder } from "../support/temp.ts";

const CLAUDE = fileURLToPath(new URL("../fixtures/transcripts/bugfix.jsonl", import.meta.url));

/** Texts that a tool can show, and what no text is. */
const base64 = Buffer.from("x".repeat(600)).toString("base64");
const OUTPUTS: Readonly<Record<string, string>> = {
  "one long word": base64,
  "two of them": `${base64}\n${base64}`,
  "a path": Array.from({ length: 60 }, (_, i) => `/usr/lib/x${i}/bin`).join(":"),
  "700 dots": ".".repeat(700),
  "700 blanks": " ".repeat(700),
  "700 line breaks": "\n".repeat(700),
  "many zeros": "0".repeat(200_000),
  "half of a pair": "\ud800".repeat(700),
};

Deno.test("errorExcerpt() makes one line of any output, and says that a long word was there", () => {
  const excerpts = Object.entries(OUTPUTS).map(([name, output]) => [
    name,
    errorExcerpt(output, 600),
    errorLines(output, 600).length,
  ]);
  assert.deepEqual(excerpts, [
    ["one long word", "…", 1],
    ["two of them", "… …", 2],
    ["a path", "…", 1],
    ["700 dots", "…", 1],
    ["700 blanks", "", 1],
    ["700 line breaks", "", 1],
    ["many zeros", "… …", 2],
    ["half of a pair", "\ufffd".repeat(240), 1],
  ]);
  assert.equal(errorExcerpt(`${base64}\nerror: no space left`, 600), "… error: no space left");
});

/** A value that no client writes there. */
const strange = fc.oneof(
  fc.constantFrom<unknown>(...Object.values(OUTPUTS), null, 1e300, -1, true, [], {}),
  fc.constantFrom<unknown>({ toString: 1 }, [{ type: "text", text: { toString: 1 } }]),
  fc.constant(nested(3000)),
  fc.string({ unit: "binary", maxLength: 2000 }),
  fc.array(fc.constantFrom("\n", "\0", "\u202e", "</turn>", "```", " ", "error"), {
    maxLength: 900,
  }).map((parts) => parts.join("")),
);

function nested(depth: number): unknown {
  return depth === 0 ? "deep" : [nested(depth - 1)];
}

interface Damage {
  /** Which line of the middle turn, as a share of how many there are; undefined: each. */
  readonly line: number | undefined;
  /** Which value of the line, likewise; undefined: each text in it. */
  readonly value: number | undefined;
  readonly becomes: unknown;
  /** Where the line ends instead; 1: it is whole. */
  readonly cut: number;
}

const share = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const damages: fc.Arbitrary<Damage> = fc.record({
  line: fc.option(share, { nil: undefined }),
  value: fc.option(share, { nil: undefined }),
  becomes: strange,
  cut: fc.oneof({ weight: 4, arbitrary: fc.constant(1) }, { weight: 1, arbitrary: share }),
});

/** The text of a line with one of its values replaced, or cut. */
function damaged(text: string, { value, becomes, cut }: Damage): string {
  const line = JSON.parse(text);
  const places = placesIn(line);
  for (const [i, [holder, key]] of places.entries()) {
    const isText = String(holder[key]).includes(" ") && typeof holder[key] === "string";
    if (value === undefined ? isText : i === Math.floor(value * places.length)) {
      holder[key] = becomes;
    }
  }
  const whole = JSON.stringify(line);
  return whole.slice(0, Math.max(1, Math.floor(cut * whole.length)));
}

function placesIn(value: Record<string, unknown>): [Record<string, unknown>, string][] {
  return Object.entries(value).flatMap(([key, own]): ReturnType<typeof placesIn> => {
    const isObject = typeof own === "object" && own !== null;
    return [[value, key], ...isObject ? placesIn(own as Record<string, unknown>) : []];
  });
}

/** Damages the middle turn of a conversation, which ends at these bytes, or times. */
function damage(path: string, [from, to]: readonly [number, number], each: Damage): void {
  const isMeant = (_: unknown, i: number, { length }: readonly unknown[]) =>
    each.line === undefined || i === Math.floor(each.line * length);
  const database = databaseOf(path);
  if (database === undefined) {
    const bytes = readFileSync(path);
    const lines = bytes.subarray(from, to).toString("utf8").split("\n").slice(0, -1)
      .map((line, i, all) => isMeant(line, i, all) ? damaged(line, each) : line);
    const parts = [bytes.subarray(0, from), lines.join("\n") + "\n", bytes.subarray(to)];
    writeFileSync(path, Buffer.concat(parts.map((part) => Buffer.from(part))));
    return;
  }
  const db = new Database(database);
  const rows = ["message", "part"].flatMap((table) => {
    const which = table === "message" ? "id" : "message_id";
    return (db.prepare(
      `select id, data from ${table} where ${which} in (select id from message where time_created > ? and time_created <= ?)`,
    ).all([from, to]) as { id: string; data: string }[]).map((row) => ({ table, ...row }));
  });
  for (const { table, id, data } of rows.filter(isMeant)) {
    db.prepare(`update ${table} set data = ? where id = ?`).run(damaged(data, each), id);
  }
  db.close();
}

/** What does not depend on where in the file a turn stands. */
function said({ prompt, steps }: Turn): readonly [string, ...Step[]] {
  return [prompt, ...steps];
}

const examples = Object.values(OUTPUTS)
  .map((becomes): [Damage] => [{ line: undefined, value: undefined, becomes, cut: 1 }]);

for (const agent of ["claude", ...FORMATS.map(({ agent }) => agent)]) {
  const place = (folder: string) => {
    if (agent !== "claude") {
      const name = agent in STORED ? `${agent}.db` : "session.jsonl";
      return placeSession(join(folder, name), agent, { session: "three-turns" });
    }
    const path = join(folder, "session.jsonl");
    writeFileSync(path, readFileSync(CLAUDE));
    return path;
  };

  Deno.test(`${agent}: whatever a line of a turn holds, the turns before and after it are complete`, async () => {
    using whole = temporaryFolder();
    const [before, middle, ...after] = await Array.fromAsync(readTurns(place(whole.path)));
    assert.ok(after.length > 0);
    await fc.assert(
      fc.asyncProperty(damages, async (each) => {
        using folder = temporaryFolder();
        const path = place(folder.path);
        damage(path, [before!.end, middle!.end], each);
        const turns = await Array.fromAsync(readTurns(path));
        assert.deepEqual(said(turns[0]!).slice(0, said(before!).length), said(before!));
        assert.deepEqual(turns.slice(-after.length).map(said), after.map(said));
        for (const turn of turns) assert.equal(typeof tell(turn), "string");
        assert.ok(await new ConversationProof(path).read());
        await new LiveBranches().of(path);
      }),
      { numRuns: 30, examples },
    );
  });
}
