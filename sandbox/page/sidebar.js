/** Left of the messages: servers, channels, and who you are. Right of them: the members. */

import { channelLabel, DIRECT, isDirect, textChannels } from "./directory.js";
import { el, icon, uniqueId } from "./dom.js";
import { appTag, avatar, displayName, initials, nameOf } from "./people.js";

function isHome(server) {
  return server.id === DIRECT;
}

/** The sign before a channel's name. */
export function channelSign(channel) {
  return icon(isDirect(channel) ? "at" : "hash");
}

/** The column of server icons. @param {function(Object): void} open told the server that was chosen */
export function drawServers(servers, current, unread, open) {
  const inOrder = [...servers.filter(isHome), ...servers.filter((server) => !isHome(server))];
  return inOrder.map((server) => {
    const waiting = server.id !== current?.id && textChannels(server).some((channel) => unread.has(channel.id));
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

/** The channels of a server. @param {function(Object): void} open told the channel that was chosen */
export function drawChannels(server, current, unread, open) {
  return textChannels(server).map((channel) => {
    const isCurrent = channel.id === current?.id;
    const waiting = !isCurrent && unread.has(channel.id);
    const mentions = waiting ? unread.get(channel.id) : 0;
    return el(
      "li",
      { class: ["channel", isCurrent && "current", waiting && "unread"].filter(Boolean).join(" ") },
      el(
        "button",
        {
          type: "button",
          "aria-current": isCurrent ? "page" : null,
          "aria-label": waiting ? `${channel.name}, unread` : null,
          on: { click: () => open(channel) },
        },
        channelSign(channel),
        el("bdi", { class: "channel-name" }, channel.name),
        mentions ? el("span", { class: "badge" }, String(mentions)) : null,
      ),
    );
  });
}

/** The members, applications apart. */
export function drawMembers(server, known) {
  const groups = [
    ["Members", server.members.filter((member) => !member.bot)],
    ["Apps", server.members.filter((member) => member.bot)],
  ];
  return groups
    .filter(([, members]) => members.length)
    .flatMap(([title, members]) => [
      el("h2", {}, `${title} — ${members.length}`),
      el(
        "ul",
        {},
        members.map((member) =>
          el("li", { class: "member" }, avatar(known(member), "medium"), nameOf(member), appTag(member)),
        ),
      ),
    ]);
}

/**
 * The panel that says who this tab is, with a menu to open a tab as somebody else.
 *
 * @param {function(Object): string} addressAs the page's address here, as another person
 */
export function drawSelf(person, others, addressAs) {
  const menuId = uniqueId("switcher");
  const links = others.map((other) =>
    el(
      "a",
      { href: addressAs(other), target: "_blank", rel: "opener" },
      avatar(other, "small"),
      nameOf(other),
      icon("external"),
    ),
  );
  const menu = el("div", { class: "switcher", id: menuId, hidden: true }, el("p", {}, "Open a tab as"), links);
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

/** The head of a channel: where it begins, and a ready command to try. */
export function drawIntro(channel, trial, fill) {
  const words = [
    el("div", { class: "intro-sign" }, channelSign(channel)),
    isDirect(channel)
      ? el("h2", {}, el("bdi", {}, channel.name))
      : el("h2", {}, "Welcome to ", el("bdi", {}, channelLabel(channel)), "!"),
    el(
      "p",
      {},
      isDirect(channel) ? "This is the start of your direct messages with " : "This is the start of ",
      el("bdi", {}, channelLabel(channel)),
      ".",
    ),
  ];
  if (!trial) return words;
  const offer = el(
    "button",
    { type: "button", class: "button secondary trial", on: { click: () => fill(trial.line) } },
    el("span", { class: "face" }, trial.line),
  );
  return [
    ...words,
    el(
      "p",
      { class: "intro-trial" },
      `Try it: challenge ${displayName(trial.opponent)}, then open a tab as ${displayName(trial.opponent)} to answer. `,
    ),
    offer,
  ];
}
