import { accessSync, constants, lstatSync, statSync } from "node:fs";
import { isAbsolute } from "node:path";
import { messageOf } from "../../../errors.ts";
import { freeBytes, nearestThere } from "../../../core/files/real_path.ts";
import { tilde } from "../../../paths.ts";
import { allowedText, type OwnFile, ownFile } from "../../../core/settings/config_file.ts";
import { counted } from "../../../core/text/counted.ts";
import { selfCommand } from "../../../core/link/self.ts";
import { BUILD, VERSION } from "../../../version.ts";
import { fail, type Finding, ok, type Patient, warn } from "./check.ts";

/** Names the version and path of this executable. */
export function executable({ env }: Patient): Finding {
  const { command } = selfCommand();
  return ok(`memo ${VERSION} (build ${BUILD}) at \`${tilde(command, env)}\``);
}

/** Minimum free space for an index or a model. */
const ENOUGH_BYTES = 50e6;

/** Checks that the state folder is private, writable, and has free space. */
export function stateFolder({ paths, env }: Patient): Finding {
  const path = tilde(paths.state, env);
  const { MEMO_HOME: home } = env;
  if (home && !isAbsolute(home)) {
    return warn(
      `\`MEMO_HOME\` is relative (\`${home}\`), so it depends on the working directory; here it is \`${path}\``,
      "Set it to an absolute path",
    );
  }
  const there = nearestThere(paths.state);
  if (there !== paths.state && lstatSync(paths.state, { throwIfNoEntry: false })) {
    return fail(
      `\`${path}\` is a link that leads nowhere`,
      "Make the folder that it leads to, or delete the link",
    );
  }
  try {
    if (!statSync(there).isDirectory()) throw new Error(`\`${tilde(there, env)}\` is not a folder`);
    accessSync(there, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    return fail(
      `cannot write to \`${path}\`: ${messageOf(error)}`,
      "Make it a folder that you own, or set `MEMO_HOME` to one",
    );
  }
  const free = freeBytes(there) ?? Infinity;
  if (free < ENOUGH_BYTES) {
    return warn(
      `only ${(free / 1e6).toFixed(0)} MB free on the disk of \`${path}\``,
      "Free up space, or set `MEMO_HOME` to a folder on another disk",
    );
  }
  if (there !== paths.state) return ok(`\`${path}\` (not created yet)`);
  const mode = statSync(paths.state).mode & 0o777;
  if (process.platform !== "win32" && (mode & 0o077) !== 0) {
    return warn(
      `\`${path}\` is readable by other users (mode ${mode.toString(8)})`,
      `Run \`chmod 700 ${path}\``,
    );
  }
  return ok(`\`${path}\``);
}

/** Checks that every setting could be applied. */
export function settings({ config, paths, env, receipts }: Patient): Finding {
  if (config.warnings.length > 0) {
    const isOwn = config.warnings.some((warning) => warning.includes(`\`${paths.config}\``));
    return warn(
      config.warnings.join("; "),
      isOwn ? "Run `memo config edit` to fix it" : "Fix the file or variable named here",
    );
  }
  const troubled = Object.values(config.perType).map((value) => ownFile(String(value)))
    .flatMap((own) => own === undefined ? [] : troublesOf(own, { config, paths, receipts }));
  if (troubled.length > 0) {
    return warn(
      `${troubled[0]}; \`hybrid\` ranks instead`,
      "Fix the file in memo's settings folder, and allow it again with `memo config set strategy.TYPE=./FILE`",
    );
  }
  const changed = Object.keys(config.sources).length;
  const path = tilde(paths.config, env);
  return ok(
    changed === 0 ? "all defaults" : `${changed} changed from their defaults, see \`${path}\``,
  );
}

/** Why a strategy in a file does not rank, or did not with one of the last prompts. */
function troublesOf(
  own: OwnFile,
  { config, paths, receipts }: Pick<Patient, "config" | "paths" | "receipts">,
): string[] {
  try {
    allowedText(config.folder, own);
  } catch (error) {
    return [`${own.name}: ${messageOf(error)}`];
  }
  const since = statSync(paths.config).mtime.toISOString(); // when it was allowed, or later
  const failed = receipts.flatMap(({ at, why = "" }) => at < since ? [] : why.split("; "))
    .filter((why) => why.startsWith(`${own.name}: `));
  return failed.length === 0 ? [] : [`${failed.at(-1)} (${counted(failed.length, "prompt")})`];
}
