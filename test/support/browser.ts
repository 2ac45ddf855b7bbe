// A real Chromium without a window, driven over its DevTools protocol through a pipe: no port that others could reach,
// and when the process that started it is gone, however it ended, the pipe closes and so does the browser.

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { Protocol } from "devtools-protocol";
import type { ProtocolMapping } from "devtools-protocol/types/protocol-mapping.d.ts";
import { chromium } from "./chromium.ts";

export { HAS_BROWSER } from "./chromium.ts";

type Commands = ProtocolMapping.Commands;

/** A message of the protocol, sent or received. */
interface Message {
  readonly id?: number;
  readonly sessionId?: string;
  readonly method?: string;
  // deno-lint-ignore no-explicit-any
  readonly params?: any;
  // deno-lint-ignore no-explicit-any
  readonly result?: any;
  readonly error?: { readonly message: string };
}

/** Asks the browser, or one of its pages, for one thing. */
type Send = <Name extends keyof Commands>(
  method: Name,
  ...params: Commands[Name]["paramsType"]
) => Promise<Commands[Name]["returnType"]>;

/** A browser with a profile of its own. */
export interface Browser extends AsyncDisposable {
  /** A page that shares cookies, storage and cache with no other. */
  open(options?: PageOptions): Promise<Page>;
}

/** How patient a browser's user is. */
export interface BrowserOptions {
  /** What has no answer after this many milliseconds fails. */
  readonly answerMs?: number;
}

/** What a page looks like from outside. */
export interface PageOptions {
  readonly width?: number;
  readonly height?: number;
  readonly scheme?: "light" | "dark";
  readonly reducedMotion?: boolean;
}

/** A document that a page shows: its own, that of a frame, or of a window that it opened. */
export interface Shown {
  readonly url: string;
  /** What a reader sees of it. */
  readonly text: string;
}

/** A tab, as its user and its developer have it. */
export interface Page extends AsyncDisposable {
  /** Goes to an address; ends when the document and what belongs to it have loaded, or the browser shows an error. */
  go(url: string): Promise<void>;
  reload(): Promise<void>;
  /** Gives a text for the next request of an address, in place of its server. */
  answer(url: string, html: string): Promise<void>;
  /** Runs a function in the page; arguments and result are JSON, a promise is awaited. */
  run<Args extends readonly unknown[], Result>(
    what: (...args: Args) => Result,
    ...args: Args
  ): Promise<Awaited<Result>>;
  /** Waits until a function in the page gives something truthy, and returns that. */
  until<Args extends readonly unknown[], Result>(
    what: (...args: Args) => Result,
    ...args: Args
  ): Promise<NonNullable<Awaited<Result>>>;
  /** The text that a reader sees. */
  text(): Promise<string>;
  /** Waits until a reader sees something. */
  shows(what: RegExp): Promise<void>;
  /** Presses keys, one after the other: `j`, `Enter`, `Shift+Tab`, `Control+a`. */
  press(...keys: readonly string[]): Promise<void>;
  /** Types a text, key by key. */
  type(text: string): Promise<void>;
  /** A PNG of what is visible. */
  picture(): Promise<Uint8Array>;
  look(options: PageOptions): Promise<void>;
  /** Everything that went wrong so far: exceptions, errors on the console, what the policy refused, dialogs. */
  readonly troubles: readonly string[];
  /** Every document that is shown now: the page's, those of its frames, and of windows that it opened. */
  documents(): Promise<readonly Shown[]>;
  readonly send: Send;
}

/** Names under which an outside site is reached on this machine; nothing is asked of any name server. */
export const OUTSIDE = { attacker: "attacker.test", rebound: "rebound.test" } as const;

const FLAGS = [
  "--headless",
  "--remote-debugging-pipe",
  "--no-sandbox", // it shows pages of ours alone, and a sandbox cannot be had as root nor in most containers
  "--disable-gpu",
  "--disable-dev-shm-usage",
  "--no-first-run",
  "--no-default-browser-check",
  "--disable-extensions",
  "--disable-sync",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-domain-reliability",
  "--disable-popup-blocking", // an attacker would wait for a click
  "--mute-audio",
  "--font-render-hinting=none",
  "--hide-scrollbars",
  // A page of the Internet may not reach this machine without asking: memo must hold where it may.
  "--disable-features=LocalNetworkAccessChecks,Translate,MediaRouter,OptimizationHints",
  `--host-resolver-rules=${
    Object.values(OUTSIDE).map((name) => `MAP ${name} 127.0.0.1`).join(",")
  },MAP localhost 127.0.0.1,MAP * ~NOTFOUND,EXCLUDE 127.0.0.1`,
] as const;

