import { accessSync, constants, existsSync, statSync } from "node:fs";
import { tilde } from "../../paths.ts";
import { selfCommand } from "../../self.ts";
import { BUILD, VERSION } from "../../version.ts";
import { type Finding, ok, type Patient, warn } from "./check.ts";

/** Which memo this is. */
export function executable({ env }: Patient): Finding {
  const { command } = selfCommand();
  return ok(`memo ${VERSION} (build ${BUILD}) at \`${tilde(command, env)}\``);
}

/** The state folder is ours, and ours alone. */
export function stateFolder({ paths, env }: Patient): Finding {
  const path = tilde(paths.state, env);
  if (!existsSync(paths.state)) return ok(`\`${path}\` is made when it is needed`);
  accessSync(paths.state, constants.R_OK | constants.W_OK | constants.X_OK);
  const mode = statSync(paths.state).mode & 0o777;
  if (process.platform !== "win32" && (mode & 0o077) !== 0) {
    return warn(
      `others can look into \`${path}\` (mode ${mode.toString(8)})`,
      `Run \`chmod 700 ${path}\``,
    );
  }
  return ok(`\`${path}\``);
}

/** Every setting that is there is in force. */
export function settings({ config, paths, env }: Patient): Finding {
  if (config.warnings.length > 0) {
    return warn(config.warnings.join("; "), "Run `memo config edit` and mend it");
  }
  const changed = Object.keys(config.sources).length;
  const path = tilde(paths.config, env);
  return ok(changed === 0 ? "all as they come" : `${changed} not as they come, see \`${path}\``);
}
