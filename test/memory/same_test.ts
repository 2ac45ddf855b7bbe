import assert from "node:assert/strict";
import { isSubsumedBy, statementsOf, valuesIn } from "../../src/memory/same.ts";
import { titleOf } from "../../src/memory/title.ts";

/** A memory as `memo add` makes it of a text. */
function said(body: string) {
  return statementsOf({ name: titleOf(body).name, description: "", body });
}

function saysSame(one: string, other: string): boolean {
  return isSubsumedBy(said(one), said(other)) || isSubsumedBy(said(other), said(one));
}

const TWO: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  names: [
    ["Never restart worker-a by hand", "Never restart worker-b by hand"],
    ["Never restart worker a", "Never restart worker b"],
    ["The staging database is in Frankfurt", "The production database is in Frankfurt"],
    ["Customer Alpha uses the alpha-1 cluster", "Customer Beta uses the alpha-1 cluster"],
    ["Client A pays by invoice", "Client B pays by invoice"],
    ["Ask Ann about billing", "Ask Anne about billing"],
    ["Use the requests library", "Use the request library"],
    [
      "Always import the 'locale' module even if it is not used",
      "Always import the 'bz2' module even if it is not used",
    ],
    [
      "Always add the '@timer_class' decorator to all classes",
      "Always add the '@trace_class' decorator to all classes",
    ],
    [
      "Always include a single digit in argument names",
      "Always include a single digit in method names",
    ],
    ["Always include try statements in methods", "Always include assert statements in methods"],
    ["The red button opens the door", "The blue button opens the door"],
    ["Die Rechnungen gehen an die Firma Huber", "Die Rechnungen gehen an die Firma Hubert"],
    ["El cliente Norte quiere informes semanales", "El cliente Sur quiere informes semanales"],
    ["客户甲使用红色主题", "客户乙使用红色主题"],
  ],
  numbers: [
    ["Client 1 likes red", "Client 2 likes red"],
    ["Heron-1 is the build server", "Heron-2 is the build server"],
    ["Redis listens on port 6379", "Redis listens on port 6380"],
    ["Keep three backups of the database", "Keep four backups of the database"],
    ["Die Sitzung endet nach 15 Minuten", "Die Sitzung endet nach 50 Minuten"],
    ["El límite es de 100 peticiones", "El límite es de 1000 peticiones"],
    ["每次最多上传五个文件", "每次最多上传六个文件"],
  ],
  units: [
    ["The timeout is 30 s", "The timeout is 30 ms"],
    ["Uploads are limited to 10 MB", "Uploads are limited to 10 GB"],
    ["The line has 10 Mb", "The line has 10 MB"],
    ["Prices are in EUR", "Prices are in USD"],
    ["Der Cache hält 5 Minuten", "Der Cache hält 5 Stunden"],
    ["El plazo es de 3 días", "El plazo es de 3 semanas"],
    ["缓存保留三天", "缓存保留三周"],
  ],
  negations: [
    ["Do log request bodies", "Do not log request bodies"],
    ["Use npm, never pnpm", "Use pnpm, never npm"],
    ["Deploy on Fridays", "Never deploy on Fridays"],
    ["We use Redis for sessions", "We no longer use Redis for sessions"],
    ["We do not use Redis", "We no longer use Redis"],
    ["The API is versioned", "The API isn't versioned"],
    ["Der Nutzer will Zusammenfassungen", "Der Nutzer will keine Zusammenfassungen"],
    ["Die Logs werden gelöscht", "Die Logs werden nicht gelöscht"],
    ["Hay que usar npm aquí", "Nunca hay que usar npm aquí"],
    ["Los registros se borran", "Los registros no se borran"],
    ["星期五部署", "星期五不部署"],
    ["可以推送到主分支", "不可以推送到主分支"],
    ["Fail when the code = 0", "Fail when the code != 0"],
    ["Retry when it takes > 30 s", "Retry when it takes < 30 s"],
  ],
  conditions: [
    ["Run the linter", "Run the linter on Fridays"],
    ["Run the linter in CI", "Run the linter"],
    ["Use mocks", "Use mocks only in tests"],
    ["Use mocks", "Use mocks. Only in tests."],
    ["Run the tests before the build", "Run the tests after the build"],
    ["Squash commits when merging", "Squash commits when merging, except on release"],
    ["Deploy on Mondays", "Deploy on Tuesdays"],
    ["Migrate from Oracle to Postgres", "Migrate to Oracle from Postgres"],
    ["Tests laufen lassen", "Tests nur in der CI laufen lassen"],
    ["Vor dem Release einfrieren", "Nach dem Release einfrieren"],
    ["Ejecuta las pruebas", "Ejecuta las pruebas solo en CI"],
    ["Si falla, avisa a Ana", "Avisa a Ana"],
    ["部署前运行测试", "部署后运行测试"],
    ["使用模拟数据", "仅在测试中使用模拟数据"],
  ],
  order: [
    ["Stop the server. Delete the data.", "Delete the data. Stop the server."],
    ["1. Build\n2. Test", "1. Test\n2. Build"],
    ["Lint, test, deploy", "Deploy, test, lint"],
    ["Ana reviews what Bob writes", "Bob reviews what Ana writes"],
  ],
  signs: [
    ["No, tests are needed", "No tests are needed"],
    ["Ports 5000 - 5010 are free", "Ports 5000, 5010 are free"],
    ["Ignore *Test.java", "Ignore Test.java"],
    ["The build takes -5 degrees", "The build takes 5 degrees"],
    ["Is the cache shared?", "The cache is shared"],
    ["Use C++ for the agent", "Use C# for the agent"],
    ["Match src/**", "Match src/*"],
  ],
  versions: [
    ["Build with Node 20", "Build with Node 22"],
    ["Pin React to ^18.2.0", "Pin React to ~18.2.0"],
    ["Wir bauen mit Go 1.22", "Wir bauen mit Go 1.23"],
    ["Usamos Python 3.11", "Usamos Python 3.12"],
    ["我们使用 Java 17", "我们使用 Java 21"],
  ],
  paths: [
    ["Logs are in /var/log/app", "Logs are in /var/log/api"],
    ["Settings are in .env", "Settings are in .env.local"],
    ["Import from ./lib", "Import from ../lib"],
    ["Die Skripte liegen in tools/", "Die Skripte liegen in tool/"],
    ["Las migraciones están en db/migrate", "Las migraciones están en db/seeds"],
    ["配置在 src/config.ts", "配置在 src/config.js"],
  ],
  identifiers: [
    ["Always end method names with '_x'", "Always end method names with '_b'"],
    ["Always end method names with '_x'", "Always start method names with '_x'"],
    ["Function argument names end with '_i'", "Attribute names end with '_i'"],
    ["Prefix constants with `K`", "Prefix constants with `k`"],
    ["Pass -v to the tool", "Pass -V to the tool"],
    ["Call getUser first", "Call getUsers first"],
    ["Set DB_HOST in the shell", "Set DB_PORT in the shell"],
    ["Das Feld heißt `user_id`", "Das Feld heißt `user_ids`"],
    ["El campo se llama `fecha_alta`", "El campo se llama `fecha_baja`"],
    ["字段名是 `user_id`", "字段名是 `order_id`"],
  ],
};

