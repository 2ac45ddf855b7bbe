// What the documents promise is held by tests that exist.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";

const ROOT = new URL("../../", import.meta.url);

for (const document of ["docs/SECURITY.md", "docs/RELIABILITY.md", "docs/privacy.md"]) {
  Deno.test(`${document} names only tests, tasks and documents that exist`, () => {
    const text = readFileSync(new URL(document, ROOT), "utf8");
    const tests = [...text.matchAll(/`(test\/[^`]+)`/g)].map((match) => match[1]!);
    const links = [...text.matchAll(/\]\(([^)#:]+)\)/g)].map((match) => `docs/${match[1]}`);
    const missing = [...tests, ...links].filter((path) => !existsSync(new URL(path, ROOT)));
    assert.deepEqual(missing, []);
    const { tasks } = JSON.parse(readFileSync(new URL("deno.json", ROOT), "utf8"));
    for (const [, task] of text.matchAll(/deno task (\w+)/g)) assert.ok(tasks[task!], `${task}`);
  });
}

/** What the privacy page says, and the test that holds memo to it: its file, and a part of its name. */
const PRIVACY: readonly (readonly [said: RegExp, file: string, test: RegExp])[] = [
  [/readable by you alone/, "test/reliability/private_files_test.ts", /its user alone/],
  [/Nothing, until you have said yes/, "test/promises_test.ts", /nothing is sent by any hook/],
  [/no\s+telemetry/, "test/native/telemetry_test.ts", /"recall"[^]*"search"[^]*"bench"/],
  [/says so once/, "test/promises_test.ts", /says once what waits for a yes/],
  [
    /hooks\s+alone\s+are\s+no\s+yes/,
    "test/promises_test.ts",
    /memo was installed, and that was all/,
  ],
  [/`memo config set send=off` closes all/, "test/promises_test.ts", /send=off was typed/],
  [
    /A purpose that a later\s+version\s+brings\s+is\s+off/,
    "test/settings/purposes_test.ts",
    /a purpose that came later/,
  ],
  [/turns off\s+ONNX Runtime's/, "test/native/telemetry_test.ts", /ONNX Runtime|telemetry/],
  [
    /Secrets are removed\s+before anything is sent/,
    "test/llm/anthropic_test.ts",
    /no secret is in what leaves/,
  ],
  [/between `<private>` and\s+`<\/private>`/, "test/redact/redact_test.ts", /stands in <private>/],
  [
    /secrets are\s+removed\s+before\s+it\s+is\s+written/,
    "test/history/keep_test.ts",
    /without secrets/,
  ],
  [
    /after `history.days` a\s+day's\s+file\s+is\s+deleted/,
    "test/history/keep_test.ts",
    /kept for long enough/,
  ],
  [
    /`memo uninstall --purge` removes/,
    "test/install/purge_test.ts",
    /leaves nothing of what memo has done/,
  ],
  [
    /redacted texts over\s+https/,
    "test/embed/endpoint_test.ts",
    /not go over plain http to another/,
  ],
  [/`memo forget --hard` removes/, "test/cli/log_test.ts", /--hard leaves nothing/],
  [
    /seems\s+to\s+hold\s+a\s+secret\s+stays/,
    "test/sync/sync_test.ts",
    /a secret stays on its machine/,
  ],
  [/your\s+memories\s+stay/, "test/install/purge_test.ts", /leaves memories, settings/],
];

/** The same of what the page on security promises. */
const SECURITY: typeof PRIVACY = [
  [
    /no process of memo resolves\s+a name or opens/,
    "test/native/telemetry_test.ts",
    /looks up no name/,
  ],
  [/for that session's requests alone/, "test/daemon/login_test.ts", /each to their own gateway/],
  [/in what you typed in the session/, "test/poison_test.ts", /always fooled makes nothing/],
  [
    /replaces, contradicts, archives and updates no note/,
    "test/mcp/new_fields_test.ts",
    /unsaid words/,
  ],
  [
    /changes, pins, shares, undoes and\s+forgets no\s+note/,
    "test/cli/by_model_test.ts",
    /takes back no change/,
  ],
  [
    /never for a server that a repository/,
    "test/hooks/permission_test.ts",
    /that a repository brings/,
  ],
  [/No program from a project is run/, "test/llm/claude_test.ts", /never run from a project/],
  [/cannot control the runtime/, "test/native/variables_test.ts", /no variable of a session/],
  [/checks that the folder is yours/, "test/link/socket_test.ts", /another user of the machine/],
  [/the page's exact address as its host/, "test/ui/serve_test.ts", /only the address itself/],
  [/come from the page's own\s+origin/, "test/ui/serve_test.ts", /another origin are refused/],
  [
    /text in every view, never\s+markup/,
    "test/ui/views/hostile.ts",
    /in no view does a hostile store/,
  ],
  [/Folders are 0700 and files 0600/, "test/reliability/private_files_test.ts", /its user alone/],
  [/without consent/, "test/trust_test.ts", /nothing that a repository brings/],
];

const PAGES = { "docs/privacy.md": PRIVACY, "docs/SECURITY.md": SECURITY };

for (const [page, promises] of Object.entries(PAGES)) {
  for (const [said, file, test] of promises) {
    Deno.test(`what ${page} says, \`${said.source}\`, is held by ${file}, r10`, () => {
      assert.match(readFileSync(new URL(page, ROOT), "utf8"), said);
      assert.match(readFileSync(new URL(file, ROOT), "utf8"), test);
    });
  }
}
