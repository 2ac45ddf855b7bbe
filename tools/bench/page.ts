// How long the page of `memo ui` takes with a large store, from the executable in a real browser: until it shows what
// prompts were given, until a search has followed a key, until many memories are forgotten and back, and until Review
// has an answer; and what a prompt takes while Review compares the memories.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { madeUpIndex, writeMemories } from "../../bench/hook.ts";
import { generatePrompts } from "../../bench/generate.ts";
import { type Spread, spreadOf } from "../../bench/latency.ts";
import { describeMachine, type Machine } from "../../bench/machine.ts";
import { type Sandbox, type SandboxHome, withSandbox } from "../../bench/sandbox.ts";
import { runTimed } from "../../bench/timed_process.ts";
import { BUILTIN } from "../../src/embed/models.ts";
import { MemoError } from "../../src/errors.ts";
import type { Paths } from "../../src/paths.ts";
import { type Browser, type Page, startBrowser } from "../../test/support/browser.ts";
import { MEMO } from "../../test/support/home.ts";

export interface PageBenchOptions {
  readonly memories: number;
  /** Where memo's own model is. */
  readonly paths: Paths;
  readonly onProgress?: (what: string, done: number, total: number) => void;
}

export interface PageReport {
  readonly machine: Machine;
  readonly memories: number;
  readonly passages: number;
  /** Milliseconds of `node -e 0`, beside each paint: what else the machine had to do shows in it. */
  readonly node: Spread;
  /** Milliseconds from the first byte of the document to the first contentful paint; nothing is cached. */
  readonly paint: Spread;
  /** The same to the paint with the contents of the list that the page begins with. */
  readonly list: Spread;
  /** Milliseconds from a key in the search to the frame after its results are in the document. */
  readonly search: Spread;
  /** Seconds to select, forget and undo `selected` memories by keyboard, keys pressed without a pause. */
  readonly undo: Spread;
  readonly selected: number;
  /** Milliseconds from the key of Review to the frame after its first answer, when nothing has been compared. */
  readonly review: Spread;
  /** Milliseconds of a prompt's hook with the page shut, and while Review compares memories. */
  readonly prompt: Spread;
  readonly beside: Spread;
}

/** Times that the page is opened, letters that are typed of each of some prompts, and rounds of forgetting. */
const OPENED = 10, LETTERS = 20, PROMPTS = 3, ROUNDS = 3;
const SELECTED = 20;
/** Prompts that the page tells of, in sessions of some; and those beside Review. */
const TOLD = 60, IN_SESSION = 10, BESIDE = 20;

