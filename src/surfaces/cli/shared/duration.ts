import { MemoError } from "../../../errors.ts";

const UNITS: Readonly<Record<string, number>> = { h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 };

/** `30d` in milliseconds; throws a `usage` MemoError that names the command for anything else. */
export function durationOf(text: string, command: string): number {
  const [, count, unit] = /^(\d{1,4})([hdw])$/.exec(text.trim()) ?? [];
  if (count !== undefined) return Number(count) * UNITS[unit!]!;
  throw new MemoError("usage", `Cannot read \`${text}\` as a time`, {
    hint: `Run \`${command} --last 30d\`; units are h, d and w`,
  });
}
