import { install, openSettings } from "../../install/install.ts";
import { SETTINGS_SCOPES } from "../../install/settings_file.ts";
import { hooksAreDisabled } from "../../install/settings_json.ts";
import { tilde } from "../../paths.ts";
import { selfCommand } from "../../link/self.ts";
import { needsPrefetch } from "../follow_settings.ts";
import { fail, type Finding, ok, type Patient } from "./check.ts";

/** Checks that Claude Code can read its settings: it ignores a file that is not strict JSON. */
export function claudeSettings(patient: Patient): Finding {
  const names: string[] = [];
  for (const scope of SETTINGS_SCOPES) {
    const file = openSettings(patient, scope);
    const name = `\`${tilde(file.path, patient.env)}\``;
    if (file.text === undefined || names.includes(name)) continue;
    if (hooksAreDisabled(file.text || "{}")) {
      return fail(`${name} sets \`disableAllHooks\`: no hook runs`, "Remove it from that file");
    }
    names.push(name);
  }
  return ok(names.length === 0 ? "no settings files" : names.join(", "));
}

/** Hooks start this very memo. */
export async function hooks(patient: Patient): Promise<Finding> {
  const self = selfCommand();
  const prefetch = needsPrefetch(patient);
  for (const scope of SETTINGS_SCOPES) {
    // What is installed right is what an install would not change.
    const { before, after, path, transport, events } = await install(patient, {
      scope,
      dryRun: true,
      self,
      prefetch,
    });
    if (before !== undefined && before === after) {
      const where = tilde(path, patient.env);
      return ok(`${events.length} in \`${where}\`, by ${transport}`);
    }
  }
  return fail(
    "Claude Code's settings do not start this memo at every event it needs",
    "Run `memo install`",
  );
}
