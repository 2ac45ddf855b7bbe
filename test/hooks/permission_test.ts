import assert from "node:assert/strict";
import { permissionFor } from "../../hooks/permission.ts";
import { TOOL_NAMES } from "../../src/core/link/tools.ts";

const decisionOn = (tool: string, source: unknown, agent_id?: string) => {
  const input = { tool_name: tool, mcp_server: { name: "memo", source }, agent_id };
  return permissionFor(input)?.hookSpecificOutput;
};

Deno.test("every tool of memo's is allowed where its server is the user's or the plugin's", () => {
  for (const name of TOOL_NAMES) {
    const [own, plugin] = [`mcp__memo__${name}`, `mcp__plugin_memo_memo__${name}`];
    assert.match(JSON.stringify(decisionOn(own, "user")), /"allow"/);
    assert.match(JSON.stringify(decisionOn(plugin, "plugin")), /"allow"/);
  }
});

Deno.test("a server that a repository brings, or whose origin is unknown, is left to the user", () => {
  for (const source of ["project", "dynamic", undefined, 7]) {
    assert.equal(decisionOn("mcp__memo__memory_save", source), undefined);
  }
  assert.deepEqual(permissionFor({ tool_name: "mcp__memo__memory_search", mcp_server: null }), {});
});

Deno.test("a subagent may look things up, and changes nothing unasked", () => {
  assert.match(JSON.stringify(decisionOn("mcp__memo__memory_search", "user", "a1")), /"allow"/);
  assert.equal(decisionOn("mcp__memo__memory_forget", "user", "a1"), undefined);
});

Deno.test("a tool that this build does not know, such as a newer server's, is left to the user", () => {
  for (const agent of [undefined, "a1"]) {
    for (const tool of ["memory_wipe", "memory_save_all", "memory_x__memory_search"]) {
      assert.equal(decisionOn(`mcp__memo__${tool}`, "user", agent), undefined, tool);
    }
  }
});

Deno.test("other tools are none of memo's business", () => {
  for (const tool of ["Bash", "Agent", "mcp__memory__memory_save", "mcp__memo__other", 3]) {
    assert.equal(permissionFor({ tool_name: tool }), undefined);
  }
});