const TRIES = 600, STEP_MS = 25;
/** What the protocol is asked is answered by then, however busy the machine is. */
const ANSWER_MS = 60_000;

/** Starts a browser; `await using` ends it and deletes its profile. */
export async function startBrowser(
  { answerMs = ANSWER_MS }: BrowserOptions = {},
): Promise<Browser> {
  const { path, env } = await chromium();
  const profile = mkdtempSync(join(tmpdir(), "memo-browser-"));
  const child = spawn(path, [...FLAGS, `--user-data-dir=${profile}`, "about:blank"], {
    stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"],
    env: { PATH: process.env["PATH"] ?? "", HOME: profile, TMPDIR: profile, ...env },
  });
  const closed = new Promise<void>((done, fail) =>
    child.on("close", () => done()).on("error", fail)
  );
  const wire = connect(child.stdio[3] as Writable, child.stdio[4] as unknown as Readable, answerMs);
  closed.then(wire.end, wire.end);
  await wire.send("Target.setDiscoverTargets", { discover: true });
  return {
    open: (options = {}) => openPage(wire, { ...options, answerMs }),
    async [Symbol.asyncDispose]() {
      const killed = setTimeout(() => child.kill("SIGKILL"), 5000);
      wire.send("Browser.close").catch(() => {}); // it may end before it answers
      await closed;
      clearTimeout(killed);
      rmSync(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    },
  };
}

/** The two ends of the pipe: questions with their answers, and what happens meanwhile. */
interface Wire {
  readonly send: Send;
  ofSession(sessionId: string): Send;
  /** Calls a function with each event of a session. */
  onEvent(sessionId: string, handle: (method: string, params: unknown) => void): void;
  end(): void;
}

function connect(input: Writable, output: Readable, answerMs: number): Wire {
  const waiting = new Map<number, { done(value: unknown): void; fail(error: Error): void }>();
  const handlers = new Map<string, (method: string, params: unknown) => void>();
  let last = 0;
  let isEnded = false;
  const receive = (message: Message) => {
    if (message.id === undefined) {
      return handlers.get(message.sessionId ?? "")?.(message.method!, message.params);
    }
    const asked = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.error) asked?.fail(new Error(`The browser refused: ${message.error.message}`));
    else asked?.done(message.result);
  };
  const parts: string[] = []; // a picture is one message of megabytes
  output.setEncoding("utf8").on("data", (text: string) => {
    const pieces = text.split("\0");
    while (pieces.length > 1) {
      parts.push(pieces.shift()!);
      receive(JSON.parse(parts.splice(0).join("")));
    }
    parts.push(pieces[0]!);
  });
  input.on("error", () => {}); // it has ended
  const ask = (sessionId: string | undefined): Send => (method, ...[params]) =>
    new Promise((done, fail) => {
      if (isEnded) return fail(new Error(`The browser has ended before \`${method}\``));
      const id = ++last;
      const timer = setTimeout(() => {
        waiting.delete(id);
        fail(new Error(`${method}: no answer within ${answerMs} ms`));
      }, answerMs);
      waiting.set(id, {
        done(value) {
          clearTimeout(timer);
          // deno-lint-ignore no-explicit-any
          done(value as any);
        },
        fail(error) {
          clearTimeout(timer);
          fail(new Error(`${method}: ${error.message}`));
        },
      });
      input.write(JSON.stringify({ id, method, params: params ?? {}, sessionId }) + "\0");
    });
  return {
    send: ask(undefined),
    ofSession: ask,
    onEvent: (sessionId, handle) => handlers.set(sessionId, handle),
    end() {
      isEnded = true;
      for (const { fail } of waiting.values()) fail(new Error("The browser has ended"));
      waiting.clear();
    },
  };
}