const ONE: readonly (readonly [string, string])[] = [
  ["Use pnpm, never npm, to install packages", "use pnpm never npm to install packages!"],
  ["Use pnpm, never npm, to install packages", "To install packages, use pnpm, never npm."],
  ["Use pnpm, not npm", "use `pnpm`, never `npm`"],
  ["Use pnpm instead of npm", "Use pnpm, not npm."],
  ["Never push to the main branch", "Don't push to the main branch"],
  ["Do not push to the main branch", "Please never push to main branch."],
  ["Always use docstrings in functions", "Use docstrings in functions"],
  ["Make sure to use docstrings in functions", "Always use docstrings in functions!"],
  ["Deploy on Fridays", "On Fridays, deploy"],
  ["When CI is red, do not merge", "Never merge when CI is red"],
  ["Uploads are limited to 10MB", "Uploads are limited to 10 MB."],
  ["The staging database listens on port 5433", "**Staging database listens on port 5433**"],
  ["Always end method names with '_x'", "Always end method names with `_x`."],
  [
    "Always add the '@trace' decorator to all functions",
    "always add the `@trace` decorator to all functions",
  ],
  ["No, use pnpm", "Use pnpm"],
  ["Use *pnpm* here", "Use **pnpm** here"],
  ["Use pnpm - never npm", "Use pnpm, never npm"],
  ["We use squash merges", "Use squash merges"],
  ["You must always run the linter", "run the linter"],
  ["Logs are in `/var/log/app`", "Logs are in /var/log/app"],
  ["The API is not versioned", "The API isn't versioned."],
  ["- Ask Ada about billing", "Ask Ada about billing"],
  ["Remember to rotate the keys in May", "Rotate the keys in May"],
  ["Retries are never logged", "Retries are not logged"],
  ["Use “snake_case” for class names", "Use snake_case for class names"],
  ["Nie direkt auf main pushen", "nicht direkt auf main pushen!"],
  ["Bitte immer die Tests laufen lassen", "Die Tests laufen lassen"],
  ["Wenn die CI rot ist, nicht mergen", "Nicht mergen, wenn die CI rot ist"],
  ["Für Pakete pnpm statt npm nehmen", "Für Pakete pnpm, nie npm nehmen"],
  ["Nunca subas directamente a main", "No subas directamente a main"],
  ["Para instalar paquetes, usa pnpm", "Usa pnpm para instalar paquetes"],
  ["Por favor, usa siempre los tests de integración", "usa los tests de integración"],
  ["Usa pnpm en vez de npm", "Usa pnpm, no npm"],
  ["Los informes van a la carpeta `salida`", "los informes van a la carpeta salida."],
  ["不要直接推送到主分支", "请勿直接推送到主分支。"],
  ["部署之前请运行测试", "部署之前运行测试！"],
  ["始终使用 pnpm，不要使用 npm", "使用 pnpm，绝不使用 npm"],
  ["数据库的端口是5433", "数据库端口是 5433"],
  ["使用 `pnpm` 安装依赖", "使用pnpm安装依赖"],
];

