// Filters, several names, versions and the marks of search and recall, with the real executable.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { contextIn } from "../../src/surfaces/cli/shared/command.ts";
import { buildProgram, COMMANDS } from "../../src/surfaces/cli/mod.ts";
import synonyms from "../../src/surfaces/cli/shared/synonyms.json" with { type: "json" };
import { localTime } from "../../src/core/text/counted.ts";
import { writeReceipt } from "../../src/core/recall/receipts.ts";
import { type Home, makeHome, runMemo, succeed } from "../support/home.ts";
import { listedNames } from "../support/listed.ts";

/** Runs memo in a home and returns its stdout; it has to succeed. */
const memo = async (home: Home, ...args: string[]) => (await succeed(home, args)).trimEnd();

const DAY_MS = 86_400_000;

function daysAgo(days: number): string {
  return new Date(Date.now() - days * DAY_MS).toISOString();
}

function withMemories(): Home {
  const home = makeHome();
  const add = (name: string, type: string, { tags = "", days = 0 } = {}) =>
    home.write(
      `${name}.md`,
      `---\nname: ${name}\ntype: ${type}\ntags: [${tags}]\nupdated: ${
        daysAgo(days)
      }\n---\n${name} x.\n`,
    );
  add("alpha", "tool", { tags: "ci, linux" });
  add("beta", "gotcha", { tags: "CI", days: 10 });
  add("gamma", "decision", { days: 100 });
  add("delta echo", "tool", { tags: "linux", days: 200 });
  return home;
}

Deno.test("memo list filters by types, tags and dates", async () => {
  await using home = withMemories();
  const cases: readonly (readonly [args: string[], found: string[]])[] = [
    [["--type", "tool,gotcha"], ["alpha", "beta", "delta echo"]],
    [["-t", "tool", "-t", "decision"], ["alpha", "gamma", "delta echo"]],
    [["--tag", "ci"], ["alpha", "beta"]],
    [["--tag", "ci,linux"], ["alpha"]],
    [["--since", "30d"], ["alpha", "beta"]],
    [["--before", "5d"], ["beta", "gamma", "delta echo"]],
    [["--since", localTime(new Date(Date.now() - 150 * DAY_MS)).day, "--before", "2w"], ["gamma"]],
    [["--scope", "user", "--type", "decision"], ["gamma"]],
  ];
  for (const [args, found] of cases) {
    assert.deepEqual(await listedNames(home, ...args), found, args.join(" "));
  }
});

Deno.test("memo search filters", async () => {
  await using home = withMemories();
  const found = JSON.parse(await memo(home, "search", "x", "--tag", "linux", "--json"));
  assert.deepEqual(found.map(({ name }: { name: string }) => name).sort(), ["alpha", "delta echo"]);
});

Deno.test("memo search says that nothing matches, and lists the nearest if they are near or it is asked to", async () => {
  await using home = makeHome({}, { hasModel: true });
  for (
    const note of [
      "Use pnpm, never npm, to install packages",
      "The staging database listens on port 5433",
      "Webhooks of Stripe are retried for three days",
      "Deploys go out on Tuesdays at noon",
    ]
  ) await memo(home, "add", note);
  for (const query of ["zzzqqq", "quarterly budget of the marketing department"]) {
    const none = await runMemo(home, ["search", query]);
    assert.deepEqual([none.code, none.stdout], [1, ""]);
    assert.match(none.stderr, /^No memory matches; `--all` shows the nearest$/m);
    const json = await runMemo(home, ["search", query, "--json"]);
    assert.deepEqual([json.code, json.stdout], [1, "[]\n"]);
  }
  const [{ score, type }] = JSON.parse(
    await memo(home, "search", "quarterly budget", "--all", "--json"),
  );
  await memo(home, "config", "set", `threshold.${type}=${(score + 0.03).toFixed(3)}`);
  const near = await runMemo(home, ["search", "quarterly budget"]);
  assert.match(near.stdout, /, below threshold/);
  assert.match(near.stderr, /^No memory matches; (?:this is|these are) the nearest$/m);
  assert.equal(near.code, 1);
  await memo(home, "config", "unset", `threshold.${type}`);
  const found = await memo(home, "search", "webhook");
  assert.match(found, /^0\.\d\d {2}[k-z]{4} {2}Webhooks of Stripe.*\n {12}project$/);
  const all = await memo(home, "search", "quarterly budget", "--all");
  assert.match(all, /^0\.\d\d {2}[k-z]{4} {2}\w.*\n {12}\w+, \w+, below threshold/);
  const [first] = JSON.parse(await memo(home, "search", "quarterly budget", "--all", "--json"));
  assert.equal(first.belowThreshold, true);
});

