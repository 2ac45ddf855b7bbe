import { resolve } from "node:path";
import { rowOf } from "./programs.ts";
import type { ShellWord, SimpleCommand } from "./shell.ts";

/** Which operands of a program name files that it changes. */
const WRITERS: Readonly<Record<string, (operands: readonly ShellWord[]) => readonly ShellWord[]>> =
  {
    rm: (all) => all,
    rmdir: (all) => all,
    mv: (all) => all,
    cp: (all) => all.slice(-1),
    ln: (all) => all.slice(-1),
    install: (all) => all.slice(-1),
    touch: (all) => all,
    truncate: (all) => all,
    tee: (all) => all,
    unlink: (all) => all,
    shred: (all) => all,
  };

/** Programs that change files in place, with the option for it; their first operand is what they do. */
const IN_PLACE: Readonly<Record<string, RegExp>> = {
  sed: /^(?:-[a-zA-Z]*i.*|--in-place.*)$/,
  perl: /^-[a-zA-Z]*i.*$/,
};

/** The files that a command changes for sure, absolute. */
export function writtenBy({ program, args, writes, cwd }: SimpleCommand): string[] {
  if (cwd === undefined) return [];
  const named = [...writes, ...filesOf(program, args)];
  return named.flatMap((file) =>
    file === undefined || file.startsWith("~") ? [] : resolve(cwd, file)
  );
}

function filesOf(program: string, args: readonly ShellWord[]): readonly ShellWord[] {
  const operands = args.filter((arg) => arg === undefined || !arg.startsWith("-"));
  const inPlace = rowOf(IN_PLACE, program);
  if (inPlace !== undefined) {
    return args.some((arg) => arg !== undefined && inPlace.test(arg)) ? operands : [];
  }
  if (program === "git") {
    const [subcommand, ...rest] = operands;
    return subcommand === "rm" || subcommand === "mv" ? rest : [];
  }
  if (program === "dd") return args.flatMap((arg) => arg?.startsWith("of=") ? arg.slice(3) : []);
  return rowOf(WRITERS, program)?.(operands) ?? [];
}
