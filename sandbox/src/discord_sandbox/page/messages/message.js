/** One message as a row of the channel. */

import { drawAll } from "../components/components.js";
import { hex } from "../elements/colours.js";
import { el } from "../elements/element.js";
import { dots, icon } from "../elements/icons.js";
import { appTag, avatar, nameOf } from "../elements/users.js";
import { displayName } from "../model/display-names.js";
import { emoji } from "../text/emoji.js";
import { onOneLine, plain } from "../text/markdown.js";
import { richText } from "../text/rich-text.js";
import { messageTime } from "../text/timestamps.js";
import { drawAttachment, drawEmbed } from "./embeds.js";
import { drawSystemMessage, isSystemMessage, systemMessageText } from "./system-messages.js";

const EPHEMERAL = 1 << 6;
const THINKING = 1 << 7;
const COMPONENTS_V2 = 1 << 15; // these show what is attached where they name it, and nowhere else
const COMMAND = 2;

export function isEphemeral(message) {
  return Boolean(message.flags & EPHEMERAL);
}

/** The first words of a message, wherever it keeps them. */
export function summary(message) {
  if (isSystemMessage(message)) return systemMessageText(message);
  if (message.flags & THINKING) return `${displayName(message.author)} is thinking…`;
  return [...plain(ownWords(message))].slice(0, 200).join(""); // by characters: half of one is no text
}

function ownWords(message) {
  return message.content || embedWords(message.embeds) || componentWords(message.components);
}

function embedWords(embeds) {
  return (embeds ?? []).map((embed) => embed.title ?? embed.description ?? "").join(" ");
}

function componentWords(components) {
  return (components ?? [])
    .map((component) => component.content ?? componentWords(component.components))
    .join("\n")
    .trim();
}

/**
 * @typedef {Object} Standing what the page itself knows of a message
 * @property {string|null} pending the custom id that waits for its answer
 * @property {string|null} failure why the last press came to nothing
 * @property {Object<string, string[]>} chosen what was taken from its selects, by custom id
 * @property {string|null} sending a command on its way, not a message yet
 */

/**
 * @param {Object} message Discord's message object
 * @param {Standing} standing
 * @param {Object} room `around`, `press`, `select`, `dismiss`, `find` and the reader's `person`
 * @returns {HTMLElement} a list item
 */
export function drawMessage(message, standing, room) {
  if (isSystemMessage(message)) return drawSystemMessage(message, room);
  const author = room.known(message.author);
  const above = usedCommand(message, room) ?? answered(message, room);
  const article = el(
    "article",
    {
      class: "message-body",
      "aria-label": `${displayName(author)}, ${new Date(message.timestamp).toLocaleTimeString("en")}`,
    },
    el(
      "header",
      { class: "byline" },
      authorName(author),
      appTag(author),
      messageTime(message.timestamp),
    ),
    content(message, standing, room),
    standing.failure && el("div", { class: "failure", role: "alert" }, standing.failure),
    message.thread && threadLink(message.thread, room),
    isEphemeral(message) && onlyYou(message, room),
  );
  return el(
    "li",
    { class: rowClasses(message, room), tabindex: -1, data: { messageId: message.id, menu: "message" } },
    above,
    el(
      "div",
      { class: "gutter", data: { userId: author.id, menu: "user" } },
      avatar(author),
      messageTime(message.timestamp, true),
    ),
    article,
    !message.local && tools(),
  );
}

/** The author's name, which opens the menu of its person. */
function authorName(author) {
  const name = el(
    "button",
    { type: "button", class: "author-name", "aria-haspopup": "menu", data: { userId: author.id, menu: "user" } },
    nameOf(author, "name author"),
  );
  if (author.name_color) name.style.setProperty("--name", hex(author.name_color));
  return name;
}

/** What floats over a message's corner while it is pointed at or holds the focus. */
function tools() {
  return el(
    "div",
    { class: "tools" },
    el(
      "button",
      {
        type: "button",
        class: "round",
        tabindex: -1, // by keys, arrows come to the message itself, and its menu key opens the menu
        "aria-label": "More",
        title: "More",
        "aria-haspopup": "menu",
        data: { menu: "message" },
      },
      icon("more"),
    ),
  );
}

