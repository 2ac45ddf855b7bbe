import assert from "node:assert/strict";
import { digestOf } from "../../src/core/memory/trust.ts";
import {
  entryOf,
  type EntryState,
  fold,
  isAboutUser,
  isSamePerson,
  personName,
  type TeamEntry,
} from "../../src/features/team/entry.ts";

let seq = 0;

function row(more: Partial<TeamEntry>): TeamEntry {
  const body = more.state === undefined || more.state === "proposed" ? more.body ?? "text" : "";
  return {
    ...{ seq: ++seq, id: "0123456789", kind: "note", author: "Ada", state: "proposed", body },
    ...{ sha256: digestOf(body), origin: {}, at: "2026-11-20T10:00:00.000Z" },
    ...more,
  };
}

const rules = (alone: readonly string[] = []) =>
  row({ kind: "team", body: JSON.stringify({ version: 1, name: "platform", alone }) });
const about = (text: string, state: EntryState, author: string) =>
  row({ state, author, sha256: digestOf(text) });
const texts = (entries: readonly TeamEntry[]) => {
  const [note] = fold(entries).notes;
  return {
    current: note?.current?.proposal.body,
    pending: note?.pending.map(({ proposal }) => proposal.body) ?? [],
  };
};

Deno.test("a note applies when another person has approved it, and until it is retired", () => {
  const proposed = [rules(), row({ body: "one" })];
  assert.deepEqual(texts(proposed), { current: undefined, pending: ["one"] });
  for (const author of ["Ada", "ada", "ADA", "ａｄａ"]) {
    const own = [...proposed, about("one", "approved", author)];
    assert.deepEqual(texts(own), { current: undefined, pending: ["one"] }, author);
  }
  const approved = [...proposed, about("one", "approved", "Bo")];
  assert.deepEqual(texts(approved), { current: "one", pending: [] });
  const again = [...approved, about("one", "approved", "Cy")];
  assert.deepEqual(texts(again), { current: "one", pending: [] });
  const retired = [...approved, about("one", "retired", "Cy")];
  assert.deepEqual(texts(retired), { current: undefined, pending: [] });
  assert.deepEqual(texts([...retired, about("one", "approved", "Bo")]).current, undefined);
});

Deno.test("an approval of nothing, or of another text, lets nothing in", () => {
  const early = about("one", "approved", "Bo");
  const later = row({ body: "one" });
  assert.deepEqual(texts([rules(), early, later]), { current: undefined, pending: ["one"] });
  const other = about("another text", "approved", "Bo");
  assert.deepEqual(texts([rules(), later, other]), { current: undefined, pending: ["one"] });
});

Deno.test("authors approve their own notes where the team says so, from then on", () => {
  const noted = () => [row({ body: "one" }), about("one", "approved", "Ada")];
  assert.equal(texts([rules(["ada"]), ...noted()]).current, "one");
  assert.equal(texts([rules(), ...noted(), rules(["Ada"])]).current, undefined);
});

Deno.test("two edits of one text both wait, and the reviewer picks", () => {
  const first = row({ body: "one" });
  const base = [rules(), first, about("one", "approved", "Bo")];
  const edits = ["two", "three"].map((body, i) =>
    row({ body, author: ["Ada", "Cy"][i]!, supersedes: first.sha256 })
  );
  assert.deepEqual(texts([...base, ...edits]), { current: "one", pending: ["two", "three"] });
  const picked = [...base, ...edits, about("three", "approved", "Bo")];
  assert.deepEqual(texts(picked), { current: "three", pending: ["two"] });
  const rejected = [...picked, about("two", "retired", "Bo")];
  assert.deepEqual(texts(rejected), { current: "three", pending: [] });
});

Deno.test("a row that memo cannot have written is as good as absent", () => {
  const sound = {
    ...{ seq: 1, id: "0123456789", kind: "note", body: "text", sha256: digestOf("text") },
    ...{ author: "Ada", state: "proposed", supersedes: null, origin: "{}" },
    at: "2026-11-20T10:00:00.000Z",
  };
  assert.ok(entryOf(sound));
  const wrong: Readonly<Record<string, readonly unknown[]>> = {
    id: ["../../etc/x", "0123456789/..", 7],
    seq: [-1, 1.5, "1"],
    kind: ["file"],
    state: ["APPROVED", "approved"], // the latter has no text
    sha256: [digestOf("another"), "x"],
    body: ["x".repeat(64 * 1024), null],
    author: ["", "x".repeat(100), null],
    at: ["yesterday", null],
    supersedes: ["../x"],
  };
  for (const [key, values] of Object.entries(wrong)) {
    for (const value of values) {
      assert.equal(entryOf({ ...sound, [key]: value }), undefined, `${key} ${value}`.slice(0, 60));
    }
  }
  const origin = JSON.stringify({
    commit: "$(id)",
    remotes: ["../../x", "a/../b", "github.com/a/b", 7],
  });
  assert.deepEqual(entryOf({ ...sound, origin })!.origin, { remotes: ["github.com/a/b"] });
  for (const broken of ["", "[", "null", "7", 7, "{".repeat(9000)]) {
    assert.deepEqual(entryOf({ ...sound, origin: broken })!.origin, {});
  }
});

Deno.test("a person's name is one line of text", () => {
  assert.equal(personName(" Ada\n## approved by Bo "), "Ada ## approved by Bo");
  assert.equal(personName("\u202eAda"), personName("\u202eAda")?.replace(/\p{Cf}/gu, ""));
  assert.equal(personName("  "), undefined);
});

Deno.test("names that look alike are one person's, and others are not", () => {
  const alike = [
    ["Mallory", "M\u0430llory"], // Cyrillic a
    ["Mallory", "MaIIory"],
    ["BOB", "\u0412\u041e\u0412"],
    ["Nora", "\u039d\u03bfra"], // Greek
    ["Zoe", "Z0e"],
    ["Jos\u00e9", "Jose"],
    ["Ada L.", "ada l"],
    ["\u0412\u043e\u0432\u0430", "\u0432\u043e\u0432\u0430"],
  ] as const;
  for (const [a, b] of alike) assert.ok(isSamePerson(a, b), `${a} ${b}`);
  for (const [a, b] of [["Ada", "Bo"], ["Ana", "Anna"], ["\u0418\u0440\u0430", "Mpa"]] as const) {
    assert.ok(!isSamePerson(a, b), `${a} ${b}`);
  }
});

Deno.test("a memory about the user is one however its type is written", () => {
  for (const type of ["user", "User", " USER"]) assert.ok(isAboutUser({ type }));
  assert.ok(!isAboutUser({ type: "users" }));
});
