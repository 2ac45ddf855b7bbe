import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { followAnchors } from "../../src/features/guard/anchors.ts";
import { placeIn } from "../../src/core/memory/scopes.ts";
import { workAt } from "../../src/core/recall/at_work.ts";
import { momentBlock } from "../../src/features/guard/entry.ts";
import { dateOf } from "../support/git_history.ts";
import { runMemo } from "../support/home.ts";
import { callsOn } from "../ui/support.ts";
import { engineWith, note } from "./support.ts";

const CART = { "Cart is one list": "All of it is in src/cart.ts." };

Deno.test("a start marks outdated titles and lists them last", async () => {
  await using all = engineWith({
    ...{ ...CART, "Tax is in src/tax.ts": "Rounded there." },
    "Deploys are on Friday": "Never on Monday.",
  });
  const { repository, start } = all;
  const before = await start();
  assert.doesNotMatch(before, /no longer in the code|moved|changed/);
  repository.remove("src/tax.ts");
  repository.move("src/cart.ts", "src/basket/cart.ts");
  repository.commit("Split the basket");
  const after = await start();
  assert.match(after, /Cart is one list.*\[moved: src\/cart\.ts → src\/basket\/cart\.ts\]/);
  assert.match(after, /Tax is in src\/tax\.ts.*\[no longer in the code: src\/tax\.ts\]/);
  const titles = after.split("\n").filter((line) => line.startsWith("- "));
  assert.match(titles.at(-1)!, /Tax/);
  const plain = (block: string) =>
    block.replaceAll(/ \[(no longer in the code|moved).*\]/g, "").split("\n").sort();
  assert.deepEqual(plain(after), plain(before), "nothing else has changed");
  repository.write("src/tax.ts", "export const tax = 2;\n".repeat(20));
  repository.commit("Bring it back");
  assert.doesNotMatch(await start(), /no longer in the code/);
});

Deno.test("what the last commits changed is what the place is about at the next start", async () => {
  await using all = engineWith(CART);
  const { repository, follow, home, engine } = all;
  repository.write("src/harbour_fees.ts", "export const fee = 1;\n");
  repository.commit("Round the fees");
  await follow();
  const work = workAt(placeIn(engine.paths, home.project), engine.paths.receipts);
  assert.match(work, /Round the fees/);
  assert.match(work, /src\/harbour_fees\.ts/);
});

Deno.test("a memory whose file has moved is shown with the file, and says so", async () => {
  await using all = engineWith(CART);
  const { repository, engine, follow, home, now } = all;
  const cart = note("Cart is one list", "It is all in src/cart.ts.", { type: "gotcha" });
  home.keep("Cart_is_one_list.md", cart);
  await follow();
  repository.move("src/cart.ts", "src/basket/list.ts");
  repository.commit("Split the basket");
  const folders = await follow();
  await engine.withIndex(async (index) => {
    const anchors = await followAnchors(index, home.project, folders);
    const [anchor] = anchors.files.get("src/basket/list.ts") ?? [];
    const [memory] = await (await index.corpus(folders)).memories([anchor!.memory]);
    const block = momentBlock(memory!, { because: "mentions this file", about: [], now });
    assert.match(block, /moved: src\/cart\.ts → src\/basket\/list\.ts/);
  });
});

