import assert from "node:assert/strict";
import { dirname } from "node:path";
import type { Turn } from "../../src/core/transcript/turns.ts";
import { textOf } from "../support/messages_api.ts";
import { makeHome } from "../support/home.ts";
import {
  capture,
  captureContext,
  filesIn,
  judgedAgainst,
  MEMORY,
  serveReplies,
  turn,
} from "./support.ts";

const TURN = turn({ id: "t1", prompt: "Variable names start with `n_` now, and we talk on Slack" });

/** A memory that was captured, or that a person wrote. */
const note = (name: string, { byHand = false, body = `${name}.` } = {}) =>
  `---\nname: ${name}\ntype: feedback\ncreated: 2026-11-01T10:00:00Z\n${
    byHand ? "" : "source:\n  session: s0\n  transcript: /transcripts/s0.jsonl\n"
  }---\n${body}\n`;

/** A proposed memory, which may make a known one wrong. */
const proposed = (name: string, contradicts?: string) => ({
  ...{ ...MEMORY, name, body: `${name}.`, description: "", contradicts },
});

const TALK = note("Discord is where the team talks");
const SLACK = [proposed("Slack is where the team talks", "feedback_talk.md")];

/** Captures a turn beside notes: what the model proposes, and what it answers to the second look. */
async function secondLook(
  notes: Readonly<Record<string, string>>,
  memories: readonly unknown[],
  answer: unknown,
  { said = TURN, calls = 9, against }: Partial<{ said: Turn; calls: number; against: string }> = {},
) {
  await using home = makeHome();
  const paths = Object.entries(notes).map(([file, text]) => home.write(file, text));
  await using api = await serveReplies({ journal: [], memories }, answer);
  const context = {
    ...captureContext(home, api, { MEMO_CAPTURE_SESSION_CALLS: String(calls) }),
    ...against !== undefined && judgedAgainst(paths.find((path) => path.endsWith(against))!),
  };
  const { changes } = await capture([said], context);
  const files = filesIn(dirname(paths[0]!));
  const [offered = "", asked = ""] = api.requests.map((request) => textOf(request, "user"));
  return {
    ...{ changes, files, offered, asked, requests: api.requests.length },
    has: (file: string) => file in files,
    archived: (stem: string) =>
      Object.keys(files).find((file) => file.startsWith(`.archive/${stem}.`)),
    /** The notes that are said to contradict others, with what says so. */
    pairs: Object.entries(files).flatMap(([file, text]) => {
      const tag = /^ {2}- (contradicts:[\w.-]+)$/m.exec(text)?.[1];
      return tag === undefined ? [] : [`${file} ${tag}`];
    }),
  };
}

Deno.test("a rule that only resembles the new one stays, if the second look says so", async () => {
  const looked = await secondLook(
    {
      "feedback_chx.md": note("Include 'chx' in variable names"),
      "feedback_v.md": note("Start variable names with 'v_'"),
    },
    [
      proposed("Start variable names with 'n_'", "feedback_chx.md"),
      proposed("Variable names do not start with 'v_' any more", "feedback_v.md"),
    ],
    { pairs: [{ pair: 1, older: "stays" }, { pair: 2, older: "gone" }], further: [] },
  );
  assert.equal(looked.requests, 2);
  assert.ok(looked.has("feedback_chx.md"));
  assert.ok(looked.has("feedback_start-variable-names-with-n.md"));
  assert.ok(!looked.has("feedback_v.md") && looked.archived("feedback_v"));
  assert.deepEqual(looked.pairs, [], "both are settled");
  assert.match(
    looked.asked,
    /Pair 1\nOlder: Include 'chx'[^]*\nNewer: Start variable names with 'n_'[^]*\nSaid:\n {4}User: Variable names start with `n_` now, and we talk on Slack\n\nPair 2/,
  );
});

