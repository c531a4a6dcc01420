/**
 * System messages: Discord's own, which say what somebody did.
 *
 * Discord's message types: 6 a message was pinned, 18 a thread was started, 21 where a thread begins.
 */

import { el } from "../elements/element.js";
import { icon } from "../elements/icons.js";
import { nameOf } from "../elements/users.js";
import { displayName } from "../model/display-names.js";
import { messageTime } from "../text/timestamps.js";

const PINNED = 6;
const THREAD_CREATED = 18;
const THREAD_STARTER = 21;
const SIGNS = { [PINNED]: "pin", [THREAD_CREATED]: "thread", [THREAD_STARTER]: "thread" };

export function isSystemMessage(message) {
  return (message.type ?? 0) in SIGNS;
}

/** What happened, in plain words. */
export function systemMessageText(message) {
  const who = displayName(message.author);
  if (message.type === PINNED) return `${who} pinned a message.`;
  if (message.type === THREAD_CREATED) return `${who} started a thread: ${message.content}`;
  return "The thread starts with a message.";
}

/** @param {Object} room what `drawMessage` wants @returns {HTMLElement} a list item */
export function drawSystemMessage(message, room) {
  return el(
    "li",
    { class: "message system", tabindex: -1, data: { messageId: message.id } },
    el("div", { class: "gutter" }, icon(SIGNS[message.type])),
    el("div", { class: "message-body" }, told(message, room), " ", messageTime(message.timestamp)),
  );
}

function told(message, room) {
  const { channel_id: channelId, message_id: messageId } = message.message_reference ?? {};
  const go = (words) =>
    el("button", { type: "button", class: "link", on: { click: () => room.around.jump(channelId, messageId) } }, words);
  const who = nameOf(room.known(message.author));
  if (message.type === PINNED) return [who, " pinned ", go("a message"), " to this channel."];
  if (message.type === THREAD_CREATED) return [who, " started a thread: ", go(el("bdi", {}, message.content)), "."];
  return ["This thread starts with ", go("a message"), " in its channel."];
}
