// The npm packages as npm installs them, from a registry on a loopback server.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { VERSION } from "../../src/version.ts";
import { HOST, TARGETS } from "../../tools/compile/targets.ts";
import {
  mainPackage,
  npmArchive,
  type NpmPackage,
  platformPackage,
} from "../../tools/release/npm.ts";
import { makeHome, MEMO } from "../support/home.ts";
import { type Loopback, sendJson, serveLoopback } from "../support/loopback.ts";
import { packed } from "../support/releases.ts";

const MAIN = mainPackage(TARGETS, { version: VERSION, files: [] });
const PLATFORMS = TARGETS.map((target) => {
  const name = target.name.startsWith("win32") ? "memo.exe" : "memo";
  const data = target.name === HOST ? readFileSync(MEMO) : new Uint8Array(1);
  return platformPackage(target, { version: VERSION, files: [{ name, data }] });
});

/** A registry with packages, as much of one as `npm install` asks for. */
function serveRegistry(packages: readonly NpmPackage[]): Promise<Loopback> {
  const archives = new Map(
    packages.map((row) => [row.name, packed(npmArchive(row, VERSION).files)]),
  );
  return serveLoopback(({ path, headers }, response) => {
    const [, name = "", file] = decodeURIComponent(path).split("/");
    const [row, archive] = [packages.find((row) => row.name === name), archives.get(name)];
    if (row === undefined || archive === undefined) return sendJson(response, 404, {});
    if (file !== undefined) return void response.end(archive);
    const integrity = `sha512-${createHash("sha512").update(archive).digest("base64")}`;
    const dist = { tarball: `http://${headers.host}/${name}/archive.tgz`, integrity };
    const versions = { [VERSION]: { ...manifestOf(row), dist } };
    sendJson(response, 200, { name, "dist-tags": { latest: VERSION }, versions });
  });
}

function manifestOf({ files }: NpmPackage): Record<string, unknown> {
  const { data } = files.find(({ name }) => name === "package.json")!;
  return JSON.parse(new TextDecoder().decode(data));
}

/** Runs a command; npm and the launcher are told apart from the test's own by nothing but their home. */
function run(command: string, args: readonly string[], env: Readonly<Record<string, string>>) {
  return runIn(process.cwd(), command, args, env);
}

function runIn(
  cwd: string,
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
) {
  const child = spawn(command, args, { cwd, env, shell: process.platform === "win32" });
  return new Promise<{ code: number | null; output: string }>((done) => {
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => output += text);
    }
    child.on("close", (code) => done({ code, output }));
  });
}

Deno.test("npm install --global fetches this platform's package alone, and memo runs", async () => {
  await using server = await serveRegistry([MAIN, ...PLATFORMS]);
  await using home = makeHome({}, { hasModel: true });
  const prefix = join(home.root, "prefix");
  const where = ["--prefix", prefix, "--cache", join(home.root, "cache")];
  const quiet = ["--registry", server.url, "--no-audit", "--no-fund", "--no-update-notifier"];
  const installed = await run(
    "npm",
    ["install", "--global", ...where, ...quiet, MAIN.name],
    home.env,
  );
  assert.equal(installed.code, 0, installed.output);
  const archives = server.received.map(({ path }) => path).filter((path) => path.endsWith(".tgz"));
  assert.deepEqual(
    archives.sort(),
    [`/${MAIN.name}-${HOST}/archive.tgz`, `/${MAIN.name}/archive.tgz`].sort(),
  );

  const bin = process.platform === "win32" ? prefix : join(prefix, "bin");
  const memo = (...args: string[]) => run(join(bin, "memo"), args, home.env);
  assert.match((await memo("--version")).output, new RegExp(`^memo ${VERSION} `));
  assert.equal((await memo("show", "nothing-like-this")).code, 1, "the exit code comes through");
  assert.equal((await memo("init")).code, 0);
  const settings = readFileSync(join(home.claude, "settings.json"), "utf8");
  assert.match(
    settings,
    new RegExp(`${MAIN.name}-${HOST}[\\\\/]+memo`),
    "hooks start it without Node",
  );
  assert.match((await memo("upgrade", "--check")).output, /error: /);

  const gone = await run("npm", ["uninstall", "--global", ...where, MAIN.name], home.env);
  assert.equal(gone.code, 0, gone.output);
  assert.ok(!existsSync(join(bin, "memo")));
});

