import assert from "node:assert/strict";
import { dirname } from "node:path";
import { textOf } from "../support/messages_api.ts";
import { makeHome } from "../support/home.ts";
import { capture, captureContext, filesIn, MEMORY, serveReplies, turn } from "./support.ts";

const TURN = turn({ id: "t1", prompt: "Variable names start with `n_` now, and we talk on Slack" });

/** A memory that was captured, or that a person wrote. */
const note = (name: string, { byHand = false } = {}) =>
  `---\nname: ${name}\ntype: feedback\ncreated: 2026-11-01T10:00:00Z\n${
    byHand ? "" : "source:\n  session: s0\n  transcript: /transcripts/s0.jsonl\n"
  }---\n${name}.\n`;
/** The notes of a folder that are said to contradict others, with what says so. */
const pairsIn = (folder: string) =>
  Object.fromEntries(
    Object.entries(filesIn(folder)).flatMap(([file, text]) => {
      const tag = /^ {2}- (contradicts:[\w.-]+)$/m.exec(text)?.[1];
      return tag === undefined ? [] : [[file, tag]];
    }),
  );
const proposed = (name: string, contradicts?: string) => ({
  ...{ ...MEMORY, name, body: `${name}.`, description: "", contradicts },
});

Deno.test("a rule that only resembles the new one stays, if the second look says so", async () => {
  await using home = makeHome();
  const chx = home.write("feedback_chx.md", note("Include 'chx' in variable names"));
  home.write("feedback_v.md", note("Start variable names with 'v_'"));
  await using api = await serveReplies(
    {
      journal: [],
      memories: [
        proposed("Start variable names with 'n_'", "feedback_chx.md"),
        proposed("Variable names do not start with 'v_' any more", "feedback_v.md"),
      ],
    },
    { pairs: [{ pair: 1, older: "stays" }, { pair: 2, older: "gone" }], further: [] },
  );
  await capture([TURN], captureContext(home, api));
  const files = Object.keys(filesIn(dirname(chx)));
  assert.equal(api.requests.length, 2);
  assert.ok(files.includes("feedback_chx.md"));
  assert.ok(files.includes("feedback_start-variable-names-with-n.md"));
  assert.ok(!files.includes("feedback_v.md"));
  assert.ok(files.some((file) => /^\.archive\/feedback_v\./.test(file)));
  assert.deepEqual(pairsIn(dirname(chx)), {}, "both are settled");
  const asked = textOf(api.requests[1]!, "user");
  assert.match(
    asked,
    /Pair 1\nOlder: Include 'chx'[^]*\nNewer: Start variable names with 'n_'[^]*\nSaid:\n {4}User: Variable names start with `n_` now, and we talk on Slack\n\nPair 2/,
  );
});

