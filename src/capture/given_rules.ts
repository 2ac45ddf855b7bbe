// Which rules to ask about with a piece of a conversation, and what the answers become.

import { keyOf } from "../memory/suggested.ts";
import type { MemoryFile } from "../memory/memory.ts";
import { isSuspectMemory } from "../memory/provenance.ts";
import { hasTrait } from "../memory/types.ts";
import { type Judgement, type TurnVerdict, VERDICTS } from "./verdicts.ts";
import { isRule } from "../text/rule.ts";
import type { Turn } from "../transcript/turn.ts";
import type { RuleVerdict } from "./candidate.ts";
import { type KnownFile, likeliest } from "./known.ts";
import type { Piece } from "./pieces.ts";

/** Whether the model had a memory, as it is now, in a turn. */
export type WasGiven = (turn: Turn, memory: MemoryFile) => boolean;

/** Rules to ask about with one piece, likeliest first: each costs tokens, and most are about other work. */
const MOST = 12;

/** The rules that the model had in some turn of a piece, by id. */
export function rulesGiven(
  { text, turns }: Piece,
  known: readonly KnownFile[],
  wasGiven: WasGiven,
): Map<string, KnownFile> {
  const given = known.filter((file) =>
    [...turns.values()].some((turn) => isRuleGiven(file, turn, wasGiven))
  );
  const likely = [...likeliest(text, given).values()].slice(0, MOST);
  return new Map(likely.map((rule, i) => [`r${i + 1}`, rule]));
}

/** Whether the model had a memory as a rule in a turn. */
export function isRuleGiven({ memory }: KnownFile, turn: Turn, wasGiven: WasGiven): boolean {
  return isObliging(memory) && !isSuspectMemory(memory) && wasGiven(turn, memory);
}

function isObliging({ type, name, body }: MemoryFile): boolean {
  return hasTrait(type, "order") || isRule(name) || isRule(body);
}

/** What became of the rules of a piece; an unknown id or turn, or a turn without the rule, is dropped. */
export function judgementsOf(
  verdicts: readonly RuleVerdict[],
  { turns }: Piece,
  { rules, wasGiven }: {
    readonly rules: ReadonlyMap<string, KnownFile>;
    readonly wasGiven: WasGiven;
  },
): Judgement[] {
  return [...rules].map(([id, { memory }]): Judgement => {
    const having = [...turns].filter(([, turn]) => wasGiven(turn, memory));
    const [, first] = having[0]!;
    const said = new Map(
      verdicts.filter((each) => each.id === id).map(({ turn, verdict }) => [turn, verdict]),
    );
    return {
      path: memory.path,
      key: keyOf(memory),
      session: first.session,
      at: first.at,
      given: having.length,
      turns: having.flatMap(([number, { id, promptId }]): TurnVerdict[] => {
        const verdict = said.get(number);
        return verdict === undefined
          ? []
          : [{ turn: id, ...promptId !== undefined && { prompt: promptId }, verdict }];
      }),
    };
  });
}

/** Judgements with one for each rule and first turn: a long turn is asked about in parts, and its worst part counts. */
export function mergedByTurn(judgements: readonly Judgement[]): Judgement[] {
  const groups = Map.groupBy(judgements, ({ path, at }) => JSON.stringify([path, at]));
  return [...groups.values()].map((its) => {
    const turns = Map.groupBy(its.flatMap(({ turns }) => turns), ({ turn }) => turn);
    return {
      ...its[0]!,
      given: Math.max(...its.map(({ given }) => given)),
      turns: [...turns.values()].map((verdicts) =>
        verdicts.reduce((worst, each) =>
          VERDICTS.indexOf(each.verdict) > VERDICTS.indexOf(worst.verdict) ? each : worst
        )
      ),
    };
  });
}
