/** Left of the messages: servers, channels, and who you are. Right of them: the members. */

import { el, uniqueId } from "../elements/element.js";
import { icon } from "../elements/icons.js";
import { appTag, avatar, nameOf } from "../elements/users.js";
import { byCategory, channelLabel, DIRECT, isDirect, isGroup, isThread, textChannels, threadsUnder } from "../model/channels.js";
import { displayName, initials } from "../model/display-names.js";

function isHome(server) {
  return server.id === DIRECT;
}

/** The sign before a channel's name. */
export function channelSign(channel) {
  return icon(isThread(channel) ? "thread" : isDirect(channel) ? "at" : "hash");
}

/** The column of server icons. @param {function(Object): void} open called with the server that was chosen */
export function drawServers(servers, current, unread, open) {
  const inOrder = [...servers.filter(isHome), ...servers.filter((server) => !isHome(server))];
  return inOrder.map((server) => {
    const places = [...textChannels(server), ...server.threads];
    const waiting = server.id !== current?.id && places.some((place) => unread.has(place.id));
    return el(
      "li",
      {
        class: ["server", server.id === current?.id && "current", waiting && "unread", isHome(server) && "home"]
          .filter(Boolean)
          .join(" "),
      },
      el(
        "button",
        {
          type: "button",
          title: server.name,
          "aria-label": waiting ? `${server.name}, unread` : server.name,
          "aria-current": server.id === current?.id ? "true" : null,
          on: { click: () => open(server) },
        },
        isHome(server) ? icon("chat") : el("span", { "aria-hidden": "true" }, initials(server.name)),
      ),
    );
  });
}

/** The channels of a server, below its events that aren't over. @param {function(Object): void} open called with the channel or thread that was chosen */
export function drawChannels(server, current, unread, open) {
  const row = (place) => drawPlace(place, place.id === current?.id, unread, open);
  const withThreads = (channel) => {
    const threads = threadsUnder(server, channel);
    if (current?.parent_id === channel.id && !threads.some((thread) => thread.id === current.id))
      threads.push(current); // one that is put away, and read all the same
    return [
      row(channel),
      threads.length ? el("li", { class: "threads" }, el("ul", {}, threads.map(row))) : [],
    ].flat();
  };
  const events = (server.events ?? []).map(({ name, place }) =>
    el("li", { class: "event" }, el("bdi", {}, name), " · ", el("bdi", {}, place)),
  );
  return [...events, ...byCategory(server).flatMap(({ category, channels }) => [
    category ? el("li", { class: "category" }, el("bdi", {}, category.name)) : [],
    ...channels.flatMap(withThreads),
  ].flat())];
}

function drawPlace(place, isCurrent, unread, open) {
  const waiting = !isCurrent && unread.has(place.id);
  const mentions = waiting ? unread.get(place.id) : 0;
  const kind = isThread(place) ? "thread" : null;
  return el(
    "li",
    { class: ["channel", kind, isCurrent && "current", waiting && "unread"].filter(Boolean).join(" ") },
    el(
      "button",
      {
        type: "button",
        "aria-current": isCurrent ? "page" : null,
        "aria-label": waiting ? `${place.name}, unread` : null,
        on: { click: () => open(place) },
      },
      kind ? null : channelSign(place),
      el("bdi", { class: "channel-name" }, place.name),
      mentions ? el("span", { class: "badge" }, String(mentions)) : null,
    ),
  );
}

/** The members: those of roles shown apart, the others, and applications. Each opens the menu of its person. */
export function drawMembers(server, known) {
  const apart = server.roles
    .filter((role) => role.hoist)
    .toSorted((one, other) => other.position - one.position);
  const left = new Set(server.members);
  const take = (belongs) => {
    const found = [...left].filter(belongs);
    for (const member of found) left.delete(member);
    return found;
  };
  const groups = [
    ...apart.map((role) => [role.name, take((member) => member.roles?.includes(role.id))]),
    ["Members", take((member) => !member.bot)],
    ["Apps", [...left]],
  ];
  return groups
    .filter(([, members]) => members.length)
    .flatMap(([title, members]) => [
      el("h2", {}, `${title} — ${members.length}`),
      el(
        "ul",
        {},
        members.map((member) => el("li", {}, drawMember(known(member), member))),
      ),
    ]);
}

