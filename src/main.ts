// What runs is decided by the first word alone, so that a hook loads the hook client and nothing else.
import type { HookHost } from "../hooks/client.ts";

const [word] = process.argv.slice(2);
const host: HookHost = {
  env: process.env,
  async settingsHaveHooks(...where) {
    const { settingsHaveHooks } = await import("./features/install/settings_file.ts");
    return settingsHaveHooks(...where);
  },
};
if (word === "hook") {
  const { runHook } = await import("../hooks/client.ts");
  await runHook(host);
} else {
  process.umask(0o077);
  const { runCli } = await import("./surfaces/cli/mod.ts");
  const beforeUsage = async () => {
    const { runHookIfAsked } = await import("../hooks/client.ts");
    await runHookIfAsked(host);
  };
  if (word === undefined) await beforeUsage();
  process.exitCode = await runCli(process.argv.slice(2), process.env, { beforeUsage });
}
