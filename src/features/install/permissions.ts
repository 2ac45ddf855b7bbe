// The permissions that go with memo's MCP server: its tools that only read are used without a question.

import type { Node } from "jsonc-parser";
import { TOOL_NAMES, writesMemories } from "../../core/link/tools.ts";
import { parse } from "./settings_json.ts";
import { property, put, remove, withEmptied } from "./splice.ts";

/** Rules for Claude Code's `permissions.allow`. */
export const PERMISSIONS: readonly string[] = TOOL_NAMES.filter((tool) => !writesMemories(tool))
  .map((tool) => `mcp__memo__${tool}`);

/** Whether settings have these of memo's rules, and no other of them. */
export function hasPermissions(text: string, wanted: readonly string[]): boolean {
  if (text.trim() === "") return wanted.length === 0;
  const found = ownRules(text).map(({ value }) => value);
  return found.length === wanted.length && wanted.every((rule) => found.includes(rule));
}

/** `text` with rules after those that it has. */
export function addPermissions(text: string, rules: readonly string[]): string {
  for (const value of rules) {
    text = put(text, parse(text), { path: ["permissions", "allow"], value, isItem: true });
  }
  return text;
}

/** `text` without memo's rules, and without the lists that become empty. */
export function removePermissions(text: string): string {
  for (;;) {
    const [rule] = ownRules(text);
    if (rule === undefined) return text;
    text = remove(text, withEmptied(rule));
  }
}

function ownRules(text: string): Node[] {
  const permissions = property(parse(text), "permissions");
  const allow = permissions && property(permissions, "allow");
  return (allow?.children ?? []).filter(({ value }) => PERMISSIONS.includes(value));
}