async function openPage(
  wire: Wire,
  { answerMs, ...options }: PageOptions & Required<BrowserOptions>,
): Promise<Page> {
  const { browserContextId } = await wire.send("Target.createBrowserContext", {
    disposeOnDetach: true,
  });
  const created = { url: "about:blank", browserContextId };
  const { targetId } = await wire.send("Target.createTarget", created);
  const { sessionId } = await wire.send("Target.attachToTarget", { targetId, flatten: true });
  const send = wire.ofSession(sessionId);
  const troubles: string[] = [];
  let loads = 0;
  let answered = "";
  const fulfil = async (requestId: string) => {
    const [responseHeaders, body] = [
      [{ name: "content-type", value: "text/html" }],
      btoa(answered),
    ];
    await send("Fetch.fulfillRequest", { requestId, responseCode: 200, responseHeaders, body });
    await send("Fetch.disable");
  };
  wire.onEvent(sessionId, (method, params) => {
    // deno-lint-ignore no-explicit-any
    const event = params as any;
    switch (method) {
      case "Page.loadEventFired":
        loads++;
        break;
      case "Page.javascriptDialogOpening":
        troubles.push(`dialog: ${event.message}`);
        send("Page.handleJavaScriptDialog", { accept: true }).catch(() => {});
        break;
      case "Runtime.exceptionThrown":
        troubles.push(`exception: ${sayException(event.exceptionDetails)}`);
        break;
      case "Runtime.consoleAPICalled":
        if (event.type !== "error") break;
        troubles.push(
          `console: ${
            event.args.map((arg: Protocol.Runtime.RemoteObject) => arg.value ?? arg.description)
              .join(" ")
          }`,
        );
        break;
      case "Fetch.requestPaused":
        fulfil(event.requestId).catch(() => {});
        break;
      case "Log.entryAdded":
        if (event.entry.level !== "error" && event.entry.source !== "security") break;
        troubles.push(`${event.entry.source}: ${event.entry.text} ${event.entry.url ?? ""}`);
        break;
    }
  });
  for (const domain of ["Page", "Runtime", "Log"] as const) {
    await send(`${domain}.enable`);
  }

  const run: Page["run"] = async (what, ...args) => {
    const call = `(${what})(...${JSON.stringify(args)})`;
    const { result, exceptionDetails } = await send("Runtime.evaluate", {
      expression: call,
      awaitPromise: true,
      returnByValue: true,
      userGesture: true,
      timeout: answerMs, // a loop without an end would keep the page from everything that comes after
    });
    if (exceptionDetails) throw new Error(`In the page: ${sayException(exceptionDetails)}`);
    return result.value;
  };
  const until: Page["until"] = async (what, ...args) => {
    for (let tries = 0; tries < TRIES; tries++) {
      const value = await run(what, ...args).catch(duringNavigation);
      if (value) return value as NonNullable<typeof value>;
      await sleep(STEP_MS);
    }
    throw new Error(`Never true in the page: ${what}\n${await text()}\n${troubles.join("\n")}`);
  };
  const text = () => run(() => document.body?.innerText ?? "");
  const loaded = async (before: number) => {
    for (let tries = 0; tries < TRIES && loads === before; tries++) await sleep(STEP_MS);
    if (loads === before) throw new Error("The page never finished loading");
  };
  const look = async ({ width = 1280, height = 800, ...more }: PageOptions) => {
    const { scheme = "light", reducedMotion = false } = more;
    const size = { width, height, deviceScaleFactor: 1, mobile: false };
    await send("Emulation.setDeviceMetricsOverride", size);
    await send("Emulation.setEmulatedMedia", {
      features: [
        { name: "prefers-color-scheme", value: scheme },
        { name: "prefers-reduced-motion", value: reducedMotion ? "reduce" : "no-preference" },
      ],
    });
  };
  const press = async (...keys: readonly string[]) => {
    for (const key of keys) {
      for (const event of keyEvents(key)) await send("Input.dispatchKeyEvent", event);
    }
  };
  await look(options);
  return {
    send,
    run,
    until,
    text,
    look,
    press,
    troubles,
    async go(url) {
      const before = loads;
      const { errorText, loaderId } = await send("Page.navigate", { url });
      // Another fragment of the same document is no load.
      if (errorText === undefined && loaderId !== undefined) await loaded(before);
    },
    async answer(url, html) {
      answered = html;
      await send("Fetch.enable", { patterns: [{ urlPattern: url }] });
    },
    async reload() {
      const before = loads;
      await send("Page.reload");
      await loaded(before);
    },
    async shows(what) {
      for (let tries = 0; tries < TRIES; tries++) {
        if (what.test(await text().catch(duringNavigation) ?? "")) return;
        await sleep(STEP_MS);
      }
      throw new Error(`The page never showed ${what}:\n${await text()}\n${troubles.join("\n")}`);
    },
    async type(typed) {
      for (const key of typed) await press(key === "\n" ? "Enter" : key);
    },
    async picture() {
      const { data } = await send("Page.captureScreenshot", { format: "png" });
      return Buffer.from(data, "base64");
    },
    async documents() {
      const { targetInfos } = await wire.send("Target.getTargets");
      const others = targetInfos.filter((target) =>
        target.browserContextId === browserContextId && target.targetId !== targetId &&
        ["page", "iframe"].includes(target.type)
      );
      const shown = [await readFrames(send)];
      for (const { targetId } of others) {
        const { sessionId } = await wire.send("Target.attachToTarget", { targetId, flatten: true });
        shown.push(await readFrames(wire.ofSession(sessionId)).catch(() => []));
        await wire.send("Target.detachFromTarget", { sessionId }).catch(() => {}); // it may be gone
      }
      return shown.flat();
    },
    async [Symbol.asyncDispose]() {
      await wire.send("Target.disposeBrowserContext", { browserContextId });
    },
  };
}

