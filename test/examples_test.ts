// Every example in the documents and in `memo --help` works as it stands, with the built-in model.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { linkSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { type Home, makeHome, MEMO, runMemo } from "./support/home.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const DOCUMENTS = [
  "README.md",
  "CONTRIBUTING.md",
  ...readdirSync(join(ROOT, "docs")).filter((name) => name.endsWith(".md"))
    .map((name) => join("docs", name)),
];
/** What needs the network, or is another test's. */
const ELSEWHERE =
  /\bnpx |\bcurl |\bgit |memo (config model pull|upgrade|sync|team)\b| --to |[A-Z]{3,}|…/;

/** The lines of a document's shell blocks that run memo. */
function linesOf(document: string): string[] {
  const blocks = readFileSync(join(ROOT, document), "utf8").matchAll(/^```sh\n([^]*?)^```/gm);
  return [...blocks].map(([, block]) => block!)
    .filter((block) => !/\bcurl /.test(block)) // its memo comes from the network
    .flatMap((block) => block.split("\n"))
    .map((line) => line.replace(/\s+# .*$/, ""))
    .filter((line) => /(^|&& |\/)memo /.test(line) && !ELSEWHERE.test(line));
}

/** A home whose project has `dist/memo` in it, and `memo` on its search path. */
function homeWithMemo(): Home {
  const home = makeHome({}, { hasModel: true });
  const bin = join(home.root, ".local", "bin");
  mkdirSync(bin, { recursive: true });
  symlinkSync(dirname(MEMO), join(home.project, "dist"));
  const env = { ...home.env, PATH: [bin, home.env["PATH"]].join(delimiter) };
  return { ...home, env };
}

async function run(line: string, { env, project }: Home): Promise<void> {
  line = line.replace(/memo init$/, "memo init --yes"); // it asks, in a terminal
  const child = spawn("sh", ["-c", line], { cwd: project, env, stdio: ["ignore", "pipe", "pipe"] });
  const ended = new Promise<number | null>((done) => child.on("close", done));
  const [code, out, err] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  assert.equal(code, 0, `${line}\n${out}${err}`);
}

for (const document of DOCUMENTS) {
  const lines = linesOf(document);
  if (lines.length === 0) continue;
  Deno.test({
    name: `the examples of ${document} work`,
    ignore: process.platform === "win32",
    async fn() {
      await using home = homeWithMemo();
      const isInstalled = lines.some((line) => line.includes(".local/bin/memo"));
      if (!isInstalled) linkSync(MEMO, join(home.root, ".local", "bin", "memo"));
      if (!lines.some((line) => line.includes("memo add "))) {
        await runMemo(home, ["add", "Use pnpm, never npm"]);
      }
      for (const line of lines) await run(line, home);
    },
  });
}

Deno.test({
  name: "the examples of memo help work",
  ignore: process.platform === "win32",
  async fn() {
    await using home = homeWithMemo();
    linkSync(MEMO, join(home.root, ".local", "bin", "memo"));
    const { stdout } = await runMemo(home, ["help", "examples"]);
    const lines = stdout.split("\n").filter((line) => line.startsWith("memo "))
      .map((line) => line.trim().replace(/ {2,}.*$/, ""));
    assert.ok(lines.length >= 4, stdout);
    for (const line of lines) await run(line, home);
  },
});
