/** One person's window on this Discord; a page may hold several. */

import { openModal } from "../components/modal.js";
import { Composer } from "../composer/composer.js";
import { exampleCommands } from "../composer/example-commands.js";
import { TypingIndicator } from "../composer/typing-indicator.js";
import { openMenu } from "../menus/context-menu.js";
import { menuFor } from "../menus/menu-items.js";
import { watchMenus } from "../menus/menu-triggers.js";
import { summary } from "../messages/message.js";
import { Timeline } from "../messages/timeline.js";
import { channelLabel, textChannels } from "../model/channels.js";
import { displayName } from "../model/display-names.js";
import { localized } from "../model/localized-commands.js";
import { handleOf } from "../model/mentions.js";
import { ServerCache } from "../model/server-cache.js";
import { newestSnowflake } from "../model/snowflakes.js";
import { Connection } from "./connection.js";
import { drawLayout } from "./layout.js";
import { channelSign, drawChannels, drawIntro, drawMembers, drawSelf, drawServers } from "./sidebar.js";

const PATIENCE = 300;
const COMMAND_FAILED = "The application did not respond";
const PRESS_FAILED = "This interaction failed";
const STATUS = { connecting: "Connecting…", open: "", lost: "The connection is lost. Trying again…" };

export class Client {
  /**
   * @param {HTMLElement} root
   * @param {Object} world what `/world` says
   * @param {Object} person who this is
   * @param {{server: string|null, channel: string|null}} wanted where to begin, by id or name
   * @param {Object} page what the windows of a page share
   * @param {boolean} alone whether this is the page's only window
   */
  constructor(root, world, person, wanted, page, alone) {
    this.person = person;
    this.cache = new ServerCache(world, person);
    this.wanted = wanted;
    this.page = page;
    this.server = null;
    this.channel = null;
    this.offered = [];
    this.commands = [];
    this.unread = new Map();
    this.goal = null;
    this.link = "connecting";
    this.bot = { connected: true, away: [] };
    this.layout = drawLayout(person, alone);
    this.around = {
      user: (id) => this.cache.user(id),
      role: (id) => this.cache.role(id),
      server: () => this.here,
      place: (id) => this.cache.placeOf(id),
      jump: (channelId, messageId) => this.jump(channelId, messageId),
      leave: (url) => this.layout.notice(`${url} leads off this machine, so the page does not follow it.`),
    };
    this.timeline = new Timeline({
      around: this.around,
      person,
      known: (user) => this.cache.known(user, this.server),
      press: (message, customId) => this.act(message, customId, { op: "press" }),
      select: (message, customId, values) => {
        const { chosen } = this.timeline.standing(message.id);
        this.timeline.stand(message.id, { chosen: { ...chosen, [customId]: values } });
        this.act(message, customId, { op: "select", values });
      },
      dismiss: (message) => this.dismiss(message),
    });
    this.composer = new Composer({
      say: (content) => this.say(content),
      typing: () => this.connection.send({ op: "typing", channel_id: this.channel.id }),
      slash: (leaf, options) => this.slash(leaf, options),
      complete: (leaf, options, focused, value) => this.complete(leaf, options, focused, value),
    });
    this.typing = new TypingIndicator(this.composer.typing);
    this.layout.body.append(this.timeline.element, this.composer.element);
    root.append(this.layout.pane);
    watchMenus(this.layout.pane, (thing, at) => this.openMenu(thing, at));
    this.connection = new Connection(person.id, {
      frame: (frame) => this.received[frame.t]?.call(this, frame),
      status: (status) => {
        this.link = status;
        this.drawStatus();
      },
    });
  }

  /** The line under the heading: what keeps this window from working, if anything does. */
  drawStatus() {
    const { application, servers } = this.cache;
    const nowhere = servers.length ? "" : "You are in no server here.";
    const here = this.bot.connected && !this.bot.away.includes(this.server?.id);
    const offline = here
      ? ""
      : `${application.name} is offline. Its commands and buttons work again as soon as it is back.`;
    this.layout.status(STATUS[this.link] || nowhere || offline);
  }

