import type { Command } from "commander";
import { spawnSync } from "node:child_process";
import { presence } from "../../core/daemon/lifecycle.ts";
import { MemoError } from "../../errors.ts";
import { realPathOf } from "../../core/files/real_path.ts";
import { isCompiled } from "../../core/link/self.ts";
import { loadConfig } from "../../core/settings/config.ts";
import {
  type Archive,
  checkSum,
  fetchArchive,
  fetchRelease,
  type Release,
  releasesUrl,
} from "../../features/upgrade/releases.ts";
import { keeperOf, type Place, replaceExecutable, rollBack } from "../../features/upgrade/swap.ts";
import { compareVersions } from "../../core/link/builds.ts";
import { KEYS, RELEASES, TARGET, VERSION } from "../../version.ts";
import type { CliContext } from "./shared/command.ts";
import { out, outJson, say } from "./shared/output.ts";
import { progressBar } from "./shared/progress.ts";
import { unzipSync } from "fflate";
import { unpackTar } from "modern-tar";
import { gunzipSync } from "node:zlib";

interface Flags {
  readonly check?: boolean;
  readonly rollback?: boolean;
  readonly to?: string;
  readonly json?: boolean;
}

/** The result of an upgrade. */
interface Outcome {
  readonly from: string;
  readonly to: string;
  readonly changed: boolean;
}

/** `memo upgrade`. */
export function define(command: Command, context: CliContext): void {
  command
    .option("--check", "Check for a newer release without installing it")
    .option("--to <version>", "Install this version")
    .option("--rollback", "Restore the executable that the last upgrade replaced")
    .option("--json", "Print JSON")
    .action(async (flags: Flags) => {
      const outcome = await (flags.rollback ? goBack(context) : upgrade(context, flags));
      if (flags.json) outJson(outcome);
      else out(describe(outcome, flags) + "\n");
      if (flags.check && outcome.from !== outcome.to) process.exitCode = 1;
    });
}

async function upgrade(context: CliContext, { check, to }: Flags): Promise<Outcome> {
  const releases = releasesUrl(addressOf(context));
  const release = await fetchRelease(releases, {
    keys: releaseKeys(),
    version: to?.replace(/^v/, ""),
  });
  const isNewer = compareVersions(release.version, VERSION) > 0;
  const isWanted = to === undefined ? isNewer : release.version !== VERSION;
  const outcome = { from: VERSION, to: isWanted ? release.version : VERSION, changed: false };
  if (check || !isWanted) return outcome;

  const place = placeOf(context);
  const archive = archiveFor(release);
  const bar = progressBar(archive.file);
  const wanted = { version: release.version, archive };
  const bytes = await fetchArchive(releases, wanted, bar.update).finally(bar.stop);
  replaceExecutable(await executableIn(bytes, archive), release.version, place);
  await handOver(place, context);
  return { ...outcome, changed: true };
}

async function goBack(context: CliContext): Promise<Outcome> {
  const place = placeOf(context);
  const to = rollBack(place);
  await handOver(place, context);
  return { from: VERSION, to, changed: true };
}

/** The URL of releases: the setting, else the source of this build. */
function addressOf({ paths, env }: CliContext): string {
  const address = loadConfig(paths.config, env)["upgrade.releases"] || RELEASES;
  if (address !== "") return address;
  throw new MemoError(
    "usage",
    "Cannot upgrade: this build has no release URL",
    {
      hint: "Run `memo config set upgrade.releases https://…`, or install a released memo",
    },
  );
}

/** The keys of which one has to have signed a release; throws in a build that has none. */
function releaseKeys(): readonly string[] {
  if (KEYS.length > 0) return KEYS;
  throw new MemoError(
    "usage",
    "Cannot upgrade: this is a development build, without a key to verify releases",
    { hint: "Install a released memo in its place, or run `deno task compile` on newer sources" },
  );
}

/** The executable to replace; throws if memo may not replace it. */
function placeOf({ paths }: CliContext): Place {
  if (!isCompiled) {
    throw new MemoError("usage", "Cannot upgrade: memo is running from source", {
      hint: "Run `git pull` there",
    });
  }
  const executable = realPathOf(process.execPath);
  const keeper = keeperOf(executable)?.upgrade;
  if (keeper === undefined) return { executable, previous: paths.previous };
  throw new MemoError(
    "usage",
    `Cannot upgrade \`${executable}\`: memo did not install it`,
    { hint: `Run \`${keeper}\`` },
  );
}

function archiveFor({ version, archives }: Release): Archive {
  const archive = Object.hasOwn(archives, TARGET) ? archives[TARGET] : undefined;
  if (archive !== undefined) return archive;
  throw new MemoError("not-found", `memo ${version} has no archive for ${TARGET}`, {
    hint: "Run `memo upgrade --to VERSION` with one that has",
  });
}

/**
 * Makes the new executable start its daemon in place of a running one. Until it answers, prompts are answered without
 * a daemon, as at any start; the queue of capture is in files.
 */
async function handOver({ executable }: Place, { paths, env }: CliContext): Promise<void> {
  if (await presence(paths) === "none") return; // the next session starts it
  const { status } = spawnSync(executable, ["daemon", "restart"], { env, stdio: "ignore" });
  if (status !== 0) say("warning: the new daemon did not start; run `memo daemon restart`");
}

function describe({ from, to, changed }: Outcome, { check, rollback }: Flags): string {
  if (from === to) return `memo ${from} is up to date`;
  if (check) return `memo ${to} is available (you have ${from}). Run \`memo upgrade\``;
  if (rollback) return `Rolled back memo from ${from} to ${to}`;
  return changed
    ? `Upgraded memo from ${from} to ${to}. To roll back: memo upgrade --rollback`
    : "";
}

/** Takes the executable out of an archive's bytes, and checks its sum. */
async function executableIn(
  bytes: Uint8Array,
  { file, executable }: Archive,
): Promise<Uint8Array> {
  const found = file.endsWith(".zip")
    ? unzipSync(bytes, { filter: ({ name }) => name === executable.name })[executable.name]
    : (await unpackTar(gunzipSync(bytes), { filter: ({ name }) => name === executable.name }))[0]
      ?.data;
  if (found === undefined) {
    throw new MemoError("file", `\`${file}\` has no \`${executable.name}\` in it`, {
      hint: "Nothing was changed. Run `memo upgrade` again later",
    });
  }
  checkSum(found, executable.sha256, `\`${executable.name}\` in \`${file}\``);
  return found;
}
