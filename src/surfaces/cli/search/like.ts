import { visible } from "../../../core/text/neutralise.ts";
import type { CliContext } from "../shared/command.ts";
import { kindColumns } from "../shared/describe.ts";
import { findOne, idsHere } from "../shared/find.ts";
import { columns, out, outJson, paint, say } from "../shared/output.ts";
import { inquire } from "../shared/served.ts";

/** `memo search --like`: lists the memories that are most similar to one. */
export async function searchLike(
  name: string,
  { k, json = false }: { readonly k: number; readonly json?: boolean },
  context: CliContext,
): Promise<void> {
  const { memory } = await findOne([name], context);
  const memories = await inquire("related", { path: memory.path, limit: k }, context);
  if (json) outJson(memories);
  else if (memories.length > 0) {
    const ids = idsHere(memories, context);
    out(columns(memories.map(({ name, type, scope, similarity, linked }, i) => [
      similarity?.toFixed(2) ?? "",
      ids[i]!,
      `${visible(name)}  ${
        paint("dim", [...kindColumns(type, scope), ...linked ? ["linked"] : []].join(", "))
      }`,
    ])));
  }
  if (memories.length > 0) return;
  if (!json) say("No memory is similar; run `memo list` to see all");
  process.exitCode = 1;
}
