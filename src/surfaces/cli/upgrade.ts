import type { Command } from "commander";
import { dirname } from "node:path";
import { realPathOf } from "../../core/files/real_path.ts";
import { compareVersions } from "../../core/link/builds.ts";
import { isCompiled } from "../../core/link/self.ts";
import { loadConfig } from "../../core/settings/config.ts";
import { MemoError } from "../../errors.ts";
import {
  fetchVersion,
  installLine,
  packageManagerOf,
  releasesUrl,
} from "../../features/upgrade/releases.ts";
import { KEYS, RELEASES, VERSION } from "../../version.ts";
import type { CliContext } from "./shared/command.ts";
import { out, outJson } from "./shared/output.ts";

/** `memo upgrade`: finds a newer release, checks its signature, and prints the command that installs it. */
export function define(command: Command, { paths, env }: CliContext): void {
  command
    .option("--check", "Exit with 1 if there is a newer release")
    .option("--to <version>", "Print the command for this version, newer or older")
    .action(async ({ check, to, json }: { check?: boolean; to?: string; json?: boolean }) => {
      const address = loadConfig(paths.config, env)["upgrade.releases"] || RELEASES;
      if (address === "") {
        throw new MemoError("usage", "Cannot upgrade: this build has no release URL", {
          hint: "Run `memo config set upgrade.releases https://…`, or install a released memo",
        });
      }
      const releases = releasesUrl(address);
      if (KEYS.length === 0) {
        throw new MemoError(
          "usage",
          "Cannot upgrade: this is a development build, without a key to verify releases",
          {
            hint: "Install a released memo instead, or run `deno task compile` on newer sources",
          },
        );
      }
      const options = { keys: KEYS, version: to?.replace(/^v/, "") };
      const version = await fetchVersion(releases, options);
      const order = compareVersions(version, VERSION);
      const isWanted = to === undefined ? order > 0 : order !== 0;
      const line = isWanted ? upgradeLine(releases, version) : null;
      if (check && isWanted) process.exitCode = 1;
      if (json) {
        const target = isWanted ? version : VERSION;
        return outJson({ from: VERSION, to: target, changed: false, command: line });
      }
      if (line === null) return out(`memo ${VERSION} is up to date\n`);
      out(`memo ${version} is available (you have ${VERSION}). To install it, run:\n  ${line}\n`);
    });
}

/** The command that installs a version the way this memo was installed. */
function upgradeLine(releases: URL, version: string): string {
  if (!isCompiled) return "git pull";
  const executable = realPathOf(process.execPath);
  return packageManagerOf(executable)?.upgrade ??
    installLine(releases, version, { folder: dirname(executable) });
}
