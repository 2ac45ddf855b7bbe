import { existsSync, rmSync } from "node:fs";
import { loadConfig } from "../settings/config.ts";
import { changeSettingsFile } from "../settings/config_file.ts";
import { type Endpoint, ensureEndpoint, readEndpoint } from "./endpoint.ts";
import { MemoError } from "../errors.ts";
import type { HttpTarget } from "./entries.ts";
import type { InstallPlace } from "./install.ts";
import { readRecords } from "./record.ts";
import type { SettingsScope } from "./settings_file.ts";
import { isAtLeast, TAKES_HTTP } from "./versions.ts";

/** Placeholder in a dry run. */
const NOT_YET: Endpoint = { port: 0, token: "made-by-the-install" };

/** What http hooks are to be told; the daemon serves it from now on, unless this is a dry run. */
export async function openHttp(
  { paths, env }: InstallPlace,
  { scope, dryRun, client }: {
    readonly scope: SettingsScope;
    readonly dryRun: boolean;
    /** Claude Code's version, if it is known. */
    readonly client: string | undefined;
  },
): Promise<HttpTarget> {
  if (client !== undefined && !isAtLeast(client, TAKES_HTTP)) {
    throw new MemoError(
      "usage",
      `Cannot install the http transport: it needs Claude Code ${TAKES_HTTP}, and yours is ${client}`,
      { hint: "Run `memo install --transport command`" },
    );
  }
  if (scope !== "user") {
    throw new MemoError(
      "usage",
      `Cannot install the http transport for \`--scope ${scope}\`: its token would be stored in the project`,
      { hint: "Run `memo install --transport http` to use your own settings file" },
    );
  }
  const { claude } = paths;
  if (dryRun) return { endpoint: readEndpoint(paths.http) ?? NOT_YET, claude };
  const config = loadConfig(paths.config, env);
  if (!config["http.enabled"]) changeSettingsFile(paths.config, { "http.enabled": true });
  return { endpoint: await ensureEndpoint(paths.http, config["http.port"]), claude };
}

/** Ends what `openHttp` began, once no settings use it: a token that may have been copied is worth nothing then. */
export function closeHttp({ paths }: InstallPlace): void {
  const records = Object.values(readRecords(paths.installs));
  if (records.some(({ transport }) => transport === "http") || !existsSync(paths.http)) return;
  rmSync(paths.http);
  try {
    changeSettingsFile(paths.config, { "http.enabled": undefined });
  } catch {
    // Broken settings are for their owner to mend; without an endpoint nothing is served in any case.
  }
}
