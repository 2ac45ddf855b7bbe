import { managedFolder, managedSettings } from "../../core/memory/claude_settings.ts";

/** Managed settings that keep memo's hooks from running, with their meaning. */
const REFUSALS = {
  disableAllHooks: "Claude Code runs no hooks",
  allowManagedHooksOnly: "Claude Code does not run the hooks in your own settings",
} as const;

/** Why managed settings keep memo's hooks from running, in words; undefined when they do not. */
export function managedRefusal(folder: string = managedFolder()): string | undefined {
  for (const { path, values } of managedSettings(folder)) {
    for (const [key, meaning] of Object.entries(REFUSALS)) {
      if (values[key] === true) return `\`${path}\` sets \`${key}\`: ${meaning}`;
    }
  }
  return undefined;
}