Deno.test("memo add --replace keeps tags and triggers unless given, and expand shows the versions", async () => {
  await using home = makeHome();
  const add = (text: string, ...more: string[]) =>
    memo(home, "add", text, "--name", "Deploy", "--type", "tool", "--scope", "user", ...more);
  await add("One.", "--tags", "ci,ops", "--trigger", "ship it");
  await add("Two.", "--replace");
  const path = await add("Three.", "--replace", "--tags", "ops");
  const { tags, triggers, body } = JSON.parse(await memo(home, "show", "Deploy", "--json"));
  assert.deepEqual([tags, triggers, body], [["ops"], ["ship it"], "Three."]);

  const bodyOf = ({ path }: { path: string }) => readFileSync(path, "utf8").split("\n").at(-2);
  const now = JSON.parse(await memo(home, "show", "--history", "Deploy", "--json"));
  assert.deepEqual(now.supersedes.map(bodyOf), ["Two.", "One."]);
  assert.deepEqual(now.supersededBy, []);
  const first = JSON.parse(await memo(home, "show", "--history", now.supersedes[1].path, "--json"));
  assert.deepEqual(first.supersedes, []);
  assert.deepEqual(first.supersededBy.map(bodyOf), ["Two.", "Three."]);
  assert.match(
    await memo(home, "show", "--history", basename(path)),
    /\nVersions\n\d{4}-\d\d-\d\d {2}Two\.; tags ci, ops {2}.*\n\d{4}-\d\d-\d\d {2}One\.; tags ci, ops {2}.*$/,
  );
});

Deno.test("memo recall --explain shows the parts of what was dropped, and compares truly", async () => {
  await using home = makeHome({}, { hasModel: true });
  home.write("a.md", "---\nname: Staging database\n---\nIt is called pegasus.\n");
  home.write("b.md", "---\nname: Coffee machine\n---\nDescale it monthly.\n");
  const { stdout } = await runMemo(home, ["recall", "what is the staging database", "--explain"]);
  const lines = stdout.split("\n").filter((line) => /^ +\d\.\d{3} /.test(line));
  assert.equal(lines.length, 2);
  for (const line of lines) {
    const [, score, comparison, threshold] = /(\d\.\d+) +([≥<]) ([\d.]+)/.exec(line)!;
    assert.equal(comparison, Number(score) >= Number(threshold) ? "≥" : "<", line);
    assert.match(line, /[+-]\d\.\d\d = .*at first -\d\.\d\d/);
  }
  assert.match(lines[1]!, /< .*score too low/);
});

Deno.test("memo recall --log shows local time", async () => {
  await using home = makeHome({ TZ: "America/Los_Angeles" });
  const receipt = { outcome: "no hit", memories: [], chars: 0, ms: {} } as const;
  const path = join(home.memoHome, "receipts.jsonl");
  writeReceipt(path, { at: "2026-11-21T07:00:05.000Z", ...receipt });
  assert.match(await memo(home, "recall", "--log"), /^2026-11-20 23:00:05 /);
});

Deno.test("names of other tools lead to memo's commands", async () => {
  await using home = makeHome();
  const context = contextIn(home.env, home.project);
  const program = await buildProgram(context, "*");
  for (const [word, meant] of Object.entries(synonyms)) {
    assert.ok(!COMMANDS.some(({ name }) => name === word), `\`${word}\` is a command now`);
    let command = program;
    for (const part of meant.split(" ").slice(1)) {
      if (part.startsWith("--") || command.commands.length === 0) continue;
      const next = command.commands.find((each) => each.name() === part);
      assert.ok(next, `${word}: ${meant}`);
      command = next;
    }
  }
});

Deno.test("memo has at most 34 commands", () => {
  assert.ok(COMMANDS.filter(({ name }) => name !== "help").length <= 34);
});

Deno.test("a short option means the same in every command", async () => {
  await using home = makeHome();
  const context = contextIn(home.env, home.project);
  const meanings = new Map<string, Set<string>>();
  const walk = (command: Awaited<ReturnType<typeof buildProgram>>) => {
    for (const option of command.options) {
      if (option.short === undefined || option.long === undefined || option.hidden) continue;
      meanings.set(
        option.short,
        (meanings.get(option.short) ?? new Set()).add(option.long.replace(/s$/, "")),
      );
    }
    command.commands.forEach(walk);
  };
  walk(await buildProgram(context, "*"));
  for (const [short, longs] of meanings) {
    if (short === "-d") continue; // the description of `add`, the days of `stats`
    assert.equal(longs.size, 1, `${short}: ${[...longs].join(", ")}`);
  }
});
