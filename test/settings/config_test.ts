import assert from "node:assert/strict";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { parseDocument } from "yaml";
import {
  coerce,
  type Config,
  defaultOf,
  describeSource,
  loadConfig,
  sourceOf,
  typeSettings,
  valueOf,
} from "../../src/core/settings/config.ts";
import { settingOf, SETTINGS, variableOf } from "../../src/core/settings/table.ts";
import {
  changeSettingsFile,
  readSettingsFile,
  withSettings,
} from "../../src/core/settings/config_file.ts";
import { LiveConfig } from "../../src/core/engine/live_config.ts";
import { MemoError } from "../../src/errors.ts";
import { placeIn, projectSettings } from "../../src/core/memory/scopes.ts";
import { pathsFor } from "../../src/paths.ts";
import { STRATEGIES } from "../../strategies/mod.ts";
import { readRows } from "../support/fixtures.ts";
import { makeHome, trustIn } from "../support/home.ts";
import { temporaryFolder } from "../support/temp.ts";

/** The settings that come of a text in `config.yaml`, and perhaps one in a project's file. */
function load(text: string, { env = {}, project }: {
  readonly env?: Readonly<Record<string, string>>;
  readonly project?: string;
} = {}): Config {
  using folder = temporaryFolder();
  const path = join(folder.path, "config.yaml");
  writeFileSync(path, text);
  const projectPath = project === undefined ? undefined : join(folder.path, "memo.yaml");
  if (projectPath !== undefined) writeFileSync(projectPath, project!);
  return loadConfig(path, env, { project: projectPath, strategies: STRATEGIES });
}

/** A key of every row, with `feedback` for the type. */
const KEYS = SETTINGS.map((row) => row.key.replace("*", "feedback"));

Deno.test("every setting has a default that its own bounds allow", () => {
  for (const key of KEYS) {
    assert.equal(coerce(key, defaultOf(key), { strategies: STRATEGIES }), defaultOf(key), key);
  }
});

Deno.test("no project setting names a place, a process, a port or a model", () => {
  const tuning = /^(strategy|threshold|recall)\.|^team\.suggest$/; // a suggestion is shown to the person, no more
  for (const row of SETTINGS) {
    const { key, project } = row;
    if (project && !("projectOff" in row)) {
      assert.match(key, tuning, `${key} may be set by any repository that is cloned`);
    }
  }
});

Deno.test("no two settings share an environment variable", () => {
  const names = SETTINGS.map((row) => variableOf(row.key));
  assert.equal(new Set(names).size, names.length);
});

Deno.test("a key is read nested and flat, and the later one counts", () => {
  assert.equal(load("recall:\n  min_chars: 20\n")["recall.min_chars"], 20);
  assert.equal(load("recall.min_chars: 20\n")["recall.min_chars"], 20);
  assert.equal(load("recall.min_chars: 20\nrecall: {min_chars: 30}\n")["recall.min_chars"], 30);
});

Deno.test("variables go over the project's file, that over config.yaml, that over the default", () => {
  const key = "recall.max_memories", variable = "MEMO_RECALL_MAX_MEMORIES";
  const layers = [
    [load("{}"), 5, "default"],
    [load("\nrecall: {max_memories: 6}"), 6, "config.yaml:2"],
    [load(`${key}: 6`, { project: `# tune\n\n${key}: 4` }), 4, ".claude/memo.yaml:3"],
    [load("", { project: `${key}: 7`, env: { [variable]: "8" } }), 8, variable],
  ] as const;
  for (const [config, value, from] of layers) {
    assert.deepEqual(config.warnings, []);
    assert.equal(config[key], value);
    assert.equal(valueOf(config, key), value);
    assert.equal(describeSource(sourceOf(config, key)), from);
  }
});

Deno.test("a type's own setting goes over the one for all types, wherever the two stand", () => {
  const config = load("strategy:\n  '*': keyword\n  feedback: recency\n", {
    env: { MEMO_STRATEGY_TOOL: "hybrid", MEMO_THRESHOLD: "0.5" },
  });
  const strategy = (type: string) => typeSettings(config, type).strategy;
  const ranked = ["feedback", "tool", "user", "new"].map(strategy).join();
  assert.equal(ranked, "recency,hybrid,keyword,keyword");
  assert.equal(typeSettings(config, "user").threshold, 0.5);
  assert.equal(describeSource(sourceOf(config, "strategy.user")), "config.yaml:2");
  assert.equal(describeSource(sourceOf(config, "strategy.tool")), "MEMO_STRATEGY_TOOL");
  assert.equal(describeSource(sourceOf(config, "threshold.user")), "MEMO_THRESHOLD");
});

