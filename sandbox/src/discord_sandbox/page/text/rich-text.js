/** Drawing a tree of markdown as elements; every text in it becomes a text node. */

import { hex } from "../elements/colours.js";
import { el, present } from "../elements/element.js";
import { icon } from "../elements/icons.js";
import { displayName } from "../model/display-names.js";
import { emoji } from "./emoji.js";
import { parse } from "./markdown.js";
import { timestamp } from "./timestamps.js";

const TAGS = { bold: "strong", italic: "em", underline: "u", strike: "s", quote: "blockquote", item: "li" };
const JUMP = /^https?:\/\/(?:\w+\.)?discord(?:app)?\.com\/channels\/(\d+|@me)\/(\d+)(?:\/(\d+))?\/?$/;
const EMOJIS_ONLY =
  /^(?:(?:<a?:\w{2,32}:\d{1,20}>|\p{Extended_Pictographic}|\p{Regional_Indicator}|[\u200d\ufe0f\u20e3]|\p{Emoji_Modifier})\s*){1,60}$/u;

/**
 * What a text shows of the world around it.
 *
 * @typedef {Object} Surroundings
 * @property {function(string): Object|null} user a user by id
 * @property {function(string): Object|null} role a role by id
 * @property {function(): Object} server the server that is looked at
 * @property {function(string): {server: Object, channel: Object}|null} place a channel by id
 * @property {function(string, string=): void} jump go to a channel or a message in it
 * @property {function(string): void} leave called when somebody follows an external link
 */

/** @param {Surroundings} around @returns {HTMLElement} */
export function richText(text, around, className = "") {
  const large = EMOJIS_ONLY.test(text) ? " jumbo" : "";
  return el("div", { class: `markup ${className}${large}`.trim() }, draw(parse(text), around));
}

/** The address of a channel or message in Discord's own form, or null for any other. */
export function jumpTarget(url) {
  const match = JUMP.exec(url);
  return match && { channelId: match[2], messageId: match[3] };
}

function draw(nodes, around) {
  return nodes.map((node) => (typeof node === "string" ? node : DRAWN[node.kind](node, around)));
}

function wrapped(node, around) {
  return el(TAGS[node.kind], {}, draw(node.children, around));
}

const DRAWN = {
  bold: wrapped,
  italic: wrapped,
  underline: wrapped,
  strike: wrapped,
  quote: (node, around) => el("div", { class: "quote" }, wrapped(node, around)),
  item: wrapped,
  spoiler: (node, around) => spoiler(draw(node.children, around)),
  code: (node) => el("code", {}, node.text),
  fence: (node) => el("pre", {}, el("code", { data: { language: node.language } }, node.text)),
  heading: (node, around) =>
    el(
      "div",
      { class: `heading-${node.level}`, role: "heading", "aria-level": 3 }, // under the channel's own two, without a gap
      draw(node.children, around),
    ),
  subtext: (node, around) => el("small", { class: "subtext" }, draw(node.children, around)),
  list: (node, around) =>
    el(node.ordered ? "ol" : "ul", { start: node.ordered ? node.start : null }, draw(node.children, around)),
  user: (node, around) => mention(`@${named(around.user(node.id))}`),
  role: (node, around) => roleMention(around.role(node.id)),
  everyone: (node) => mention(node.text),
  command: (node) => mention(node.text),
  emoji: (node) => emoji(node),
  time: (node) => timestamp(node.unix, node.style),
  channel: (node, around) => channelMention(node.id, around),
  link: (node, around) => link(node, around),
};

function named(user) {
  return user ? displayName(user) : "unknown-user";
}

function mention(text) {
  return el("bdi", { class: "mention" }, text);
}

function roleMention(role) {
  if (!role) return mention("@unknown-role");
  const node = mention(`@${role.name.replace(/^@/, "")}`);
  if (role.color) node.style.setProperty("--mention-role", hex(role.color));
  return node;
}

function spoiler(children) {
  const cover = el("span", {
    class: "spoiler",
    role: "button",
    tabindex: 0,
    "aria-label": "Spoiler",
    "aria-expanded": "false",
  });
  const inner = el("span", { "aria-hidden": "true" }, children);
  const reveal = () => {
    cover.classList.add("revealed");
    cover.removeAttribute("role");
    cover.removeAttribute("tabindex");
    cover.removeAttribute("aria-label");
    cover.removeAttribute("aria-expanded");
    inner.removeAttribute("aria-hidden");
  };
  cover.addEventListener("click", reveal);
  cover.addEventListener("keydown", (event) => ["Enter", " "].includes(event.key) && reveal());
  cover.append(inner);
  return cover;
}

function channelMention(id, around, messageId = null) {
  const place = around.place(id);
  if (!place) return mention("#unknown");
  return el(
    "button",
    { type: "button", class: "mention channel-mention", on: { click: () => around.jump(id, messageId) } },
    icon("hash"),
    el("bdi", {}, place.channel.name),
    messageId && el("span", { class: "to-message" }, " › message"),
  );
}

/** A place in this Discord can be gone to; any other address is shown, and stays unvisited. */
function link(node, around) {
  const target = jumpTarget(node.url);
  if (target && !node.children) return channelMention(target.channelId, around, target.messageId);
  const words = node.children ? draw(node.children, around) : [node.text];
  const follow = () => (target ? around.jump(target.channelId, target.messageId) : around.leave(node.url));
  return el(
    "button",
    { type: "button", class: "link", title: node.url, on: { click: follow } },
    present(words),
  );
}
