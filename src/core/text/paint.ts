import { styleText } from "node:util";

type Style = Parameters<typeof styleText>[0];
type Env = Readonly<Record<string, string | undefined>>;

/** When to use colour: `auto` unless `--color` says otherwise. */
export type ColorMode = "auto" | "always" | "never";

let mode: ColorMode = "auto";

/** Applies `--color`. */
export function setColor(when: ColorMode): void {
  mode = when;
}

/** Styles text if stdout shows colour. */
export function paint(style: Style, text: string): string {
  return hasColor(process.env) ? styleText(style, text, { validateStream: false }) : text;
}

/** Whether to use colour: by default on a terminal that has it, unless `NO_COLOR` is set. */
function hasColor({ NO_COLOR, TERM = "" }: Env): boolean {
  if (mode !== "auto") return mode === "always";
  const isCapable = process.platform === "win32" || (TERM !== "" && TERM !== "dumb");
  return process.stdout.isTTY && isCapable && !NO_COLOR;
}
