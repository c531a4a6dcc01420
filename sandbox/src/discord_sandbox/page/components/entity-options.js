/**
 * What the selects of users, roles, channels and mentionables offer: what there is where they stand.
 *
 * Discord's component types: 5 user, 6 role, 7 mentionable, 8 channel.
 */

import { channelLabel } from "../model/channels.js";
import { displayName } from "../model/display-names.js";

const USER = 5;
const ROLE = 6;
const MENTIONABLE = 7;
const CHANNEL = 8;

const PROMPTS = {
  [USER]: "Select users",
  [ROLE]: "Select roles",
  [MENTIONABLE]: "Select users and roles",
  [CHANNEL]: "Select channels",
};

/** Whether a component is a select whose options are people, roles or channels. */
export function offersEntities(component) {
  return component.type in PROMPTS;
}

/** What such a select says while nothing is chosen and the bot gave it no words. */
export function promptOf(component) {
  return PROMPTS[component.type];
}

/**
 * @param {Object} component
 * @param {import("../text/rich-text.js").Surroundings} around
 * @returns {Array<{label: string, value: string, description?: string, default: boolean}>}
 */
export function entityOptions(component, around) {
  const server = around.server();
  const chosen = new Set((component.default_values ?? []).map((value) => value.id));
  const isUsers = component.type === USER || component.type === MENTIONABLE;
  const isRoles = component.type === ROLE || component.type === MENTIONABLE;
  const found = [
    ...(isUsers ? server.members.map((member) => userOption(around.user(member.id) ?? member)) : []),
    ...(isRoles ? server.roles.map(roleOption) : []),
    ...(component.type === CHANNEL ? channelOptions(server, component.channel_types) : []),
  ];
  return found.map((option) => ({ ...option, default: chosen.has(option.value) }));
}

function userOption(user) {
  return { label: displayName(user), value: user.id, description: user.username, user };
}

function roleOption(role) {
  return { label: role.name, value: role.id, icon: "role" };
}

function channelOptions(server, kinds) {
  return [...server.channels, ...server.threads]
    .filter((channel) => !kinds?.length || kinds.includes(channel.type))
    .map((channel) => ({ label: channelLabel(channel), value: channel.id, icon: "hash" }));
}