Deno.test("of a store that is too large to be shown whole, what is alike in the rest is asked about", async () => {
  // What the conversation names comes before what it does not.
  const slack = Array.from({ length: 60 }, (_, i) => {
    const text = note(`Variable names start with now: we talk on Slack ${i}`);
    return [`feedback_slack-${i}.md`, text] as const;
  });
  for (const older of ["gone", "stays"]) {
    const looked = await secondLook(
      { "feedback_x.md": note("Start all variable names with 'x_'"), ...Object.fromEntries(slack) },
      [proposed("Start all variable names with 'n_'")],
      { pairs: [{ pair: 1, older }], further: [] },
    );
    assert.doesNotMatch(looked.offered, /feedback_x\.md/);
    assert.match(
      looked.asked,
      /Pair 1 \(alike[^]*Older: Start all variable names with 'x_'[^]*Newer: Start all variable names with 'n_'/,
    );
    assert.ok(looked.has("feedback_start-all-variable-names-with-n.md"));
    assert.equal(looked.has("feedback_x.md"), older === "stays");
    assert.equal(looked.archived("feedback_x") !== undefined, older === "gone");
  }
});

Deno.test("what a note may contradict is asked about, though the model was shown it and named nothing", async () => {
  const looked = await secondLook(
    {
      "feedback_talk.md": note("Payments are handled by Stripe"),
      "feedback_other.md": note("Payments are logged by Datadog"),
    },
    [proposed("Payments are handled by Adyen")],
    { pairs: [{ pair: 1, older: "gone" }], further: [] },
    {
      said: turn({ id: "t1", prompt: "Payments are handled by Adyen" }),
      against: "feedback_talk.md",
    },
  );
  assert.match(looked.offered, /feedback_talk\.md/);
  assert.match(looked.asked, /Pair 1 \(alike[^]*Older: [^\n]*Stripe\n/);
  assert.ok(!looked.has("feedback_talk.md") && looked.has("feedback_other.md"));
});

Deno.test("notes that the same change has made wrong go with it, as one change", async () => {
  const looked = await secondLook(
    {
      "feedback_talk.md": TALK,
      "project_logging.md": note("Propose the logging approach on Discord"),
      "reference_bot.md": note("The release bot posted to Discord until 2026-03-01"),
      "reference_wiki.md": note("The wiki has the on-call list"),
      "reference_own.md": note("Discord invitations come from Eve", { byHand: true }),
    },
    SLACK,
    { pairs: [{ pair: 1, older: "gone" }], further: [{ note: "A", now: "gone" }] },
  );
  assert.match(looked.asked, /A: Propose the logging[^]*B: The release bot/);
  assert.doesNotMatch(looked.asked, /wiki|invitations/);
  assert.ok(!looked.has("project_logging.md") && !looked.has("feedback_talk.md"));
  assert.ok(looked.has("reference_bot.md") && looked.has("reference_wiki.md"));
  const written = looked.files["feedback_slack-is-where-the-team-talks.md"]!;
  assert.match(written, /supersedes:[^]*project_logging\.md[^]*feedback_talk\.md/);
  const groups = looked.changes.map((change) => "group" in change ? change.group : undefined);
  assert.deepEqual([groups.length, new Set(groups).size], [3, 1]);
});

Deno.test("a note that is wrong in part is corrected, and its earlier version is in the archive", async () => {
  const name = "Propose the logging approach on Slack";
  const body = "Before implementing it, on Slack.";
  const further = [{ note: "A", now: "corrected", name, body }];
  const logging = note("Propose the logging approach on Discord");
  const looked = await secondLook(
    { "feedback_talk.md": TALK, "project_logging.md": logging },
    SLACK,
    { pairs: [{ pair: 1, older: "gone" }], further },
  );
  const corrected = looked.files["feedback_propose-the-logging-approach-on-slack.md"]!;
  assert.match(corrected, /\n---\nBefore implem/);
  assert.ok(!looked.has("project_logging.md"));
  const before = looked.files[looked.archived("project_logging")!]!;
  assert.match(before, /Propose the logging approach on Discord\.\n$/);
});

for (
  const [what, answer, calls] of [
    ["in prose", "Both are fine."],
    ["without a verdict", { pairs: [], further: [] }],
    ["with a correction that is none", {
      pairs: [{ pair: 1, older: "corrected", name: "Talk", body: "The API has port 7000." }],
      further: [],
    }],
    ["of pairs that were not asked about", {
      pairs: [{ pair: 7, older: "stays" }, { pair: "x" }, null],
      further: [{ note: "ZZ", now: "gone" }, 3, null, { note: "A", now: "corrected", name: "" }],
    }],
    ["that no call of the session was left for", {}, 1],
  ] as const
) {
  Deno.test(`after an answer ${what} both stand, as a pair`, async () => {
    const notes = { "feedback_talk.md": TALK };
    const looked = await secondLook(notes, SLACK, answer, { calls: calls ?? 9 });
    assert.equal(looked.requests, calls ?? 2);
    assert.ok(looked.has("feedback_talk.md"));
    const pair = "feedback_slack-is-where-the-team-talks.md contradicts:feedback_talk.md";
    assert.deepEqual(looked.pairs, [pair]);
  });
}

const DEPLOYS = "Deploys go through kamal, never on Fridays after 17:30";
for (
  const [what, body, isTaken] of [
    ["keeps the other rule is made", `${DEPLOYS}.`, true],
    ["loses a value of the other rule is not", "Deploys go through kamal, never on Fridays."],
    ["leaves the other rule out is not", "Search listens on a socket."],
    ["has a value that nobody has named is not", `${DEPLOYS}. The API has port 7000.`],
  ] as const
) {
  Deno.test(`of two rules in one note one is taken back: a correction that ${what}`, async () => {
    const rules = `Search listens on port 8123. ${DEPLOYS}.`;
    const two = note("Search and deploys", { body: rules });
    const newer = proposed("Search listens on a socket, on no port", "feedback_two.md");
    const prompt = "Search has no port any more, it listens on a socket";
    const { files } = await secondLook(
      { "feedback_two.md": two },
      [{ ...newer, replaces: "feedback_two.md" }],
      { pairs: [{ pair: 1, older: "corrected", name: "Deploys", body }], further: [] },
      { said: { ...TURN, prompt } },
    );
    assert.match(files["feedback_search-listens-on-a-socket-on-no-port.md"]!, /on no port\.\n$/);
    assert.equal(files["feedback_deploys.md"]?.endsWith(`\n${body}\n`), isTaken);
    assert.equal(files["feedback_two.md"], isTaken ? undefined : two);
  });
}

Deno.test("what was said stands in whole sentences, one to a line, each behind its speaker", async () => {
  const said = turn({
    id: "t1",
    prompt: "The team talks on Slack; on Discord\nonly the bot is left. Good.\n\nThanks!",
    steps: [{ kind: "text", text: "Noted: the team talks on Slack." }],
  });
  const none = { pairs: [], further: [] };
  const { asked } = await secondLook({ "feedback_talk.md": TALK }, SLACK, none, { said });
  assert.match(
    asked,
    /\nSaid:\n {4}User: The team talks on Slack; on Discord only the bot is left\.\n {4}Assistant: Noted: the team talks on Slack\.\n\n/,
  );
});