Deno.test("what cannot be used becomes a warning with its place, and the default holds", () => {
  const cases = [
    ...readRows("settings/unusable.tsv"),
    [`x: &a [${"1,".repeat(200_000)}1]`, "larger than"],
    ["[".repeat(20_000), "Cannot read|Cannot set|Unknown"],
  ] as [string, string][];
  const defaults = loadConfig("/nowhere/config.yaml", {});
  for (const [text, warning] of cases) {
    const { warnings, muted: _, folder: __, ...config } = load(text);
    assert.equal(warnings.length, 1, text.slice(0, 40));
    assert.match(warnings[0]!, new RegExp(warning));
    assert.deepEqual({ ...config, folder: "/nowhere", warnings: [], muted: undefined }, defaults);
  }
});

Deno.test("nothing that a settings file says throws or gets past its bounds", () => {
  const scalar = fc.oneof(fc.string(), fc.double(), fc.boolean(), fc.constant(null), fc.integer());
  const key = fc.oneof(fc.constantFrom(...KEYS), fc.string(), fc.constant("__proto__"));
  fc.assert(
    fc.property(fc.dictionary(key, fc.oneof(scalar, fc.array(scalar))), (settings) => {
      const config = load(JSON.stringify(settings));
      for (const concrete of KEYS) {
        const value = valueOf(config, concrete);
        assert.equal(coerce(concrete, value, { strategies: STRATEGIES }), value);
      }
      assert.ok(!("polluted" in {}));
    }),
    { numRuns: 60 },
  );
});

// What a project's file asks for beside `config.yaml`, what is in force then, and how often it is warned of: it cannot
// silence recall, redirect anything, keep a process alive, nor have more captured.
const PROJECTS = readRows("settings/projects.tsv") as [string, string, string, string][];

for (const [own, project, held, warnings] of PROJECTS) {
  Deno.test(`a project's \`${project}\` beside \`${own}\` narrows at most`, () => {
    const config = load(own, { project });
    for (const [key, value] of Object.entries(JSON.parse(held))) {
      assert.deepEqual(config[key as keyof Config], value, key);
    }
    assert.equal(config.warnings.length, Number(warnings), config.warnings.join("\n"));
    assert.equal(config.muted, undefined);
  });
}

Deno.test("the project's file is the nearest one upwards, and never Claude Code's own", async () => {
  await using home = makeHome();
  mkdirSync(join(home.project, ".git"));
  const place = placeIn(pathsFor(home.env), join(home.project, "src", "deep"));
  home.write(".claude/memo.yaml", "recall.max_memories: 1");
  assert.equal(projectSettings(place), undefined);
  const file = home.write("project/.claude/memo.yaml", "recall.max_memories: 4");
  assert.equal(projectSettings(place), undefined); // nobody has trusted it
  await trustIn(home, file);
  assert.equal(projectSettings(place), file);
  const nearer = home.write("project/src/.claude/memo.yaml", "recall.max_memories: 3");
  assert.equal(projectSettings(place), undefined);
  await trustIn(home, nearer);
  assert.equal(projectSettings(place), nearer);
  assert.equal(projectSettings({ ...place, cwd: home.project }), file);
});

Deno.test("live settings follow every change of either file, place by place", async () => {
  await using home = makeHome();
  const logged: unknown[] = [];
  const path = join(home.memoHome, "config.yaml");
  const live = new LiveConfig(path, { env: {}, log: (...words) => logged.push(words) });
  mkdirSync(join(home.project, ".git"));
  const place = placeIn(pathsFor(home.env), home.project);
  const most = (at?: typeof place) => live.at(at)["recall.max_memories"];
  assert.deepEqual([most(), most(place)], [5, 5]);
  changeSettingsFile(path, { "recall.max_memories": 6 });
  assert.deepEqual([most(), most(place)], [6, 6]);
  const file = home.write("project/.claude/memo.yaml", "recall.max_memories: 4");
  assert.deepEqual([most(), most(place)], [6, 6]);
  await trustIn(home, file);
  assert.deepEqual([most(), most(place)], [6, 4]);
  // The same size in the same millisecond: only the atomic write tells.
  const { atime, mtime } = statSync(path);
  changeSettingsFile(path, { "recall.max_memories": 8 });
  utimesSync(path, atime, mtime);
  assert.deepEqual([most(), most(place)], [8, 4]);
  assert.equal(live.at(place), live.at(place));
  await trustIn(home, home.write("project/.claude/memo.yaml", "model: theirs"));
  assert.deepEqual([most(place), most(place), logged.length], [8, 8, 1]);
  assert.ok(existsSync(file));
});

