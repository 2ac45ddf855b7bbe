import { findImportable, type Importable } from "../../../features/import/find_importable.ts";
import type { ImportPlan } from "../../../features/import/plan.ts";
import { sourceNamed } from "../../../features/import/sources.ts";
import { tilde } from "../../../paths.ts";
import type { CliContext } from "../shared/command.ts";
import { counted } from "../../../core/text/counted.ts";
import { type Plan, settled, type Step, YES_OR_NO, yesOrNo } from "./step.ts";

/** Takes over the memories of other tools that lie here. */
export const importing: Step = {
  name: "import",
  title: "Import: memories of other tools",
  summary: "Import the memories of other tools found here",
  answers: YES_OR_NO,
  plan: planImport,
};

/** Sources that are not imported unseen: split by guesswork, read by memo in any case, or for money. */
const BY_HAND: readonly string[] = ["auto-memory", "claude-md", "conversations"];

async function planImport(context: CliContext): Promise<Plan> {
  const place = { ...context.place, env: context.env };
  const found = await findImportable(place);
  const unseen = found.filter(({ source }) => !BY_HAND.includes(source));
  const plans: (Importable & { readonly plan: ImportPlan })[] = [];
  for (const each of unseen.filter(({ records }) => records !== undefined)) {
    plans.push({ ...each, plan: await planOf(each, context) });
  }
  const fresh = plans.filter(({ plan }) => plan.steps.length > 0);
  const { env } = context;
  const later = found.filter(({ source }) => BY_HAND.includes(source))
    .map(({ source, path }) => `\`${tilde(path, env)}\`: later, with \`memo import ${source}\``);
  if (fresh.length === 0) return settled(...later);
  return yesOrNo(
    "Import them?",
    [
      ...fresh.map(({ source, path, plan }) =>
        `${source}: ${counted(plan.steps.length, "memory", "memories")} from \`${
          tilde(path, env)
        }\``
      ),
      "Writes a copy of each below `~/.claude/memory`; the other tool keeps its own",
      ...later,
    ],
    async () => {
      const { write } = await import("../import.ts");
      const did: string[] = [];
      for (const { source, plan } of fresh) {
        const { added, updated } = await write(plan, context);
        const count = added.length + updated.length;
        did.push(`Imported ${counted(count, "memory", "memories")} from ${source}`);
      }
      return { did };
    },
  );
}

async function planOf({ source, path }: Importable, context: CliContext): Promise<ImportPlan> {
  const { placeOf, planned } = await import("../import.ts"); // it loads the database's library
  const reading = await sourceNamed(source).read(path, placeOf(context));
  return await planned(source, reading, { options: {}, context });
}
