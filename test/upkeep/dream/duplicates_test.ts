import assert from "node:assert/strict";
import { type Compared, findDuplicates } from "../../../src/features/upkeep/dream/duplicates.ts";

const memory = (body: string, fields: Partial<Compared> = {}): Compared => ({
  ...{
    name: "A name",
    description: "",
    type: "tool",
    body,
    tags: [],
    pinned: false,
    confidence: 1,
  },
  ...fields,
});

const SAME: readonly (readonly [string, string])[] = [
  ["Use pnpm in this repository", "use **pnpm** in this repository."],
  ["The staging database listens on port 5433", "Staging database listens on port 5433"],
  ["Deploys need the VPN to be up", "Deploys need the VPN to be up. Please."],
  ["Los tests necesitan la base de datos arriba", "los tests necesitan base de datos arriba."],
  ["部署之前必须运行测试", "部署之前必须运行测试。"],
  ["Never push to the main branch", "Don't push to the main branch!"],
];

const DIFFERENT: readonly (readonly [string, string])[] = [
  ["Use tabs in this repository", "Don't use tabs in this repository"],
  ["Use npm, never pnpm, in here", "Use pnpm, never npm, in here"],
  ["The staging database listens on port 5433", "The staging database listens on port 5434"],
  ["The staging database listens on port 5433", "The production database listens on port 5433"],
  ["Run the linter before the tests of the app", "Run the tests before the linter of the app"],
  ["Migrate the rows from Oracle to Postgres", "Migrate the rows to Oracle from Postgres"],
  ["Always squash commits when merging", "Always squash commits when merging, except on release"],
  ["Deploy on Fridays is allowed here", "Deploy on Fridays is not allowed here"],
  ["Cache responses at the edge always", "Cache responses at the edge only if public"],
  ["Logs are in /var/log/app/today", "Logs are in /var/log/api/today"],
  ["Hay que usar npm en este repositorio", "Nunca hay que usar npm en este repositorio"],
  ["可以直接推送到主分支", "不可以直接推送到主分支"],
  ["テストを実行する必要がある", "テストを実行する必要がない"],
  ["Es ist erlaubt, direkt zu pushen", "Es ist nicht erlaubt, direkt zu pushen"],
  [
    "Always run the integration tests before a merge",
    "Always run the integration tests before a merge in CI",
  ],
  ["Pas de tabs dans ce projet ici", "Des tabs dans ce projet ici"],
];

for (const [pairs, isSame] of [[SAME, true], [DIFFERENT, false]] as const) {
  for (const [one, other] of pairs) {
    Deno.test(`“${one}” and “${other}” ${isSame ? "say the same" : "are two memories"}`, async () => {
      for (const both of [[one, other], [other, one]]) {
        const found = await findDuplicates(both.map((body) => memory(body)));
        assert.equal(found.length, isSame ? 1 : 0);
      }
    });
  }
}

Deno.test("memories of two types or two origins are two, and what waits for review is none", async () => {
  const body = "The wiki is on the intranet host";
  const pairs: Partial<Compared>[] = [{ type: "project" }, { tags: ["read-web"] }, {
    tags: ["suspect"],
  }];
  for (const other of pairs) {
    assert.deepEqual(await findDuplicates([memory(body), memory(body, other)]), []);
  }
});

Deno.test("the longer of two is kept, and of equal ones the pinned", async () => {
  const body = "The wiki is on the intranet host";
  const pinned = memory(body, { pinned: true });
  assert.equal((await findDuplicates([memory(body), pinned]))[0]!.kept, pinned);
  const longer = memory(`${body}. Ada owns the page.`);
  assert.equal((await findDuplicates([pinned, longer]))[0]!.kept, longer);
});
