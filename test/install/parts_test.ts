import assert from "node:assert/strict";
import fc from "fast-check";
import type { HookGroups } from "../../hooks/wire.ts";
import { entriesOf, hookGroups, recognise } from "../../src/features/install/entries.ts";
import { hookParts, jsonFile, ownEntries } from "../../src/features/install/parts.ts";
import { laidOut, settings } from "./settings_arbitrary.ts";

const SELF = { command: "/opt/memo/memo", args: [] };
const GROUPS = hookGroups(SELF);
const isOwn = recognise([SELF]);

/** A text with memo's hooks. */
function addHooks(text: string, groups: HookGroups): string {
  return jsonFile("settings.json", hookParts(groups)).add(text, { isOwn, before: undefined });
}

/** A value as JSON has it. */
function parsed(text: string): Record<string, unknown> {
  return JSON.parse(text.replace("\uFEFF", ""));
}

Deno.test("addHooks() appends its groups and leaves every other value and the order of keys", () => {
  fc.assert(fc.property(laidOut(settings()), (text) => {
    const before = parsed(text);
    const after = parsed(addHooks(text, GROUPS));
    const hooks = { ...(before["hooks"] as Record<string, unknown[]> | undefined) };
    for (const [event, list] of Object.entries(GROUPS)) {
      hooks[event] = [...(hooks[event] ?? []), ...list];
    }
    const expected = { ...before, hooks };
    assert.equal(JSON.stringify(after), JSON.stringify(expected));
  }));
});

Deno.test("ownEntries() finds what addHooks() added, and nothing of others", () => {
  fc.assert(fc.property(laidOut(settings()), (text) => {
    assert.deepEqual(ownEntries(text, isOwn), []);
    const found = ownEntries(addHooks(text, GROUPS), isOwn);
    const byEvent = (a: { event: string }, b: { event: string }) => a.event < b.event ? -1 : 1;
    assert.equal(
      JSON.stringify(found.toSorted(byEvent)),
      JSON.stringify(entriesOf(GROUPS).toSorted(byEvent)),
    );
  }));
});

Deno.test("addHooks() writes in the file's own layout", () => {
  const groups = { Stop: [{ hooks: [] }] };
  assert.equal(
    addHooks("{}\n", groups),
    '{\n  "hooks": {\n    "Stop": [\n      {\n        "hooks": []\n      }\n    ]\n  }\n}\n',
  );
  assert.equal(addHooks('{"a":1}', groups), '{"a":1,"hooks":{"Stop":[{"hooks":[]}]}}');
  assert.equal(
    addHooks('{\r\n\t"a": 1\r\n}', groups),
    '{\r\n\t"a": 1,\r\n\t"hooks": {\r\n\t\t"Stop": [\r\n\t\t\t{\r\n\t\t\t\t"hooks": []\r\n\t\t\t}\r\n\t\t]\r\n\t}\r\n}',
  );
});

Deno.test("of two properties with one name the last counts, as for JSON", () => {
  const text = '{"hooks":{},"hooks":{"Stop":[]}}';
  assert.deepEqual(parsed(addHooks(text, { Stop: [{ hooks: [] }] })), {
    hooks: { Stop: [{ hooks: [] }] },
  });
});

Deno.test("recognise() tells memo's handlers from others", () => {
  const dev = { command: "/usr/bin/deno", args: ["run", "-A", "/src/main.ts"] };
  const own = recognise([dev]);
  const handler = (command: unknown, args?: unknown) => ({ type: "command", command, args });
  const ours = [
    handler("/anywhere/memo", ["hook"]),
    handler("C:\\Program Files\\Memo.EXE", ["hook"]),
    handler(dev.command, [...dev.args, "hook"]),
    handler("memo hook"),
    handler(" ~/.local/bin/memo  hook "),
    handler("'/with space/memo' hook"),
    handler('"C:\\Program Files\\memo.exe" hook'),
    handler("MEMO_HOME=/x memo hook"),
    handler("/usr/bin/deno run -A /src/main.ts hook"),
    handler("/renamed hook --agent codex"),
    { type: "local", command: ["/anywhere/memo", "mcp"] },
  ];
  const others = [
    handler(dev.command, ["run", "-A", "/other/main.ts", "hook"]),
    handler("/usr/bin/memos", ["hook"]),
    handler("/anywhere/memo", ["doctor"]),
    ...["memo hook | tee log", "echo memo hook", "memo", "hook", "", "memos hook", "A=b"]
      .map((line) => handler(line)),
    ...[null, 1, "memo", [], {}, handler(1, ["hook"]), handler("memo", "hook")],
  ];
  for (const value of ours) assert.ok(own(value), JSON.stringify(value));
  for (const value of others) assert.ok(!own(value), JSON.stringify(value));
});
