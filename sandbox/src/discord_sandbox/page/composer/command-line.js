/**
 * The line a command is typed in: `/game start opponent:@Bob clock:blitz`.
 *
 * The text is the only truth: picking from a list writes text, and what is typed by hand means the same.
 */

import { textChannels } from "../model/channels.js";
import { displayName } from "../model/display-names.js";
import { handleOf, membersNamed, rolesNamed } from "../model/mentions.js";

const SUBCOMMAND = 1;
const GROUP = 2;
/** Discord's types of option. */
export const TYPES = {
  string: 3,
  integer: 4,
  boolean: 5,
  user: 6,
  channel: 7,
  role: 8,
  mentionable: 9,
  number: 10,
  attachment: 11,
};

/**
 * The commands that can be called, groups and subcommands laid out flat.
 *
 * @param {Array<Object>} commands Discord's application commands, from `localized`
 * @returns {Array<{command: Object, path: string[], name: string, key: string, description: string, told: string,
 *   options: Object[]}>} `path` and `key` are as the bot named them
 */
export function leaves(commands) {
  return commands
    .filter((command) => (command.type ?? 1) === 1)
    .flatMap((command) => under(command, [command]));
}

function under(command, nodes) {
  const node = nodes.at(-1);
  const nested = (node.options ?? []).filter((option) => option.type === SUBCOMMAND || option.type === GROUP);
  if (nested.length) return nested.flatMap((option) => under(command, [...nodes, option]));
  const path = nodes.slice(1).map((each) => each.key);
  const name = nodes.map((each) => each.name).join(" ");
  const key = [command.key, ...path].join(" ");
  return [{ command, path, name, key, description: node.description, told: node.told, options: node.options ?? [] }];
}

/**
 * What a line says so far.
 *
 * @param {string} text
 * @param {Array<Object>} known from `leaves`
 * @returns {{query: string, leaf: Object|null, after: number, fields: Field[], loose: string}|null} null for ordinary
 *   text; `after` is where the command's name ends
 *
 * @typedef {Object} Field
 * @property {Object} option
 * @property {number} from where the option's name begins
 * @property {number} start where its value begins
 * @property {number} end where its value ends, blanks after it left out
 * @property {string} text the value as typed
 */
export function read(text, known) {
  if (!text.startsWith("/") || text.startsWith("//")) return null;
  const [leaf, after] = longest(known.flatMap((leaf) => begins(text, leaf)));
  if (!leaf) return { query: text.slice(1), leaf: null, after, fields: [], loose: "" };
  const fields = fieldsIn(text, after, leaf.options);
  const loose = text.slice(after, fields[0]?.from ?? text.length).trim();
  return { query: text.slice(1), leaf, after, fields, loose };
}

/** A command with which a line begins, by either of its names, and where that name ends. */
function begins(text, leaf) {
  return [leaf.name, leaf.key]
    .filter((name) => text.slice(1).toLowerCase().startsWith(name) && /^(\s|$)/.test(text.slice(name.length + 1)))
    .map((name) => [leaf, name.length + 1]);
}

function longest(found) {
  return found.reduce((best, other) => (best[1] >= other[1] ? best : other), [null, 1]);
}

function fieldsIn(text, after, options) {
  const found = [];
  for (const match of text.slice(after).matchAll(/(?<=\s)([^\s:]+):/g)) {
    const option = named(options, match[1].toLowerCase());
    if (!option || found.some((field) => field.option === option)) continue;
    const from = after + match.index;
    found.push({ option, from, start: from + match[0].length });
  }
  return found.map((field, index) => {
    const whole = text.slice(field.start, found[index + 1]?.from ?? text.length);
    const value = whole.trim();
    const start = value ? field.start + whole.indexOf(value) : field.start;
    return { ...field, start, end: start + value.length, text: value };
  });
}

function named(options, name) {
  return options.find((option) => option.name === name) ?? options.find((option) => option.key === name);
}

/** The field with the caret, with its trailing blanks only while it is unfinished. */
export function fieldAt(reading, caret) {
  return reading.fields.findLast((field) => caret >= field.from) ?? null;
}

/** The options a line does not name yet, required ones first. */
export function missing(reading) {
  const named = new Set(reading.fields.map((field) => field.option));
  return reading.leaf.options
    .filter((option) => !named.has(option))
    .sort((one, other) => Number(other.required ?? 0) - Number(one.required ?? 0));
}

/**
 * What a typed value means.
 *
 * @param {Object} option
 * @param {string} text
 * @param {Object} server whose members and channels can be named
 * @param {Array<{name: string, value: unknown}>} offered what autocompletion offered last
 * @returns {{value: unknown}|{problem: string}}
 */
export function resolve(option, text, server, offered = []) {
  if (!text) return { problem: "This option needs a value." };
  const choices = option.choices?.length ? option.choices : null;
  if (choices) return chosen(choices, text) ?? { problem: "That is not one of the choices." };
  const isOffered = option.autocomplete || option.type === TYPES.attachment;
  return chosen(isOffered ? offered : [], text) ?? byType(option, text, server);
}

