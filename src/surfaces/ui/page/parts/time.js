// @ts-check

const DAY_MS = 86_400_000;
const time = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });
const day = new Intl.DateTimeFormat(undefined, {
  weekday: "short",
  day: "numeric",
  month: "short",
});
const whole = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });

/** The hour and minute of a moment. @param {string} at ISO 8601 */
export function timeOf(at) {
  return time.format(new Date(at));
}

/** The day of a moment: `Today`, `Yesterday`, `Mon, 23 Nov`. @param {string} at ISO 8601 */
export function dayOf(at, now = new Date()) {
  const start = new Date(at).setHours(0, 0, 0, 0);
  const days = Math.round((now.setHours(0, 0, 0, 0) - start) / DAY_MS);
  return days === 0 ? "Today" : days === 1 ? "Yesterday" : day.format(new Date(at));
}

/** A moment in full, for a title. @param {string} at ISO 8601 */
export function momentOf(at) {
  return whole.format(new Date(at));
}

/** How long ago a moment was: `5 min`, `3 h`, `12 d`. @param {string} at ISO 8601 */
export function agoOf(at, now = Date.now()) {
  const minutes = Math.max(0, Math.round((now - Date.parse(at)) / 60_000));
  if (minutes < 60) return `${minutes} min`;
  if (minutes < 48 * 60) return `${Math.round(minutes / 60)} h`;
  return `${Math.round(minutes / 1440)} d`;
}

/** How long something took, as people say it: `<1 ms`, `12 ms`, `1.4 s`. @param {number} ms */
export function lastedOf(ms) {
  return ms < 1 ? "<1 ms" : ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}