/** Measures the page with a store of a size. */
export async function benchPage(options: PageBenchOptions): Promise<PageReport> {
  if (!existsSync(MEMO)) {
    throw new MemoError("not-found", `There is no executable at ${MEMO}`, {
      hint: "Run `deno task compile`",
    });
  }
  const machine = executableHere();
  return await withSandbox(async (sandbox) => {
    const home = sandbox.home("state");
    const { memories, paths, onProgress } = options;
    const progress = (what: string) => (done: number, total: number) =>
      onProgress?.(what, done, total);
    const stop = new AbortController().signal;
    const files = await writeMemories(home, memories, { stop, onWritten: progress("writing") });
    const { passages } = await madeUpIndex(home, files, {
      ...{ model: BUILTIN, paths, runs: PROMPTS, progress, stop },
    });
    await using browser = await startBrowser();
    const prompt = prompts(sandbox, home, memories);
    const onPrompted = progress("prompting");
    for (let i = 0; i < TOLD; i++) {
      await prompt();
      onPrompted(i + 1, TOLD);
    }
    const times = {
      node: [] as number[],
      paint: [] as number[],
      list: [] as number[],
      search: [] as number[],
      undo: [] as number[],
      prompt: [] as number[],
      beside: [] as number[],
    };
    const onOpened = progress("opening");
    for (let i = 0; i < OPENED; i++) {
      await using page = await open(browser, sandbox, home);
      const { paint, list } = await paintsOf(page);
      times.paint.push(paint);
      times.list.push(list);
      const { ms } = await runTimed({ command: "node", args: ["-e", "0"] }, {
        ...{ cwd: sandbox.cwd, env: home.env },
      });
      times.node.push(ms);
      onOpened(i + 1, OPENED);
    }
    await using page = await open(browser, sandbox, home);
    await page.press("2");
    await page.until(countSays, `${memories.toLocaleString("en")} memories`);
    const onRound = progress("forgetting"), onTyped = progress("searching");
    // Before anything is forgotten: what comes back is embedded anew.
    for (const [i, prompt] of generatePrompts(PROMPTS, memories).entries()) {
      times.search.push(...await typed(page, prompt.slice(0, LETTERS)));
      onTyped(i + 1, PROMPTS);
    }
    for (let i = 0; i < ROUNDS; i++) {
      times.undo.push(await forgetAndUndo(page, files));
      onRound(i + 1, ROUNDS);
    }
    for (let i = 0; i < BESIDE; i++) times.prompt.push(await prompt());
    const review = await openReview(page);
    const onPrompt = progress("comparing");
    for (let i = 0; i < BESIDE; i++) {
      times.beside.push(await prompt());
      onPrompt(i + 1, BESIDE);
    }
    assert.match(
      await page.text(),
      /[\d,]+ memories to compare/,
      "it has not compared all of them",
    );
    assert.deepEqual(page.troubles, []);
    return {
      ...{ machine, memories, passages, selected: SELECTED },
      ...{ node: spreadOf(times.node), paint: spreadOf(times.paint), list: spreadOf(times.list) },
      ...{ search: spreadOf(times.search), undo: spreadOf(times.undo) },
      ...{ review: spreadOf([review]) },
      ...{ prompt: spreadOf(times.prompt), beside: spreadOf(times.beside) },
    };
  });
}

/** This machine, with the version and commit of the executable, which is what is measured. */
function executableHere(): Machine {
  const { stdout } = spawnSync(MEMO, ["--version"], { encoding: "utf8" });
  const [, version, commit] = /^memo (\S+)(?: \(commit (\S+)\))?/.exec(stdout) ?? [];
  return { ...describeMachine(commit), memo: version ?? "unknown" };
}

/** Sends one prompt after the other to the executable's hook; milliseconds of each. */
function prompts(
  { cwd }: Sandbox,
  { env, paths }: SandboxHome,
  memories: number,
): () => Promise<number> {
  const texts = generatePrompts(TOLD + 2 * BESIDE, memories);
  let asked = 0;
  return async () => {
    const session = `bench-${Math.floor(asked / IN_SESSION)}`;
    const stdin = JSON.stringify({
      ...{ hook_event_name: "UserPromptSubmit", prompt: texts[asked++], prompt_id: `p${asked}` },
      ...{ session_id: session, cwd, permission_mode: "default" },
      transcript_path: join(paths.claude, "projects", "bench", `${session}.jsonl`),
    });
    const { ms, code } = await runTimed({ command: MEMO, args: ["hook"] }, { cwd, env, stdin });
    if (code !== 0) throw new Error(`\`memo hook\` ended with ${code}`);
    return ms;
  };
}

/** Opens the page as `memo ui` does, in a tab that has nothing in its cache. */
async function open(browser: Browser, { cwd }: Sandbox, { env }: SandboxHome): Promise<Page> {
  const { code, stdout } = await runTimed({ command: MEMO, args: ["ui", "--no-open"] }, {
    cwd,
    env,
  });
  if (code !== 0) throw new Error(`\`memo ui\` ended with ${code}`);
  const page = await browser.open({ width: 1280, height: 800 });
  await page.send("Page.addScriptToEvaluateOnNewDocument", { source: `(${markList})()` });
  await page.go(stdout.trim());
  await page.until(() => document.querySelector("nav"));
  return page;
}

