// The files in which people write rules for their agents.

import { join } from "node:path";
import type { Place } from "./project.ts";

/** The rule files of an agent. */
interface RuleFiles {
  readonly agent: string;
  /** Where they are in a project, or in any folder of it; what ends in `/` is a folder of them. */
  readonly paths: readonly string[];
  /** What the files of such a folder are called; default: `.md`. */
  readonly ending?: RegExp;
  /** Where the person's own are, below the home folder. */
  readonly own?: readonly string[];
  /** The key of the front matter that says which files the rules are for, as globs. */
  readonly globs?: string;
}

/** The rule files that memo knows, in display order. */
export const RULE_FILES: readonly RuleFiles[] = [
  {
    agent: "Claude Code",
    paths: ["CLAUDE.md", ".claude/CLAUDE.md", "CLAUDE.local.md", ".claude/rules/"],
    own: [".claude/CLAUDE.md", ".claude/rules/"],
    globs: "paths",
  },
  {
    agent: "Codex, OpenCode and others",
    paths: ["AGENTS.md"],
    own: [".codex/AGENTS.md", ".config/opencode/AGENTS.md"],
  },
  { agent: "Cursor", paths: [".cursorrules", ".cursor/rules/"], ending: /\.mdc?$/, globs: "globs" },
  { agent: "Gemini CLI", paths: ["GEMINI.md"], own: [".gemini/GEMINI.md"] },
  { agent: "Qwen Code", paths: ["QWEN.md"], own: [".qwen/QWEN.md"] },
  {
    agent: "GitHub Copilot",
    paths: [".github/copilot-instructions.md", ".github/instructions/"],
    ending: /\.instructions\.md$/,
    own: [".copilot/copilot-instructions.md"],
    globs: "applyTo",
  },
  {
    agent: "Cline",
    paths: [".clinerules", ".clinerules/"],
    ending: /\.(?:md|txt)$/,
    globs: "paths",
  },
  { agent: "Windsurf", paths: [".windsurfrules", ".windsurf/rules/"], globs: "globs" },
  { agent: "Kilo Code", paths: [".kilocoderules", ".kilocode/rules/"] },
];

/** A rule file, or a folder of them. */
export interface RuleFile extends Pick<RuleFiles, "agent" | "globs"> {
  /** The folder whose rules they are, with `/`; `""`: the one that the path starts in. */
  readonly base: string;
  /** The file, or the folder that it is read with. */
  readonly place: string;
}

/** What a path with `/` is by the table, wherever the file's name stands in it; undefined if it holds no rules. */
export function ruleFileAt(path: string): RuleFile | undefined {
  const found = RULE_FILES.flatMap(({ agent, globs, paths, ending = /\.md$/ }) =>
    paths.flatMap((each): RuleFile[] => {
      const place = each.replace(/\/$/, "");
      const at = `/${path}/`.indexOf(`/${place}/`), end = at + place.length;
      const isBelow = place !== each && ending.test(path);
      if (at < 0 || !isBelow && end !== path.length) return [];
      const base = path.slice(0, Math.max(0, at - 1));
      return [{ agent, base, place: path.slice(0, end), ...globs !== undefined && { globs } }];
    })
  );
  return found.sort((a, b) => a.base.length - b.base.length)[0];
}

/** Where the rule files of a project are, from its top. */
export const RULE_PLACES: readonly string[] = RULE_FILES.flatMap(({ paths }) => paths);

/** Where the person's own rule files are. */
export function ownRulePlaces({ claude, home }: Pick<Place, "claude" | "home">): string[] {
  const inClaude = ".claude/";
  return RULE_FILES.flatMap(({ own = [] }) => own).map((path) =>
    path.startsWith(inClaude) ? join(claude, path.slice(inClaude.length)) : join(home, path)
  );
}