function threadLink(thread, room) {
  return el(
    "button",
    { type: "button", class: "thread-link", on: { click: () => room.around.jump(thread.id) } },
    icon("thread"),
    el("bdi", {}, thread.name),
    el("span", {}, "See thread ›"),
  );
}

function rowClasses(message, room) {
  const mentioned =
    message.mention_everyone || (message.mentions ?? []).some((user) => user.id === room.person.id);
  return ["message", isEphemeral(message) && "ephemeral", mentioned && "mentioned"].filter(Boolean).join(" ");
}

function content(message, standing, room) {
  if (standing.sending) return waiting(standing.sending);
  if (message.flags & THINKING) return waiting(`${displayName(message.author)} is thinking…`);
  const surface = {
    around: room.around,
    pending: standing.pending,
    chosen: standing.chosen,
    press: (customId) => room.press(message, customId),
    select: (customId, values) => room.select(message, customId, values),
  };
  const parts = [
    message.content && richText(message.content, room.around),
    !(message.flags & COMPONENTS_V2) && (message.attachments ?? []).map(drawAttachment),
    (message.embeds ?? []).map((embed) => drawEmbed(embed, room.around)),
    drawAll(message.components, surface),
  ];
  const held = standing.pending === null ? "" : " held";
  return el("div", { class: `content${held}` }, parts, message.edited_timestamp && edited(message));
}

function waiting(words) {
  return el("div", { class: "content thinking" }, dots(), words);
}

function edited(message) {
  return el(
    "span",
    { class: "edited", title: new Date(message.edited_timestamp).toLocaleString("en") },
    "(edited)",
  );
}

function onlyYou(message, room) {
  const dismiss = el(
    "button",
    { type: "button", class: "link dismiss", on: { click: () => room.dismiss(message) } },
    "Dismiss message",
  );
  return el("footer", { class: "only-you" }, icon("eye"), "Only you can see this · ", dismiss);
}

/** "Alice used /game start", over the answer to a command. */
function usedCommand(message, room) {
  const metadata = message.interaction_metadata;
  const name = message.interaction?.name ?? metadata?.name;
  const isFollowUp = Boolean(message.message_reference) && !message.interaction;
  if (!name || isFollowUp || (metadata && metadata.type !== COMMAND)) return null;
  const user = room.known(message.interaction?.user ?? metadata.user);
  const isMenu = Boolean(metadata?.target_user ?? metadata?.target_message_id);
  const called = el("span", { class: "mention" }, isMenu ? name : `/${name}`);
  return above(avatar(user, "tiny"), nameOf(user), " used ", called);
}

/** The message that this one answers, in one line. */
function answered(message, room) {
  const id = message.message_reference?.message_id ?? message.interaction_metadata?.interacted_message_id;
  if (!id) return null;
  const original = room.find(id) ?? message.referenced_message; // as it is now, where it is at hand
  if (!original) return above(el("em", {}, "Original message is not here any more"));
  const author = room.known(original.author);
  const words = el("bdi", { class: "excerpt", data: { excerptOf: id } }, excerpt(original));
  const go = el(
    "button",
    {
      type: "button",
      class: "link excerpt-link",
      on: { click: () => room.around.jump(original.channel_id, id) },
    },
    words,
  );
  return above(avatar(author, "tiny"), nameOf(author), appTag(author), go);
}

/** What one line shows of a message: texts, and the pictures of custom emojis. */
export function excerpt(message) {
  const words = summary(message);
  if (!words) return ["Click to see it"];
  const isOwn = !isSystemMessage(message) && !(message.flags & THINKING);
  return isOwn ? onOneLine(ownWords(message)).map((piece) => (piece.id ? emoji(piece) : piece)) : [words];
}

function above(...children) {
  return el("div", { class: "above" }, children);
}
