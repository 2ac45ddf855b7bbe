import { readFileSync } from "node:fs";
import { relative } from "node:path";
import type { Command } from "commander";
import { MemoError } from "../../errors.ts";
import { isWithin } from "../../core/memory/project.ts";
import { grant, revoke } from "../../core/memory/trust.ts";
import { tilde } from "../../paths.ts";
import { visible } from "../../core/text/neutralise.ts";
import { accept, arrivalsAt } from "../../features/verbs/accept.ts";
import { refuseModel } from "../../features/verbs/changed.ts";
import { notifyDaemon, surroundings } from "./shared/change.ts";
import type { CliContext } from "./shared/command.ts";
import { mayDo } from "./shared/confirm.ts";
import { counted } from "../../core/text/counted.ts";
import { withEngine } from "./shared/local.ts";
import {
  type RepositoryFile,
  type RepositoryFiles,
  repositoryFiles,
} from "../../core/memory/list.ts";
import type { Flags } from "./shared/options.ts";
import { columns, out, outJson, paint, say } from "./shared/output.ts";

type TrustOptions = Flags<"show" | "yes" | "revoke" | "json">;

/** `memo trust`: allows memories and settings of a repository, content by content, and confirms memories that no session wrote. */
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
        const where = `\`${place.cwd}\` is not in a project`;
        throw new MemoError("usage", `Cannot trust anything here: ${where}`, {
          hint: "Run it in the repository you trust",
        });
      }
      if (options.revoke) return await withdraw(found!, options, context);
      const waiting = found?.files.filter(({ trusted }) => !trusted) ?? [];
      const all = { found, waiting, arrived };
      if (!options.json) report(all, options.show ?? false, context);
      const count = waiting.length + arrived.length;
      const isTrusted = count > 0 && await mayTrust(count, options, context);
      if (isTrusted) await trust(all, context);
      if (options.json) {
        const now = isTrusted ? repositoryFiles(place) : found;
        const appeared = arrived.map(({ memory: { path, name, type } }) => ({ path, name, type }));
        const { project, files, refused } = now ?? {};
        const all = { project: project?.root, files, refused };
        outJson({ ...all, appeared: isTrusted ? [] : appeared });
      }
      if (count > 0 && !isTrusted && !options.show) process.exitCode = 1;
    });
}

/** What needs a person's review: files of the repository, and memories that no session wrote. */
interface Waiting {
  readonly found: RepositoryFiles | undefined;
  readonly waiting: readonly RepositoryFile[];
  readonly arrived: ReturnType<typeof arrivalsAt>;
}

function report({ found, waiting, arrived }: Waiting, show: boolean, { env }: CliContext): void {
  for (const { path, because } of found?.refused ?? []) {
    say(`warning: \`${tilde(path, env)}\` is not read: ${because}`);
  }
  if (found !== undefined && waiting.length === 0) {
    const { project, files } = found;
    const all = files.length === 0
      ? "has no memories or settings for memo"
      : `has ${counted(files.length, "file")}, all trusted`;
    say(`\`${visible(project.name)}\` ${all}`);
  }
  if (arrived.length > 0) {
    say(`${counted(arrived.length, "memory")} from outside your sessions:`);
  }
  const all = [
    ...waiting.map(({ path, kind, name, type = kind }) => ({
      ...{ path, type, name, place: relative(found!.project.top, path) },
    })),
    ...arrived.map(({ memory: { path, name, type } }) => ({
      ...{ path, type, name, place: tilde(path, env) },
    })),
  ];
  const inLine = (text: string) => visible(text).replaceAll("\n", "\\n"); // a file's name may have them
  if (!show) {
    const rows = all.map(({ type, name, place }) => [inLine(type), inLine(name), inLine(place)]);
    return out(columns(rows.map(([type, name, place]) => [type!, name!, paint("dim", place!)])));
  }
  for (const { path, type, place } of all) {
    // A snapshot of the file, so that consent is given to the content that was shown.
    const text = visible(readFileSync(path, "utf8")).trimEnd().replace(/^/gm, "    ");
    out(`${paint("bold", inLine(place))} (${inLine(type)})\n${text}\n\n`);
  }
}

/** Consent must come from a person: a model that reads a repository must not give it in their place. */
async function mayTrust(
  count: number,
  { show, yes }: TrustOptions,
  { env }: CliContext,
): Promise<boolean> {
  if (show) {
    say("hint: Run `memo trust` to trust them");
    return false;
  }
  refuseModel(env, "trust files", "memo trust");
  return await mayDo({ yes }, {
    question: `Trust ${count === 1 ? "this file" : `these ${count} files`}?`,
    hint: "Run `memo trust --show` to read them, `memo trust --yes` to trust them",
  });
}

async function trust({ found, waiting, arrived }: Waiting, context: CliContext): Promise<void> {
  if (found !== undefined && waiting.length > 0) {
    const { project: { root, name } } = found, digests = waiting.map(({ digest }) => digest);
    await grant({ file: context.paths.trust, project: root }, digests, "you");
    await follow(context, root);
    say(`Trusted ${counted(waiting.length, "file")} in \`${visible(name)}\``);
  }
  if (arrived.length === 0) return;
  await accept(arrived, context.paths.trust, surroundings(context));
  await follow(context);
  say(`Confirmed ${counted(arrived.length, "memory")}`);
}

async function withdraw(
  { project: { root, name } }: RepositoryFiles,
  { json }: TrustOptions,
  context: CliContext,
): Promise<void> {
  const revoked = await revoke({ file: context.paths.trust, project: root });
  await follow(context, root);
  if (json) return outJson({ project: root, revoked });
  say(`No longer trusts \`${visible(name)}\` (${counted(revoked, "file")})`);
}

/** Updates the index from a project's trusted files, or from all folders here, with or without a daemon. */
async function follow(context: CliContext, project?: string): Promise<void> {
  await withEngine(context, async (engine, here) => {
    const known = project === undefined ? [] : await (await engine.index()).files.folders();
    // Files further down are indexed again when a session starts there.
    const below = known.filter(({ scope, path }) =>
      scope === "shared" && isWithin(path, project!) && !here.some((folder) => folder.path === path)
    );
    for (const folder of project === undefined ? here : below) await engine.sync(folder);
  });
  await notifyDaemon(context);
}
