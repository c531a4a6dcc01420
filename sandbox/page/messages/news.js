/**
 * Discord's own messages, which tell of what somebody did.
 *
 * Discord's message types: 6 a message was pinned, 18 a thread was begun, 21 where a thread begins.
 */

import { el, icon } from "../elements/dom.js";
import { displayName, nameOf } from "../elements/people.js";
import { messageTime } from "../text/times.js";

const PINNED = 6;
const THREAD_BEGUN = 18;
const THREAD_STARTS = 21;
const SIGNS = { [PINNED]: "pin", [THREAD_BEGUN]: "thread", [THREAD_STARTS]: "thread" };

export function isNews(message) {
  return (message.type ?? 0) in SIGNS;
}

/** The news in plain words. */
export function newsWords(message) {
  const who = displayName(message.author);
  if (message.type === PINNED) return `${who} pinned a message.`;
  if (message.type === THREAD_BEGUN) return `${who} started a thread: ${message.content}`;
  return "The thread starts with a message.";
}

/** @param {Object} room what `drawMessage` wants @returns {HTMLElement} a list item */
export function drawNews(message, room) {
  return el(
    "li",
    { class: "message news", tabindex: -1, data: { messageId: message.id } },
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
  if (message.type === THREAD_BEGUN) return [who, " started a thread: ", go(el("bdi", {}, message.content)), "."];
  return ["This thread starts with ", go("a message"), " in its channel."];
}