/** The documents of a target that are in its process. */
async function readFrames(send: Send): Promise<Shown[]> {
  const { frameTree } = await send("Page.getFrameTree");
  const framesOf = (tree: Protocol.Page.FrameTree): Protocol.Page.Frame[] => [
    tree.frame,
    ...(tree.childFrames ?? []).flatMap(framesOf),
  ];
  const shown: Shown[] = [];
  for (const { id, url, urlFragment = "" } of framesOf(frameTree)) {
    const world = await send("Page.createIsolatedWorld", { frameId: id }).catch(duringNavigation);
    if (world === undefined) continue; // it has given way to another since
    const { result } = await send("Runtime.evaluate", {
      expression: "document.body?.innerText ?? ''",
      contextId: world.executionContextId,
    });
    shown.push({ url: url + urlFragment, text: result.value });
  }
  return shown;
}

/** What cannot be asked while a page gives way to the next is asked again. */
function duringNavigation(error: unknown): undefined {
  if (/navigat|context|Cannot find|No frame/i.test(String(error))) return undefined;
  throw error;
}

function sayException({ text, exception }: Protocol.Runtime.ExceptionDetails): string {
  return `${text} ${exception?.description ?? exception?.value ?? ""}`;
}

const MODIFIERS: Readonly<Record<string, number>> = { Alt: 1, Control: 2, Meta: 4, Shift: 8 };
/** Keys without a letter: code of the key, and what it types. */
const NAMED: Readonly<Record<string, readonly [number, string?]>> = {
  Backspace: [8],
  Tab: [9],
  Enter: [13, "\r"],
  Escape: [27],
  PageUp: [33],
  PageDown: [34],
  End: [35],
  Home: [36],
  ArrowLeft: [37],
  ArrowUp: [38],
  ArrowRight: [39],
  ArrowDown: [40],
  Delete: [46],
};

/** Down and up of a key, such as `Shift+Tab`; `+` itself is a key too. */
function keyEvents(chord: string): Protocol.Input.DispatchKeyEventRequest[] {
  const names = chord.length > 1 ? chord.split("+") : [chord];
  const key = names.pop()!;
  const modifiers = names.reduce((sum, name) => sum | MODIFIERS[name]!, 0);
  // The code of a key is that of its letter or digit; the characters of others are the codes of Delete, Home and the like.
  const [code, named] = NAMED[key] ??
    [/^[a-z0-9 ]$/i.test(key) ? key.toUpperCase().charCodeAt(0) : 0, key];
  const isTyped = named !== undefined && (modifiers & ~MODIFIERS["Shift"]!) === 0;
  const event = {
    key,
    modifiers,
    windowsVirtualKeyCode: code,
    code: NAMED[key] ? key : /[a-z]/i.test(key) ? `Key${key.toUpperCase()}` : "",
    // Without a command, `Control+a` selects nothing in a browser without a window.
    ...(key === "a" && modifiers === MODIFIERS["Control"] ? { commands: ["selectAll"] } : {}),
  };
  return [
    isTyped
      ? { ...event, type: "keyDown", text: named, unmodifiedText: named }
      : { ...event, type: "rawKeyDown" },
    { ...event, type: "keyUp" },
  ];
}
