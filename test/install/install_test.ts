import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import type { MemoError } from "../../src/errors.ts";
import { hookGroups, isAtLeast, OLDEST_CLAUDE } from "../../src/features/install/entries.ts";
import { HOOK_EVENTS } from "../../hooks/events.ts";
import { install, uninstall } from "../../src/features/install/install.ts";
import { PERMISSIONS } from "../../src/features/install/parts.ts";
import type { SettingsScope } from "../../src/features/install/settings_file.ts";
import { pathsFor } from "../../src/paths.ts";
import type { Command } from "../../src/core/link/self.ts";
import { type Home, makeHome } from "../support/home.ts";
import { laidOut, settings } from "./settings_arbitrary.ts";

const SELF: Command = { command: "/opt/memo/memo", args: [] };

/** A home with its settings file, and install and uninstall bound to it. */
function setUp(home: Home) {
  const place = { env: home.env, paths: pathsFor(home.env), cwd: home.project };
  const options = (scope: SettingsScope, self: Command) => ({ scope, self, dryRun: false });
  return {
    file: join(home.claude, "settings.json"),
    place,
    add: (scope: SettingsScope = "user", self = SELF) => install(place, options(scope, self)),
    remove: (scope: SettingsScope = "user", self = SELF) => uninstall(place, options(scope, self)),
  };
}

Deno.test("install creates settings that only their owner can read, with every hook event", async () => {
  await using home = makeHome();
  const { file, add } = setUp(home);
  const change = add();
  assert.deepEqual([change.path, change.before, change.backup], [file, undefined, undefined]);
  assert.deepEqual(JSON.parse(readFileSync(file, "utf8")), {
    hooks: hookGroups(SELF),
    permissions: { allow: [...PERMISSIONS] },
  });
  if (process.platform !== "win32") assert.equal(statSync(file).mode & 0o777, 0o600);
  const listed = HOOK_EVENTS.filter(({ isForPrefetch, since }) =>
    !isForPrefetch && isAtLeast(OLDEST_CLAUDE, since)
  );
  assert.deepEqual(change.events, listed.map(({ name }) => name));
});

Deno.test("a second install writes nothing", async () => {
  await using home = makeHome();
  const { file, add } = setUp(home);
  add();
  const first = readFileSync(file, "utf8");
  const folder = readdirSync(home.claude);
  const { mtimeMs, ino } = statSync(file);
  const change = add();
  assert.equal(change.before, change.after);
  assert.equal(readFileSync(file, "utf8"), first);
  assert.deepEqual([statSync(file).mtimeMs, statSync(file).ino], [mtimeMs, ino]);
  assert.deepEqual(readdirSync(home.claude), folder);
});

Deno.test("install changes nothing where it cannot keep a record of it", async () => {
  await using home = makeHome();
  const { file, add } = setUp(home);
  rmSync(home.memoHome, { recursive: true, force: true });
  writeFileSync(home.memoHome, "a file");
  assert.throws(() => add(), { kind: "file", message: /^Cannot install: memo cannot write to / });
  assert.equal(existsSync(file), false);
});

Deno.test("a dry run tells the change and writes nothing", async () => {
  await using home = makeHome();
  const { file, place } = setUp(home);
  const change = install(place, { scope: "user", self: SELF, dryRun: true });
  assert.ok(change.after!.includes(SELF.command));
  assert.equal(existsSync(file), false);
  assert.equal(existsSync(pathsFor(home.env).installs), false);
});

Deno.test("install replaces the entries of a moved executable, also one with another name", async () => {
  for (const old of ["/old/place/memo", "C:\\old\\memo.exe", "/old/place/memo-linux-x64"]) {
    await using home = makeHome();
    const { file, add, remove } = setUp(home);
    writeFileSync(file, '{"model":"x"}');
    add("user", { command: old, args: [] });
    add();
    assert.deepEqual(JSON.parse(readFileSync(file, "utf8")).hooks, hookGroups(SELF));
    remove();
    assert.equal(readFileSync(file, "utf8"), '{"model":"x"}');
  }
});

Deno.test("install then uninstall gives every byte back", async () => {
  await using home = makeHome();
  const { file, add, remove } = setUp(home);
  fc.assert(
    fc.property(laidOut(settings()), (text) => {
      writeFileSync(file, text);
      add();
      assert.notEqual(readFileSync(file, "utf8"), text);
      remove();
      assert.equal(readFileSync(file, "utf8"), text);
      assert.deepEqual(readdirSync(home.claude), ["settings.json"]);
    }),
    { numRuns: 60 },
  );
  assert.equal(existsSync(pathsFor(home.env).installs), false);
});