for (const [kind, pairs] of Object.entries(TWO)) {
  Deno.test(`texts that differ in their ${kind} are two`, () => {
    for (const [one, other] of pairs) {
      assert.equal(saysSame(one, other), false, `${one} / ${other}`);
    }
  });
}

Deno.test("a text that is only worded differently says the same", () => {
  assert.deepEqual(ONE.filter(([one, other]) => !saysSame(one, other)), []);
});

Deno.test("a text with more sentences has what the shorter one says, unless they limit it", () => {
  const long = said("Use pnpm, never npm. npm made a second lockfile.");
  assert.ok(isSubsumedBy(said("Use pnpm, never npm"), long));
  assert.equal(isSubsumedBy(long, said("Use pnpm, never npm")), false);
  for (const limit of ["Only in tests.", "Except for the docs.", "When CI asks for it."]) {
    assert.equal(isSubsumedBy(said("Use mocks"), said(`Use mocks. ${limit}`)), false, limit);
  }
});

Deno.test("another name, or a description with another value, is another memory", () => {
  const rule = { name: "Worker A", description: "", body: "Never restart it." };
  assert.equal(
    isSubsumedBy(statementsOf({ ...rule, name: "Worker B" }), statementsOf(rule)),
    false,
  );
  const [staging, production] = ["5433", "6543"].map((port) =>
    statementsOf({ ...rule, description: `The one on port ${port}` })
  );
  assert.equal(isSubsumedBy(staging!, production!), false);
});

Deno.test("a long word takes about as long as many short ones of the same length", () => {
  const timed = (text: string) => {
    const started = performance.now();
    valuesIn(text);
    return performance.now() - started;
  };
  const short = timed(("x".repeat(99) + " ").repeat(1000));
  const long = timed("x".repeat(100_000));
  assert.ok(long < 100 * Math.max(short, 1), `${long} ms, in short words ${short} ms`);
});
