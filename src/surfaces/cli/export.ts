import { join, resolve } from "node:path";
import { type Command, Option } from "commander";
import { MemoError } from "../../errors.ts";
import {
  collect,
  type Format,
  formatOf,
  FORMATS,
  isFree,
  sealed,
  secretsIn,
  writeBundle,
} from "../../features/import/mod.ts";
import type { MemoryFolder } from "../../core/memory/memory.ts";
import { projectsOn } from "../../core/memory/off.ts";
import { projectAt } from "../../core/memory/project.ts";
import { privateFolder, userFolder } from "../../core/memory/scopes.ts";
import { allFoldersOf, teamNames } from "../../core/memory/teams.ts";
import { tilde } from "../../paths.ts";
import { ownPatterns } from "../../core/redact/mod.ts";
import { visible } from "../../core/text/neutralise.ts";
import type { CliContext } from "./shared/command.ts";
import { configHere } from "./shared/config_here.ts";
import { counted } from "../../core/text/counted.ts";
import { out, outJson, say } from "./shared/output.ts";
import { printUnreadable } from "./shared/unreadable.ts";

interface ExportOptions {
  readonly format?: Format;
  readonly scope?: "user" | "project" | "team";
  readonly archive?: boolean;
  readonly json?: boolean;
}

const NAMED = 10;

const SCOPES =
  "User-wide, this project's, or your teams' approved memories (default: all your own)";

/** `memo export`: writes all memories into a folder or a file that `memo import memo` restores. */
export function define(command: Command, context: CliContext): void {
  command
    .argument("<path>", "Folder or file to write; `.json`, `.tar` and `.tar.gz` set the format")
    .addOption(
      new Option("--format <format>", "Format (default: from the path)").choices([...FORMATS]),
    )
    .addOption(new Option("--scope <scope>", SCOPES).choices(["user", "project", "team"]))
    .option("--archive", "Include the archive: forgotten memories and earlier versions")
    .option("--json", "Print JSON: {path, files, secrets, failed}")
    .action(async (path: string, options: ExportOptions) => {
      const to = resolve(context.cwd, path);
      if (!isFree(to)) {
        throw new MemoError("usage", `Cannot export to \`${to}\`: it already exists`, {
          hint: "Pass a path that does not exist",
        });
      }
      const format = options.format ?? formatFor(to);
      const { archive = false } = options;
      const { env } = context;
      const bundle = await collect(foldersOf(options, context), { archive, env });
      const patterns = ownPatterns(configHere(context)["redact.patterns"]);
      const secrets = await secretsIn(bundle, patterns);
      await writeBundle(await sealed(bundle, context.paths.own), to, format);
      for (const { relativePath, kinds } of secrets.slice(0, NAMED)) {
        say(
          visible(`warning: \`${relativePath}\` seems to contain a secret (${kinds.join(", ")})`),
        );
      }
      if (secrets.length > NAMED) say(`… and ${secrets.length - NAMED} more`);
      printUnreadable(bundle.failed, context);
      if (bundle.failed.length > 0) process.exitCode = 1;
      if (options.json) {
        const failed = bundle.failed.map(({ path, because }) => ({ path, because }));
        const found = secrets.map(({ relativePath: way, kinds }) => ({ way, kinds }));
        return outJson({ path: to, files: bundle.files.length, secrets: found, failed });
      }
      out(`${tilde(to, env)}\n`);
      say(`Exported ${counted(bundle.files.length, "file")}; \`memo import memo\` restores them`);
    });
}

/** Archives of other forms, which nobody expects to be a folder. */
const OTHER_ARCHIVE = /\.(?:zip|7z|rar|(?<!\.tar\.)gz|xz|bz2|zst)$/i;

function formatFor(path: string): Format {
  if (!OTHER_ARCHIVE.test(path)) return formatOf(path);
  throw new MemoError("usage", `Cannot export to \`${path}\`: unknown format`, {
    hint: "Pass a folder, or a file that ends in `.json`, `.tar` or `.tar.gz`",
  });
}

function foldersOf({ scope }: ExportOptions, { paths, cwd, place }: CliContext): MemoryFolder[] {
  const user = userFolder(place);
  if (scope === "user") return [user];
  if (scope === undefined) return [user, ...projectsOn(paths).map(privateFolder)];
  if (scope === "team") {
    return teamNames(paths.teams).flatMap((name) => allFoldersOf(join(paths.teams, name)))
      .map((path): MemoryFolder => ({ scope: "team", path }));
  }
  const project = projectAt(place);
  if (project !== undefined) return [privateFolder(project)];
  throw new MemoError("usage", `Cannot export a project: \`${cwd}\` is not in one`, {
    hint: "Run it in the project, or without `--scope`",
  });
}