  /** What to do with each frame of the socket. */
  received = {
    hello(frame) {
      this.cache.greet(frame);
      this.bot = frame.bot;
      this.drawStatus();
      const server =
        this.cache.server(this.server?.id) ??
        this.cache.findServer(this.wanted.server) ??
        this.cache.servers[0];
      if (!server) return undefined;
      const known = this.cache.placeOf(this.channel?.id);
      return this.open(
        server,
        known?.server === server
          ? known.channel
          : (this.cache.findChannel(server, this.wanted.channel) ?? textChannels(server)[0]),
      );
    },
    bot({ bot }) {
      this.bot = bot;
      this.drawStatus();
    },
    server({ server }) {
      this.cache.replaceServer(server);
      if (server.id !== this.server?.id) return this.drawPlaces();
      const place = this.cache.placeOf(this.channel.id);
      if (!place) return this.lose(server);
      this.server = server;
      this.channel = place.channel;
      this.takeCommands(this.offered);
      return this.drawPlaces();
    },
    server_gone({ id }) {
      this.cache.removeServer(id);
      if (id === this.server?.id) this.lose(this.cache.servers[0]);
      else this.drawPlaces();
    },
    typing(frame) {
      const user = frame.channel_id === this.channel?.id && this.cache.user(frame.user_id);
      if (user) this.typing.begin(user);
    },
    history(frame) {
      if (frame.channel_id !== this.channel?.id) return;
      this.takeCommands(frame.commands);
      this.timeline.show(this.layout.named(`Messages in ${channelLabel(this.channel)}`), this.intro(), frame.messages);
      if (this.goal) this.timeline.reveal(this.goal);
      this.goal = null;
    },
    message({ message }) {
      if (message.channel_id === this.channel?.id) {
        this.typing.end(message.author.id);
        this.timeline.put(message);
      } else this.count(message);
      if (message.author.id !== this.cache.person.id)
        this.layout.announce(`${displayName(message.author)}: ${summary(message)}`);
    },
    message_update({ message }) {
      if (message.channel_id === this.channel?.id && this.timeline.messages.has(message.id))
        this.timeline.change(message);
    },
    message_delete(frame) {
      if (frame.channel_id === this.channel?.id) this.timeline.remove(frame.id);
    },
    commands(frame) {
      this.cache.setCommands(frame.server_id, frame.commands);
      if (frame.server_id !== this.server?.id) return;
      this.takeCommands(frame.commands);
      this.timeline.intro.replaceChildren(...this.intro());
    },
    error(frame) {
      this.layout.notice(frame.message);
    },
    modal({ modal }) {
      openModal(this.layout.pane, modal, this.around, (values) =>
        this.connection.ask({ op: "modal", modal_id: modal.id, values }),
      );
    },
  };

  /* Places */

  /** The server, with whom it has where the person is: direct messages and groups have members of their own. */
  get here() {
    return this.channel?.members ? { ...this.server, members: this.channel.members } : this.server;
  }

  open(server, channel) {
    this.server = server;
    this.channel = channel;
    this.unread.delete(channel.id);
    this.typing.clear();
    this.drawPlaces();
    this.drawStatus();
    this.layout.closeDrawer();
    this.takeCommands(server.commands);
    this.connection.send({ op: "open", channel_id: channel.id });
    this.page.moved();
  }

  /** The channel that was looked at is out of sight now. */
  lose(server) {
    this.layout.notice(`${channelLabel(this.channel)} is not here any more.`);
    if (server) this.open(server, textChannels(server)[0]);
  }

  takeCommands(commands) {
    this.offered = commands;
    this.commands = localized(commands, this.cache.person.locale);
    this.composer.setPlace(this.here, channelLabel(this.channel), this.cache.person, this.commands);
  }

  /** Have the person's Discord in another language from now on. */
  speak(locale) {
    this.connection.send({ op: "locale", locale });
    this.cache.person.locale = locale;
    this.takeCommands(this.offered);
    this.timeline.intro.replaceChildren(...this.intro());
  }

  drawPlaces() {
    const { layout, server, channel, unread, cache } = this;
    layout.servers.replaceChildren(
      ...drawServers(cache.servers, server, unread, (other) => this.open(other, textChannels(other)[0])),
    );
    layout.channels.replaceChildren(
      ...drawChannels(server, channel, unread, (other) => this.open(server, other)),
    );
    layout.serverName.textContent = server.name;
    layout.sign.replaceChildren(channelSign(channel));
    layout.channelName.textContent = channel.name;
    layout.members.replaceChildren(...drawMembers(this.here, (user) => cache.known(user, server)));
    const others = cache.people.filter((person) => person.id !== cache.person.id);
    layout.self.replaceChildren(
      drawSelf(cache.person, others, {
        tab: (person) => this.page.addressAs(person, this),
        beside: (person) => this.page.addressBeside(person, this),
      }, { locales: cache.locales, choose: (locale) => this.speak(locale) }),
    );
    if (this.page.windows.length > 1) layout.leave.href = this.page.addressWithout(this);
  }

  count(message) {
    const mentions = (message.mentions ?? []).some((user) => user.id === this.cache.person.id) ? 1 : 0;
    this.unread.set(message.channel_id, (this.unread.get(message.channel_id) ?? 0) + mentions);
    this.drawPlaces();
  }

