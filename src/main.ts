// What runs is decided by the first word alone, so that a hook loads the hook client and nothing else.
const [word] = process.argv.slice(2);
if (word === "hook") {
  const { runHook } = await import("../hooks/client.ts");
  await runHook();
} else {
  process.umask(0o077);
  const { runCli } = await import("./cli/mod.ts");
  const beforeUsage = async () => {
    const { runHookIfAsked } = await import("../hooks/client.ts");
    await runHookIfAsked();
  };
  if (word === undefined) await beforeUsage();
  process.exitCode = await runCli(process.argv.slice(2), process.env, { beforeUsage });
}
