/** Mentions as people type them: which members and roles a typed name means, and how to write one clearly. */

import { displayName } from "./display-names.js";

/** The members a typed name means: by mention, id, name or user name, `@` or not. */
export function membersNamed(members, text) {
  const wanted = text
    .replace(/^<@!?(\d+)>$/, "$1")
    .replace(/^@/, "")
    .trim()
    .toLowerCase();
  return members.filter(
    (member) =>
      member.id === wanted ||
      member.username.toLowerCase() === wanted ||
      displayName(member).trim().toLowerCase() === wanted,
  );
}

/** The roles a typed name means. */
export function rolesNamed(roles, text) {
  const wanted = text
    .replace(/^<@&(\d+)>$/, "$1")
    .replace(/^@/, "")
    .trim()
    .toLowerCase();
  return roles.filter((role) => role.id === wanted || bare(role.name) === wanted);
}

/** How to write a role so that the text means nothing else. */
export function roleHandle(server, role) {
  const text = `@${role.name.replace(/^@/, "")}`;
  const alone = rolesNamed(server.roles, text).length === 1 && !membersNamed(server.members, text).length;
  return alone && !/[:\n]|\s{2}/.test(text) ? text : `<@&${role.id}>`;
}

function bare(name) {
  return name.replace(/^@/, "").trim().toLowerCase();
}

/** How to write a member so that the text means nobody else and nothing else. */
export function handleOf(members, member) {
  const candidates = [displayName(member), member.username].map((name) => `@${name}`);
  const clear = candidates.find((text) => !/[:\n]|\s{2}/.test(text) && isAlone(members, member, text));
  return clear ?? `<@${member.id}>`;
}

function isAlone(members, member, text) {
  const named = membersNamed(members, text);
  return named.length === 1 && named[0].id === member.id;
}
