/** Users as the page shows them: a name, a coloured circle with an initial, an APP tag. */

import { displayName, initial } from "../model/display-names.js";
import { hex, isLight } from "./colours.js";
import { el } from "./element.js";

const PALETTE = ["#5865f2", "#3a7d5a", "#b3541e", "#a63d8f", "#c03b4b", "#2f7aa8", "#7a5ad0", "#6b7280"];

/** A name kept apart from the text around it, so that a right-to-left name turns nothing else over. */
export function nameOf(user, className = "name") {
  return el("bdi", { class: className }, displayName(user));
}

/** The tag Discord puts behind the name of an application. */
export function appTag(user) {
  return user.bot ? el("span", { class: "app-tag" }, "APP") : null;
}

/** The coloured circle of a person; decoration, because the name is always beside it. */
export function avatar(user, size = "large") {
  const circle = el("span", { class: `avatar ${size}`, "aria-hidden": "true" }, initial(displayName(user)));
  if (user.bot) {
    circle.classList.add("app");
    return circle;
  }
  const colour = colourOf(user);
  circle.style.backgroundColor = colour;
  circle.style.color = isLight(colour) ? "#1e1f22" : "#ffffff";
  return circle;
}

function colourOf(user) {
  const given = user.avatar_color;
  if (typeof given === "number") return hex(given);
  if (typeof given === "string" && /^#[0-9a-f]{6}$/i.test(given)) return given;
  return PALETTE[Number(BigInt(user.id) % BigInt(PALETTE.length))];
}
