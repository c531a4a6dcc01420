/**
 * What to offer at the caret of the composer.
 *
 * An offer is `{heading, rows, sure}`: each row has words to show and an edit of the line, or the option it
 * `chooses` a file for; `sure` says that the first row is taken by Enter, for nothing else can be meant.
 */

import { textChannels } from "../model/channels.js";
import { displayName } from "../model/display-names.js";
import { handleOf, roleHandle } from "../model/mentions.js";
import { fieldAt, fitting, memberNames, missing, resolve, TYPES } from "./command-line.js";

const MOST = 25;

/**
 * @param {string} text
 * @param {number} caret
 * @param {Object|null} reading from `read` in command-line.js
 * @param {Object} scene `server`, `person` (who types), `leaves`, `offered(option)`: autocompletions or null while they are awaited
 * @returns {{heading: string, rows: Array, sure: boolean, option?: Object, asks?: Object}|null}
 */
export function suggest(text, caret, reading, scene) {
  if (!reading) return memberMention(text, caret, scene);
  if (!reading.leaf || caret <= reading.after) return commandsFor(text, caret, scene);
  const field = fieldAt(reading, caret);
  if (!field || isDone(field, caret, scene)) return optionsFor(text, caret, reading);
  return optionAfter(text, caret, field, reading, scene) ?? valuesFor(text, caret, field, reading, scene);
}

/** `opponent:@Bob cl`: a value that is whole, and the beginning of the next option's name. */
function optionAfter(text, caret, field, reading, scene) {
  const match = /^([\s\S]*\S)\s+\S+$/.exec(field.text);
  if (!match || caret !== field.end) return null;
  const whole = "value" in resolve(field.option, match[1], scene.server, scene.offered(field.option) ?? []);
  return whole ? optionsFor(text, caret, reading) : null;
}

/** A value is complete once it is valid and a blank follows it. */
function isDone(field, caret, scene) {
  if (caret <= field.end || !field.text) return false;
  if (field.option.type === TYPES.string && !field.option.choices?.length && !field.option.autocomplete)
    return true;
  return "value" in resolve(field.option, field.text, scene.server, scene.offered(field.option) ?? []);
}

function commandsFor(text, caret, scene) {
  const typed = text.slice(1, caret).replace(/\s+/g, " ");
  const found = fitting(scene.leaves, typed, (leaf) => [leaf.name, leaf.key]).slice(0, MOST);
  const rows = found.map((leaf) => ({
    icon: "command",
    title: `/${leaf.name}`,
    notes: leaf.options.map((option) => ({ text: option.name, required: Boolean(option.required) })),
    detail: leaf.description,
    edit: { from: 0, to: text.length, text: `/${leaf.name} `, next: true },
  }));
  return {
    heading: typed ? `Commands matching /${typed}` : "Commands",
    rows,
    sure: true,
    none: "No command of that name",
  };
}

function optionsFor(text, caret, reading) {
  const typed = /\s(\S*)$/.exec(text.slice(0, caret))?.[1] ?? "";
  const rows = missing(reading)
    .filter((option) => [option.name, option.key].some((name) => name.startsWith(typed.toLowerCase())))
    .map((option) => ({
      title: option.name,
      detail: option.description,
      mark: option.required ? "required" : "",
      edit: { from: caret - typed.length, to: caret, text: `${option.name}:` },
    }));
  if (!rows.length) return null;
  return { heading: "Options", rows, sure: Boolean(typed) };
}

function valuesFor(text, caret, field, reading, scene) {
  const { option } = field;
  const found = candidates(option, field.text, scene);
  const rows = (found ?? []).slice(0, MOST).map((candidate) => ({
    ...candidate,
    edit: candidate.chooses ? null : {
      from: field.from,
      to: Math.max(field.end, caret),
      text: `${option.name}:${candidate.text} `,
      next: true,
    },
  }));
  const offer = { heading: option.name, about: option.description, option, rows, sure: true };
  if (option.autocomplete)
    return {
      ...offer,
      asks: { option, value: field.text },
      none: found === null ? "Loading options…" : "No options match your search",
    };
  return { ...offer, none: rows.length || isFree(option) ? null : "Nothing here matches" };
}

/** Whether any text (or number) will do, so that an empty list is no surprise. */
function isFree(option) {
  return [TYPES.string, TYPES.integer, TYPES.number].includes(option.type) && !option.choices?.length;
}

function candidates(option, typed, scene) {
  if (option.choices?.length)
    return choiceRows(fitting(option.choices, typed, (choice) => [choice.name, String(choice.value)]));
  if (option.autocomplete) {
    const offered = scene.offered(option);
    return offered && choiceRows(offered);
  }
  switch (option.type) {
    case TYPES.boolean:
      return choiceRows(fitting([{ name: "True" }, { name: "False" }], typed, (choice) => [choice.name]));
    case TYPES.user:
      return memberRows(typed.replace(/^@/, ""), scene);
    case TYPES.role:
      return roleRows(typed.replace(/^@/, ""), scene.server);
    case TYPES.mentionable:
      return [
        ...memberRows(typed.replace(/^@/, ""), scene),
        ...roleRows(typed.replace(/^@/, ""), scene.server),
      ];
    case TYPES.attachment:
      return [{ icon: "file", title: "Choose a file…", chooses: option }];
    case TYPES.channel:
      return channelRows(typed.replace(/^#/, ""), scene.server);
    default:
      return [];
  }
}

function choiceRows(choices) {
  return choices.map((choice) => ({ title: choice.name, text: choice.name }));
}

/** Oneself comes last: what one types a name for is mostly somebody else. */
function memberRows(typed, { server, person }) {
  const isSelf = (member) => Number(member.id === person.id);
  return fitting(server.members, typed, memberNames)
    .sort((one, other) => isSelf(one) - isSelf(other))
    .map((member) => ({
      user: member,
      title: displayName(member),
      detail: member.username,
      text: handleOf(server.members, member),
    }));
}

function roleRows(typed, server) {
  return fitting(server.roles, typed, (role) => [role.name.replace(/^@/, "")]).map((role) => ({
    icon: "role",
    title: role.name,
    text: roleHandle(server, role),
  }));
}

function channelRows(typed, server) {
  return fitting(textChannels(server), typed, (channel) => [channel.name]).map((channel) => ({
    icon: "hash",
    title: channel.name,
    text: `#${channel.name}`,
  }));
}

function memberMention(text, caret, scene) {
  const match = /(?:^|\s)@([^\s@]*)$/.exec(text.slice(0, caret));
  if (!match) return null;
  const from = caret - match[1].length - 1;
  const rows = memberRows(match[1], scene)
    .slice(0, 8)
    .map((row) => ({ ...row, edit: { from, to: caret, text: `${row.text} ` } }));
  return rows.length ? { heading: "Members", rows, sure: true } : null;
}
