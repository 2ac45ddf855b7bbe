// Every command in a shell block of the documents, and every example of `memo --help`, works as it stands, with the
// built-in model; those that another test runs are named here with it.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { linkSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { type Home, makeHome, MEMO, runMemo, succeed } from "./support/home.ts";
import { sendHook } from "./support/send_hook.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const DOCUMENTS = [
  "README.md",
  "CONTRIBUTING.md",
  ...readdirSync(join(ROOT, "docs")).filter((name) => name.endsWith(".md"))
    .map((name) => join("docs", name)),
];

/** Lines that are another test's, with a part of it that shows so; a verb of a team is looked for in its test. */
const ELSEWHERE: readonly (readonly [line: RegExp, file: string, says: RegExp])[] = readFileSync(
  new URL("fixtures/examples.tsv", import.meta.url),
  "utf8",
).trim().split("\n").slice(1).map((row) => {
  const [line, file, says] = row.split("\t") as [string, string, string];
  return [new RegExp(line), file, new RegExp(says)];
});

/** What takes the place of a reader's value. */
const VALUES: readonly (readonly [RegExp, string])[] = [
  [/\bNAME\b/g, '"Use pnpm, never npm"'],
  [/git@example\.com:you/, "$HOME"],
  [/memo init$/, "memo init --yes"], // these ask, in a terminal
  [/(forget --hard .*)$/, "$1 --yes"],
];

/** Lines that may find nothing: 1 is their exit code then. */
const MAY_FIND_NOTHING = / (--source|--like|--archived) |memo bench$|import conversations/;

/** The commands of a document's shell blocks. */
function linesOf(document: string): string[] {
  const blocks = readFileSync(join(ROOT, document), "utf8").matchAll(/^```sh\n([^]*?)^```/gm);
  return [...blocks].flatMap(([, block]) => block!.split("\n"))
    .map((line) => line.replace(/(^|\s+)# .*$/, "").trim())
    .filter((line) => line !== "" && !line.startsWith("export ") && !isElsewhere(line));
}

function isElsewhere(line: string): boolean {
  return ELSEWHERE.some(([pattern]) => pattern.test(line));
}

/** A home whose project has `dist/memo` in it, and `memo` on its search path, with what the pages speak of. */
function homeWithMemo(): Home {
  const home = makeHome({}, { hasModel: true });
  const bin = join(home.root, ".local", "bin");
  mkdirSync(bin, { recursive: true });
  symlinkSync(dirname(MEMO), join(home.project, "dist"));
  for (const path of ["project/CLAUDE.md", "app/CLAUDE.md", "notes/deploy.md"]) {
    home.write(path, "- Deploys go out on Tuesdays, with `just ship`\n");
  }
  execFileSync("git", ["init", "--quiet", "--bare", join(home.root, "memories.git")]);
  const env = { ...home.env, PATH: [bin, home.env["PATH"]].join(delimiter) };
  return { ...home, env };
}

async function run(line: string, { env, project }: Home): Promise<void> {
  line = VALUES.reduce((text, [from, to]) => text.replace(from, to), line);
  const child = spawn("sh", ["-c", line], { cwd: project, env, stdio: ["ignore", "pipe", "pipe"] });
  const ended = new Promise<number | null>((done) => child.on("close", done));
  const [code, out, err] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  if (code === 1 && MAY_FIND_NOTHING.test(line)) return;
  assert.equal(code, 0, `${line}\n${out}${err}`);
}

/** Brings about what a line begins with: a note, one that is in the archive, a prompt that was answered. */
async function prepare(line: string, home: Home): Promise<void> {
  if (line.includes("recall --log")) await sendHook(home, "UserPromptSubmit");
  if (!line.includes("NAME")) return;
  await runMemo(home, ["add", "Use pnpm, never npm"]); // refused where it is there
  if (line.includes("--archived")) await succeed(home, ["forget", "Use pnpm, never npm"]);
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
      for (const line of lines) {
        await prepare(line, home);
        await run(line, home);
      }
    },
  });
}

Deno.test("what another test runs, it does run, and some document has it", () => {
  const all = DOCUMENTS.map((document) => readFileSync(join(ROOT, document), "utf8")).join("\n")
    .split("\n").map((line) => line.replace(/\s+# .*$/, ""));
  for (const [line, file, says] of ELSEWHERE) {
    assert.ok(all.some((text) => line.test(text)), `${line} is in no document`);
    assert.match(readFileSync(join(ROOT, file), "utf8"), says, `${line} is not run by ${file}`);
  }
});

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