Deno.test("uninstall deletes the file and the folder that install made", async () => {
  await using home = makeHome();
  const { file, add, remove } = setUp(home);
  rmSync(home.claude, { recursive: true });
  add();
  add("user", { command: "/new/memo", args: [] });
  assert.ok(existsSync(file));
  remove();
  assert.equal(existsSync(home.claude), false);
});

Deno.test("uninstall works without the record of the install", async () => {
  await using home = makeHome();
  const { file, add, remove } = setUp(home);
  const before = '{\r\n\t"model": "x"\r\n}\r\n';
  writeFileSync(file, before);
  add();
  rmSync(pathsFor(home.env).installs);
  const change = remove();
  assert.equal(readFileSync(file, "utf8"), before);
  assert.ok(readFileSync(change.backup!, "utf8").includes(SELF.command));
});

Deno.test("uninstall keeps what was added after the install", async () => {
  await using home = makeHome();
  const { file, add, remove } = setUp(home);
  fc.assert(
    fc.property(laidOut(settings()), (text) => {
      writeFileSync(file, text);
      add();
      const rewritten = JSON.parse(readFileSync(file, "utf8").replace("\uFEFF", ""));
      writeFileSync(file, JSON.stringify({ ...rewritten, addedLater: [1] }, null, 2));
      remove();
      const left = JSON.parse(readFileSync(file, "utf8"));
      const { hooks = {}, ...others } = JSON.parse(text.replace("\uFEFF", ""));
      const { hooks: hooksLeft = {}, ...othersLeft } = left;
      assert.deepEqual(othersLeft, { ...others, addedLater: [1] });
      for (const event of new Set([...Object.keys(hooks), ...Object.keys(hooksLeft)])) {
        assert.deepEqual(hooksLeft[event] ?? [], hooks[event] ?? [], event);
      }
    }),
    { numRuns: 40 },
  );
});

Deno.test("uninstall of what was never installed changes nothing", async () => {
  await using home = makeHome();
  const { file, remove } = setUp(home);
  assert.equal((remove()).after, undefined);
  writeFileSync(file, "{}");
  assert.equal((remove()).after, "{}");
  assert.deepEqual(readdirSync(home.claude), ["settings.json"]);
});

Deno.test("install into the project finds its root from below, and never takes the home for it", async () => {
  await using home = makeHome();
  const { place } = setUp(home);
  home.write("project/.claude/memory/a.md", "a");
  home.write("project/src/deep/x.txt", "x");
  const below = { ...place, cwd: join(home.project, "src", "deep") };
  const options = { self: SELF, dryRun: false } as const;
  assert.equal(
    (install(below, { ...options, scope: "project" })).path,
    join(home.project, ".claude", "settings.json"),
  );
  assert.equal(
    (install(below, { ...options, scope: "local" })).path,
    join(home.project, ".claude", "settings.local.json"),
  );
  rmSync(join(home.project, ".claude"), { recursive: true });
  assert.equal(
    (install(below, { ...options, scope: "local" })).path,
    join(below.cwd, ".claude", "settings.local.json"),
  );
});

Deno.test({
  name: "install follows a symbolic link and keeps the mode of its target",
  ignore: process.platform === "win32",
  fn: async () => {
    await using home = makeHome();
    const { file, add, remove } = setUp(home);
    const target = home.write("dotfiles/claude.json", "{}\n");
    chmodSync(target, 0o640);
    symlinkSync(target, file);
    add();
    assert.ok(lstatSync(file).isSymbolicLink());
    assert.ok(readFileSync(target, "utf8").includes(SELF.command));
    assert.equal(statSync(target).mode & 0o777, 0o640);
    remove();
    assert.equal(readFileSync(target, "utf8"), "{}\n");
    assert.ok(lstatSync(file).isSymbolicLink());
    rmSync(target);
    assert.throws(() => add(), /broken symbolic link/);
  },
});

