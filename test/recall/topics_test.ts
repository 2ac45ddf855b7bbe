import assert from "node:assert/strict";
import { topicsOf } from "../../src/core/recall/topics.ts";

Deno.test("topics are the words that most titles share, each title counted once", () => {
  const titles = [
    "The Stripe webhook is signed",
    "Stripe test cards",
    "Retry a webhook of Stripe",
    "The webhook log",
    "Webhooks are idempotent",
    "A webhook has a timeout",
    "Two words",
  ];
  assert.deepEqual(topicsOf(titles), [{ name: "webhook", titles: 5 }]);
  assert.deepEqual(topicsOf([...titles, "Stripe fees", "Stripe in Spain", "Stripe's limits"]), [
    { name: "Stripe", titles: 6 },
    { name: "webhook", titles: 3 },
  ]);
});

Deno.test("topics are found in any script, and words of every note are none", () => {
  const titles = ["用数据库存储订单", "数据库的端口", "数据库备份", "每天一次"];
  assert.equal(topicsOf(titles)[0]?.titles, 3);
  assert.deepEqual(topicsOf(["the first time", "another time", "time is up", "no time"]), []);
  assert.deepEqual(topicsOf(["one port", "one box", "only one", "the other one"]), []);
  assert.deepEqual(topicsOf([]), []);
});
