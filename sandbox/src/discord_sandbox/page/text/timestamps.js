/** Times as Discord writes them, and the clock that keeps the relative ones true. */

import { el } from "../elements/element.js";

const LOCALE = "en";
const clock = format({ timeStyle: "short" });
const absolute = {
  t: clock,
  T: format({ timeStyle: "medium" }),
  d: format({ dateStyle: "short" }),
  D: format({ dateStyle: "long" }),
  f: format({ dateStyle: "long", timeStyle: "short" }),
  F: format({ dateStyle: "full", timeStyle: "short" }),
  s: format({ dateStyle: "short", timeStyle: "short" }),
  S: format({ dateStyle: "short", timeStyle: "medium" }),
};
const relative = new Intl.RelativeTimeFormat(LOCALE, { numeric: "always" });
const UNITS = [
  ["second", 1, 60],
  ["minute", 60, 3600],
  ["hour", 3600, 86400],
  ["day", 86400, 86400 * 30],
  ["month", 86400 * 30, 86400 * 365],
  ["year", 86400 * 365, Infinity],
];

function format(options) {
  const formatter = new Intl.DateTimeFormat(LOCALE, options);
  return (date) => formatter.format(date);
}

/** "in 2 minutes", "5 seconds ago". @param {number} seconds from now, negative in the past */
function relativeTime(seconds) {
  const size = Math.abs(seconds);
  for (const [unit, length, limit] of UNITS) {
    const count = Math.round(size / length);
    if (count * length < limit) return relative.format(seconds < 0 ? -count : count, unit);
  }
  return absolute.f(new Date(Date.now() + seconds * 1000));
}

/**
 * `<t:unix:style>` as an element; relative ones tick.
 *
 * @param {number} unix seconds
 * @param {string} style one of t T d D f F s S R
 */
export function timestamp(unix, style = "f") {
  const date = new Date(unix * 1000);
  if (Number.isNaN(date.getTime())) return el("span", { class: "timestamp" }, "Invalid date");
  const node = el("time", { class: "timestamp", datetime: date.toISOString(), title: absolute.F(date) });
  if (style === "R") node.dataset.relative = String(unix);
  node.textContent =
    style === "R" ? relativeTime(unix - Date.now() / 1000) : (absolute[style] ?? absolute.f)(date);
  return node;
}

/** The time behind an author's name: today's by the clock, older ones with their day. */
export function messageTime(iso, brief = false) {
  const date = new Date(iso);
  const shown = brief ? clock(date) : dayAndClock(date);
  return el("time", { class: "sent", datetime: date.toISOString(), title: absolute.F(date) }, shown);
}

function dayAndClock(date) {
  if (sameDay(date, new Date())) return clock(date);
  const yesterday = new Date();
  yesterday.setDate(yesterday.getDate() - 1);
  return sameDay(date, yesterday) ? `Yesterday at ${clock(date)}` : absolute.s(date);
}

export function sameDay(one, other) {
  return one.toDateString() === other.toDateString();
}

/** "November 20, 2025", for the line between two days. */
export function dayName(date) {
  return absolute.D(date);
}

/** Keep every relative time on the page true; called once. */
export function startTicking() {
  setInterval(() => {
    const now = Date.now() / 1000;
    for (const node of document.querySelectorAll("time[data-relative]")) {
      const text = relativeTime(Number(node.dataset.relative) - now);
      if (node.textContent !== text) node.textContent = text;
    }
  }, 1000);
}
