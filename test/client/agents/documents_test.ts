import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { agentNamed } from "../../../src/features/install/agents/mod.ts";
import { PROGRAMS } from "../../support/agents.ts";

Deno.test("the documents name the agents whose forks were not tried", () => {
  const labels = Object.entries(PROGRAMS).filter(([, { forks }]) => !forks)
    .map(([name]) => agentNamed(name)!.label);
  const said = readFileSync(new URL("../../../docs/agents.md", import.meta.url), "utf8");
  assert.ok(said.includes(`- ${labels.join(" and ")} cannot fork a session`));
});
