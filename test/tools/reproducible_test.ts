// What a build may depend on: the sources and the packages of the lock file, not where or when it is made.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { HOST, targetNamed } from "../../tools/compile/targets.ts";
import { makeRelease } from "../../tools/release/make.ts";
import { MEMO } from "../support/home.ts";
import { run } from "../support/run.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const { tasks } = JSON.parse(readFileSync(join(ROOT, "deno.json"), "utf8")) as {
  tasks: Record<string, { command: string }>;
};

/** Runs a command of `deno.json` with other arguments behind it. */
async function runTask(
  name: string,
  args: readonly string[],
  { cwd, env = {} }: { readonly cwd: string; readonly env?: Readonly<Record<string, string>> },
) {
  const [, ...words] = tasks[name]!.command.split(" ");
  const all = { ...process.env, NO_COLOR: "1", ...env };
  const { code, stdout, stderr } = await run(Deno.execPath(), [...words, ...args], {
    cwd,
    env: all,
  });
  return { code, output: stdout + stderr };
}

/** Copies a folder with hard links to its files, in which no path of the original is left. */
function linkTree(from: string, to: string): void {
  mkdirSync(to);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, copy] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), copy);
    else if (entry.isFile()) linkSync(source, copy);
    else if (entry.name !== ".cache") linkTree(source, copy);
  }
}

/**
 * Gives a build the compressed forms of the largest parts, by which most of its time goes: all others, which are dozens
 * and are compressed by the same call, it has to compress to the same bytes.
 */
function linkLargeParts(from: string, to: string): void {
  const parts = readdirSync(from, { recursive: true, withFileTypes: true });
  for (const part of parts.filter((part) => part.isFile())) {
    const path = join(part.parentPath, part.name), copy = join(to, relative(from, path));
    if (statSync(path).size < LARGE) continue;
    mkdirSync(dirname(copy), { recursive: true });
    linkSync(path, copy);
  }
}

const LARGE = 1_000_000;

function sumOf(path: string): string {
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}

/** The sums of all files of a release, npm's packages and Python's too. */
function sumsIn(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name)).sort();
  assert.ok(files.length > 6, files.join(" "));
  return Object.fromEntries(files.map((path) => [relative(folder, path), sumOf(path)]));
}

Deno.test({
  name:
    "two builds of the same sources, and their releases, are the same bytes, also in another folder",
  ignore: process.platform === "win32", // links to folders are absolute there
  async fn() {
    const other = mkdtempSync(join(ROOT, "dist/.another folder-"));
    try {
      const names = "bench hooks node_modules packaging plugin src strategies tools licenses".split(
        " ",
      );
      for (const name of names) linkTree(join(ROOT, name), join(other, name));
      const files = ["deno.json", "deno.lock", "LICENSE", "NOTICE", "CHANGELOG.md"];
      for (const name of files) linkSync(join(ROOT, name), join(other, name));
      mkdirSync(join(other, "dist"));
      linkTree(join(ROOT, "dist/model"), join(other, "dist/model"));
      const packed = "node_modules/.cache/packed";
      linkLargeParts(join(ROOT, packed), join(other, packed));
      const { code, output } = await runTask("release", ["--target", HOST, "--no-trial"], {
        cwd: other,
      });
      assert.equal(code, 0, output);
      const stamp = `dist/.${basename(MEMO)}.stamp`;
      const [here, there] = [ROOT, other].map((root) => readFileSync(join(root, stamp), "utf8"));
      assert.equal(
        here,
        there,
        "these are other sources than `dist/memo` is made from: compile it",
      );
      assert.equal(sumOf(join(other, "dist", basename(MEMO))), sumOf(MEMO));
      const release = {
        targets: [targetNamed(HOST)],
        folder: join(other, "dist/here"),
        releases: "",
      };
      await makeRelease({ ...release, trial: () => "checked by structure" });
      assert.deepEqual(sumsIn(join(other, "dist/release")), sumsIn(release.folder));
    } finally {
      rmSync(other, { recursive: true, force: true });
    }
  },
});

Deno.test("a task asks the registry for nothing: its packages are laid out, and are those of the lock file", async () => {
  const wants = Object.entries(tasks).filter(([, { command }]) =>
    /deno run .*tools\//.test(command) && !/deno run -A --cached-only tools\//.test(command)
  );
  assert.deepEqual(wants, [], "tasks that need --cached-only");
  assert.match(tasks["setup"]!.command, /^\(deno install [^|]*--cached-only/, "first what is here");
  const { output } = await runTask("compile", ["--target", "plan9"], {
    cwd: ROOT,
    env: { NPM_CONFIG_REGISTRY: "http://127.0.0.1:9" }, // of which Deno has cached nothing
  });
  assert.match(output, /There is no target plan9/);
  assert.doesNotMatch(output, /Download/);
});
