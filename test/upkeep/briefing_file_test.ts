import assert from "node:assert/strict";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { writeBriefing } from "../../src/features/upkeep/briefing_file.ts";
import { temporaryFolder } from "../support/temp.ts";

const LINES = ["# Project notes", "", "## Decision", "- Use pnpm"];

function project() {
  const temp = temporaryFolder();
  const root = join(temp.path, "project");
  mkdirSync(root);
  const path = join(root, "CLAUDE.md");
  return {
    root,
    path,
    outside: temp.path,
    put: (text: string | Uint8Array) => writeFileSync(path, text),
    text: () => readFileSync(path, "utf8"),
    write: (lines = LINES, more = {}) => writeBriefing(path, lines, { root, ...more }),
    remove: () => writeBriefing(path, undefined, { root }),
    [Symbol.dispose]: () => temp[Symbol.dispose](),
  };
}

/** Asserts that a change is refused for a reason, and that nothing has changed. */
function refused(root: string, change: () => unknown, because: RegExp): void {
  const look = () =>
    readdirSync(root).map((name) => [name, readFileSync(join(root, name), "latin1")]);
  const before = look();
  assert.throws(change, (error: Error & { kind?: string; hint?: string }) => {
    assert.match(error.message, because);
    assert.equal(error.kind, "file");
    assert.ok(error.hint);
    return true;
  });
  assert.deepEqual(look(), before);
}

Deno.test("a briefing is a section of its own, written only when it changes, and taken out again", () => {
  using made = project();
  assert.equal(made.write(), "written");
  assert.match(
    made.text(),
    /^<!-- memo:briefing [0-9a-f]{16}, .* -->\n# Project notes\n[^]*- Use pnpm\n<!-- \/memo:briefing -->\n$/,
  );
  const { ino } = statSync(made.path);
  assert.equal(made.write(), "unchanged");
  assert.equal(statSync(made.path).ino, ino);
  assert.equal(made.remove(), "removed");
  assert.equal(existsSync(made.path), false);
  assert.equal(made.remove(), "none");
  made.put("# Mine\n");
  made.write();
  assert.equal(made.remove(), "removed");
  assert.equal(made.text(), "# Mine\n");
});

Deno.test("a section with other line ends, as a checkout makes them, is not taken for an edited one", () => {
  using made = project();
  made.write();
  made.put(made.text().replaceAll("\n", "\r\n"));
  assert.equal(made.write([...LINES, "- More"]), "written");
});

Deno.test("an edited section is noticed, and overwritten only with force", () => {
  using made = project();
  made.put("# Mine\n");
  made.write();
  made.put(made.text().replace("- Use pnpm", "- Use yarn"));
  refused(made.root, () => made.write(), /it was edited by hand/);
  refused(made.root, () => made.remove(), /it was edited by hand/);
  assert.equal(made.write(LINES, { force: true }), "written");
  assert.match(made.text(), /^# Mine\n\n<!-- [^]*- Use pnpm\n/);
});

Deno.test("markers that are twice, half or turned round are refused", () => {
  using made = project();
  made.write();
  const section = made.text();
  const [open, ...rest] = section.trimEnd().split("\n");
  const wrong: readonly [string, RegExp][] = [
    [section + section, /more than once/],
    [`${open}\n${section}`, /more than once/],
    [`${open}\nText\n`, /after the section is missing/],
    [rest.join("\n"), /before the section is missing/],
    [`${rest.at(-1)}\n${open}\n`, /wrong order/],
  ];
  for (const [text, because] of wrong) {
    made.put(text);
    refused(made.root, () => made.write(LINES, { force: true }), because);
  }
});

Deno.test("a read-only file, a folder and a link out of the project are refused", () => {
  using made = project();
  made.put("# Mine\n");
  chmodSync(made.path, 0o444);
  refused(made.root, () => made.write(), /it is read-only/);

  const rules = join(made.root, ".claude");
  const foreign = join(made.outside, "foreign.md");
  writeFileSync(foreign, "Theirs\n");
  symlinkSync(foreign, join(made.root, "CLAUDE.local.md"));
  const local = join(made.root, "CLAUDE.local.md");
  const write = (path: string) => writeBriefing(path, LINES, { root: made.root });
  refused(made.root, () => write(local), /is outside the project/);
  assert.equal(readFileSync(foreign, "utf8"), "Theirs\n");

  symlinkSync(made.outside, rules);
  assert.throws(() => write(join(rules, "rules", "memo.md")), /is outside the project/);
});

Deno.test("a link within the project stays one, and a file keeps its mode", () => {
  using made = project();
  const real = join(made.root, "AGENTS.md");
  writeFileSync(real, "# Agents\n");
  chmodSync(real, 0o640);
  symlinkSync("AGENTS.md", made.path);
  assert.equal(made.write(), "written");
  assert.equal(readlinkSync(made.path), "AGENTS.md");
  assert.match(readFileSync(real, "utf8"), /^# Agents\n\n<!-- memo/);
  assert.equal(statSync(real).mode & 0o777, 0o640);
});

Deno.test("a briefing that is only updated makes no section", () => {
  using made = project();
  made.put("# Mine\n");
  assert.equal(made.write(LINES, { onlyUpdate: true }), "none");
  assert.equal(made.text(), "# Mine\n");
  const path = join(made.root, ".claude", "rules", "memo.md");
  assert.equal(writeBriefing(path, LINES, { root: made.root }), "written");
});

Deno.test("whatever bytes a file has, they stay, and a second writing changes nothing", () => {
  using made = project();
  const bytes = fc.uint8Array({ maxLength: 200 });
  const pieces = fc.array(
    fc.oneof(bytes, fc.constantFrom("\r\n", "\n", "<!-- ", "memo:", "\ufeff")),
  );
  fc.assert(
    fc.property(pieces, pieces, (above, below) => {
      const join = (parts: readonly (string | Uint8Array)[]) =>
        Buffer.concat(parts.map((part) => Buffer.from(part)));
      const [head, tail] = [join(above), join(below)];
      made.put(head);
      made.write();
      const section = readFileSync(made.path);
      assert.deepEqual(section.subarray(0, head.length), head);
      made.put(Buffer.concat([section, tail]));
      const before = readFileSync(made.path);
      made.write([...LINES, "- More"]);
      const after = readFileSync(made.path);
      assert.deepEqual(after.subarray(0, head.length), head);
      assert.deepEqual(after.subarray(after.length - tail.length), tail);
      assert.equal(made.write([...LINES, "- More"]), "unchanged");
      made.write();
      assert.deepEqual(readFileSync(made.path), before);
    }),
    { numRuns: 30, examples: [[[Uint8Array.of(13)], []]] },
  );
});
