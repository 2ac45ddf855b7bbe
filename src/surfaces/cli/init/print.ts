// What `memo init` would write, for settings that something else generates: it is printed, and nothing is changed.

import { join } from "node:path";
import { managedFolder } from "../../../core/memory/claude_settings.ts";
import { isWithin } from "../../../core/memory/project.ts";
import { MemoError } from "../../../errors.ts";
import { agentNamed } from "../../../features/install/agents/mod.ts";
import { refuseRunner } from "../../../features/install/executable.ts";
import { settingsBlock } from "../../../features/install/install.ts";
import { newText } from "../../../features/install/parts.ts";
import { tilde } from "../../../paths.ts";
import { type CliContext, programOf } from "../shared/command.ts";
import { claudeVersion, hookNeeds } from "../shared/follow_settings.ts";
import { out, outJson, say } from "../shared/output.ts";
import type { InstallFlags } from "./install.ts";

/** The forms in which settings are printed. */
export const FORMS = ["settings", "nix", "managed"] as const;

export const THEN_TOOLS =
  "Then run `memo init`: it adds the MCP server to `.claude.json`, and checks all";
export const THEN_CHECK = "Then run `memo doctor` to check it";

/** Prints the settings that an install with these flags would write. */
export async function printInstall(
  form: typeof FORMS[number],
  { scope, mcp, agent, plugin, json = false }: InstallFlags,
  context: CliContext,
): Promise<void> {
  const self = programOf(context), name = (path: string) => `\`${tilde(path, context.env)}\``;
  refuseRunner(self.command);
  const isForUser = scope === "user" && agent === undefined;
  if (plugin || form !== "settings" && !isForUser) {
    const other = plugin
      ? "--plugin"
      : agent === undefined
      ? `--scope ${scope}`
      : `--agent ${agent}`;
    throw new MemoError("usage", `Cannot print \`${form}\` with \`${other}\``, {
      hint: "Pass only one of them; `memo init --help` lists the options",
    });
  }
  if (agent !== undefined) {
    const files = agentNamed(agent)!.files(context, self)
      .map((file) => ({ path: file.path, text: newText(file) }));
    if (json) return outJson({ form, files });
    for (const { path, text } of files) {
      say(`${name(path)}:`);
      out(text);
    }
    return;
  }
  const client = await claudeVersion(context);
  const block = settingsBlock(context, { scope, self, mcp, client, ...hookNeeds(context) });
  const path = form === "managed"
    ? join(managedFolder(), "managed-settings.d", "memo.json")
    : block.path;
  const text = form === "nix" ? moduleOf(JSON.parse(block.text)) : block.text;
  if (json) return outJson({ form, files: [{ path, text }] });
  out(text);
  const then = block.mcp ? THEN_TOOLS : THEN_CHECK;
  const where = {
    settings: `Add this to ${name(path)}, or to the configuration that generates it.`,
    nix: "Import this module into your home-manager configuration, and switch to it.",
    managed: `Save this as ${name(path)}; it applies to every user of this machine.`,
  };
  say(`${where[form]} ${then}`);
  if (form === "managed" && isWithin(self.command, context.paths.home)) {
    say(`warning: other users cannot run ${name(self.command)}; install memo in a shared folder`);
  }
}

/**
 * Settings as a module of home-manager. Its `mcpServers` is not used: it makes them a plugin's, whose tools have other
 * names than those that memo knows and allows.
 */
export function moduleOf(settings: object): string {
  return `{\n  programs.claude-code = ${nixOf({ enable: true, settings }, "  ")};\n}\n`;
}

/** A name that Nix takes without quotes: none of its keywords. */
const NAME = /^(?!(?:assert|else|if|in|inherit|let|or|rec|then|with)$)[a-z_][\w-]*$/i;

/** A value of JSON in Nix. */
function nixOf(value: unknown, indent: string): string {
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    const items = value.map((each) => nixOf(each, inner)), line = ["[", ...items, "]"].join(" ");
    const isShort = line.length <= 60 && !line.includes("\n");
    return isShort ? line : `[\n${items.map((each) => `${inner}${each}\n`).join("")}${indent}]`;
  }
  if (typeof value === "object" && value !== null) {
    const rows = Object.entries(value).map(([key, each]) =>
      `${inner}${NAME.test(key) ? key : nixOf(key, "")} = ${nixOf(each, inner)};\n`
    );
    return rows.length === 0 ? "{ }" : `{\n${rows.join("")}${indent}}`;
  }
  // Only `${` means more to Nix than to JSON.
  return JSON.stringify(value).replaceAll("${", "\\${");
}