Deno.test("of a store that is too large to be shown whole, what is alike in the rest is asked about", async () => {
  for (const older of ["gone", "stays"]) {
    await using home = makeHome();
    const old = home.write("feedback_x.md", note("Start all variable names with 'x_'"));
    for (let i = 0; i < 60; i++) {
      // What the conversation names comes before what it does not.
      home.write(
        `feedback_slack-${i}.md`,
        note(`Variable names start with now: we talk on Slack ${i}`),
      );
    }
    await using api = await serveReplies(
      { journal: [], memories: [proposed("Start all variable names with 'n_'")] },
      { pairs: [{ pair: 1, older }], further: [] },
    );
    await capture([TURN], captureContext(home, api));
    assert.doesNotMatch(textOf(api.requests[0]!, "user"), /feedback_x\.md/);
    assert.match(
      textOf(api.requests[1]!, "user"),
      /Pair 1 \(alike[^]*Older: Start all variable names with 'x_'[^]*Newer: Start all variable names with 'n_'/,
    );
    const files = Object.keys(filesIn(dirname(old)));
    assert.ok(files.includes("feedback_start-all-variable-names-with-n.md"));
    assert.equal(files.includes("feedback_x.md"), older === "stays");
    assert.equal(files.some((file) => /^\.archive\/feedback_x\./.test(file)), older === "gone");
  }
});

Deno.test("what a note contradicts by its words is asked about, though the model was shown it and named nothing", async () => {
  await using home = makeHome();
  const old = home.write("feedback_talk.md", note("Payments are handled by Stripe"));
  home.write("feedback_other.md", note("Payments are logged by Datadog"));
  await using api = await serveReplies(
    { journal: [], memories: [proposed("Payments are handled by Adyen")] },
    { pairs: [{ pair: 1, older: "gone" }], further: [] },
  );
  await capture(
    [turn({ id: "t1", prompt: "Payments are handled by Adyen" })],
    captureContext(home, api),
  );
  assert.match(textOf(api.requests[0]!, "user"), /feedback_talk\.md/);
  assert.match(textOf(api.requests[1]!, "user"), /Pair 1 \(alike[^]*Older: [^\n]*Stripe\n/);
  const files = Object.keys(filesIn(dirname(old)));
  assert.ok(!files.includes("feedback_talk.md") && files.includes("feedback_other.md"));
});

Deno.test("notes that the same change has made wrong go with it, as one change", async () => {
  await using home = makeHome();
  const talk = home.write("feedback_talk.md", note("Discord is where the team talks"));
  home.write("project_logging.md", note("Propose the logging approach on Discord"));
  home.write("reference_bot.md", note("The release bot posted to Discord until 2026-03-01"));
  home.write("reference_wiki.md", note("The wiki has the on-call list"));
  home.write("reference_own.md", note("Discord invitations come from Eve", { byHand: true }));
  await using api = await serveReplies(
    { journal: [], memories: [proposed("Slack is where the team talks", "feedback_talk.md")] },
    { pairs: [{ pair: 1, older: "gone" }], further: [{ note: "A", now: "gone" }] },
  );
  const context = captureContext(home, api);
  const { changes } = await capture([TURN], context);
  const folder = dirname(talk);
  const asked = textOf(api.requests[1]!, "user");
  assert.match(asked, /A: Propose the logging[^]*B: The release bot/);
  assert.doesNotMatch(asked, /wiki|invitations/);
  const files = Object.keys(filesIn(folder));
  assert.ok(!files.includes("project_logging.md") && !files.includes("feedback_talk.md"));
  assert.ok(files.includes("reference_bot.md") && files.includes("reference_wiki.md"));
  const written = filesIn(folder)["feedback_slack-is-where-the-team-talks.md"]!;
  assert.match(written, /supersedes:[^]*project_logging\.md[^]*feedback_talk\.md/);
  const groups = new Set(changes.map((change) => "group" in change ? change.group : undefined));
  assert.equal(changes.length, 3);
  assert.equal(groups.size, 1);
});

Deno.test("a note that is wrong in part is corrected, and its earlier version is in the archive", async () => {
  await using home = makeHome();
  const talk = home.write("feedback_talk.md", note("Discord is where the team talks"));
  home.write("project_logging.md", note("Propose the logging approach on Discord"));
  const now = {
    ...{ name: "Propose the logging approach on Slack", body: "Before implementing it, on Slack." },
    ...{ note: "A", now: "corrected" },
  };
  await using api = await serveReplies(
    { journal: [], memories: [proposed("Slack is where the team talks", "feedback_talk.md")] },
    { pairs: [{ pair: 1, older: "gone" }], further: [now] },
  );
  await capture([TURN], captureContext(home, api));
  const files = filesIn(dirname(talk));
  const names = Object.keys(files);
  assert.match(files["feedback_propose-the-logging-approach-on-slack.md"]!, /\n---\nBefore implem/);
  assert.ok(!names.includes("project_logging.md"));
  const archived = names.find((name) => /^\.archive\/project_logging\./.test(name))!;
  assert.match(files[archived]!, /Propose the logging approach on Discord\.\n$/);
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
    await using home = makeHome();
    const talk = home.write("feedback_talk.md", note("Discord is where the team talks"));
    await using api = await serveReplies(
      { journal: [], memories: [proposed("Slack is where the team talks", "feedback_talk.md")] },
      answer,
    );
    const context = captureContext(home, api, { MEMO_CAPTURE_SESSION_CALLS: String(calls ?? 9) });
    await capture([TURN], context);
    assert.equal(api.requests.length, calls ?? 2);
    const files = Object.keys(filesIn(dirname(talk)));
    assert.ok(files.includes("feedback_talk.md"));
    assert.ok(files.includes("feedback_slack-is-where-the-team-talks.md"));
    assert.deepEqual(pairsIn(dirname(talk)), {
      "feedback_slack-is-where-the-team-talks.md": "contradicts:feedback_talk.md",
    });
  });
}

const DEPLOYS = "Deploys go through kamal, never on Fridays after 17:30";
for (
  const [what, body, isTaken] of [
    ["keeps the other rule is made", `${DEPLOYS}.`, true],
    [
      "loses a value of the other rule is not",
      "Deploys go through kamal, never on Fridays.",
      false,
    ],
    ["leaves the other rule out is not", "Search listens on a socket.", false],
    ["has a value that nobody has named is not", `${DEPLOYS}. The API has port 7000.`, false],
  ] as const
) {
  Deno.test(`of two rules in one note one is taken back: a correction that ${what}`, async () => {
    await using home = makeHome();
    const rules = `Search listens on port 8123. ${DEPLOYS}.`;
    const two = note("Search and deploys").replace("Search and deploys.", rules);
    const folder = dirname(home.write("feedback_two.md", two));
    const newer = proposed("Search listens on a socket, on no port", "feedback_two.md");
    await using api = await serveReplies(
      { journal: [], memories: [{ ...newer, replaces: "feedback_two.md" }] },
      { pairs: [{ pair: 1, older: "corrected", name: "Deploys", body }], further: [] },
    );
    const prompt = "Search has no port any more, it listens on a socket";
    await capture([{ ...TURN, prompt }], captureContext(home, api));
    const files = filesIn(folder);
    assert.match(files["feedback_search-listens-on-a-socket-on-no-port.md"]!, /on no port\.\n$/);
    assert.equal(files["feedback_deploys.md"]?.endsWith(`\n${body}\n`), isTaken || undefined);
    assert.equal(files["feedback_two.md"], isTaken ? undefined : two);
  });
}

Deno.test("what was said stands in whole sentences, one to a line, each behind its speaker", async () => {
  await using home = makeHome();
  home.write("feedback_talk.md", note("Discord is where the team talks"));
  await using api = await serveReplies(
    { journal: [], memories: [proposed("Slack is where the team talks", "feedback_talk.md")] },
    { pairs: [], further: [] },
  );
  const said = turn({
    id: "t1",
    prompt: "The team talks on Slack; on Discord\nonly the bot is left. Good.\n\nThanks!",
    steps: [{ kind: "text", text: "Noted: the team talks on Slack." }],
  });
  await capture([said], captureContext(home, api));
  assert.match(
    textOf(api.requests[1]!, "user"),
    /\nSaid:\n {4}User: The team talks on Slack; on Discord only the bot is left\.\n {4}Assistant: Noted: the team talks on Slack\.\n\n/,
  );
});
