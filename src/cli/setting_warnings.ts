import { accessSync, constants } from "node:fs";
import { isLoopback } from "../embed/download.ts";
import { messageOf } from "../errors.ts";

type Value = string | number | boolean;

/** What to look out for with the values of some settings. */
const CHECKS: Readonly<Record<string, (value: string) => string | undefined>> = {
  "llm.base_url": unencrypted,
  "llm.key_file": unreadable,
  "embed.key_file": unreadable,
};

/** What is dubious about a value that a setting takes all the same. */
export function warningsOf(key: string, value: Value): string[] {
  const warning = value === "" ? undefined : CHECKS[key]?.(String(value));
  return warning === undefined ? [] : [warning];
}

function unencrypted(address: string): string | undefined {
  const url = new URL(address);
  if (url.protocol === "https:" || isLoopback(url)) return undefined;
  return `\`${address}\` is not encrypted: the API key and your conversations can be read on the way`;
}

function unreadable(path: string): string | undefined {
  try {
    accessSync(path, constants.R_OK);
    return undefined;
  } catch (error) {
    return `cannot read \`${path}\`: ${messageOf(error)}`;
  }
}
