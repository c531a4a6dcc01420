/** Emojis of buttons and options. */

import { el } from "./dom.js";

/** A picture of Unicode's, or the name of a custom one. @param {{id: string|null, name: string}} partial */
export function emoji(partial) {
  return el(
    "span",
    { class: partial.id ? "emoji custom" : "emoji" },
    partial.id ? `:${partial.name}:` : partial.name,
  );
}
