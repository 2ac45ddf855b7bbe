import assert from "node:assert/strict";
import { addressOf, isSameProject } from "../../src/core/memory/project.ts";

Deno.test("every way to write a remote's address is one address", () => {
  const same = [
    "git@github.com:ada/shop.git",
    "https://github.com/ada/shop",
    "https://ada:token@GitHub.com/ada/shop.git/",
    "ssh://git@github.com:22/ada/shop.git",
    "git://github.com/ada/shop",
  ];
  assert.deepEqual([...new Set(same.map(addressOf))], ["github.com/ada/shop"]);
  assert.equal(addressOf("/srv/git/shop.git"), "file/srv/git/shop");
  assert.equal(addressOf("file:///srv/git/shop"), "file/srv/git/shop");
  assert.equal(addressOf("C:\\git\\shop"), "file/C:\\git\\shop");
  assert.equal(addressOf(""), undefined);
});

Deno.test("a fork is a project of its own, a clone without remote is not", () => {
  const of = (remotes: string[], commits: string[], name = "shop") => ({ name, remotes, commits });
  assert.ok(isSameProject(of(["h/a"], ["1"]), of(["h/b", "h/a"], ["1"])));
  assert.ok(!isSameProject(of(["h/a"], ["1"]), of(["h/fork"], ["1"])));
  assert.ok(isSameProject(of(["h/a"], ["1"]), of([], ["1"])));
  assert.ok(!isSameProject(of([], ["1"]), of([], ["2"])));
  assert.ok(isSameProject(of([], []), of([], [])));
  assert.ok(!isSameProject(of([], []), of([], [], "blog")));
});