  jump(channelId, messageId) {
    if (channelId === this.channel.id) return messageId && this.timeline.reveal(messageId);
    const place = this.cache.placeOf(channelId);
    if (!place) return this.layout.notice("That place is not here.");
    this.goal = messageId ?? null;
    return this.open(place.server, place.channel);
  }

  /** The head of the channel, with commands to try between two people, when there are such. */
  intro() {
    const beside = this.page.windows.map((window) => window.person);
    const examples = exampleCommands(this.here, this.commands, this.cache, beside);
    return drawIntro(this.channel, examples, (text) => this.composer.fill(text));
  }

  /* Menus */

  openMenu(thing, at) {
    const user = thing.dataset.userId && this.cache.user(thing.dataset.userId);
    const message = user ? null : this.timeline.messages.get(thing.closest("li.message")?.dataset.messageId);
    if (!user && !message) return;
    const menu = menuFor({ user, message, commands: this.commands, link: this.linkTo(message) }, {
      run: (command) => this.useOn(command, user ? { target_id: user.id } : { message_id: message.id }),
      mention: () => this.composer.add(handleOf(this.here.members, user)),
      copy: (text) => this.copy(text),
      dismiss: () => this.dismiss(message),
    });
    openMenu(this.layout.pane, at, menu.label, menu.items);
  }

  linkTo(message) {
    return message && `https://discord.com/channels/${this.server.id}/${message.channel_id}/${message.id}`;
  }

  async copy(text) {
    try {
      await navigator.clipboard.writeText(text);
      this.layout.notice("Copied.");
    } catch (error) {
      this.layout.notice(`Your browser lets nothing be copied: ${error.message}`);
    }
  }

  useOn(command, target) {
    const channelId = this.channel.id;
    this.timeline.toNewest();
    const shown = { name: command.name, target_user: true };
    this.follow(shown, channelId, { op: "context_menu", channel_id: channelId, name: command.key, ...target });
  }

  /* Deeds */

  async act(message, customId, deed) {
    this.timeline.stand(message.id, { pending: customId, failure: null });
    const answer = await this.connection.ask({
      ...deed,
      message_id: message.id,
      channel_id: message.channel_id,
      custom_id: customId,
    });
    this.timeline.stand(message.id, {
      pending: null,
      failure: answer.ok ? null : answer.reason || PRESS_FAILED,
    });
  }

  say(content) {
    this.timeline.toNewest();
    return this.connection.send({ op: "say", channel_id: this.channel.id, content });
  }

  slash(leaf, options) {
    if (!this.connection.isOpen) return false;
    this.timeline.toNewest();
    const channelId = this.channel.id;
    this.follow({ name: leaf.name }, channelId, { op: "slash", ...this.called(leaf, options, channelId) });
    return true;
  }

  /** Send a command, and stand in for its answer until that comes. */
  async follow(shown, channelId, frame) {
    const placeholder = this.placeholder(shown, channelId);
    const slow = setTimeout(() => this.placeLocal(placeholder, { sending: "Sending command…" }), PATIENCE);
    const answer = await this.connection.ask(frame);
    clearTimeout(slow);
    if (answer.ok) this.timeline.remove(placeholder.id);
    else this.placeLocal(placeholder, { sending: null, failure: answer.reason || COMMAND_FAILED });
  }

  async complete(leaf, options, focused, value) {
    const answer = await this.connection.ask({
      op: "autocomplete",
      ...this.called(leaf, options, this.channel.id),
      focused,
      value,
    });
    return answer.choices ?? [];
  }

  called(leaf, options, channelId) {
    return {
      channel_id: channelId,
      command_id: leaf.command.id,
      name: leaf.command.key,
      path: leaf.path,
      options,
    };
  }

  /** A message of the page's own: a command that is on its way, or came to nothing. */
  placeholder(shown, channelId) {
    const { application, person } = this.cache;
    const author = this.server.members.find((member) => member.id === application.id) ?? {
      id: application.id,
      username: application.name,
      bot: true,
    };
    return {
      id: newestSnowflake(),
      local: true,
      channel_id: channelId,
      author,
      timestamp: new Date().toISOString(),
      flags: 64,
      interaction_metadata: { type: 2, user: person, ...shown },
    };
  }

  placeLocal(message, standing) {
    if (message.channel_id !== this.channel.id) return;
    this.timeline.put(message);
    this.timeline.stand(message.id, standing);
  }

  dismiss(message) {
    if (!message.local) this.connection.send({ op: "dismiss", message_id: message.id });
    this.timeline.remove(message.id);
  }
}
