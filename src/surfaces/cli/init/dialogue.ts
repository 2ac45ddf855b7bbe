import wrapAnsi from "wrap-ansi";
import { visible } from "../../../core/text/neutralise.ts";
import { columns, out, paint } from "../shared/output.ts";
import type { Applied, Plan, Step } from "./step.ts";

/** How `memo init` speaks with whoever runs it. */
export interface Dialogue {
  /** It takes the answers of `--yes`: no person is asked. */
  readonly isSilent?: true;
  open(): void;
  /** What a step has found, before anything is changed. */
  show(step: Step, plan: Plan): void;
  /** The answer; undefined: the user has stopped. */
  choose(step: Step, plan: Plan): Promise<string | undefined>;
  did(applied: Applied): void;
  /** Ends with a title, and what to do next. */
  close(lines: readonly [title: string, ...next: string[]]): void;
  /** Gives the terminal back. */
  leave(): void;
}

/** Prints what happens and takes the answers of `--yes`. */
export function silentAnswers(): Dialogue {
  return {
    isSilent: true,
    open() {},
    show({ title }, { shows }) {
      out(`${paint("bold", title)}\n`);
      out(indented(shows));
    },
    choose: (_, { initial }) => Promise.resolve(initial),
    did({ did, warnings = [] }) {
      out(indented(did, paint("green", "✓ ")));
      out(indented(warnings, paint("yellow", "! ")));
    },
    close([title, ...lines]) {
      out(`\n${title}\n`);
      out(indented(lines));
    },
    leave() {},
  };
}

function indented(lines: readonly string[], mark = ""): string {
  return columns(lines.map((line) => ["", mark + visible(line)]));
}

/** Says nothing and takes the answers of `--yes`: the result is printed as JSON. */
export function noDialogue(): Dialogue {
  const nothing = () => {};
  return { ...silentAnswers(), show: nothing, did: nothing, close: nothing };
}

/** Columns that the guide at the left edge takes. */
const GUIDE = 3;

/** Asks in a terminal. */
export async function terminalDialogue(): Promise<Dialogue> {
  const { intro, isCancel, log, outro, select } = await import("@clack/prompts");
  const fit = (lines: readonly string[]) =>
    lines.map((line) => wrapAnsi(visible(line), process.stdout.columns - GUIDE)).join("\n");
  return {
    open: () =>
      intro(`${paint("bold", "memo")}: persistent memory for Claude Code and other agents`),
    show({ title }, { shows }) {
      log.step(paint("bold", title));
      if (shows.length > 0) log.message(fit(shows), { spacing: 0 });
    },
    async choose(_, { question = "", choices, initial }) {
      if (choices.length === 1) return initial;
      const options = choices.map(({ answer, label, hint }) => ({
        value: answer,
        label,
        ...hint !== undefined && { hint },
      }));
      const answer = await select({
        message: question,
        options,
        ...initial !== undefined && { initialValue: initial },
      });
      return isCancel(answer) ? undefined : answer;
    },
    did({ did, warnings = [] }) {
      if (did.length > 0) log.success(fit(did));
      if (warnings.length > 0) log.warn(fit(warnings));
    },
    close([title, ...lines]) {
      if (lines.length > 0) log.message(fit(lines));
      outro(title);
    },
    leave: () => process.exit(), // now and then a terminal that was read from keeps the process
  };
}