function drawMember(known, member) {
  return el(
    "button",
    { type: "button", class: "member", "aria-haspopup": "menu", data: { userId: member.id, menu: "user" } },
    avatar(known, "medium"),
    nameOf(known),
    appTag(member),
  );
}

/** A language as it calls itself; by its code where the browser does not know it. */
function languageName(locale) {
  return new Intl.DisplayNames([locale], { type: "language" }).of(locale) ?? locale;
}

/** The list of Discord's locales; `choose` is told the one that is picked. */
function drawLanguages(person, locales, choose) {
  const options = locales.map((locale) =>
    el("option", { value: locale, selected: locale === person.locale }, languageName(locale)),
  );
  const select = el("select", { on: { change: () => choose(select.value) } }, options);
  return el("label", { class: "switcher-language" }, "Language", select);
}

/**
 * The panel that says who this is, with a menu to be somebody else as well, and to choose their language.
 *
 * @param {{tab: function(Object): string, beside: function(Object): string|null}} address the page's address here
 *   as another person, and with that person beside the ones who are here
 * @param {{locales: string[], choose: function(string): void}} languages
 */
export function drawSelf(person, others, address, { locales, choose }) {
  const menuId = uniqueId("switcher");
  const rows = others.map((other) => {
    const beside = address.beside(other);
    return el(
      "div",
      { class: "switcher-row" },
      el(
        "a",
        { href: address.tab(other), target: "_blank", rel: "opener", title: "In a tab of their own" },
        avatar(other, "small"),
        nameOf(other),
      ),
      beside &&
        el(
          "a",
          { class: "beside", href: beside, title: "Side by side", "aria-label": `${displayName(other)}, side by side` },
          icon("beside"),
        ),
    );
  });
  const menu = el("div", { class: "switcher", id: menuId, hidden: true }, el("p", {}, "Open a tab as"), rows, drawLanguages(person, locales, choose));
  const opener = el(
    "button",
    {
      type: "button",
      class: "round",
      "aria-label": "Open a tab as another person",
      title: "Open a tab as another person",
      "aria-expanded": "false",
      "aria-controls": menuId,
    },
    icon("swap"),
  );
  const panel = el(
    "div",
    { class: "self" },
    menu,
    avatar(person, "medium"),
    el("div", { class: "self-words" }, nameOf(person), el("bdi", { class: "user-name" }, person.username)),
    opener,
  );
  const set = (open) => {
    menu.hidden = !open;
    opener.setAttribute("aria-expanded", String(open));
  };
  opener.addEventListener("click", () => set(menu.hidden));
  panel.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || menu.hidden) return;
    set(false);
    opener.focus();
  });
  panel.addEventListener("focusout", (event) => panel.contains(event.relatedTarget) || set(false));
  menu.addEventListener("click", () => set(false));
  return panel;
}

/**
 * The head of a channel: where it begins, and ready commands to try.
 *
 * @param {{lines: string[][], how: string}|null} examples what each button says, and what it types
 * @param {function(string): void} fill called with the line that was chosen
 */
export function drawIntro(channel, examples, fill) {
  const label = el("bdi", {}, channelLabel(channel));
  const words = [
    el("div", { class: "intro-sign" }, channelSign(channel)),
    isDirect(channel) || isThread(channel)
      ? el("h2", {}, el("bdi", {}, channel.name))
      : el("h2", {}, "Welcome to ", label, "!"),
    el("p", {}, ...begins(channel), "."),
  ];
  if (!examples) return words;
  const buttons = examples.lines.map(([said, line]) =>
    el(
      "button",
      { type: "button", class: "button secondary example", on: { click: () => fill(line) } },
      el("span", { class: "face" }, said),
    ),
  );
  return [...words, el("p", { class: "intro-examples" }, examples.how), el("div", { class: "examples" }, buttons)];
}

function begins(channel) {
  const name = el("bdi", {}, isThread(channel) ? channel.name : channelLabel(channel));
  if (isGroup(channel)) return ["This is the start of the group ", el("bdi", {}, channel.name)];
  if (isDirect(channel)) return ["This is the start of your direct messages with ", name];
  return [isThread(channel) ? "This is the start of the thread " : "This is the start of ", name];
}
