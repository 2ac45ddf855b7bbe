// What runs is decided by the first word alone, so that a hook loads the hook client and nothing else.
if (process.argv[2] === "hook") {
  const { runHook } = await import("../hooks/client.ts");
  await runHook();
} else {
  process.umask(0o077);
  const { runCli } = await import("./cli/mod.ts");
  process.exitCode = await runCli(process.argv.slice(2));
}
