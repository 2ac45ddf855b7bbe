import { STRATEGIES } from "../../../../strategies/mod.ts";
import { projectSettings } from "../../../core/memory/scopes.ts";
import { type Config, loadConfig } from "../../../core/settings/config.ts";
import type { CliContext } from "./command.ts";

/** The effective settings in the working directory. */
export function configHere({ paths, env, place }: CliContext): Config {
  const project = projectSettings(place);
  return loadConfig(paths.config, env, { project, strategies: STRATEGIES });
}
