import assert from "node:assert/strict";
import {
  isPattern,
  matchesCall,
  type Pattern,
  readCall,
} from "../../src/features/guard/pattern.ts";

const ROOT = "/home/dev/app";

const stops = (pattern: Pattern, command: string, cwd = ROOT) =>
  matchesCall(pattern, readCall({ tool: "Bash", input: { command }, cwd })!, ROOT);
const edits = (path: string, file: string) =>
  matchesCall({ path }, readCall({ tool: "Edit", input: { file_path: file }, cwd: ROOT })!, ROOT);

/** Commands that a pattern stops, and those that it lets through. */
const COMMANDS: readonly (readonly [string, readonly string[], readonly string[]])[] = [
  ["git push --force", [
    "git push --force",
    "git push -f",
    "git push -uf origin x",
    "git -C app -c a=b push origin +main",
    "git push origin +a:b",
    "git push --forc",
  ], [
    "git push",
    "git push --follow-tags",
    "git push --force-with-lease",
    "git push --force --dry-run",
    "git push origin force",
    "git pull --force",
    "git push -o f origin x",
    "git push -- -f",
    "git $X push --force",
    "git push $OPTIONS",
  ]],
  ["git push --force-with-lease", ["git push --force-with-lease=main:abc"], ["git push --force"]],
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
  ["docker compose down", ["docker compose -p x down"], ["docker compose up", "docker down"]],
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

Deno.test("readCall() takes the files that an MCP server's tool changes by its arguments", () => {
  const files = (tool: string, input: Record<string, unknown>) =>
    readCall({ tool: `mcp__${tool}`, input, cwd: ROOT })?.files.map((file) =>
      file.replace(`${ROOT}/`, "")
    ) ?? [];
  assert.deepEqual(files("fs__write_file", { path: "gen/a.ts", content: "src/b.ts" }), [
    "gen/a.ts",
  ]);
  assert.deepEqual(files("serena__replace_symbol_body", { relative_path: "gen/a.ts", body: "x" }), [
    "gen/a.ts",
  ]);
  assert.deepEqual(files("ide__createTextFile", { filePath: `file://${ROOT}/gen/a.ts` }), [
    "gen/a.ts",
  ]);
  assert.deepEqual(files("fs__move_file", { source: "gen/a", destination: "b" }), ["gen/a", "b"]);
  assert.deepEqual(files("fs__copy_file", { source: "gen/a", destination: "b" }), ["b"]);
  assert.deepEqual(
    files("gh__push_files", { owner: "o", files: [{ path: "gen/a", content: "c" }] }),
    ["gen/a"],
  );
  assert.deepEqual(files("fs__read_file", { path: "gen/a.ts" }), []);
  assert.deepEqual(files("crm__update_profile", { profile: "gen/a" }), []);
  assert.deepEqual(files("db__delete_row", { table: "gen" }), []);
});

Deno.test("ordinary commands that run others, or pass a text on, are let through", () => {
  const patterns = [
    ...["git push --force", "git reset --hard", "git commit --no-verify", "npm", "rm -rf"],
    ...["git rebase", "docker compose down", "terraform apply", "pip install"],
  ];
  const lines = [
    "git log --oneline | head -5",
    "echo 'never git push -f' >> NOTES.md",
    "cat <<'E' > Makefile\ndeploy:\n\tgit push -f\nE",
    "cat <<'E' | grep -c push\ngit push -f\nE",
    "cat <<E | gh pr create --body-file -\nWe used git push --force here; npm ci too.\nE",
    "psql <<'E'\nselect 'rm -rf /';\nE",
    "python3 - <<'E'\nprint('npm install')\nE",
    "bash scripts/check.sh <<< 'npm ci'",
    "source <(kubectl completion bash)",
    ". ./env.sh <<< 'npm ci'",
    "diff <(echo git push -f) <(echo npm ci)",
    "docker build -t npm . && docker run --rm npm",
    "docker run -d --name npm nginx",
    "docker compose up -d npm",
    "kubectl exec web",
    "git commit -F - <<'E'\nNo git reset --hard any more\nE",
    "git -c alias.st='status -sb' st",
    "git -c core.editor=true commit --amend --no-edit",
    "git push --follow-tags origin v1",
    "git push origin {main,next}",
    "git reset --soft HEAD~1",
    "mkdir -p src/{npm,git}/push",
    "touch {a,b}.ts && rm -r {a,b}.ts",
    "env -i PATH=$PATH HOME=/tmp pnpm test",
    "env NODE_ENV=test FORCE_COLOR=$C pnpm run build",
    "watch -n 2 'git status -sb'",
    "trap 'kill $PID' EXIT; pnpm dev & PID=$!",
    "trap - INT TERM",
    "su postgres -c 'psql -l'",
    "script -qc 'pnpm test' /dev/null",
    "npx -c 'vitest run'",
    "busybox httpd -f -p 8080",
    "echo src | xargs ls",
    "git ls-files | xargs wc -l",
    "flock /tmp/build.lock pnpm build",
    "echo 'select 1' | docker compose exec -T db psql",
    "printf '%s\\n' git push -f | sort",
  ];
  for (const line of lines) {
    assert.equal(patterns.find((command) => stops({ command }, line)), undefined, line);
  }
});
