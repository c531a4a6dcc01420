/**
 * Example commands for a first visit.
 *
 * Those that the world names, if there are any. Otherwise, between two people, those whose only required option is another
 * person. Where three or more have a window, those that open a table with enough room: a subcommand `open` without a
 * required option.
 */

import { displayName } from "../model/display-names.js";
import { handleOf } from "../model/mentions.js";
import { leaves, missing, TYPES } from "./command-line.js";

const MOST = 6;
const OPENS = "open";
/** How a description says for how many people something is: "for 2 to 6 players". */
const ROOM = /\b(\d+)(?: to (\d+))? players\b/;

/**
 * @param {Object} server
 * @param {Object[]} commands Discord's application commands
 * @param {{person: Object, examples: Object<string, string>}} known who would try, and what the world names
 * @param {Object[]} beside who has a window on this page, `person` too
 * @returns {{lines: string[][], how: string}|null} lines: what each button says, and the line that it types;
 *   null where there is nothing to try, or nobody to try it with
 */
export function exampleCommands(server, commands, { person, examples }, beside) {
  const here = server.members.filter((member) => beside.some((other) => other.id === member.id));
  return (
    (here.length > 2 && tables(commands, here.length)) ||
    named(examples, handleOf(server.members, person)) ||
    challenges(server, commands, person, here)
  );
}

/** All but those about the person themself. */
function named(examples, own) {
  const lines = Object.entries(examples).filter(([, line]) => !line.includes(own));
  return lines.length ? { lines, how: "Try it:" } : null;
}

function tables(commands, people) {
  const found = leaves(commands).filter((leaf) => opensTable(leaf) && hasRoom(leaf, people)).slice(0, MOST);
  if (!found.length) return null;
  return {
    lines: found.map((leaf) => [`/${leaf.name}`, `/${leaf.name}`]),
    how: "Try it: open a table, then join it in the other windows.",
  };
}

function opensTable(leaf) {
  return leaf.path.at(-1) === OPENS && !requiredOf(leaf).length;
}

/** Whether this many can play; a description without a number excludes nobody. */
function hasRoom(leaf, people) {
  const told = ROOM.exec(leaf.told);
  return !told || people <= Number(told[2] ?? told[1]);
}

function challenges(server, commands, person, here) {
  const others = server.members.filter((member) => !member.bot && member.id !== person.id);
  const opponent = others.find((member) => here.includes(member)) ?? others[0];
  const found = leaves(commands).map(nameOnly).filter(Boolean).slice(0, MOST);
  if (!opponent || !found.length) return null;
  const name = displayName(opponent);
  const where = here.includes(opponent) ? `answer in ${name}’s window` : `open a tab as ${name} to answer`;
  return {
    lines: found
      .map(({ leaf, option }) => `/${leaf.name} ${option.name}:${handleOf(server.members, opponent)}`)
      .map((line) => [line, line]),
    how: `Try it: challenge ${name}, then ${where}.`,
  };
}

function nameOnly(leaf) {
  const required = requiredOf(leaf);
  return required.length === 1 && required[0].type === TYPES.user ? { leaf, option: required[0] } : null;
}

function requiredOf(leaf) {
  return missing({ leaf, fields: [] }).filter((option) => option.required);
}