Deno.test("a program imports memo from the npm package, with types, and the example runs as it stands", async () => {
  await using server = await serveRegistry([MAIN, ...PLATFORMS]);
  await using home = makeHome({}, { hasModel: true });
  const run = (command: string, ...args: string[]) => runIn(home.project, command, args, home.env);
  writeFileSync(join(home.project, "package.json"), '{ "private": true }');
  mkdirSync(join(home.project, ".git"));
  const quiet = ["--no-audit", "--no-fund", "--no-update-notifier"];
  const where = ["--registry", server.url, "--cache", join(home.root, "cache"), ...quiet];
  const installed = await run("npm", "install", ...where, MAIN.name);
  assert.equal(installed.code, 0, installed.output);

  const example = join(home.project, "example.mjs");
  const page = readFileSync(new URL("../../docs/library.md", import.meta.url), "utf8");
  cpSync(join(home.project, "node_modules", MAIN.name, "example.mjs"), example);
  assert.ok(page.includes(readFileSync(example, "utf8")), "docs/library.md shows it as it is");
  const { code, output } = await run("node", example);
  assert.equal(code, 0, output);
  const title = "Deploys go out on Tuesdays, with `just ship`";
  assert.match(
    output,
    new RegExp(`^Added ${title}: .*\\.md\n\\d\\.\\d\\d ${title}\n<auto-loaded-`),
  );
  assert.ok(output.includes(`[ '${title}' ]`), output);

  // Whatever a text begins with, it is no option; a mistake is an error with a kind and a hint.
  const program = join(home.project, "program.mts");
  writeFileSync(
    program,
    `
import { type Change, type FoundMemory, type Memo, MemoError, openMemo } from "claude-code-memo";
const memo: Memo = openMemo({ cwd: ${JSON.stringify(home.project)} });
await memo.add("--dry runs come before each release", { type: "pattern", scope: "user" });
const found: readonly FoundMemory[] = await memo.search("--dry runs", { type: ["pattern"] });
console.log(found.map(({ name, scope, passage }) => [name, scope, passage.length > 0]));
for (const wrong of [() => memo.add(""), () => memo.add("AKIA" + "IOSFODNN7EXAMPLA")]) {
  const error = await wrong().catch((error: unknown) => error);
  console.log(error instanceof MemoError && [error.kind, error.hint !== undefined]);
}
const events = memo.events({ everyMs: 50 });
const next = events.next();
const dry = "dry runs";
const updated = await memo.update(dry, "--dry runs come before and after each release");
const event = (await next).value as Change;
await events.return();
const history = (await memo.history(dry)).map(({ what }) => what);
const forgotten = await memo.forget(dry);
console.log(JSON.stringify([updated.type, event.what, history, forgotten.archived.length > 0]));
console.log(JSON.stringify((await memo.types()).map(({ name }) => name).includes("pattern")));
// @ts-expect-error: no such scope
memo.list({ scope: "nowhere" }).catch((error: MemoError) => console.log(error.kind));
`,
  );
  const checked = await run(Deno.execPath(), "check", "--node-modules-dir=manual", program);
  assert.equal(checked.code, 0, checked.output);
  const ran = await run("node", "--experimental-strip-types", "--no-warnings", program);
  const plain = await run(Deno.execPath(), "run", "-A", "--node-modules-dir=manual", program);
  const result = ran.code === 0 ? ran.output : plain.output; // Node before 22 takes no types
  assert.match(
    result,
    /^\[ \[ ["']--dry runs come before each release["'], ["']user["'], true \] \]$/m,
  );
  assert.equal(result.match(/\[ ["']usage["'], true \]/g)?.length, 2, result);
  assert.match(result, /^\["pattern","edit",\["edit","add"\],true\]\ntrue$/m);
  assert.match(result, /^usage$/m);
});

Deno.test("the launcher says which package is missing", async () => {
  await using server = await serveRegistry([MAIN]);
  await using home = makeHome({}, { hasModel: true });
  const prefix = join(home.root, "prefix");
  const where = ["--prefix", prefix, "--cache", join(home.root, "cache")];
  const args = [
    "install",
    "--global",
    ...where,
    "--registry",
    server.url,
    "--no-audit",
    "--no-fund",
  ];
  const installed = await run("npm", [...args, MAIN.name], home.env);
  assert.equal(installed.code, 0, installed.output);
  const bin = process.platform === "win32" ? prefix : join(prefix, "bin");
  const { code, output } = await run(join(bin, "memo"), ["--version"], home.env);
  assert.equal(code, 2);
  assert.match(output, new RegExp(`package \`${MAIN.name}-${HOST}\` is not installed`));
});
