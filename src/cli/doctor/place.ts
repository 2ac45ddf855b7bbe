import { accessSync, constants, existsSync, statfsSync, statSync } from "node:fs";
import { dirname, isAbsolute } from "node:path";
import { messageOf } from "../../errors.ts";
import { tilde } from "../../paths.ts";
import { selfCommand } from "../../link/self.ts";
import { BUILD, VERSION } from "../../version.ts";
import { fail, type Finding, ok, type Patient, warn } from "./check.ts";

/** Which memo this is. */
export function executable({ env }: Patient): Finding {
  const { command } = selfCommand();
  return ok(`memo ${VERSION} (build ${BUILD}) at \`${tilde(command, env)}\``);
}

/** Less than this, and the next index or model may not fit. */
const ENOUGH_BYTES = 50e6;

/** The state folder is ours, and ours alone, and there is room in it. */
export function stateFolder({ paths, env }: Patient): Finding {
  const path = tilde(paths.state, env);
  const { MEMO_HOME: home } = env;
  if (home && !isAbsolute(home)) {
    return warn(
      `\`MEMO_HOME\` is \`${home}\`, another folder wherever memo is run; here it is \`${path}\``,
      "Set it to an absolute path",
    );
  }
  const there = nearestThere(paths.state);
  try {
    if (!statSync(there).isDirectory()) throw new Error(`\`${tilde(there, env)}\` is no folder`);
    accessSync(there, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    return fail(
      `\`${path}\` cannot be written: ${messageOf(error)}`,
      "Make it a folder of yours, or set `MEMO_HOME` to one",
    );
  }
  const { bavail, bsize } = statfsSync(there);
  if (bavail * bsize < ENOUGH_BYTES) {
    return warn(
      `${(bavail * bsize / 1e6).toFixed(0)} MB are left on the disk of \`${path}\``,
      "Free some space there, or set `MEMO_HOME` to a folder on another disk",
    );
  }
  if (there !== paths.state) return ok(`\`${path}\` is made when it is needed`);
  const mode = statSync(paths.state).mode & 0o777;
  if (process.platform !== "win32" && (mode & 0o077) !== 0) {
    return warn(
      `others can look into \`${path}\` (mode ${mode.toString(8)})`,
      `Run \`chmod 700 ${path}\``,
    );
  }
  return ok(`\`${path}\``);
}

/** A path, or as much of it from the left as exists. */
function nearestThere(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestThere(dirname(path));
}

/** Every setting that is there is in force. */
export function settings({ config, paths, env }: Patient): Finding {
  if (config.warnings.length > 0) {
    const isOwn = config.warnings.some((warning) => warning.includes(`\`${paths.config}\``));
    return warn(
      config.warnings.join("; "),
      isOwn ? "Run `memo config edit` and mend it" : "Mend the file or the variable that is named",
    );
  }
  const changed = Object.keys(config.sources).length;
  const path = tilde(paths.config, env);
  return ok(changed === 0 ? "all as they come" : `${changed} not as they come, see \`${path}\``);
}
