import assert from "node:assert/strict";
import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { HOOK_EVENTS, hookEvent } from "../../hooks/events.ts";
import { loadConfig } from "../../src/settings/config.ts";
import { readEndpoint } from "../../src/install/endpoint.ts";
import { hookGroups, recognise, type Transport } from "../../src/install/entries.ts";
import { install, type InstallPlace } from "../../src/install/install.ts";
import type { SettingsScope } from "../../src/install/settings_file.ts";
import { allowsHttp } from "../../src/install/settings_json.ts";
import { uninstall } from "../../src/install/uninstall.ts";
import { pathsFor } from "../../src/paths.ts";
import type { Command } from "../../src/link/self.ts";
import { type Home, makeHome, runMemo } from "../support/home.ts";
import { laidOut, settings } from "./settings_arbitrary.ts";

const SELF: Command = { command: "/opt/memo/memo", args: [] };

function setUp(home: Home) {
  const place: InstallPlace = { env: home.env, paths: pathsFor(home.env), cwd: home.project };
  const file = join(home.claude, "settings.json");
  return {
    place,
    file,
    add: (transport?: Transport, scope: SettingsScope = "user") =>
      install(place, { scope, self: SELF, dryRun: false, transport }),
    remove: () => uninstall(place, { scope: "user", self: SELF, dryRun: false }),
    hooks: () => JSON.parse(readFileSync(file, "utf8").replace("\uFEFF", "")).hooks,
    isEnabled: () => loadConfig(place.paths.config, {})["http.enabled"],
  };
}

Deno.test("over http every event goes to the endpoint but those that need a command", async () => {
  await using home = makeHome();
  const { add, hooks, place, isEnabled } = setUp(home);
  assert.equal((await add("http")).transport, "http");
  const endpoint = readEndpoint(place.paths.http);
  assert.ok(endpoint);
  assert.deepEqual(hooks(), hookGroups(SELF, { http: { endpoint, claude: home.claude } }));
  for (const [event, [group]] of Object.entries<{ hooks: { type: string }[] }[]>(hooks())) {
    const type = hookEvent(event)!.transport === "command" ? "command" : "http";
    assert.equal(group!.hooks[0]!.type, type, event);
  }
  // An http hook always has an answer, and these may have none.
  for (const { name, isMute, transport } of HOOK_EVENTS) {
    if (isMute) assert.equal(transport, "command", name);
  }
  const { url, headers } = hooks().UserPromptSubmit[0].hooks[0];
  assert.equal(new URL(url).searchParams.get("claude"), home.claude);
  assert.equal(new URL(url).host, `127.0.0.1:${endpoint.port}`);
  assert.equal(headers.Authorization, `Bearer ${endpoint.token}`);
  assert.equal(isEnabled(), true);
});

Deno.test("switching replaces the entries of the other transport, and an install without a word keeps its own", async () => {
  await using home = makeHome();
  const { add, hooks, place, file, isEnabled } = setUp(home);
  writeFileSync(file, '{"model":"x"}');
  await add("http");
  const overHttp = hooks();
  const again = await add();
  assert.deepEqual([again.transport, again.before === again.after], ["http", true]);
  await add("command");
  assert.deepEqual(hooks(), hookGroups(SELF));
  assert.deepEqual([isEnabled(), existsSync(place.paths.http)], [false, false]);
  assert.equal((await add()).transport, "command");
  await add("http");
  assert.notDeepEqual(hooks(), overHttp, "the old token still counts");
});

Deno.test("install by either transport, switch, and uninstall give every byte back", async () => {
  await using home = makeHome({}, { isUnpacked: false });
  const { add, remove, file, place, isEnabled } = setUp(home);
  const switches = fc.array(fc.constantFrom<Transport>("command", "http"), {
    minLength: 1,
    maxLength: 3,
  });
  await fc.assert(
    fc.asyncProperty(laidOut(settings()), switches, async (text, transports) => {
      writeFileSync(file, text);
      for (const transport of transports) await add(transport);
      await remove();
      assert.equal(readFileSync(file, "utf8"), text);
      assert.deepEqual(readdirSync(home.claude), ["settings.json"]);
      assert.deepEqual(readdirSync(home.memoHome), []);
    }),
    { numRuns: 40 },
  );
  assert.equal(isEnabled(), false);
  assert.equal(existsSync(place.paths.config), false);
});

