/**
 * Discord's message components as elements.
 *
 * Numbers are Discord's component types: 1 action row, 2 button, 3 and 5 to 8 selects, 9 section, 10 text display,
 * 11 thumbnail, 12 media gallery, 13 file, 14 separator, 17 container.
 */

import { hex } from "../elements/colours.js";
import { el } from "../elements/element.js";
import { dots, icon } from "../elements/icons.js";
import { emoji } from "../text/emoji.js";
import { jumpTarget, richText } from "../text/rich-text.js";
import { menuOf, selectMenu } from "./select-menu.js";

const STYLES = { 1: "primary", 2: "secondary", 3: "success", 4: "danger", 5: "link" };
const LOOPBACK = new Set(["127.0.0.1", "localhost", "[::1]"]);
const DRAWN = {
  1: actionRow,
  2: button,
  3: select,
  5: select,
  6: select,
  7: select,
  8: select,
  9: section,
  10: textDisplay,
  11: thumbnail,
  12: gallery,
  13: file,
  14: separator,
  17: container,
};

/**
 * @typedef {Object} Surface where components are drawn, and who hears of their use
 * @property {import("../text/rich-text.js").Surroundings} around
 * @property {function(string): void} press called with the custom id of a pressed button
 * @property {function(string, string[]): void} select called with the custom id of a select and the values taken
 * @property {Object<string, string[]>} chosen what was taken from selects before, by custom id
 * @property {string|null} pending the custom id that waits for its answer
 */

/** @param {Object} component @param {Surface} surface @returns {HTMLElement} */
function drawComponent(component, surface) {
  const draw = DRAWN[component.type];
  if (!draw) return el("div", { class: "unknown-component" }, `Component of type ${component.type}`);
  return draw(component, surface);
}

export function drawAll(components, surface) {
  return (components ?? []).map((component) => drawComponent(component, surface));
}

function actionRow(component, surface) {
  return el("div", { class: "action-row" }, drawAll(component.components, surface));
}

function button(component, surface) {
  const label = [
    component.emoji && emoji(component.emoji),
    component.label && el("span", { class: "label" }, component.label),
  ];
  if (component.style === 5) return linkButton(component, label, surface);
  const waits = surface.pending !== null && surface.pending === component.custom_id;
  return el(
    "button",
    {
      type: "button",
      class: `button ${STYLES[component.style] ?? "secondary"}${waits ? " pending" : ""}`,
      disabled: component.disabled,
      "aria-disabled": surface.pending !== null && !component.disabled ? "true" : null,
      "aria-busy": waits ? "true" : null,
      "aria-label": component.label ? null : component.emoji?.name,
      data: { customId: component.custom_id },
      on: { click: () => surface.pending === null && surface.press(component.custom_id) },
    },
    el("span", { class: "face" }, label),
    waits && dots(),
  );
}

function linkButton(component, label, surface) {
  const target = jumpTarget(component.url);
  const follow = () =>
    target ? surface.around.jump(target.channelId, target.messageId) : surface.around.leave(component.url);
  return el(
    "button",
    {
      type: "button",
      class: "button secondary link-button",
      title: component.url,
      disabled: component.disabled,
      on: { click: follow },
    },
    el("span", { class: "face" }, label, icon("external")),
  );
}

function select(component, surface) {
  return selectMenu({
    ...menuOf(component, surface.around),
    chosen: surface.chosen[component.custom_id],
    pending: surface.pending,
    take: (values) => surface.select(component.custom_id, values),
  });
}

function section(component, surface) {
  return el(
    "div",
    { class: "section" },
    el("div", { class: "section-text" }, drawAll(component.components, surface)),
    component.accessory && el("div", { class: "accessory" }, drawComponent(component.accessory, surface)),
  );
}

function textDisplay(component, surface) {
  return richText(component.content, surface.around, "text-display");
}

function thumbnail(component) {
  return picture(component.media, component.description, component.spoiler, "thumbnail");
}

function gallery(component) {
  const items = component.items ?? [];
  return el(
    "div",
    { class: `gallery count-${Math.min(items.length, 4)}` },
    items.map((item) => picture(item.media, item.description, item.spoiler, "gallery-item")),
  );
}

/** A picture of this machine's; one from elsewhere is named and not fetched. It has its place before it is loaded, so
 * that nothing below it moves. */
export function picture(media, description, spoiler, className) {
  const local = localAddress(media?.url);
  if (!local)
    return el("div", { class: `${className} picture-missing` }, description || "Picture from another machine");
  const { width = null, height = null } = media;
  const words = { alt: description ?? "", title: description || null };
  const image = el("img", { src: local, ...words, width, height, loading: "lazy" });
  const frame = el("div", { class: className }, image);
  return spoiler ? covered(frame) : frame;
}

/** Something that stays out of sight until it is asked for. */
export function covered(content) {
  const cover = el("button", { type: "button", class: "cover" }, el("span", {}, "Spoiler"));
  const box = el("div", { class: "covered" }, content, cover);
  content.inert = true;
  content.setAttribute("aria-hidden", "true");
  cover.addEventListener("click", () => {
    content.inert = false;
    content.removeAttribute("aria-hidden");
    box.classList.remove("covered");
    cover.remove();
  });
  return box;
}

/** The address as this page may fetch it, or null; this machine has several names. */
function localAddress(url) {
  if (!url) return null;
  if (url.startsWith("data:image/")) return url;
  const parsed = URL.canParse(url, location.href) ? new URL(url, location.href) : null;
  const ours = parsed && LOOPBACK.has(parsed.hostname) && parsed.port === location.port;
  return ours ? parsed.pathname + parsed.search : null;
}

function file(component) {
  const name =
    component.name ?? decodeURIComponent((component.file?.url ?? "").split("?")[0].split("/").pop() ?? "");
  const card = fileCard(name, component.size, component.file?.url);
  return component.spoiler ? covered(card) : card;
}

export function fileCard(name, size, url) {
  const local = localAddress(url);
  const title = local ? el("a", { href: local, download: name }, name) : el("span", {}, name);
  return el(
    "div",
    { class: "file" },
    icon("file"),
    el("div", {}, title, size ? el("small", {}, `${Math.ceil(size / 1024)} KB`) : null),
  );
}

function separator(component) {
  const spacing = component.spacing === 2 ? "large" : "small";
  return el("div", {
    class: `separator ${spacing}${component.divider === false ? "" : " divider"}`,
    role: "separator",
  });
}

function container(component, surface) {
  const box = el(
    "div",
    { class: "container" },
    drawAll(component.components, surface),
  );
  if (component.accent_color !== null && component.accent_color !== undefined) {
    box.classList.add("accented");
    box.style.setProperty("--accent", hex(component.accent_color));
  }
  return component.spoiler ? covered(box) : box;
}
