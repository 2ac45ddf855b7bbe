// The npm packages as npm installs them, from a registry on a loopback server.

import assert from "node:assert/strict";
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
import { type Home, makeHome, MEMO } from "../support/home.ts";
import { type Loopback, sendJson, serveLoopback } from "../support/loopback.ts";
import { packed } from "../support/releases.ts";
import { run } from "../support/run.ts";

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
async function runIn(cwd: string, command: string, args: readonly string[], { env }: Home) {
  const [program, words] = process.platform === "win32"
    ? ["cmd", ["/c", command, ...args]] // `npm` is a script there
    : [command, args];
  const { code, stdout, stderr } = await run(program, words, { cwd, env });
  return { code, output: stdout + stderr };
}

const QUIET = ["--no-audit", "--no-fund", "--no-update-notifier"];

/** Installs memo's package for a user, and says where its programs are. */
async function installGlobally(home: Home, registry: string) {
  const prefix = join(home.root, "prefix");
  const where = ["--global", "--prefix", prefix, "--cache", join(home.root, "cache")];
  const npm = (command: string, ...more: string[]) =>
    runIn(process.cwd(), "npm", [command, ...where, ...more, MAIN.name], home);
  const installed = await npm("install", "--registry", registry, ...QUIET);
  assert.equal(installed.code, 0, installed.output);
  const memo = join(process.platform === "win32" ? prefix : join(prefix, "bin"), "memo");
  return { npm, memo, run: (...args: string[]) => runIn(process.cwd(), memo, args, home) };
}

Deno.test("npm install --global fetches this platform's package alone, and memo runs", async () => {
  await using server = await serveRegistry([MAIN, ...PLATFORMS]);
  await using home = makeHome({}, { hasModel: true });
  const { npm, memo, run } = await installGlobally(home, server.url);
  const archives = server.received.map(({ path }) => path).filter((path) => path.endsWith(".tgz"));
  assert.deepEqual(
    archives.sort(),
    [`/${MAIN.name}-${HOST}/archive.tgz`, `/${MAIN.name}/archive.tgz`].sort(),
  );

  assert.match((await run("--version")).output, new RegExp(`^memo ${VERSION} `));
  assert.equal((await run("show", "nothing-like-this")).code, 1, "the exit code comes through");
  assert.equal((await run("init")).code, 0);
  const settings = readFileSync(join(home.claude, "settings.json"), "utf8");
  assert.match(
    settings,
    new RegExp(`${MAIN.name}-${HOST}[\\\\/]+memo`),
    "hooks start it without Node",
  );
  assert.match((await run("upgrade", "--check")).output, /error: /);

  const gone = await npm("uninstall");
  assert.equal(gone.code, 0, gone.output);
  assert.ok(!existsSync(memo));
});

Deno.test("a program imports memo from the npm package, with types, and the example runs as it stands", async () => {
  await using server = await serveRegistry([MAIN, ...PLATFORMS]);
  await using home = makeHome({}, { hasModel: true });
  const run = (command: string, ...args: string[]) => runIn(home.project, command, args, home);
  writeFileSync(join(home.project, "package.json"), '{ "private": true }');
  mkdirSync(join(home.project, ".git"));
  const where = ["--registry", server.url, "--cache", join(home.root, "cache"), ...QUIET];
  const installed = await run("npm", "install", ...where, MAIN.name);
  assert.equal(installed.code, 0, installed.output);

  const example = join(home.project, "example.mjs");
  const page = readFileSync(new URL("../../CONTRIBUTING.md", import.meta.url), "utf8");
  cpSync(join(home.project, "node_modules", MAIN.name, "example.mjs"), example);
  assert.ok(page.includes(readFileSync(example, "utf8")), "CONTRIBUTING.md shows it as it is");
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
  const text = readFileSync(
    new URL("../fixtures/library/program.mts.txt", import.meta.url),
    "utf8",
  );
  writeFileSync(program, text.replace('"PROJECT"', JSON.stringify(home.project)));
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
  const { run } = await installGlobally(home, server.url);
  const { code, output } = await run("--version");
  assert.equal(code, 2);
  assert.match(output, new RegExp(`package \`${MAIN.name}-${HOST}\` is not installed`));
});
