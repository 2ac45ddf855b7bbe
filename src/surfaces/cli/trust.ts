import { readFileSync } from "node:fs";
import { relative } from "node:path";
import type { Command } from "commander";
import { MemoError } from "../../errors.ts";
import { isWithin, type Project } from "../../core/memory/project.ts";
import { grant, revoke } from "../../core/memory/trust.ts";
import { tilde } from "../../paths.ts";
import { visible } from "../../core/text/neutralise.ts";
import { accept, arrivalsAt } from "../../features/verbs/accept.ts";
import { refuseModel } from "../../features/verbs/changed.ts";
import { notifyDaemon, surroundings } from "./shared/change.ts";
import type { CliContext } from "./shared/command.ts";
import { confirm } from "./shared/confirm.ts";
import { counted } from "../../core/text/counted.ts";
import { withEngine } from "./shared/local.ts";
import {
  type RepositoryFile,
  type RepositoryFiles,
  repositoryFiles,
} from "../../core/memory/list.ts";
import { columns, out, outJson, paint, say } from "./shared/output.ts";

interface TrustOptions {
  readonly show?: boolean;
  readonly yes?: boolean;
  readonly revoke?: boolean;
  readonly json?: boolean;
}

/** `memo trust`: allows memories and settings of a repository, content by content, and confirms notes of no conversation. */
export function define(command: Command, context: CliContext): void {
  command
    .option("--show", "Print the untrusted files without trusting them")
    .option("--yes", "Trust them without asking")
    .option("--revoke", "Stop trusting this project")
    .option("--json", "Print JSON: {project, files, refused, appeared}")
    .action(async (options: TrustOptions) => {
      const { place } = context;
      const found = repositoryFiles(place);
      const arrived = arrivalsAt(place);
      if (found === undefined && (arrived.length === 0 || options.revoke)) {
        throw new MemoError(
          "usage",
          `Cannot trust anything here: \`${place.cwd}\` is not in a project`,
          { hint: "Run it in the repository that you trust" },
        );
      }
      if (options.revoke) return await withdraw(found!, options, context);
      const waiting = found?.files.filter(({ trusted }) => !trusted) ?? [];
      if (!options.json) report({ found, waiting, arrived }, options, context);
      const count = waiting.length + arrived.length;
      const isTrusted = count > 0 && await mayTrust(count, options, context);
      if (isTrusted) {
        if (found !== undefined && waiting.length > 0) await trust(found, waiting, context);
        if (arrived.length > 0) await confirmAll(arrived, context);
      }
      if (options.json) {
        const now = isTrusted ? repositoryFiles(place) : found;
        const appeared = arrived.map(({ memory: { path, name, type } }) => ({ path, name, type }));
        outJson({ ...now === undefined ? {} : toJson(now), appeared: isTrusted ? [] : appeared });
      }
      if (count > 0 && !isTrusted && !options.show) process.exitCode = 1;
    });
}

function report(
  { found, waiting, arrived }: {
    readonly found: RepositoryFiles | undefined;
    readonly waiting: readonly RepositoryFile[];
    readonly arrived: ReturnType<typeof arrivalsAt>;
  },
  { show }: TrustOptions,
  { env }: CliContext,
): void {
  for (const { path, because } of found?.refused ?? []) {
    say(`warning: \`${tilde(path, env)}\` is not read: ${because}`);
  }
  if (found !== undefined && waiting.length === 0) {
    const { project, files } = found;
    const all = files.length === 0
      ? "brings nothing for memo"
      : `brings ${counted(files.length, "file")}, all trusted`;
    say(`\`${visible(project.name)}\` ${all}`);
  }
  if (arrived.length > 0) say(`${counted(arrived.length, "note")} that no conversation wrote:`);
  if (show) {
    for (const { path, kind, type } of waiting) {
      out(printed({ path, kind: type ?? kind, name: relative(found!.project.top, path) }));
    }
    for (const { memory: { path, type } } of arrived) {
      out(printed({ path, kind: type, name: tilde(path, env) }));
    }
    return;
  }
  out(columns([
    ...waiting.map(({ path, kind, name, type }) => [
      type ?? kind,
      inLine(name),
      paint("dim", inLine(relative(found!.project.top, path))),
    ]),
    ...arrived.map(({ memory: { path, name, type } }) => [
      visible(type),
      inLine(name),
      paint("dim", visible(tilde(path, env))),
    ]),
  ]));
}

/** A name in one line: a file's may have line feeds. */
function inLine(name: string): string {
  return visible(name).replaceAll("\n", "\\n");
}

/** A snapshot of a file, so that consent is given to the content that was shown. */
function printed(
  { path, kind, name }: { readonly path: string; readonly kind: string; readonly name: string },
): string {
  const text = visible(readFileSync(path, "utf8")).trimEnd().replace(/^/gm, "    ");
  return `${paint("bold", inLine(name))} (${inLine(kind)})\n${text}\n\n`;
}

/** Consent must come from a person: a model that reads a repository must not give it in their place. */
async function mayTrust(
  count: number,
  { show, yes }: TrustOptions,
  { env }: CliContext,
): Promise<boolean> {
  if (show) {
    say("hint: Run `memo trust` to allow them");
    return false;
  }
  refuseModel(env, "trust files", "memo trust");
  if (yes) return true;
  if (!process.stdin.isTTY) {
    say("hint: Run `memo trust --show` to print them, `memo trust --yes` to allow them");
    return false;
  }
  return await confirm(`Trust ${count === 1 ? "it" : `these ${count} files`}?`);
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

/** Takes notes that no conversation wrote for the person's own. */
async function confirmAll(
  arrived: ReturnType<typeof arrivalsAt>,
  context: CliContext,
): Promise<void> {
  await accept(arrived, context.paths.trust, surroundings(context));
  await withEngine(context, async (engine, here) => {
    for (const folder of here) await engine.sync(folder);
  });
  await notifyDaemon(context);
  say(`Confirmed ${counted(arrived.length, "note")}`);
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
    const below = (await index.files.folders()).filter(({ scope, path }) =>
      scope === "shared" && isWithin(path, root) && !here.some((folder) => folder.path === path)
    );
    for (const folder of below) await engine.sync(folder);
  });
  await notifyDaemon(context);
}

function toJson({ project, files, refused }: RepositoryFiles) {
  return { project: project.root, files, refused };
}
