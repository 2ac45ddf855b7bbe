// Adds a memory and finds it again: node example.mjs

import { openMemo } from "claude-code-memo";

const memo = openMemo();
const { name, path } = await memo.add("Deploys go out on Tuesdays, with `just ship`", {
  tags: ["release"],
});
console.log(`Added ${name}: ${path}`);
for (const { name, score } of await memo.search("when do we deploy?", { limit: 3 })) {
  console.log(score.toFixed(2), name);
}
const { block } = await memo.recall("when can I deploy the shop?");
console.log(block);
console.log((await memo.list({ tag: "release" })).map(({ name }) => name));
