import assert from "node:assert/strict";
import { matchesCall, readCall } from "../../src/guard/call.ts";
import { isPattern, type Pattern } from "../../src/guard/pattern.ts";

const ROOT = "/home/dev/app";

const stops = (pattern: Pattern, command: string, cwd = ROOT) =>
  matchesCall(pattern, readCall({ tool: "Bash", input: { command }, cwd })!, { root: ROOT });
const edits = (path: string, file: string) =>
  matchesCall({ path }, readCall({ tool: "Edit", input: { file_path: file }, cwd: ROOT })!, {
    root: ROOT,
  });

/** Commands that a pattern stops, and those that it lets through. */
const COMMANDS: readonly (readonly [string, readonly string[], readonly string[]])[] = [
  ["git push --force", [
    "git push --force",
    "git push -f",
    "git push -uf origin x",
    "git -C app -c a=b push origin +main",
    "git push origin +a:b",
  ], [
    "git push",
    "git push --force-with-lease",
    "git push --force --dry-run",
    "git push origin force",
    "git pull --force",
    "git push -o f origin x",
    "git push -- -f",
    "git $X push --force",
    "git push $OPTIONS",
  ]],
  ["git push --force-with-lease", [
    "git push --force-with-lease=main:abc",
  ], ["git push --force"]],
  ["git push main", [
    "git push origin main",
    "git push origin HEAD:main",
    "git push origin +x:refs/heads/main",
  ], [
    "git push",
    "git push origin main-menu",
    "git push origin main:other",
    "git pull origin main",
  ]],
  ["git commit --no-verify", [
    "git commit -n",
    "git commit -anm x",
    "git commit --no-verify -m x",
  ], ["git commit -m n", "git commit -mnew", "git commit -m --no-verify", "git commit"]],
  ["npm", ["npm", "npm ci", "x && npm run a"], ["pnpm", "npm --help", "echo npm", "npm-check"]],
  ["rm -rf", ["rm -rf x", "rm -fr x", "rm -r --force x", "rm -R -f x"], ["rm -r x", "rm -f x"]],
  ["terraform apply", [
    "terraform apply",
    "terraform -chdir=a apply x",
  ], ["terraform plan", "terraform state show apply"]],
  ["kubectl delete", ["kubectl -n a delete pod b"], ["kubectl get pods -l x=delete"]],
  ["docker compose down", [
    "docker compose -p x down",
  ], ["docker compose up", "docker down"]],
  ["psql -h db.prod", ["psql -U a -h db.prod"], ["psql -h db.staging", "psql db.prod"]],
  ["psql *db.prod*", ["psql postgres://a@db.prod/x"], ["psql db"]],
  ["make deploy", ["make clean deploy", "make -j4 deploy"], ["make deploy-docs"]],
];

Deno.test("a command pattern stops the command however it is written, and nothing beside it", () => {
  for (const [command, yes, no] of COMMANDS) {
    for (const line of yes) assert.ok(stops({ command }, line), `${command}: ${line}`);
    for (const line of no) assert.ok(!stops({ command }, line), `${command}: ${line}`);
  }
});

Deno.test("a path pattern stops what changes a file below it, by an edit or by a command", () => {
  assert.ok(edits("gen/", `${ROOT}/gen/a.ts`) && edits("gen/", "pkg/gen/a.ts"));
  assert.ok(!edits("gen/", "src/generate.ts") && !edits("gen/", "/elsewhere/gen/a.ts"));
  assert.ok(
    edits("db/migrations", "db/migrations/1.sql") &&
      !edits("db/migrations", "x/db/migrations/1.sql"),
  );
  assert.ok(edits(".env", "apps/web/.env") && !edits(".env", ".env.local"));
  assert.ok(edits("*.lock", "a/uv.lock") && !edits("*.lock", "a/lock.ts"));
  assert.ok(
    edits("src/**/*.gen.ts", "src/a/b/c.gen.ts") && edits("src/**/*.gen.ts", "src/c.gen.ts"),
  );

  const path = "gen/";
  const changes = [
    "echo x > gen/a.ts",
    "cat y | tee -a gen/a.ts",
    "sed -i.bak s/a/b/ gen/a.ts",
    "rm -rf gen",
    "mv gen/a.ts src/",
    "cp x gen/",
    "cd gen && touch a.ts",
    "git rm gen/a.ts",
    "sudo rm gen/*.ts",
  ];
  for (const line of changes) assert.ok(stops({ path }, line), line);
  const harmless = [
    "cat gen/a.ts > /tmp/x",
    "cp gen/a.ts src/",
    "sed s/a/b/ gen/a.ts",
    "ls gen",
    "make gen",
    "git add gen",
    'cd "$X" && rm gen/a.ts',
    "cd /tmp && rm -r gen",
    "rm ~/gen/a.ts",
    "echo gen/a.ts",
  ];
  for (const line of harmless) assert.ok(!stops({ path }, line), line);
  assert.ok(stops({ path }, "rm a.ts", `${ROOT}/gen`));
});

Deno.test("a pattern that would stop everything is none", () => {
  for (const path of ["", "/", "*", "**", ".", "../x", "a\nb"]) {
    assert.ok(!isPattern({ path }), path);
  }
  for (const command of ["", "*", "a\nb", "-f"]) assert.ok(!isPattern({ command }), command);
  assert.ok(!isPattern({}) && !isPattern(null) && !isPattern({ command: "npm", path: "x" }));
  assert.ok(isPattern({ command: "git push --force" }) && isPattern({ path: "gen/" }));
});
