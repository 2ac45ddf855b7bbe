import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { type Progress, progressBar } from "../progress.ts";

/** Runs work with a progress bar for each of its stages. */
export async function withBars<T>(
  work: (onProgress: (what: string, done: number, total: number) => void) => Promise<T>,
): Promise<T> {
  let current: { readonly what: string; readonly bar: Progress } | undefined;
  try {
    return await work((what, done, total) => {
      if (current?.what !== what) {
        current?.bar.stop();
        current = { what, bar: progressBar(what) };
      }
      current.bar.update(done, total);
    });
  } finally {
    current?.bar.stop();
  }
}

/** Writes a file and creates its folder. */
export function writeInto(path: string, text: string): void {
  mkdirSync(dirname(resolve(path)), { recursive: true });
  writeFileSync(path, text);
}
