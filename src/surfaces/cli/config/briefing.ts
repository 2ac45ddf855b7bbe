import { basename } from "node:path";
import { type Command, Option } from "commander";
import { tilde } from "../../../paths.ts";
import { settingOf } from "../../../core/settings/table.ts";
import { briefProject, type ProjectBriefing, writeBriefing } from "../../../features/upkeep/mod.ts";
import type { CliContext } from "../shared/command.ts";
import { configHere } from "../shared/config_here.ts";
import { counted } from "../../../core/text/counted.ts";
import { out, outJson, say } from "../shared/output.ts";

/** `--file FILE`, and the others, which are there or not. */
type BriefOptions =
  & { readonly file?: string }
  & { readonly [Flag in "write" | "remove" | "private" | "force" | "json"]?: boolean };

/** The file of a project that Claude Code reads and others do not get. */
const LOCAL = "CLAUDE.local.md";
const FILES = settingOf("briefing.file")!.choices!;

/** `memo config briefing`: prints the briefing of a project, or keeps it as a section of a file that Claude Code reads. */
export function define(command: Command, context: CliContext): void {
  command
    .addOption(
      new Option("--write", "Write it to a section of the file, creating the file if needed")
        .conflicts("remove"),
    )
    .option("--remove", "Remove the section from the file")
    .addOption(
      new Option("--file <file>", "The file (default: the setting `briefing.file`)").choices(FILES),
    )
    .option("--private", "Include private memories even if the repository shares the file")
    .option("--force", "Overwrite a section edited by hand")
    .action(async (options: BriefOptions) => {
      const { paths, place } = context;
      const project = await briefProject({
        ...{ place, paths, now: new Date() },
        file: options.file ?? configHere(context)["briefing.file"],
        withPrivate: options.private,
      });
      const { path, root, briefing } = project, isEmpty = briefing.sections.length === 0;
      // An empty section would say nothing; one that is there is brought in step.
      const lines = options.remove ? undefined : briefing.lines;
      const done = options.remove || options.write
        ? writeBriefing(path, lines, { root, force: options.force, onlyUpdate: isEmpty })
        : undefined;
      if (options.json) outJson(toJson(project, done));
      else if (done === undefined) out(briefing.lines.join("\n") + "\n");
      else {
        const isNone = done === "none" && options.write;
        const said = isNone ? "No memories yet for a briefing in" : SAID[done];
        say(`${said} \`${tilde(path, context.env)}\``);
      }
      if (!options.json) printLeftOut(project, options);
    });
}

const SAID = {
  written: "Wrote the briefing to",
  unchanged: "The briefing is unchanged in",
  removed: "Removed the briefing from",
  none: "No briefing in",
} as const;

function toJson({ path, isShared, briefing, leftOut }: ProjectBriefing, done: string | undefined) {
  const { lines } = briefing, text = lines.join("\n") + "\n";
  const sections = briefing.sections
    .map(({ type, listed, omitted }) => ({ type, listed, omitted }));
  return { path, shared: isShared, done, lines: lines.length, sections, leftOut, text };
}

function printLeftOut({ path, leftOut, isShared }: ProjectBriefing, options: BriefOptions): void {
  if (options.remove) return;
  if (leftOut > 0) {
    const what = counted(leftOut, "private memory");
    const how = basename(path) === LOCAL
      ? `add \`${LOCAL}\` to \`.gitignore\``
      : `use \`--file ${LOCAL}\`, ignored by git`;
    say(`hint: ${what} left out, because the repository shares this file: ${how}, or`);
    say("      pass `--private` to include them here");
  } else if (options.private && isShared) {
    say("warning: Committing this file shares your private memories");
  }
}
