import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { MemoError } from "../src/errors.ts";
import { type Command, selfCommand } from "../src/core/link/self.ts";
import { generatePrompts } from "./generate.ts";
import type { Sandbox } from "./sandbox.ts";
import { runTimed, type TimedRun } from "./timed_process.ts";

/** Different prompts; a longer series begins again from the first, in other sessions. */
const PROMPTS = 500;
/** The file that a memory names. */
export const ANCHORED = "kiln_schedule.ts";
/** How often an edited memory is looked for. */
const MAX_POLLS = 200;

/** The outcome of a hook, and the context it gave the model. */
export interface HookRun extends TimedRun {
  readonly block?: string;
}

/** Runs hooks as Claude Code would, each prompt a new one in a session of its own. */
export class HookRunner {
  readonly #sandbox: Sandbox;
  readonly #prompts: readonly string[];
  #asked = 0;

  constructor(sandbox: Sandbox, memories: number) {
    this.#sandbox = sandbox;
    this.#prompts = generatePrompts(PROMPTS, memories);
  }

  async run(command: Command, stdin = "", env: Record<string, string> = {}): Promise<TimedRun> {
    const { cwd, home } = this.#sandbox;
    const run = await runTimed(command, { cwd, env: { ...home.env, ...env }, stdin });
    return mustSucceed(command, run);
  }

  /** The executable with the same input, told by its guard to do nothing. */
  async empty(): Promise<TimedRun> {
    return await this.run(memo("hook"), this.#input(this.#prompts[0]!), { MEMO_CHILD: "1" });
  }

  async prompt(
    text: string = this.#prompts[this.#asked % this.#prompts.length]!,
  ): Promise<HookRun> {
    const run = await this.run(memo("hook"), this.#input(text));
    return { ...run, ...blockIn(run.stdout) };
  }

  /** The file that a memory names (`ANCHORED`) is read, or `isElsewhere` one in a project where nothing is anchored. */
  async read({ isElsewhere = false } = {}): Promise<HookRun> {
    const tool = {
      hook_event_name: "PreToolUse",
      tool_name: "Read",
      tool_input: { file_path: join(this.#sandbox.cwd, ANCHORED) },
    };
    const env: Record<string, string> = isElsewhere
      ? { CLAUDE_PROJECT_DIR: join(this.#sandbox.cwd, "elsewhere") }
      : {};
    const run = await this.run(memo("hook"), this.#event(tool), env);
    return { ...run, ...run.stdout === "" ? {} : blockIn(run.stdout) };
  }

  /** A command fails. */
  async fail(): Promise<HookRun> {
    const prompt = this.#prompts[this.#asked % this.#prompts.length]!;
    const tool = {
      hook_event_name: "PostToolUseFailure",
      tool_name: "Bash",
      tool_input: { command: "npm run deploy" },
      error: `Exit code 1\n> deploy\nError: ${prompt}\n    at run (deploy.js:12:3)`,
    };
    const run = await this.run(memo("hook"), this.#event(tool));
    return { ...run, ...blockIn(run.stdout) };
  }

  async sessionStart(): Promise<TimedRun> {
    const event = { hook_event_name: "SessionStart", source: "startup" };
    return await this.run(memo("hook"), this.#event(event));
  }

  /**
   * Writes something new into a memory, says so by the hook of the tool that writes files, and asks for it
   * until it is found. The time is from that hook's end to the end of the prompt that found it.
   */
  async editAndFind(path: string): Promise<{ readonly ms: number }> {
    const marker = `XQ-${this.#asked}-${Math.round(performance.now())}`;
    writeFileSync(path, `${readFileSync(path, "utf8")}\nThe rollout is tracked as ${marker}.\n`);
    const tool = { tool_name: "Edit", tool_input: { file_path: path }, tool_response: {} };
    await this.run(memo("hook"), this.#event({ hook_event_name: "PostToolUse", ...tool }));
    const start = performance.now();
    for (let poll = 0; poll < MAX_POLLS; poll++) {
      const { block } = await this.prompt(`what is the state of ${marker}`);
      if (block?.includes(path)) return { ms: performance.now() - start };
    }
    throw new MemoError("timeout", `${MAX_POLLS} prompts did not find the edited memory`);
  }

  #input(prompt: string): string {
    return this.#event({ hook_event_name: "UserPromptSubmit", prompt });
  }

  #event(fields: Readonly<Record<string, unknown>>): string {
    const session = `bench-${this.#asked++}`;
    return JSON.stringify({
      session_id: session,
      transcript_path: join(
        this.#sandbox.home.paths.claude,
        "projects",
        "bench",
        `${session}.jsonl`,
      ),
      cwd: this.#sandbox.cwd,
      permission_mode: "default",
      ...fields,
    });
  }
}

/** What an answer gives the model; an answer that is not JSON ends the bench. */
function blockIn(answer: string): { readonly block?: string } {
  const block: unknown = JSON.parse(answer).hookSpecificOutput?.additionalContext;
  return typeof block === "string" ? { block } : {};
}

/** This very memo with these arguments. */
export function memo(...args: string[]): Command {
  const self = selfCommand();
  return { command: self.command, args: [...self.args, ...args] };
}

/** A process's run, or a MemoError when it failed: times of failures say nothing. */
export function mustSucceed({ args }: Command, run: TimedRun): TimedRun {
  if (run.code === 0) return run;
  throw new MemoError(
    "daemon",
    `\`${args.join(" ")}\` exited with ${run.code}: ${run.stdout.slice(0, 200)}`,
    { hint: "Run `memo doctor` to diagnose the problem" },
  );
}
