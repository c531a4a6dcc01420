/** Emojis of buttons, options and texts. */

import { el } from "../elements/element.js";

/** A sign of Unicode's, or the picture of a custom one. @param {{id: string|null, name: string}} partial */
export function emoji(partial) {
  if (!partial.id) return el("span", { class: "emoji" }, partial.name);
  const name = `:${partial.name}:`;
  const picture = el("img", {
    class: "emoji custom",
    src: `/emojis/${encodeURIComponent(partial.id)}`,
    alt: name,
    title: name,
    draggable: "false",
  });
  picture.addEventListener("error", () => picture.replaceWith(name));
  return picture;
}
