/**
 * The key that opens the sandbox to this page. The printed address ends with it (`#key=…`), so it is never sent with a
 * request for the page. It is kept for this tab, and for tabs that this one opens.
 */

const STORED = "page-key";

/** Keep the key of the address for this tab, and take it out of the address. */
export function takePageKey() {
  const key = new URLSearchParams(location.hash.slice(1)).get("key");
  if (key === null) return;
  sessionStorage.setItem(STORED, key);
  history.replaceState(null, "", `${location.pathname}${location.search}`);
}

/** @returns {string} the key, or nothing */
export function pageKey() {
  return sessionStorage.getItem(STORED) ?? "";
}

/** What world this is. @returns {Promise<Response>} 403 if the key is missing or from an earlier start */
export function requestWorld() {
  return fetch("/world", { headers: { "X-Page-Key": pageKey() } });
}
