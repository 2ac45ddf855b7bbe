import assert from "node:assert/strict";
import { mentionsOf } from "../../src/core/memory/names.ts";
import { readRows } from "../support/fixtures.ts";

const named = (kind: string, body: string, name = "", description = "") =>
  mentionsOf({ name, description, body }).filter((each) => each.kind === kind)
    .map(({ text }) => text);

Deno.test("mentionsOf() finds files, folders, symbols and commands, wherever a sentence has them", () => {
  for (const [kind = "", name = "", body = "", ...expected] of readRows("memory/mentions.tsv")) {
    assert.deepEqual(named(kind, body, name).sort(), expected.sort(), name + body);
  }
});

Deno.test("mentionsOf() says what the title names, and names each thing once", () => {
  const found = mentionsOf({
    name: "Amounts in ledger.ts are cents",
    description: "",
    body: "`ledger.ts` divides nothing; tax.ts does.",
  });
  assert.deepEqual(found, [
    { kind: "file", text: "ledger.ts", isTitle: true },
    { kind: "file", text: "tax.ts", isTitle: false },
  ]);
});

Deno.test("mentionsOf() of a long list stops", () => {
  const body = Array.from({ length: 500 }, (_, i) => `file${i}.ts`).join(" ");
  assert.ok(named("file", body).length < 50);
});