/** Has the browser say when it has painted the first row of the list, which is there when the list is. */
function markList(): void {
  const shared = globalThis as { listPainted?: number };
  new PerformanceObserver((seen) => {
    const [entry] = seen.getEntries() as (PerformanceEntry & { renderTime: number })[];
    shared.listPainted ??= entry!.renderTime;
  }).observe({ type: "element", buffered: true });
  const observer = new MutationObserver(() => {
    const row = document.querySelector(".list-row .grow.cut");
    if (row === null) return;
    observer.disconnect();
    row.setAttribute("elementtiming", "list");
  });
  observer.observe(document, { childList: true, subtree: true });
}

async function paintsOf(page: Page): Promise<{ paint: number; list: number }> {
  return await page.until(() => {
    const [paint] = performance.getEntriesByName("first-contentful-paint");
    const [document] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
    const { listPainted } = globalThis as { listPainted?: number };
    if (paint === undefined || document === undefined || listPainted === undefined) return;
    const { responseStart } = document;
    return { paint: paint.startTime - responseStart, list: listPainted - responseStart };
  });
}

/** Milliseconds from the key of Review to the frame after its first answer. */
async function openReview(page: Page): Promise<number> {
  await page.run(() => {
    addEventListener("keydown", ({ timeStamp }) => {
      const observer = new MutationObserver(() => {
        if (!document.querySelector(".review .list-row, .empty p")) return;
        observer.disconnect();
        requestAnimationFrame(() =>
          setTimeout(() =>
            (globalThis as { reviewed?: number }).reviewed = performance.now() - timeStamp
          )
        );
      });
      observer.observe(document.body, { childList: true, subtree: true });
    }, { once: true, capture: true });
  });
  await page.press("3");
  return await page.until(() => (globalThis as { reviewed?: number }).reviewed);
}

const countSays = (text: string) =>
  document.querySelector(".count-bar")?.textContent?.includes(text);

/** Seconds until a stretch of the list is forgotten and all of it is back. */
async function forgetAndUndo(page: Page, files: readonly string[]): Promise<number> {
  const left = () => files.filter((file) => existsSync(file)).length;
  const start = performance.now();
  await page.press("x", ...Array.from({ length: SELECTED - 1 }, () => "j"), "X");
  await page.until(countSays, `${SELECTED} selected`);
  await page.press("f");
  await page.until(countSays, `${(files.length - SELECTED).toLocaleString("en")} memories`);
  const forgot = performance.now();
  assert.equal(left(), files.length - SELECTED);
  const looked = performance.now();
  await page.press("u");
  await page.until(countSays, `${files.length.toLocaleString("en")} memories`);
  const end = performance.now();
  assert.equal(left(), files.length);
  return (forgot - start + end - looked) / 1000;
}

/** Types a text into the search, each letter when the results of the one before are there; milliseconds of each. */
async function typed(page: Page, text: string): Promise<number[]> {
  await page.press("/");
  await page.until(() => document.activeElement?.matches("input[type=search]"));
  const ms: number[] = [];
  for (const letter of text) {
    await page.run(() => {
      const [search, bar] = [document.activeElement!, document.querySelector(".count-bar")!];
      const shared = globalThis as { searched?: number | undefined };
      shared.searched = undefined;
      search.addEventListener("keydown", ({ timeStamp }) => {
        // It is busy from the question until its results are in the document.
        const observer = new MutationObserver(() => {
          if (bar.getAttribute("aria-busy") !== "false") return;
          observer.disconnect();
          requestAnimationFrame(() =>
            setTimeout(() => shared.searched = performance.now() - timeStamp)
          );
        });
        observer.observe(bar, { attributes: true, attributeFilter: ["aria-busy"] });
      }, { once: true });
    });
    await page.press(letter);
    ms.push(await page.until(() => (globalThis as { searched?: number }).searched));
  }
  assert.ok(await page.run(() => document.querySelector(".memories .list-row .title")), text);
  await page.press("Escape", "Escape"); // clears the search, and leaves it
  await page.until(countSays, "memories, newest first");
  return ms;
}
