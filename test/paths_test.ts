import assert from "node:assert/strict";
import os from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { runCli } from "../src/surfaces/cli/mod.ts";
import { MemoError } from "../src/errors.ts";
import { type Env, pathsFor, tilde } from "../src/paths.ts";

const HOME = "/home/ada";

Deno.test("state and settings lie where the platform keeps such things", () => {
  const places = (platform: string, env = {}) => {
    const { state, config, claude } = pathsFor({ HOME, ...env }, platform);
    return [state, config, claude];
  };
  assert.deepEqual(places("linux"), [
    join(HOME, ".local/share/memo"),
    join(HOME, ".config/memo/config.yaml"),
    join(HOME, ".claude"),
  ]);
  assert.deepEqual(places("linux", { XDG_DATA_HOME: "/data", XDG_CONFIG_HOME: "/config" }), [
    "/data/memo",
    "/config/memo/config.yaml",
    join(HOME, ".claude"),
  ]);
  const library = join(HOME, "Library", "Application Support", "memo");
  assert.deepEqual(places("darwin"), [
    library,
    join(library, "config.yaml"),
    join(HOME, ".claude"),
  ]);
  assert.deepEqual(places("win32", { LOCALAPPDATA: "/local", APPDATA: "/roaming" }), [
    join("/local", "memo"),
    join("/roaming", "memo", "config.yaml"),
    join(HOME, ".claude"),
  ]);
});

Deno.test("MEMO_HOME holds state and settings, and CLAUDE_CONFIG_DIR the memories", () => {
  const paths = pathsFor({ HOME, MEMO_HOME: "/memo", CLAUDE_CONFIG_DIR: "/claude" }, "linux");
  assert.deepEqual([paths.state, paths.config, paths.userMemory], [
    "/memo",
    "/memo/config.yaml",
    "/claude/memory",
  ]);
});

Deno.test("on Windows the daemon listens on a named pipe, one for each state folder", () => {
  const pipe = (home: string) => pathsFor({ HOME, MEMO_HOME: home }, "win32").socket;
  assert.match(pipe("/a"), /^\\\\\.\\pipe\\memo-[0-9a-f]{8}$/);
  assert.notEqual(pipe("/a"), pipe("/b"));
});

Deno.test("a Unix socket's path is never longer than the system takes, if there is a short place", () => {
  fc.assert(fc.property(fc.string({ maxLength: 400, unit: "grapheme" }), (name) => {
    const { socket } = pathsFor({ HOME, MEMO_HOME: `/m/${name}` }, "linux");
    assert.ok(Buffer.byteLength(socket) <= 103, socket);
  }));
});

Deno.test("a socket whose path is too long lies in the user's runtime folder, else at home, never in a shared one", () => {
  const long = `/m/${"x".repeat(120)}`;
  const run = (env: Env) =>
    pathsFor({ HOME, MEMO_HOME: long, TMPDIR: "/tmp", ...env }, "linux").run;
  assert.match(run({ XDG_RUNTIME_DIR: "/run/user/7" }), /^\/run\/user\/7\/memo-[0-9a-f]{8}$/);
  assert.match(run({ XDG_RUNTIME_DIR: "relative" }), new RegExp(`^${HOME}/\\.memo-[0-9a-f]{8}$`));
  assert.equal(run({ HOME: `/home/${"y".repeat(120)}` }), `${long}/run`);
});

Deno.test("tilde() shortens what lies in the home folder, and nothing else", () => {
  const shown = (path: string) => tilde(path, { HOME });
  assert.deepEqual(
    [HOME, `${HOME}/x/y`, `${HOME}-other/x`, "/etc"].map(shown),
    ["~", "~/x/y", `${HOME}-other/x`, "/etc"],
  );
});

Deno.test("a user without a home folder is told to set HOME, and each command ends with 2", async () => {
  const known = os.homedir, { HOME, USERPROFILE } = process.env;
  const unknown = () => {
    throw new Error("ENOENT: no such file or directory, uv_os_homedir");
  };
  delete process.env["HOME"], delete process.env["USERPROFILE"];
  try {
    for (const homedir of [unknown, () => ""]) {
      os.homedir = homedir;
      for (const ask of [() => pathsFor({}), () => pathsFor({ HOME: "" }), () => tilde("/a", {})]) {
        assert.throws(ask, (error: MemoError) => {
          assert.equal(error.message, "Cannot find your home folder");
          assert.match(error.hint!, /`HOME`/);
          return true;
        });
      }
      for (const words of [["list"], ["add", "a note"], ["--version"]]) {
        assert.equal(await runCli(words, {}), 2, words.join(" "));
      }
    }
  } finally {
    os.homedir = known;
    Object.assign(process.env, HOME && { HOME }, USERPROFILE && { USERPROFILE });
  }
});