Deno.test("an outdated memory can be kept, and that undone", async () => {
  await using all = engineWith({
    "Cart is one list":
      "All of it is in src/cart.ts, with `LIMIT` 20; src/tax.ts is another matter.",
    "Tax is in src/tax.ts": "Rounded there.",
  });
  const { repository, follow, home } = all;
  repository.write("src/limit.ts", "export const LIMIT = 20;\n");
  repository.commit("Limit it");
  for (const name of ["Cart_is_one_list", "Tax_is_in_src_tax_ts"]) {
    const path = join(home.privately, `${name}.md`);
    writeFileSync(path, readFileSync(path, "utf8").replace(dateOf(1), dateOf(2)));
  }
  repository.move("src/cart.ts", "src/basket/cart.ts");
  repository.write("src/limit.ts", "export const LIMIT = 50;\n");
  repository.remove("src/tax.ts");
  repository.commit("Split the basket");
  await follow();
  await using page = callsOn(home);
  const cart = join(home.privately, "Cart_is_one_list.md"), before = readFileSync(cart, "utf8");
  const waiting = async () => {
    const { drifted } = await page.call("review");
    return new Map<string, Record<string, unknown>>(
      drifted.map((each: { memory: { name: string } }) => [each.memory.name, each]),
    );
  };
  const row = (await waiting()).get("Cart is one list")!;
  assert.deepEqual(row["verdicts"], ["moved", "gone", "changed"]);
  assert.match(String(row["what"]), /src\/cart\.ts moved to .* in \w{7}, .*: Split the basket/);
  const { group } = await page.call("stand", { id: row["id"] });
  await follow();
  assert.deepEqual((await waiting()).get("Cart is one list")?.["verdicts"], undefined);
  await page.call("undo", { group });
  assert.equal(readFileSync(cart, "utf8"), before);
  const tax = (await waiting()).get("Tax is in src/tax.ts")!;
  await page.call("stand", { id: tax["id"] });
  await follow();
  assert.deepEqual([...(await waiting()).keys()], ["Cart is one list"]);
});

Deno.test("list and show say what is outdated, and since which commit", async () => {
  await using all = engineWith({ ...CART, "Tax is in src/tax.ts": "Rounded there." });
  const { repository, follow, home } = all;
  repository.move("src/cart.ts", "src/basket/cart.ts");
  repository.commit("Split the basket");
  await follow();
  const { stdout } = await runMemo(home, ["list", "--stale", "--json"]);
  const listed = JSON.parse(stdout) as { name: string; drift?: { verdict: string }[] }[];
  const cart = listed.find(({ name }) => name === "Cart is one list");
  assert.deepEqual(cart?.drift?.map(({ verdict }) => verdict), ["moved"]);
  const shown = await runMemo(home, ["show", "Cart is one list", "--json"]);
  assert.equal(JSON.parse(shown.stdout).drift[0].by.subject, "Split the basket");
  const said = await runMemo(home, ["show", "Cart is one list"]);
  assert.match(said.stderr, /moved to src\/basket\/cart\.ts in \w{7}, 2026-03-02: Split/);
});

Deno.test("each work tree has its own HEAD", async () => {
  await using all = engineWith(CART);
  const { repository, start, home } = all;
  const linked = join(home.root, "linked");
  repository.git("worktree", "add", "-q", "-b", "other", linked);
  repository.remove("src/cart.ts");
  repository.commit("Drop it");
  assert.match(await start(), /no longer in the code: src\/cart\.ts/);
  assert.doesNotMatch(await start(linked), /no longer in the code/);
  assert.match(await start(), /no longer in the code: src\/cart\.ts/);
});

Deno.test("a memory that has changed is looked at again, and one that is removed leaves nothing behind", async () => {
  await using all = engineWith(CART);
  const { repository, start, home, engine } = all;
  repository.move("src/cart.ts", "src/basket.ts");
  repository.commit("Move it");
  assert.match(await start(), /moved: src\/cart\.ts/);
  home.keep("Cart_is_one_list.md", note("Cart is one list", "All of it is in src/basket.ts."));
  assert.doesNotMatch(await start(), /moved/);
  const rows = await engine.withIndex((index) => index.standings.rows(home.project));
  assert.equal(rows.size, 1);
});

/** A session on a branch has changed a file, committed it on the second day, and saved a memory. */
async function onBranch() {
  const all = engineWith({ "Deploys are on Friday": "Never on Monday." });
  const { repository, home, start } = all;
  await start();
  repository.git("checkout", "-q", "-b", "feature/x");
  const created = dateOf(2).replace("12:00", "13:00");
  repository.write("src/basket.ts", "export const basket = 3;\n".repeat(20));
  repository.commit("Begin the basket");
  home.keep("basket.md", note("The basket is a map", "By product.", { created }));
  home.keep("terse.md", note("Answer tersely", "Always.", { created, type: "feedback" }));
  const saved = await start(home.project, new Date(created));
  assert.doesNotMatch(saved, /not merged/);
  return all;
}
const NOT_MERGED = /The basket is a map.* \[from branch feature\/x, not merged here\]/;

