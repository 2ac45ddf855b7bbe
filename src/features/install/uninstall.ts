import { rmSync } from "node:fs";
import { dirname } from "node:path";
import { recognise } from "./entries.ts";
import {
  type FileChange,
  type InstallOptions,
  type InstallPlace,
  isBlank,
  openSettings,
} from "./install.ts";
import { tilde } from "../../paths.ts";
import { removeIfEmpty } from "./init_record.ts";
import { hasPermissions, removePermissions } from "./permissions.ts";
import { isUntouched, readRecords, writeRecord } from "./record.ts";
import { backupPath, refuseOutside, type SettingsFile, writeSettings } from "./settings_file.ts";

import { isEmpty, ownEntries, removeHooks } from "./settings_json.ts";

/**
 * Takes memo's hooks out of the settings of a scope. Where the file is still what install left, the bytes from before
 * come back (or no file, if there was none); where it has changed since, only memo's entries go.
 */
export async function uninstall(
  place: InstallPlace,
  { scope, dryRun, self }: InstallOptions,
): Promise<FileChange> {
  const file = openSettings(place, scope);
  refuseOutside(file, scope, tilde(file.path, place.env));
  const { installs } = place.paths;
  const record = readRecords(installs)[file.path];
  const isOwn = recognise(record ? [self, record.self] : [self]);
  const text = file.text ?? "";
  const untouched = isUntouched(text, record);
  let after = file.text;
  if (untouched) after = record!.before ?? undefined;
  else if (!isBlank(text) && (ownEntries(text, isOwn).length > 0 || !hasPermissions(text, []))) {
    after = removePermissions(removeHooks(text, isOwn));
    if (record?.before === null && isEmpty(after)) after = undefined;
  }
  if (!dryRun) {
    if (after === undefined && file.text !== undefined) deleteSettings(file, record?.madeFolder);
    else if (after !== file.text) {
      await writeSettings(file, after!, { backup: !untouched });
    }
    await writeRecord(installs, file.path, undefined);
  }
  const kept = after !== undefined && after !== file.text && !untouched;
  const backup = kept ? backupPath(file) : undefined;
  return { path: file.path, before: file.text, after, backup };
}

/** Deletes a file that install created, its copy, and its folder if that was made for it and is empty again. */
function deleteSettings(file: SettingsFile, madeFolder = false): void {
  rmSync(file.target);
  rmSync(backupPath(file), { force: true });
  if (madeFolder) removeIfEmpty(dirname(file.target));
}
