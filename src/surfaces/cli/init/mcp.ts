import { PERMISSIONS } from "../../../features/install/permissions.ts";
import { NAMES_SERVERS } from "../../../features/install/versions.ts";
import { tilde } from "../../../paths.ts";
import { installHere } from "./install.ts";
import { hasInstall, registration } from "./hooks.ts";
import { settled, type Step, YES_OR_NO, yesOrNo } from "./step.ts";

/** Registers memo's MCP server, and allows those of its tools that only read. */
export const mcp: Step = {
  name: "mcp",
  title: "Tools for Claude",
  summary: "Register memo's MCP server in Claude Code",
  answers: YES_OR_NO,
  notesNo: true,
  async plan(context, planned) {
    if (!hasInstall(context) && !planned.has("hooks")) return settled(); // it belongs to an install
    const isDeclined = registration(context) === false;
    const options = { scope: "user", mcp: true } as const;
    const { change, server } = await installHere(context, { ...options, dryRun: true });
    const changed = [change, ...server === undefined ? [] : [server]]
      .filter(({ before, after }) => before !== after);
    const paths = (all: readonly { path: string }[]) =>
      all.map(({ path }) => `\`${tilde(path, context.env)}\``).join(" and ");
    if (changed.length === 0) return settled("Claude has memo's tools");
    const plan = yesOrNo("Add the tools?", [
      "With memo's MCP server Claude can search memories, and save, update and forget them when you ask it to: at " +
      `once, without a permission dialogue (Claude Code before ${NAMES_SERVERS} asks). \`memo undo\` takes a change back.`,
      `Changes ${paths(changed)}. Allowed without asking: ${PERMISSIONS.join(", ")}`,
      ...isDeclined ? ["Declined before; `memo init --mcp yes` adds them"] : [],
    ], {
      yes: async () => {
        await installHere(context, { ...options, dryRun: false });
        return { did: [`Added memo's tools to ${paths(changed)}`] };
      },
      // Remembered, so that a later `memo init --yes` does not add them all the same.
      no: async () => {
        await installHere(context, { ...options, mcp: false, dryRun: false });
        return { did: [] };
      },
    });
    return { ...plan, initial: isDeclined ? "no" : "yes" };
  },
};