/** Keys and values that can be set. */
const assignment = fc.oneof(
  fc.tuple(
    fc.constantFrom("recall.min_chars", "recall.max_memories"),
    fc.integer({ min: 1, max: 20 }),
  ),
  fc.tuple(
    fc.constantFrom("threshold.tool", "threshold.*", "threshold.a.b"),
    fc.constantFrom(0, 0.25, 1),
  ),
  fc.tuple(fc.constantFrom("strategy.*", "strategy.tool"), fc.constantFrom("keyword", "hybrid")),
  fc.tuple(
    fc.constant("extract.model"),
    fc.constantFrom("a", "true", "1.5", "# no", "x: y", "null", "é '\""),
  ),
);

/** Files as people write them: nested, flat, both, with comments, with what memo does not know. */
const lines = fc.shuffledSubarray([
  "# about everything\n\n",
  "# the model\nmodel: builtin # small\n",
  "recall:\n    # more\n    max_memories: 7 # seven\n\n    min_chars: 4\n",
  "recall.min_chars: 9\n",
  "threshold: {tool: 0.3, 'a.b': 0.4}\n",
  "threshold.tool: 0.9\n",
  "strategy: keyword\n",
  "strategy.tool: &s recency\n",
  "other:\n",
  "1: one\n",
  "# the end\n",
]).map((parts) => parts.join(""));

