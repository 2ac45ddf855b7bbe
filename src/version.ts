/** memo's version, the same as in `deno.json` (a test compares them). Only a trial of an upgrade is built with another. */
export const VERSION: string = process.env["MEMO_VERSION"] ?? "0.1.0";

// The rest is known to the executable alone: `tools/compile` puts it in.

/** Names this very build by a hash of its sources: a daemon of an older build with the same version is replaced too. */
export const BUILD: string = process.env["MEMO_BUILD"] ?? `${VERSION}-dev`;

/** The commit that it was built from, with a `+` where files had been changed since; empty when it is not known. */
export const COMMIT: string = process.env["MEMO_COMMIT"] ?? "";

/** The platform that it was built for, as archives of releases name it. */
export const TARGET: string = process.env["MEMO_TARGET"] ?? `${process.platform}-${process.arch}`;

/** The embedding model inside. */
export const MODEL: string = process.env["MEMO_MODEL"] ?? "";

/** Where releases of this build's origin are; empty for one that was built by hand. */
export const RELEASES: string = process.env["MEMO_RELEASES"] ?? "";

/** The public keys, as minisign writes them, that a release has to be signed with one of. */
export const KEYS: readonly string[] = (process.env["MEMO_KEYS"] ?? "").split(" ").filter(Boolean);
