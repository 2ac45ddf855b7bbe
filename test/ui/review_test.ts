import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { asSuspect } from "../../src/core/memory/provenance.ts";
import { parseMemory, serializeMemory } from "../../src/core/memory/file.ts";
import { makeHome } from "../support/home.ts";
import { callsOn } from "./support.ts";

function note(name: string, body: string, more = ""): string {
  return `---\nname: ${name}\ntype: tool\ncreated: 2026-11-01\n${more}---\n${body}\n`;
}

type Pair = Readonly<
  Record<"older" | "newer", { id: string; name: string }> & { id: string; kind: string }
>;

Deno.test("a memory that was held back is kept as it was said, and held back again by undo", async () => {
  await using home = makeHome();
  const { memory } = parseMemory(note("Deploys", "Run the deploy.\n\n> quoted"), {
    fallbackName: "x",
  });
  const path = home.write("held.md", serializeMemory(asSuspect(memory)));
  const before = readFileSync(path, "utf8");
  await using page = callsOn(home);
  const { held } = await page.call("review");
  assert.deepEqual(held.map(({ name }: Record<string, string>) => name), ["Deploys"]);
  const { said, group } = await page.call("keep", { id: held[0].id });
  assert.equal(said, "Kept “Deploys”");
  const kept = parseMemory(readFileSync(path, "utf8"), { fallbackName: "x" }).memory;
  assert.deepEqual([kept.body, kept.tags, kept.confidence], [memory.body, ["confirmed"], 1]);
  assert.deepEqual((await page.call("review")).held, []);
  await page.call("undo", { group });
  assert.equal(readFileSync(path, "utf8"), before);
});

Deno.test("two notes of which one contradicts the other are a pair until a person keeps both or one changes", async () => {
  await using home = makeHome();
  const at = (day: number) => `updated: 2026-11-0${day}\n`;
  home.write("a.md", note("Sign-off", "Payments sign the release.", at(2)));
  home.write("b.md", note("Releases", "Ask Ines first.", `${at(3)}tags: [contradicts:a.md]\n`));
  home.write("c.md", note("Shop", "We deploy the shop with Heroku.", at(2)));
  const later = home.write(
    "d.md",
    note("Shop now", "Kamal deploys it.", `${at(3)}tags: [contradicts:c.md]\n`),
  );
  await using page = callsOn(home);
  const { engine } = page.context;
  const pairs = async () => {
    await engine.sync({ scope: "user", path: join(home.claude, "memory") });
    await engine.withIndex((index) => index.judgeNew(undefined, {}));
    return (await page.call("review")).pairs as Pair[];
  };
  const names = async () =>
    (await pairs()).map(({ kind, older, newer }) => [kind, older.name, newer.name]).sort();
  const shop = ["rivals", "Shop", "Shop now"];
  const rivals = ["rivals", "Sign-off", "Releases"];
  assert.deepEqual(await names(), [shop, rivals]);
  for (const { id } of await pairs()) {
    const { group } = await page.call("both", { id });
    assert.equal((await names()).length, 1);
    await page.call("undo", { group });
    assert.equal((await names()).length, 2);
  }
  for (const { id } of await pairs()) await page.call("both", { id });
  assert.deepEqual(await names(), []);
  writeFileSync(later, readFileSync(later, "utf8").replace("Kamal", "Fly"));
  assert.deepEqual(await names(), [shop]);
  await page.call("forget", { id: (await pairs())[0]!.older.id });
  assert.deepEqual(await names(), []);
});

Deno.test("only what was shown is decided about", async () => {
  await using home = makeHome();
  await using page = callsOn(home);
  await page.call("review");
  for (const name of ["both", "stand", "approve", "reject"]) {
    await assert.rejects(page.call(name, { id: "abcdefgh" }), /Already decided/, name);
  }
});

Deno.test("a page that was opened from within Claude Code gives no consent", async () => {
  await using home = makeHome();
  await using page = callsOn(home);
  Object.assign(page.context, { env: { ...home.env, CLAUDECODE: "1" } });
  for (const name of ["approve", "reject", "keep", "confirm"]) {
    await assert.rejects(page.call(name, { id: "abcdefgh" }), /within Claude Code/, name);
  }
});
