import { readFileSync } from "node:fs";
import { relative } from "node:path";
import type { Command } from "commander";
import { MemoError } from "../errors.ts";
import { isWithin, type Project } from "../memory/project.ts";
import { grant, revoke } from "../memory/trust.ts";
import { tilde } from "../paths.ts";
import { visible } from "../text/neutralise.ts";
import { refuseModel } from "../verbs/consent.ts";
import { tellDaemon } from "./shared/change.ts";
import type { CliContext } from "./shared/command.ts";
import { confirm } from "./shared/confirm.ts";
import { counted } from "../text/counted.ts";
import { withEngine } from "./shared/local.ts";
import {
  type RepositoryFile,
  type RepositoryFiles,
  repositoryFiles,
} from "../memory/repository_files.ts";
import { columns, out, outJson, paint, say } from "./shared/output.ts";

interface TrustOptions {
  readonly show?: boolean;
  readonly yes?: boolean;
  readonly revoke?: boolean;
  readonly json?: boolean;
}

/** `memo trust`: allows memories and settings of a repository, content by content. */
export function define(command: Command, context: CliContext): void {
  command
    .option("--show", "Print the untrusted files without trusting them")
    .option("--yes", "Trust them without asking")
    .option("--revoke", "Stop trusting this project")
    .option("--json", "Print JSON: {project, files, refused}")
    .action(async (options: TrustOptions) => {
      const { place } = context;
      const found = repositoryFiles(place);
      if (found === undefined) {
        throw new MemoError(
          "usage",
          `Cannot trust anything here: \`${place.cwd}\` is not in a project`,
          {
            hint: "Run it in the repository that you trust",
          },
        );
      }
      if (options.revoke) return await withdraw(found, options, context);
      const waiting = found.files.filter(({ trusted }) => !trusted);
      if (!options.json) report(found, waiting, options, context);
      const isTrusted = waiting.length > 0 && await mayTrust(waiting, options, context);
      if (isTrusted) await trust(found, waiting, context);
      if (options.json) outJson(toJson(isTrusted ? repositoryFiles(place)! : found));
      if (waiting.length > 0 && !isTrusted && !options.show) process.exitCode = 1;
    });
}

function report(
  { project, files, refused }: RepositoryFiles,
  waiting: readonly RepositoryFile[],
  { show }: TrustOptions,
  { env }: CliContext,
): void {
  for (const { path, because } of refused) {
    say(`warning: \`${tilde(path, env)}\` is not read: ${because}`);
  }
  if (waiting.length === 0) {
    const all = files.length === 0
      ? "brings nothing for memo"
      : `brings ${counted(files.length, "file")}, all trusted`;
    return say(`\`${visible(project.name)}\` ${all}`);
  }
  if (show) { for (const file of waiting) out(printed(file, project)); }
  else {
    out(columns(waiting.map(({ path, kind, name, type }) => [
      type ?? kind,
      visible(name),
      paint("dim", visible(relative(project.top, path))),
    ])));
  }
}

/** A snapshot of a file, so that consent is given to the content that was shown. */
function printed({ path, kind, type }: RepositoryFile, { top }: Project): string {
  const text = visible(readFileSync(path, "utf8")).trimEnd().replace(/^/gm, "    ");
  return `${paint("bold", visible(relative(top, path)))} (${type ?? kind})\n${text}\n\n`;
}

/** Consent must come from a person: a model that reads a repository must not give it in their place. */
async function mayTrust(
  waiting: readonly RepositoryFile[],
  { show, yes }: TrustOptions,
  { env }: CliContext,
): Promise<boolean> {
  if (show) {
    say("hint: Run `memo trust` to allow them");
    return false;
  }
  refuseModel(env, "trust files");
  if (yes) return true;
  if (!process.stdin.isTTY) {
    say("hint: Run `memo trust --show` to print them, `memo trust --yes` to allow them");
    return false;
  }
  return await confirm(`Trust ${waiting.length === 1 ? "it" : `these ${waiting.length} files`}?`);
}

async function trust(
  { project }: RepositoryFiles,
  waiting: readonly RepositoryFile[],
  context: CliContext,
): Promise<void> {
  const digests = waiting.map(({ digest }) => digest);
  await grant({ file: context.paths.trust, project: project.root }, digests, "you");
  await follow(project, context);
  say(`Trusted ${counted(waiting.length, "file")} of \`${visible(project.name)}\``);
}

async function withdraw(
  { project }: RepositoryFiles,
  { json }: TrustOptions,
  context: CliContext,
): Promise<void> {
  const revoked = await revoke({ file: context.paths.trust, project: project.root });
  await follow(project, context);
  if (json) return outJson({ project: project.root, revoked });
  say(
    `Trusts nothing of \`${visible(project.name)}\` any more (${counted(revoked, "file")} before)`,
  );
}

/** Updates the index from trusted files, with or without a daemon. */
async function follow({ root }: Project, context: CliContext): Promise<void> {
  await withEngine(context, async (engine, here) => {
    const index = await engine.index();
    // Files further down are indexed again when a session starts there.
    const below = (await index.folders()).filter(({ scope, path }) =>
      scope === "shared" && isWithin(path, root) && !here.some((folder) => folder.path === path)
    );
    for (const folder of below) await engine.sync(folder);
  });
  await tellDaemon(context);
}

function toJson({ project, files, refused }: RepositoryFiles) {
  return { project: project.root, files, refused };
}
