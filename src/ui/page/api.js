// @ts-check
// What the page asks of the daemon. The token that it needs lives in this module and nowhere else: a page that is
// loaded again has none.

/** An answer that says what went wrong, in a sentence for a person. */
export class CallError extends Error {
  /**
   * @param {string} message
   * @param {{ status: number, hint?: string }} options `status` 0: nobody has answered
   */
  constructor(message, { status, hint }) {
    super(message);
    this.status = status;
    this.hint = hint;
  }

  /** Whether this page has no access any more, or there is nobody at its address. */
  get isEnd() {
    return this.status === 0 || this.status === 401 || this.status === 403;
  }
}

/** Why the address is closed; undefined while it is open. */
let end = /** @type {CallError | undefined} */ (undefined);
/** @type {(error: CallError) => void} */
let onEnd = () => {};

/**
 * Says whom to tell when the address is closed, or is so already.
 * @param {(error: CallError) => void} listener
 */
export function whenOver(listener) {
  onEnd = listener;
  if (end !== undefined) listener(end);
}

/** @param {CallError} error */
function isOver(error) {
  end = error;
  onEnd(error);
}

/** The token of this page, with what it begins with: they are on their way while the page is drawn. */
const session = exchanged();

/**
 * Takes the token from the address and exchanges it; it is out of the address and its history before anything else is
 * done.
 * @returns {Promise<{ token: string, first?: any }>}
 */
async function exchanged() {
  const invitation = location.hash.slice(1);
  history.replaceState(null, "", location.pathname);
  try {
    if (invitation === "") throw new CallError("This page was loaded again", { status: 401 });
    return await send("session", {}, invitation);
  } catch (error) {
    const { message } = /** @type {Error} */ (error);
    const known = error instanceof CallError ? error : new CallError(message, { status: 500 });
    isOver(known);
    throw known;
  }
}

/**
 * What the page begins with, a reply of `now`; undefined when it has been taken, or could not be told.
 * @returns {Promise<any>}
 */
export async function takeFirst() {
  const found = await session, { first } = found;
  delete found.first;
  return first;
}

/**
 * Calls the daemon; throws a `CallError`.
 * @param {string} name
 * @param {object} [params]
 * @returns {Promise<any>}
 */
export async function call(name, params = {}) {
  const { token } = await session;
  try {
    return await send(name, params, token);
  } catch (error) {
    if (error instanceof CallError && error.isEnd) isOver(error);
    throw error;
  }
}

/**
 * @param {string} name
 * @param {object} params
 * @param {string} bearer
 */
async function send(name, params, bearer) {
  let response;
  try {
    response = await fetch(`/api/${name}`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${bearer}` },
      body: JSON.stringify(params),
      cache: "no-store",
      credentials: "omit",
      redirect: "error",
      referrerPolicy: "no-referrer",
    });
  } catch {
    throw new CallError("The daemon does not answer at this address", { status: 0 });
  }
  const reply = await response.json().catch(() => ({}));
  if (response.ok) return reply;
  const { error = `The daemon answered ${response.status}`, hint } = reply;
  throw new CallError(error, { status: response.status, hint });
}
