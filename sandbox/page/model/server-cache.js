/** Who and what exists: people, servers, channels, members, commands, and how they are found by name. */

import { displayName } from "../elements/users.js";

const CATEGORY = 4;

/** What Discord's addresses call the place of direct messages. */
export const DIRECT = "@me";

/** Compare two snowflakes by age. @returns {number} negative when `one` is older */
export function byAge(one, other) {
  return one.length - other.length || (one < other ? -1 : Number(one > other));
}

/** The one with this id or, failing that, with this name in any case. */
function byIdOrName(things, wanted, names) {
  if (!wanted) return null;
  const lower = wanted.toLowerCase();
  return (
    things.find((thing) => thing.id === wanted) ??
    things.find((thing) => names(thing).some((name) => name && name.toLowerCase() === lower)) ??
    null
  );
}

export function findPerson(people, wanted) {
  return byIdOrName(people, wanted, (person) => [person.username, person.global_name]);
}

export class ServerCache {
  constructor(world, person) {
    this.people = world.people;
    this.application = world.application;
    this.person = person;
    this.servers = [];
  }

  /** Take what the socket's hello says. */
  greet(hello) {
    this.person = { ...this.person, ...hello.person };
    this.servers = hello.direct
      ? [...hello.servers, directServer(hello.direct, this.person, this.application)]
      : hello.servers;
  }

  server(id) {
    return this.servers.find((server) => server.id === id) ?? null;
  }

  findServer(wanted) {
    return byIdOrName(this.servers, wanted, (server) => [server.name]);
  }

  findChannel(server, wanted) {
    return byIdOrName([...textChannels(server), ...server.threads], wanted, (channel) => [channel.name]);
  }

  /** Where a channel or thread is. @returns {{server: Object, channel: Object}|null} */
  placeOf(channelId) {
    for (const server of this.servers) {
      const channel = [...textChannels(server), ...server.threads].find((candidate) => candidate.id === channelId);
      if (channel) return { server, channel };
    }
    return null;
  }

  role(id) {
    return this.servers.flatMap((server) => server.roles).find((role) => role.id === id) ?? null;
  }

  /** Take a server as it is now; one that was not there is added before the direct messages. */
  replaceServer(server) {
    const at = this.servers.findIndex((candidate) => candidate.id === server.id);
    if (at >= 0) this.servers[at] = server;
    else this.servers = [server, ...this.servers];
  }

  removeServer(id) {
    this.servers = this.servers.filter((server) => server.id !== id);
  }

  /** A user by id with what is known of them anywhere. */
  user(id) {
    const member = this.servers.flatMap((server) => server.members).find((user) => user.id === id);
    const person = this.people.find((user) => user.id === id);
    return member || person ? { ...member, ...person } : null;
  }

  /** A message's author with their colours and nick, which Discord's own user objects do not carry. */
  known(user, server = null) {
    const member = server?.members.find((candidate) => candidate.id === user.id);
    return {
      ...user,
      nick: member?.nick ?? user.nick,
      avatar_color: this.people.find((person) => person.id === user.id)?.avatar_color,
      name_color: member ? nameColor(server, member) : 0,
    };
  }

  setCommands(serverId, commands) {
    const server = this.server(serverId);
    if (server) server.commands = commands;
  }
}

/** The conversation with the application, shaped like a server with one channel. */
function directServer(channel, person, application) {
  const members = [person, { id: application.id, username: application.name, bot: true }];
  return {
    id: DIRECT,
    name: "Direct messages",
    channels: [channel],
    threads: [],
    roles: [],
    members,
    commands: channel.commands,
  };
}

/** The colour of a member's name: that of their highest role that has one, or 0. */
function nameColor(server, member) {
  const coloured = server.roles.filter((role) => role.color && member.roles?.includes(role.id));
  return coloured.toSorted((one, other) => other.position - one.position)[0]?.color ?? 0;
}

/** Whether a channel is between one person and the application. */
export function isDirect(channel) {
  return channel.type === 1;
}

/** Whether a channel is a thread. */
export function isThread(channel) {
  return channel.type >= 10 && channel.type <= 12;
}

/** A channel as it is written: `#lobby`, or `@Cardroom` for direct messages. */
export function channelLabel(channel) {
  return `${isDirect(channel) ? "@" : "#"}${channel.name}`;
}

/** The channels messages are read in. */
export function textChannels(server) {
  return server.channels.filter((channel) => channel.type !== 2 && channel.type !== CATEGORY);
}

/**
 * The channels as the list shows them: first those without a category.
 *
 * @returns {Array<{category: Object|null, channels: Object[]}>}
 */
export function byCategory(server) {
  const inOrder = (channels) => channels.toSorted((one, other) => one.position - other.position);
  const under = (id) => inOrder(textChannels(server).filter((channel) => (channel.parent_id ?? null) === id));
  const categories = inOrder(server.channels.filter((channel) => channel.type === CATEGORY));
  return [
    { category: null, channels: under(null) },
    ...categories.map((category) => ({ category, channels: under(category.id) })),
  ].filter(({ channels }) => channels.length);
}

/** The threads of a channel that are not put away. */
export function threadsUnder(server, channel) {
  return server.threads.filter((thread) => thread.parent_id === channel.id && !thread.archived);
}

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