function chosen(choices, text) {
  const lower = text.toLowerCase();
  const found =
    choices.find((choice) => choice.name.toLowerCase() === lower) ??
    choices.find((choice) => String(choice.value).toLowerCase() === lower);
  return found ? { value: found.value } : null;
}

function byType(option, text, server) {
  switch (option.type) {
    case TYPES.string:
      return sized(option, text);
    case TYPES.integer:
      return /^-?\d+$/.test(text) ? ranged(option, Number(text)) : { problem: "This needs a whole number." };
    case TYPES.number:
      return Number.isFinite(Number(text)) ? ranged(option, Number(text)) : { problem: "This needs a number." };
    case TYPES.boolean:
      return /^(true|false)$/i.test(text)
        ? { value: text.toLowerCase() === "true" }
        : { problem: "This is True or False." };
    case TYPES.user:
      return only(
        membersNamed(server.members, text),
        "There is nobody of that name here.",
        "Several people have that name: pick one.",
      );
    case TYPES.role:
      return only(
        rolesNamed(server.roles, text),
        "There is no role of that name here.",
        "Several roles have that name: pick one.",
      );
    case TYPES.mentionable:
      return only(
        [...membersNamed(server.members, text), ...rolesNamed(server.roles, text)],
        "There is nobody and no role of that name here.",
        "Several have that name: pick one.",
      );
    case TYPES.channel:
      return only(
        channelsNamed(server, text),
        "There is no channel of that name.",
        "Several channels have that name: pick one.",
      );
    case TYPES.attachment:
      return { problem: "This needs a file: choose one." };
    default:
      return { problem: "The sandbox's page cannot fill in this option." };
  }
}

function sized(option, text) {
  if (option.min_length && text.length < option.min_length)
    return { problem: `At least ${option.min_length} characters.` };
  if (option.max_length && text.length > option.max_length)
    return { problem: `At most ${option.max_length} characters.` };
  return { value: text };
}

function ranged(option, value) {
  if (option.min_value !== undefined && value < option.min_value)
    return { problem: `At least ${option.min_value}.` };
  if (option.max_value !== undefined && value > option.max_value)
    return { problem: `At most ${option.max_value}.` };
  return { value };
}

function only(found, none, several) {
  if (found.length === 1) return { value: found[0].id };
  return { problem: found.length ? several : none };
}

function channelsNamed(server, text) {
  const wanted = text
    .replace(/^<#(\d+)>$/, "$1")
    .replace(/^#/, "")
    .toLowerCase();
  return textChannels(server).filter(
    (channel) => channel.id === wanted || channel.name.toLowerCase() === wanted,
  );
}

/**
 * The whole line as a command to send, or why it cannot be sent.
 *
 * @param {function(Object): Array<Object>} offered the autocompletions last offered for an option
 * @returns {{leaf: Object, options: Object}|{problem: string}}
 */
export function finished(reading, server, offered) {
  if (!reading.leaf) return { problem: "There is no command of that name here." };
  if (reading.loose) return { problem: `“${reading.loose}” belongs to no option of /${reading.leaf.name}.` };
  const options = {};
  for (const field of reading.fields) {
    const meant = resolve(field.option, field.text, server, offered(field.option));
    if ("problem" in meant) return { problem: `${field.option.name}: ${meant.problem}` };
    options[field.option.key] = meant.value;
  }
  const needed = missing(reading).find((option) => option.required);
  if (needed) return { problem: `${needed.name}: This option is required.` };
  return { leaf: reading.leaf, options };
}

/** The options filled in so far, for the questions of autocompletion; unfinished ones as typed so far. */
export function soFar(reading, server, offered) {
  return Object.fromEntries(
    reading.fields.map((field) => {
      const meant = resolve(field.option, field.text, server, offered(field.option));
      return [field.option.key, "problem" in meant ? field.text : meant.value];
    }),
  );
}

/** Ordinary text with its `@Name`s as Discord's mentions. */
export function withMentions(text, members) {
  const handles = members
    .map((member) => [handleOf(members, member), member])
    .sort((one, other) => other[0].length - one[0].length);
  return handles.reduce((said, [handle, member]) => {
    const literal = handle.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    return said.replace(
      new RegExp(`(?<![\\p{L}\\p{N}])${literal}(?![\\p{L}\\p{N}])`, "giu"),
      `<@${member.id}>`,
    );
  }, text);
}

/** How well a name answers to what is typed: 0 at its beginning, 1 at a word's, 2 inside, null not at all. */
function fit(name, typed) {
  const at = name.toLowerCase().indexOf(typed.toLowerCase());
  if (at < 0) return null;
  if (at === 0) return 0;
  return /\s/.test(name[at - 1]) ? 1 : 2;
}

/** The things whose names answer to what is typed, the best first. */
export function fitting(things, typed, names) {
  return things
    .map((thing) => [Math.min(...names(thing).map((name) => fit(name, typed) ?? Infinity)), thing])
    .filter(([rank]) => rank < Infinity)
    .sort(([one], [other]) => one - other)
    .map(([, thing]) => thing);
}

export function memberNames(member) {
  return [displayName(member), member.username];
}