Deno.test("set then get gives the value, whatever the file looks like; unset then get the default", () => {
  using folder = temporaryFolder();
  const path = join(folder.path, "config.yaml");
  fc.assert(
    fc.property(lines, fc.array(assignment, { minLength: 1, maxLength: 4 }), (text, pairs) => {
      writeFileSync(path, text);
      for (const [key, value] of pairs) {
        changeSettingsFile(path, { [key]: value });
        assert.equal(valueOf(loadConfig(path, {}), key), value);
      }
      const after = existsSync(path) ? readFileSync(path, "utf8") : "";
      for (const comment of text.match(/# (about|the|more).*/g) ?? []) {
        assert.ok(after.includes(comment), `${comment} is lost in\n${after}`);
      }
      const others = (of: string) =>
        readSettingsFile(of).values.filter(({ key }) => settingOf(key) === undefined).length;
      const unknown = others(path);
      for (const [key] of pairs) changeSettingsFile(path, { [key]: undefined });
      const config = loadConfig(path, {});
      for (const [key] of pairs) assert.equal(config.sources[key], undefined);
      assert.equal(others(path), unknown);
    }),
    { numRuns: 60 },
  );
});

Deno.test("a changed file keeps its comments, its order and everything else in it", () => {
  const before =
    "# mine\nmodel: builtin # the small one\n\n# what prompts get\nrecall:\n  # fewer\n" +
    "  max_memories: 3 # three\n  min_chars: 12\nunknown: [1, 2]\n";
  assert.equal(
    withSettings(before, { "recall.max_memories": 4, "strategy.tool": "keyword" }),
    before.replace("max_memories: 3", "max_memories: 4") + "strategy:\n  tool: keyword\n",
  );
  assert.equal(
    withSettings(before, { "recall.max_memories": undefined }),
    before.replace("  max_memories: 3 # three\n", ""),
  );
  const without = withSettings(before, {
    "recall.max_memories": undefined,
    "recall.min_chars": undefined,
  });
  assert.deepEqual(parseDocument(without).toJS(), { model: "builtin", unknown: [1, 2] });
  for (const comment of ["# mine", "# what prompts get", "# fewer"]) {
    assert.ok(without.includes(comment));
  }
});

Deno.test("a file is made for its owner alone, and goes when nothing is left in it", () => {
  using folder = temporaryFolder();
  const path = join(folder.path, "deep", "config.yaml");
  changeSettingsFile(path, { "recall.min_chars": 20 });
  assert.equal(readFileSync(path, "utf8"), "recall:\n  min_chars: 20\n");
  if (process.platform !== "win32") assert.equal(statSync(path).mode & 0o777, 0o600);
  changeSettingsFile(path, { "recall.min_chars": undefined });
  assert.equal(existsSync(path), false);
  writeFileSync(path, "# keep me\nmodel: x\n");
  changeSettingsFile(path, { model: undefined });
  assert.equal(readFileSync(path, "utf8"), "# keep me\n");
});

Deno.test("a broken file is named with the line and never written", () => {
  using folder = temporaryFolder();
  const path = join(folder.path, "config.yaml");
  for (const text of ["model: [a\n", "- a\n", "just words\n", "a: 1\na: 2\n", "\ta: 1\n"]) {
    writeFileSync(path, text);
    assert.throws(() => changeSettingsFile(path, { model: "x" }), (error) => {
      assert.ok(error instanceof MemoError && error.kind === "file" && error.hint);
      assert.match(error.message, /^Cannot change `.*config\.yaml`: (line \d+, col|it is not)/);
      return true;
    });
    assert.equal(readFileSync(path, "utf8"), text);
  }
});

Deno.test({
  name: "a symbolic link is followed, and stays",
  ignore: process.platform === "win32",
  fn() {
    using folder = temporaryFolder();
    const [path, target] = [join(folder.path, "config.yaml"), join(folder.path, "dotfile.yaml")];
    writeFileSync(target, "model: x\n");
    symlinkSync(target, path);
    changeSettingsFile(path, { model: "y" });
    assert.equal(readFileSync(target, "utf8"), "model: y\n");
    changeSettingsFile(path, { model: undefined });
    assert.ok(lstatSync(path).isSymbolicLink());
    assert.equal(readFileSync(path, "utf8"), "");
  },
});

Deno.test("no language model is asked when what may have forbidden it cannot be read", () => {
  for (const [text = "", env = "", said = ""] of readRows("settings/muted.tsv")) {
    assert.match(load(text, { env: JSON.parse(env) }).muted ?? "", new RegExp(said), text + env);
  }
  const { warnings, muted } = load("", { project: "llm.provider: none\n" });
  assert.deepEqual([warnings.length, muted], [1, undefined]); // a project has no say in it
});

/** A key of every setting that closes something: the file's value, a variable that would open it, what is in force. */
const NARROWED = readRows("settings/narrowed.tsv") as [string, string, string, string][];

for (const [key, own, asked, held] of NARROWED) {
  Deno.test(`a variable that asks for \`${key}=${asked}\` where the file has \`${own}\` only narrows it`, () => {
    const config = load(`${key}: ${own}`, { env: { [variableOf(key)]: asked } });
    assert.equal(String(valueOf(config, key)), held);
    const isOpened = held !== own && held === asked;
    assert.equal(config.muted, undefined);
    assert.equal(config.warnings.length === 0, isOpened || key === "redact.patterns");
  });
}

/** What redirects: the file's value, a variable of a session. */
const REDIRECTED = readRows("settings/redirected.tsv") as [string, string, string][];

for (const [key, own, asked] of REDIRECTED) {
  Deno.test(`with a variable that sets \`${key}\` to \`${asked}\` nothing is sent, not to \`${own}\` either`, () => {
    const config = load(`send: on\n${key}: "${own}"`, { env: { [variableOf(key)]: asked } });
    assert.equal(valueOf(config, key), own);
    assert.match(config.muted!, /variable cannot set .*`memo config set` can$/);
    const same = load(`send: on\n${key}: "${asked}"`, { env: { [variableOf(key)]: asked } });
    assert.equal(same.muted, undefined, "the file says the same");
  });
}

/** The file, the server that a session names, and whether something may be sent there. */
const SERVERS = readRows("settings/servers.tsv") as [string, string, string][];

for (const [text, address, muted] of SERVERS) {
  Deno.test(`ANTHROPIC_BASE_URL=${address} with \`${text.replaceAll("\n", "; ")}\` ${muted ? "mutes memo" : "mutes nothing"}`, () => {
    for (const variable of ["ANTHROPIC_BASE_URL", "ANTHROPIC_BEDROCK_BASE_URL"]) {
      const config = load(text, { env: { [variable]: address } });
      const said = config.muted?.replace(variable, "ANTHROPIC_BASE_URL") ?? "";
      assert.match(said, new RegExp(muted || "^$"));
    }
  });
}

Deno.test("every setting that decides what is sent, where to or at what cost can only be narrowed by a variable", () => {
  const free = SETTINGS.map(({ key }) => key)
    .filter((key) => /^(send|llm|embed|capture|extract|enrich|dream|redact|sync)\b/.test(key))
    .filter((key) => settingOf(key)?.narrow === undefined);
  assert.deepEqual(free, ["llm.model", "capture.scope", "extract.model"], "give it `narrow`");
});