Deno.test("uninstall finds http entries without the record, and leaves those of others", async () => {
  await using home = makeHome();
  const { add, remove, hooks, file, place } = setUp(home);
  const others = [
    { type: "http", url: "http://127.0.0.1:9000/hook" },
    { type: "http", url: "http://example.com/hook?claude=/x" },
    { type: "http", url: "not an address" },
    { type: "http" },
  ];
  const before = { hooks: { UserPromptSubmit: [{ hooks: others }] } };
  writeFileSync(file, JSON.stringify(before, null, 2));
  await add("http");
  const isOwn = recognise([SELF]);
  assert.deepEqual(others.filter(isOwn), []);
  assert.ok(isOwn(hooks().UserPromptSubmit[1].hooks[0]));
  writeFileSync(pathsFor(home.env).installs, "{}");
  await remove();
  assert.deepEqual(JSON.parse(readFileSync(file, "utf8")), before);
  assert.equal(existsSync(place.paths.http), false);
});

Deno.test("the endpoint stays as long as other settings use it", async () => {
  await using home = makeHome();
  const one = setUp(home);
  const two = setUp({ ...home, claude: join(home.root, "other") });
  const paths = { ...two.place.paths, claude: join(home.root, "other") };
  const options = { scope: "user", self: SELF, dryRun: false, transport: "http" } as const;
  await one.add("http");
  await install({ ...two.place, paths }, options);
  await one.remove();
  assert.equal(one.isEnabled(), true);
  await uninstall({ ...two.place, paths }, options);
  assert.deepEqual([one.isEnabled(), existsSync(paths.http)], [false, false]);
});

Deno.test({
  name: "settings are their owner's alone while they hold the token, and as before afterwards",
  ignore: process.platform === "win32",
  fn: async () => {
    await using home = makeHome();
    const { add, remove, file } = setUp(home);
    const mode = () => statSync(file).mode & 0o777;
    for (const leave of [remove, () => add("command")]) {
      writeFileSync(file, '{"model":"x"}');
      chmodSync(file, 0o644);
      await add("http");
      await add("http");
      assert.equal(mode(), 0o600);
      await leave();
      assert.equal(mode(), 0o644);
    }
  },
});

Deno.test("no token is put into a project", async () => {
  await using home = makeHome();
  const { add, place } = setUp(home);
  for (const scope of ["project", "local"] as const) {
    await assert.rejects(add("http", scope), /its token would be stored in the project/);
  }
  assert.deepEqual(readdirSync(home.project), []);
  assert.equal(existsSync(place.paths.http), false);
});

Deno.test("broken settings of either kind stop the install before anything is written", async () => {
  await using home = makeHome();
  const { add, file, place } = setUp(home);
  writeFileSync(place.paths.config, "recall: [\n");
  await assert.rejects(add("http"), /Cannot change .*config\.yaml`: line \d/);
  assert.equal(existsSync(file), false);
  writeFileSync(place.paths.config, "");
  writeFileSync(file, "{,}");
  await assert.rejects(add("http"), /Cannot edit/);
  assert.deepEqual([readFileSync(place.paths.config, "utf8"), existsSync(place.paths.http)], [
    "",
    false,
  ]);
});

Deno.test("a dry run makes no endpoint and sets nothing", async () => {
  await using home = makeHome({}, { isUnpacked: false });
  const { code, stdout } = await runMemo(home, ["install", "--transport", "http", "--dry-run"]);
  assert.equal(code, 0);
  assert.match(stdout, /\+ +"type": "http",/);
  assert.deepEqual(readdirSync(home.memoHome), []);
  assert.deepEqual(readdirSync(home.claude), []);
});

Deno.test("memo install --transport http says what a daemon that is gone looks like, and how to go back", async () => {
  await using home = makeHome();
  const { stdout } = await runMemo(home, ["install", "--transport", "http"]);
  assert.match(stdout, /"hook failed" at every prompt until you run `memo daemon start`/);
  assert.match(stdout, /memo install --transport command/);
});

Deno.test("a list of allowed addresses without this machine is found", () => {
  assert.equal(allowsHttp("{}"), true);
  assert.equal(allowsHttp('{"allowedHttpHookUrls":["https://example.com/*"]}'), false);
  assert.equal(allowsHttp('{"allowedHttpHookUrls":["http://127.0.0.1:*"]}'), true);
});
