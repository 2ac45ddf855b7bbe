// Builds a throw-away home with a made-up store, sends real prompts through the real hook and daemon, and shows what
// Claude would get. Run it with `deno task demo`; it leaves nothing behind.

import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { type Home, makeHome, MEMO, PATIENCE, succeed, warmUp } from "../test/support/home.ts";
import { writeStore } from "./made_up_store.ts";

/** Prompts that are timed, after one that is not. */
const RUNS = 20;
const PROMPTS = [
  "Stripe webhooks arrive twice, how do we make the handler idempotent?",
  "¿por qué no conecta con la base de datos en local?",
];

await using root = makeHome(PATIENCE, { hasModel: true });
writeStore(root, ["shop"]);
const home: Home = { ...root, project: join(root.root, "shop") };

heading("A temporary home and its memories");
print(await succeed(home, ["index"]));
await warmUp(home);
await hook(PROMPTS[0]!, "warm-up"); // the daemon's first prompt also loads the vectors
for (const [i, prompt] of PROMPTS.entries()) {
  heading(`What Claude gets for the prompt “${prompt}”`);
  print((await hook(prompt, `demo-${i}`))?.hookSpecificOutput?.additionalContext ?? "(nothing)");
}
heading("How long it delays a prompt");
print(await timings());
heading("Use it in your own Claude Code");
print(`${MEMO} init        sets memo up step by step (--dry-run shows the steps and changes nothing)
${MEMO} add "…"     remembers something
${MEMO} uninstall   removes the hooks`);

/** Sends a prompt as Claude Code does and returns the hook's answer. */
async function hook(
  prompt: string,
  session: string,
): Promise<{ hookSpecificOutput?: { additionalContext: string } } | undefined> {
  const event = {
    session_id: session,
    transcript_path: join(home.root, "transcript.jsonl"),
    cwd: home.project,
    permission_mode: "default",
    hook_event_name: "UserPromptSubmit",
    prompt,
  };
  const answer = await succeed(home, ["hook"], { stdin: JSON.stringify(event) });
  return answer === "" ? undefined : JSON.parse(answer);
}

async function timings(): Promise<string> {
  const timed = async (run: (i: number) => unknown) => {
    const times: number[] = [];
    for (let i = 0; i < RUNS; i++) {
      const start = performance.now();
      await run(i);
      times.push(performance.now() - start);
    }
    return times.sort((a, b) => a - b)[RUNS / 2]!;
  };
  const node = process.platform === "win32" ? "node.exe" : "node";
  const hooks = await timed((i) => hook(PROMPTS[0]!, `timed-${i}`));
  const nodes = await timed(() => spawnSync(node, ["-e", "0"], { env: home.env }));
  return `memo hook takes ${hooks.toFixed(0)} ms from start to exit (median of ${RUNS}); ` +
    `${(hooks / nodes).toFixed(2)} × an empty node -e 0 here (${nodes.toFixed(0)} ms)`;
}

function heading(text: string): void {
  print(`\n── ${text}\n`);
}

function print(text: string): void {
  console.log(text.trimEnd());
}
