import { mkdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { writeFileAtomic } from "./atomic.ts";

/** The contents of a state file; undefined if it is missing or damaged. */
export function readState(path: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(path, "utf8"));
    return typeof value === "object" && value !== null
      ? value as Record<string, unknown>
      : undefined;
  } catch {
    return undefined;
  }
}

/** Replaces a state file atomically; `durable`: it also survives a power cut. */
export function writeState(path: string, value: unknown, { durable }: { durable: boolean }): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileAtomic(path, JSON.stringify(value) + "\n", { durable });
}