Deno.test({
  name: "install --scope project and local write through no link that leads out of the project",
  ignore: process.platform === "win32",
  fn: async () => {
    await using home = makeHome();
    const { add, remove } = setUp(home);
    const theirs = home.write("elsewhere/settings.json", "{}\n");
    const folder = join(home.project, ".claude");
    for (
      const [target, link] of [[dirname(theirs), folder], [theirs, join(folder, "settings.json")]]
    ) {
      rmSync(folder, { recursive: true, force: true });
      if (link !== folder) mkdirSync(folder);
      symlinkSync(target!, link!);
      assert.throws(() => add("project"), /Cannot edit .*: a link leads out of `/);
      assert.throws(() => remove("project"), /a link leads out of/);
      if (link === folder) assert.throws(() => add("local"), /a link leads out of/);
    }
    assert.deepEqual(readdirSync(dirname(theirs)), ["settings.json"]);
    assert.equal(readFileSync(theirs, "utf8"), "{}\n");
    rmSync(folder, { recursive: true });
    mkdirSync(join(home.project, "inside"));
    symlinkSync("inside", folder);
    assert.equal((add("project")).wasInstalled, false, "a link inside is followed");
  },
});

Deno.test({
  name: "install names settings that are a pipe, and does not wait for them",
  ignore: process.platform === "win32",
  fn: async () => {
    await using home = makeHome();
    const { file, add } = setUp(home);
    execFileSync("mkfifo", [file]);
    assert.throws(() => add(), /Cannot read `~\/\.claude\/settings\.json`: it is a named pipe/);
  },
});

Deno.test("settings in a read-only store are left alone, with the hooks to paste", async () => {
  await using home = await makeHome();
  const { file, add, place, remove } = setUp(home);
  const store = join(home.root, "store");
  const text = '{"model": "opus"}\n';
  mkdirSync(store);
  writeFileSync(join(store, "settings.json"), text, { mode: 0o444 });
  rmSync(file, { force: true });
  mkdirSync(dirname(file), { recursive: true });
  symlinkSync(join(store, "settings.json"), file);
  chmodSync(store, 0o555);
  try {
    const planned = install(place, { scope: "user", self: SELF, dryRun: true });
    assert.deepEqual(Object.keys(JSON.parse(planned.paste!).hooks), [...planned.events]);
    assert.throws(() => add(), (error: MemoError) => {
      assert.match(error.message, /read-only link/);
      assert.ok(error.hint!.includes(planned.paste!));
      return true;
    });
    assert.deepEqual(readdirSync(dirname(file)), ["settings.json"]);
    assert.deepEqual(readdirSync(store), ["settings.json"]);
    assert.equal(readFileSync(file, "utf8"), text);

    chmodSync(join(store, "settings.json"), 0o644); // the configuration makes it anew
    writeFileSync(join(store, "settings.json"), planned.paste!);
    const again = add();
    assert.deepEqual([again.paste, again.before], [undefined, again.after]);
    const { locked, paste } = remove();
    assert.match(locked!, /read-only link/);
    assert.deepEqual(JSON.parse(paste!), JSON.parse(planned.paste!), "what is to be deleted");
    assert.equal(readFileSync(file, "utf8"), planned.paste);
    assert.deepEqual(readdirSync(dirname(file)), ["settings.json"]);
  } finally {
    chmodSync(store, 0o755);
  }
});

Deno.test("a settings file that Claude Code would ignore is named with the place, and left alone", async () => {
  await using home = makeHome();
  const { file, add, remove } = setUp(home);
  const cases: readonly (readonly [string, RegExp])[] = [
    ['{\n  "a": 1, // note\n  "b": 2\n}', /a comment at line 2, column 11/],
    ['{\n  "a": 1,\n}', /a trailing comma at line 2, column 9/],
    ['{\n  "a": [1,\n  2,]\n}', /a trailing comma at line 3, column 4/],
    ['{\n  "a": 1', /close brace expected at line 2, column 9/],
    ["[]", /it contains an array, not an object/],
    ['{"hooks":[]}', /`hooks` is an array, not an object/],
    ['{"hooks":null}', /`hooks` is null/],
    ['{"hooks":{"Stop":{}}}', /`hooks\.Stop` is an object, not an array/],
  ];
  for (const [text, message] of cases) {
    writeFileSync(file, text);
    for (const change of [add, remove]) {
      assert.throws(() => change(), (error: Error & { kind?: string; hint?: string }) => {
        assert.match(error.message, message);
        assert.ok(error.message.includes("`~/.claude/settings.json`"));
        assert.equal(error.kind, "file");
        assert.ok(error.hint);
        return true;
      });
    }
    assert.equal(readFileSync(file, "utf8"), text);
    assert.deepEqual(readdirSync(home.claude), ["settings.json"]);
  }
  writeFileSync(file, Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]));
  assert.throws(() => add(), /not UTF-8/);
});
