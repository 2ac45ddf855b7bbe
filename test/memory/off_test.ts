import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadConfig } from "../../src/core/settings/config.ts";
import { changeSettingsFile } from "../../src/core/settings/config_file.ts";
import { checkOff, offPatterns } from "../../src/core/files/off.ts";
import { whyOff } from "../../hooks/off.ts";
import { offAt } from "../../src/core/memory/off.ts";
import type { Paths } from "../../src/paths.ts";
import { temporaryFolder } from "../support/temp.ts";

/** A home with folders, a link to one from outside, and a repository with a linked work tree elsewhere. */
function makeFolders() {
  const folder = temporaryFolder(), home = realpathSync(folder.path);
  const config = join(home, "config.yaml");
  for (const path of ["clients/acme/src", "clients/bolt", "clientship", "work/b c/x", "mnt/disk"]) {
    mkdirSync(join(home, path), { recursive: true });
  }
  symlinkSync(join(home, "clients/acme"), join(home, "work/acme"));
  symlinkSync(join(home, "mnt/disk"), join(home, "disk"));
  const git = (...words: string[]) =>
    execFileSync("git", ["-c", "user.name=n", "-c", "user.email=e", ...words], {
      cwd: join(home, "clients/bolt"),
      stdio: "ignore",
    });
  git("init");
  git("commit", "--allow-empty", "-m", "one");
  git("worktree", "add", join(home, "work/tree"));
  mkdirSync(join(home, "work/tree/src"));
  symlinkSync(join(home, "work/tree/src"), join(home, "link"));
  const isOff = (cwd: string, projectDir?: string) =>
    offAt({
      ...{ config, home, cwd: join(home, cwd) },
      ...projectDir !== undefined && { projectDir: join(home, projectDir) },
    }) !== undefined;
  const hookIsOff = async (path: string) => {
    const cwd = join(home, path), paths = { config, home } as Paths;
    return await whyOff(paths, { cwd, projectDir: cwd }) !== undefined;
  };
  return { home, config, isOff, hookIsOff, [Symbol.dispose]: () => folder[Symbol.dispose]() };
}

Deno.test("a pattern of `off` takes a folder and what is below it, through links and work trees, and no neighbour", async () => {
  using folders = makeFolders();
  const { config, home, isOff, hookIsOff } = folders;
  const rows:
    readonly (readonly [pattern: string, off: readonly string[], on: readonly string[]])[] = [
      [
        "~/clients/**",
        [
          "clients",
          "clients/acme",
          "clients/acme/src",
          "clients/gone",
          "work/acme/src",
          "work/tree",
          "link",
        ],
        [".", "clientship", "work", "work/b c"],
      ],
      ["~/clients", ["clients", "clients/acme/src"], ["clientship"]],
      ["~/clients/", ["clients/acme"], ["clientship"]],
      ["~/clients/*", ["clients/acme", "clients/acme/src"], ["clients"]],
      ["~/clients/a*", ["clients/acme/src"], ["clients/bolt", "work/tree"]],
      ["~/*/a?me", ["clients/acme", "work/acme"], ["clients/bolt"]],
      ["**/src", ["clients/acme/src"], ["clients/acme"]],
      ["~/work/acme", ["work/acme", "clients/acme/src"], ["clients/bolt"]],
      ["~/disk", ["mnt/disk", "disk"], ["mnt"]],
      [`${home}/work/b c, ~/clients/bolt`, ["work/b c/x", "work/tree"], ["work", "clients/acme"]],
      ["~", ["clients", "."], []],
      ["/**", ["clients"], []],
      ["", [], ["clients"]],
    ];
  for (const [value, off, on] of rows) {
    changeSettingsFile(config, { off: value });
    for (const [paths, expected] of [[off, true], [on, false]] as const) {
      for (const path of paths) {
        assert.equal(isOff(path), expected, `${path} by ${value}`);
        assert.equal(await hookIsOff(path), expected, `${path} by ${value}, in the hook`);
      }
    }
  }
  changeSettingsFile(config, { off: "~/clients/acme" });
  assert.ok(isOff("work", "clients/acme"), "a session that began there");
  assert.ok(isOff("clients/acme", "work"), "a session that has moved there");
});

Deno.test("the hook's reading of `off` has what YAML has, in each form that people write", () => {
  using folder = temporaryFolder();
  const config = join(folder.path, "config.yaml"), home = folder.path;
  const texts = [
    "off: /a/b, /c d/**",
    'off: "/a/b, /c d/**"',
    "off: '/a/b, /c d/**' # mine",
    "send: on\noff: # mine\n  - /a/b\n  - /c d/** # and this\nnotify: off",
    "off:\n- '/a/b'\n- \"/c d/**\"\n",
    'off: [/a/b, "/c d/**"]',
    "off: [\n  /a/b,\n  /c d/**\n]\nsend: off",
    "off: |\n  /a/b\n  /c d/**\nsend: off",
    'off: "/a/b,\\\n  /c d/**"',
    '{ send: on, off: "/a/b, /c d/**", notify: off }',
    '{"send": "on", "off": "/a/b, /c d/**"}',
    '"off": /a/b, /c d/**',
    "off:\n  - /a/b\n\n  - /c d/**\n\nsend: on",
    "off:\n\n  - /a/b\n  - /c d/**",
    "off:\n# work, /c\n  - /a/b # it's\n# more\n\n\t\n# /c\n  - /c d/**",
  ];
  for (const text of texts.flatMap((text) => [text, text.replaceAll("\n", "\r\n")])) {
    writeFileSync(config, text);
    const at = (cwd: string) => offAt({ config, home, cwd });
    assert.equal(at("/a/b/x"), "/a/b", text);
    assert.equal(at("/c d/x"), "/c d/**", text);
    assert.equal(at("/c"), undefined, text);
    assert.deepEqual(offPatterns(loadConfig(config, {}).off), ["/a/b", "/c d/**"], text);
  }
  for (
    const text of [
      "# off: /a/b",
      "send: off\nnotify: off",
      "offer: /a/b",
      "recall:\n  words: 'on: /a/b'",
    ]
  ) {
    writeFileSync(config, text);
    assert.equal(offAt({ config, home, cwd: "/a/b" }), undefined, text);
  }
  for (const hard of ["/a #1", "/it's", '/say "x"', "/a: b", "/[x]", "/[x]/y z"]) {
    changeSettingsFile(config, { off: hard });
    assert.equal(offAt({ config, home, cwd: `${hard}/x` }), hard);
  }
});

Deno.test("only the person's own file sets `off`: no variable, no project, and no pattern that names nothing", () => {
  using folder = temporaryFolder();
  const config = join(folder.path, "config.yaml"), project = join(folder.path, "memo.yaml");
  writeFileSync(config, "off: /a\n");
  writeFileSync(project, "off: /b\n");
  const { off, warnings } = loadConfig(config, { MEMO_OFF: "/c" }, { project });
  assert.equal(off, "/a");
  assert.equal(warnings.length, 2);
  for (const wrong of ["clients", "./x", "~bob/x", "/a, b"]) assert.throws(() => checkOff(wrong));
  for (const right of ["/a", "~/a", "**/a", "C:\\a", "/a, ~/b"]) checkOff(right);
});
