import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { rivalryOf } from "../../src/memory/rivals.ts";
import { TWO } from "../support/two_memories.ts";

const said = (body: string) => ({ name: body, body });
const kindOf = (older: string, later: string) => rivalryOf(said(older), said(later));

/** What cannot both hold: of these the later one overtakes the older one. */
const ONE_HOLDS: Readonly<Record<string, number>> = { numbers: 3, negations: 8, versions: 4 };

for (const [kind, pairs] of Object.entries(TWO)) {
  Deno.test(`Of two memories no valid one is overtaken: ${kind}`, () => {
    const overtaken = pairs.filter(([a, b]) => kindOf(a, b) === "overtaken");
    assert.equal(overtaken.length, ONE_HOLDS[kind] ?? 0, JSON.stringify(overtaken));
  });
}

for (const suite of ["holds", "holds-aside"]) {
  Deno.test(`No two notes of ${suite} that both hold are rivals, in either order`, () => {
    const file = join(import.meta.dirname!, "../../bench/suites", suite, "corpus.jsonl");
    const notes = readFileSync(file, "utf8").trim().split("\n").map((line) => JSON.parse(line))
      .filter(({ scope }) => scope === "siblings").map(({ text }) => String(text));
    const pairs = notes.flatMap((one, i) => i % 2 === 0 ? [[one, notes[i + 1]!] as const] : []);
    assert.equal(pairs.length, 15);
    const found = pairs.flatMap(([a, b]) => [[a, b], [b, a]] as [string, string][])
      .filter(([a, b]) => kindOf(a, b) !== undefined);
    assert.deepEqual(found, []);
  });
}

Deno.test("A figure in a figure's place, a `not`, and words that say so overtake", () => {
  for (
    const [older, later] of [
      ["Session tokens expire after 24 hours", "Session tokens expire after 30 minutes of idling"],
      ["Tokens expire after 30 minutes of idling", "Tokens expire after 10 minutes of idling"],
      ["Deploy on Fridays", "Never deploy on Fridays"],
      ["We use Redis for sessions", "We no longer use Redis for sessions"],
      ["El carrito caduca a las 2 horas", "El carrito caduca a las 48 horas"],
      ["Ich arbeite mit VS Code", "Ich bin auf Zed umgestiegen, VS Code benutze ich nicht mehr"],
      ["The intern is Malin", "Jonas has taken over Malin's place"],
    ] as const
  ) assert.equal(kindOf(older, later), "overtaken", `${older} | ${later}`);
});

Deno.test("What came in a thing's place is overtaken by what says that it is over in turn", () => {
  const yarn = "We use yarn instead of npm";
  assert.equal(kindOf(yarn, "We use pnpm instead of yarn"), "overtaken");
  assert.equal(kindOf(yarn, "We use bun instead of npm"), undefined);
  assert.equal(kindOf(yarn, "We use yarn workspaces instead of lerna"), undefined);
});

Deno.test("Neither the day on which it was said nor a heading is what a note says", () => {
  const room = "Since 2026-03-03 Ann wants Ben to work in the IT room";
  const chat = "Use Discord with Ann and the team (since 2026-03-06) instead of email";
  assert.equal(kindOf(room, chat), undefined);
  assert.equal(
    kindOf("# docker compose\n\nRun it.", "# docker compose stop\n\nHalt it."),
    undefined,
  );
  assert.equal(
    kindOf("# Tokens\n\nThey last 5 days", "# Tokens\n\nThey last 9 days"),
    "overtaken",
  );
});

Deno.test("A name in a name's place is a rival, which no word decides", () => {
  assert.equal(kindOf("Payments are handled by Stripe", "Payments are handled by Adyen"), "rivals");
  assert.equal(kindOf("Ask Priya about billing", "Ask Tomasz about billing"), undefined);
  assert.equal(kindOf("Client 1 likes red", "Client 2 likes red"), undefined);
});
