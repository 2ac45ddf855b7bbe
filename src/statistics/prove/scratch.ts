// A store for an experiment: in memo's state, with nothing of the person's in it, and gone afterwards. Settings and models
// are the real ones, and what the experiment has spent is entered into the real account.

import { mkdirSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { Engine, type EngineOptions } from "../../engine/engine.ts";
import { MemoError } from "../../errors.ts";
import { takeLock } from "../../files/lock.ts";
import { readSpending, writeSpending } from "../../llm/ledger.ts";
import { type Env, lockOf, pathsFor } from "../../paths.ts";
import type { Stage } from "./replay.ts";

/** What must not depend on the person's settings: where memories go, and that nothing is asked for a prompt. */
const FIXED: Env = {
  MEMO_CAPTURE_SCOPE: "auto",
  MEMO_CAPTURE_SESSION_CALLS: "10000",
  MEMO_RECALL_PRESET: "local",
  MEMO_RECALL_DEADLINE_MS: "1000",
  MEMO_HISTORY_COMMITS: "false",
};
/** An experiment takes minutes; a lock that is older was left by a killed one. */
const FRESH_MS = 6 * 3_600_000;

/** Gives work a store of its own; it is deleted at the end, also on Ctrl-C. */
export async function withScratch<T>(
  { paths, env, log, features = {} }: Omit<EngineOptions, "background" | "isAwaited">,
  work: (stage: Stage) => Promise<T>,
): Promise<T> {
  const root = paths.prove;
  mkdirSync(paths.state, { recursive: true, mode: 0o700 });
  const release = takeLock(lockOf(root), FRESH_MS);
  if (release === undefined) {
    throw new MemoError("usage", "Cannot run `memo prove`: it is running already", {
      hint: "Wait until it has ended, or end it",
    });
  }
  const spent = join(root, basename(paths.spending));
  const clear = () => {
    // Conversations are captured at their own time; the money goes today.
    const at = new Date().toISOString();
    for (const line of readSpending(spent)) writeSpending(paths.spending, { ...line, at });
    rmSync(root, { recursive: true, force: true, maxRetries: 5 });
  };
  let engine: Engine | undefined;
  const interrupted = () => {
    void engine?.close(); // ends at once what still writes into the store
    try {
      clear();
    } finally {
      release();
      process.exit(130);
    }
  };
  for (const signal of SIGNALS) process.on(signal, interrupted);
  try {
    clear(); // of one that was killed
    mkdirSync(root, { recursive: true, mode: 0o700 });
    const claude = join(root, "claude");
    const { config, extractPrompt, models, runtime, claudeFound } = paths;
    const own = pathsFor({ ...env, MEMO_HOME: root, CLAUDE_CONFIG_DIR: claude });
    engine = new Engine({
      paths: { ...own, config, extractPrompt, models, runtime, claudeFound },
      env: { ...env, ...FIXED },
      log,
      background: true,
      isAwaited: true,
      features,
    });
    try {
      return await work({ engine, env: { ...env, ...FIXED }, claude, log, isLocal: true });
    } finally {
      await engine.close();
    }
  } finally {
    for (const signal of SIGNALS) process.off(signal, interrupted);
    clear();
    release();
  }
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
