// The Python package as pip installs it from a release, and its example in CONTRIBUTING.md.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { VERSION } from "../../src/version.ts";
import { ARCHIVES } from "../../tools/release/archive.ts";
import { wheel } from "../../tools/release/wheel.ts";
import { makeHome, MEMO } from "../support/home.ts";
import { run } from "../support/run.ts";

/** Said in the name of the test where there is none: it is not run then. */
const HAS_PYTHON = spawnSync("python3", ["-m", "pip", "--version"]).status === 0;

Deno.test("the wheel is the same whenever it is made, and has the version of memo", () => {
  const { file, files } = wheel(VERSION);
  const made = [1, 2].map(() => ARCHIVES.zip(wheel(VERSION).files, new Date("2026-11-20")));
  assert.deepEqual(made[0], made[1]);
  assert.equal(file, `claude_code_memo-${VERSION}-py3-none-any.whl`);
  const project = readFileSync(
    new URL("../../packaging/python/pyproject.toml", import.meta.url),
    "utf8",
  );
  assert.ok(project.includes(`version = "${VERSION}"`), "a checkout's package has it too");
  assert.ok(files.some(({ name }) => name.endsWith("/py.typed")));
});

Deno.test({
  name: `a Python program installs the wheel and drives memo${
    HAS_PYTHON ? "" : " (NOT RUN: no python3 with pip here)"
  }`,
  ignore: !HAS_PYTHON,
  async fn() {
    await using home = makeHome({}, { hasModel: true });
    mkdirSync(join(home.project, ".git"));
    const { file, files } = wheel(VERSION);
    writeFileSync(join(home.root, file), ARCHIVES.zip(files, new Date("2026-11-20")));
    const env = {
      ...{ ...process.env, ...home.env },
      PATH: `${dirname(MEMO)}:${home.env["PATH"]}`,
      PYTHONPATH: join(home.root, "site"),
    } as Record<string, string>;
    const python = (...args: string[]) => run("python3", args, { cwd: home.project, env });
    const offline = ["--no-index", "--no-deps", "--disable-pip-version-check", "--quiet"];
    const target = ["--target", env["PYTHONPATH"]!];
    const where = join(home.root, file);
    const installed = await python("-m", "pip", "install", ...offline, ...target, where);
    assert.equal(installed.code, 0, installed.stderr);

    const page = readFileSync(new URL("../../CONTRIBUTING.md", import.meta.url), "utf8");
    const program = join(home.root, "program.py");
    writeFileSync(
      program,
      `${/```py\n([^]*?)```/.exec(page)![1]}
import json
from claude_code_memo import MemoError
memo.add("--dry runs come before each release", type="pattern", scope="user")
updated = memo.update("dry", "--dry runs come before and after each release", description="Releases")
history = [change["what"] for change in memo.history("dry")]
listed = [found["name"] for found in memo.list(type=["pattern"])]
forgotten = memo.forget("dry")
try:
    memo.add("")
except MemoError as error:
    refused = [error.kind, error.hint is not None]
print(json.dumps([updated["type"], history, listed, forgotten["name"], refused, len(memo.types()) > 5]))
`,
    );
    const { code, stdout, stderr } = await python(program);
    assert.equal(code, 0, stderr);
    const title = "--dry runs come before and after each release";
    assert.match(stdout, /^0\.\d+ Deploys go out on Tuesdays, with `just ship`\n<auto-loaded-/);
    assert.deepEqual(JSON.parse(stdout.trim().split("\n").at(-1)!), [
      ...["pattern", ["edit", "add"], [title], title],
      ...[["usage", true], true],
    ]);

    const events = await python(
      "-c",
      [
        "from claude_code_memo import Memo; import threading",
        "memo = Memo()",
        "threading.Timer(1, lambda: memo.add('It was Ada who said so', scope='user')).start()",
        "print(next(memo.events(every=0.1))['what'])",
      ].join("\n"),
    );
    assert.equal(events.stdout, "add\n", events.stderr);
  },
});
