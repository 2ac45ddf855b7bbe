import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { parse } from "yaml";
import { type Verdict, VERDICTS } from "../../../src/obedience/verdicts.ts";
import type { Conversation, Step } from "../../../bench/sessions/conversation.ts";

/** A rule, as a memory. */
export interface Rule {
  readonly name: string;
  readonly body: string;
}

/** What a turn did with a rule; where people would differ, no verdict is right too. */
export interface Truth {
  readonly verdict: Verdict;
  readonly isOptional: boolean;
}

/** A conversation, the rules that it was held under, and what each turn did with them. */
export interface JudgedConversation extends Conversation {
  readonly lang: string;
  /** By id. */
  readonly rules: ReadonlyMap<string, Rule>;
  /** Of each turn, by the rule's id. */
  readonly truths: readonly ReadonlyMap<string, Truth>[];
}

interface Written {
  readonly lang: string;
  readonly at: string;
  readonly rules: readonly string[];
  readonly turns: readonly {
    readonly user: string;
    readonly steps: readonly Step[];
    readonly truth: Readonly<Record<string, string>>;
  }[];
}

/** Reads the suite from its folder; throws for a rule or verdict that it does not have. */
export function readObedienceSuite(folder: string): JudgedConversation[] {
  const rules = parse(readFileSync(join(folder, "rules.yaml"), "utf8")) as Record<string, Rule>;
  const stories = join(folder, "conversations");
  return readdirSync(stories).filter((name) => name.endsWith(".yaml")).sort().map((name) => {
    const id = basename(name, ".yaml");
    const { lang, at, rules: given, turns } = parse(
      readFileSync(join(stories, name), "utf8"),
    ) as Written;
    const ruleOf = (rule: string): Rule => {
      const found = given.includes(rule) ? rules[rule] : undefined;
      if (found === undefined) throw new Error(`${name}: there is no rule \`${rule}\``);
      return found;
    };
    return {
      ...{ id, lang, at, project: id, turns },
      rules: new Map(given.map((rule) => [rule, ruleOf(rule)])),
      truths: turns.map(({ truth }) =>
        new Map(
          Object.entries(truth).map(([rule, said]) => {
            ruleOf(rule);
            const verdict = VERDICTS.find((each) => each === said.replace("?", ""));
            if (verdict === undefined) throw new Error(`${name}: what is \`${said}\`?`);
            return [rule, { verdict, isOptional: said.endsWith("?") }];
          }),
        )
      ),
    };
  });
}
