import { readRegular } from "../../core/files/bounded.ts";
import { selfCommand } from "../../core/link/self.ts";
import { MAX_SETTINGS } from "../../core/memory/claude_settings.ts";
import type { Paths } from "../../paths.ts";
import { recognise } from "./entries.ts";
import { SETTINGS_SCOPES, settingsPath } from "./settings_file.ts";
import { ownEntries } from "./settings_json.ts";

/** Whether settings that apply in a folder have hooks of memo's. */
export function settingsHaveHooks(paths: Paths, cwd: string): boolean {
  const isOwn = recognise([selfCommand()]);
  return SETTINGS_SCOPES.some((scope) => {
    try {
      return ownEntries(
        readRegular(settingsPath(scope, paths, cwd), MAX_SETTINGS).toString("utf8"),
        isOwn,
      ).length > 0;
    } catch {
      return false; // there are none
    }
  });
}