Deno.test("a memory from a branch says so until its commit is merged", async () => {
  await using all = await onBranch();
  const { repository, start } = all;
  repository.git("checkout", "-q", "main");
  const block = await start();
  assert.match(block, NOT_MERGED);
  assert.equal(block.match(/not merged/g)?.length, 1, "a rule is not of a branch");
  repository.git("merge", "-q", "--no-ff", "-m", "Merge the basket", "feature/x");
  assert.doesNotMatch(await start(), /not merged/);
});

Deno.test("what was squashed is merged, from where the branch ended too, also when the branch is gone", async () => {
  await using all = await onBranch();
  const { repository, start } = all;
  repository.write("src/basket.ts", "export const basket = 4;\n".repeat(20));
  repository.commit("Make it four");
  await start();
  repository.git("checkout", "-q", "main");
  assert.match(await start(), NOT_MERGED);
  repository.write("src/tax.ts", "export const tax = 5;\n".repeat(20));
  repository.commit("Something else");
  assert.match(await start(), NOT_MERGED);
  repository.git("merge", "-q", "--squash", "feature/x");
  repository.commit("Add the basket");
  repository.git("branch", "-q", "-D", "feature/x");
  assert.doesNotMatch(await start(), /not merged/);
  repository.remove("src/basket.ts");
  repository.commit("Drop it again");
  assert.doesNotMatch(await start(), /not merged/);
});

Deno.test("a memory from an abandoned branch needs review after 30 days", async () => {
  await using all = await onBranch();
  const { repository, start, home, engine } = all;
  repository.git("checkout", "-q", "main");
  assert.match(await start(), NOT_MERGED);
  repository.git("branch", "-q", "-D", "feature/x");
  assert.match(await start(), NOT_MERGED);
  const waiting = (days: number) => {
    const at = new Date(Date.parse(dateOf(9)) + days * 86_400_000);
    return engine.withIndex((index) => index.standings.byPath([home.project], at));
  };
  assert.equal((await waiting(29)).size, 0);
  assert.equal((await waiting(30)).size, 1);
});

Deno.test("a memory saved before a branch's first commit belongs to that commit", async () => {
  await using all = engineWith({});
  const { repository, start, home } = all;
  repository.git("checkout", "-q", "-b", "feature/x");
  const created = dateOf(1).replace("12:00", "13:00");
  home.keep("basket.md", note("The basket is a map", "By product.", { created }));
  await start(home.project, new Date(created));
  repository.write("src/basket.ts", "export const basket = 3;\n".repeat(20));
  repository.commit("Begin the basket");
  await start();
  repository.git("checkout", "-q", "main");
  assert.match(await start(), NOT_MERGED);
});

Deno.test("a user's memory is checked where the history had every path it mentions", async () => {
  await using all = engineWith({});
  const { repository, start, home } = all;
  const everywhere = (name: string, body: string) => home.write(`${name}.md`, note(name, body));
  everywhere("Cart", "The cart of the shop is in src/cart.ts.");
  everywhere("Other", "It is in src/cart.ts, and in other/place.ts.");
  everywhere("Tax", "The tax is in tax.ts.");
  assert.doesNotMatch(await start(), /no longer in the code/);
  repository.remove("src/cart.ts");
  repository.remove("src/tax.ts");
  repository.commit("Drop both");
  const block = await start();
  assert.match(block, /cart of the shop.*\[no longer in the code: src\/cart\.ts\]/);
  assert.equal(
    block.match(/no longer in the code:/g)?.length,
    1,
    "others may be about another repository",
  );
});
