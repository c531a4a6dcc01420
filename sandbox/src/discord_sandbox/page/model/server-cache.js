/** What the page knows of people, servers, channels, members and commands, and how it finds them by id or name. */

import { DIRECT, textChannels } from "./channels.js";

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
    this.examples = hello.examples;
    this.locales = hello.locales;
    this.servers = hello.direct
      ? [...hello.servers, directServer(hello.direct, hello.chats, this.person, this.application)]
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

/** The conversations with the application and between people, shaped like a server with channels. */
function directServer(channel, chats, person, application) {
  const others = chats.flatMap((chat) => chat.members).filter((user) => user.id !== person.id);
  const known = new Map(others.map((user) => [user.id, user])).values();
  const withBot = [person, { id: application.id, username: application.name, bot: true }];
  return {
    id: DIRECT,
    name: "Direct messages",
    channels: [{ ...channel, members: withBot }, ...chats],
    threads: [],
    roles: [],
    members: [...withBot, ...known],
    commands: channel.commands,
  };
}

/** The colour of a member's name: that of their highest role that has one, or 0. */
function nameColor(server, member) {
  const coloured = server.roles.filter((role) => role.color && member.roles?.includes(role.id));
  return coloured.toSorted((one, other) => other.position - one.position)[0]?.color ?? 0;
}
