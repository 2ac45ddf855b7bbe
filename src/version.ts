/** memo's version, the same as in `deno.json` (a test compares them). */
export const VERSION = "0.1.0";

/**
 * Names this very build: `tools/compile.ts` puts a hash of the sources here, so that a daemon of an
 * older build with the same version number is replaced too.
 */
export const BUILD: string = process.env["MEMO_BUILD"] ?? `${VERSION}-dev`;
