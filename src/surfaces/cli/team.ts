import type { Command } from "commander";
import type { CliContext } from "./shared/command.ts";
import { defineAccess, defineMembership } from "./team/membership.ts";
import { defineReview } from "./team/review.ts";

/** `memo team`: notes that a team shares through a libSQL server, and that only people let in. */
export function define(command: Command, context: CliContext): void {
  defineMembership(command, context);
  defineReview(command, context);
  defineAccess(command, context);
}
