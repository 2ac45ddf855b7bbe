// Settings that an administrator has put on the machine: they stand above all others, and can switch hooks off.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const FOLDERS: Readonly<Partial<Record<NodeJS.Platform, string>>> = {
  darwin: "/Library/Application Support/ClaudeCode",
  win32: "C:\\Program Files\\ClaudeCode",
};

/** Where Claude Code looks for managed settings on this machine. */
export function managedFolder(): string {
  return FOLDERS[process.platform] ?? "/etc/claude-code";
}

/** Why managed settings keep memo's hooks from running, in words; undefined when they do not. */
export function managedRefusal(folder: string = managedFolder()): string | undefined {
  for (const { path, settings } of managedSettings(folder)) {
    if (settings["disableAllHooks"] === true) {
      return `\`${path}\` has \`disableAllHooks\`: no hook runs`;
    }
    if (settings["allowManagedHooksOnly"] === true) {
      return `\`${path}\` has \`allowManagedHooksOnly\`: Claude Code runs no hook of your own settings`;
    }
  }
  return undefined;
}

interface ManagedFile {
  readonly path: string;
  readonly settings: Readonly<Record<string, unknown>>;
}

/** The managed settings that can be read: one file, and what lies in the folder beside it. */
export function managedSettings(folder: string = managedFolder()): ManagedFile[] {
  const dropIns = join(folder, "managed-settings.d");
  return [
    join(folder, "managed-settings.json"),
    ...namesIn(dropIns).map((name) => join(dropIns, name)),
  ].flatMap((path) => {
    const settings = readObject(path);
    return settings === undefined ? [] : [{ path, settings }];
  });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith(".json")).sort();
  } catch {
    return [];
  }
}

function readObject(path: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(path, "utf8").replace(/^\ufeff/, ""));
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? value as Record<string, unknown>
      : undefined;
  } catch {
    return undefined; // there is none, or Claude Code cannot read it either
  }
}
