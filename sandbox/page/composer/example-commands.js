/** Example commands for a first visit: those whose only required option is another person. */

import { displayName } from "../model/display-names.js";
import { handleOf } from "../model/mentions.js";
import { leaves, missing, TYPES } from "./command-line.js";

const MOST = 6;

/**
 * @param {Object} server
 * @param {Object[]} commands Discord's application commands
 * @param {Object} person who would try
 * @param {Object[]} beside who else has a window on this page
 * @returns {{lines: string[], how: string}|null} null where there is nothing to try, or nobody to try it with
 */
export function exampleCommands(server, commands, person, beside) {
  const others = server.members.filter((member) => !member.bot && member.id !== person.id);
  const opponent = others.find((member) => beside.some((other) => other.id === member.id)) ?? others[0];
  const found = leaves(commands).map(nameOnly).filter(Boolean).slice(0, MOST);
  if (!opponent || !found.length) return null;
  const name = displayName(opponent);
  const isBeside = beside.some((other) => other.id === opponent.id);
  const where = isBeside ? `answer in ${name}’s window` : `open a tab as ${name} to answer`;
  return {
    lines: found.map(({ leaf, option }) => `/${leaf.name} ${option.name}:${handleOf(server.members, opponent)}`),
    how: `Try it: challenge ${name}, then ${where}.`,
  };
}

function nameOnly(leaf) {
  const required = missing({ leaf, fields: [] }).filter((option) => option.required);
  return required.length === 1 && required[0].type === TYPES.user ? { leaf, option: required[0] } : null;
}
