/** The items of the context menus of users and messages. */

import { isEphemeral, summary } from "../messages/message.js";
import { displayName } from "../model/display-names.js";

const ON_USERS = 2;
const ON_MESSAGES = 3;

/**
 * @param {{user: Object|null, message: Object|null, commands: Object[], link: string|null}} scene whom or what it is
 *   about, and Discord's application commands
 * @param {Object} deeds `run(command)`, `mention()`, `copy(text)`, `dismiss()`
 * @returns {{label: string, items: import("./context-menu.js").Item[]}}
 */
export function menuFor({ user, message, commands, link }, deeds) {
  const apps = commands
    .filter((command) => command.type === (user ? ON_USERS : ON_MESSAGES))
    .map((command) => ({ label: command.name, act: () => deeds.run(command) }));
  const items = user ? ofUser(user, deeds) : ofMessage(message, link, deeds);
  if (apps.length) items.splice(1, 0, { label: "Apps", items: apps });
  return { label: user ? displayName(user) : "Message", items };
}

function ofUser(user, deeds) {
  return [
    { label: "Mention", act: deeds.mention },
    { label: "Copy User ID", act: () => deeds.copy(user.id) },
  ];
}

function ofMessage(message, link, deeds) {
  const words = message.content || summary(message);
  return [
    words && { label: "Copy Text", act: () => deeds.copy(words) },
    { label: "Copy Message Link", act: () => deeds.copy(link) },
    { label: "Copy Message ID", act: () => deeds.copy(message.id) },
    isEphemeral(message) && { label: "Dismiss Message", act: deeds.dismiss },
  ].filter(Boolean);
}
