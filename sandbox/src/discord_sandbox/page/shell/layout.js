/** The fixed parts of a person's window: columns, heading, lines for status and notices. */

import { el, uniqueId } from "../elements/element.js";
import { icon } from "../elements/icons.js";
import { avatar, nameOf } from "../elements/users.js";
import { displayName } from "../model/display-names.js";

const NOTICE_STAYS = 7000;

/**
 * @param {Object} person whose window it is
 * @param {boolean} alone whether it is the page's only one; of several each says whose it is
 * @returns {Object} the parts by name; `pane` holds them all
 */
export function drawLayout(person, alone) {
  const named = (words) => (alone ? words : `${words} (${displayName(person)})`);
  const drawerId = uniqueId("drawer");
  const servers = el("ul", {});
  const serverName = el("h2", {}, el("bdi", {}));
  const channels = el("ul", {});
  const self = el("section", { class: "self-slot", "aria-label": named("You") });
  const sign = el("span", { class: "sign" });
  const channelName = el("bdi", {});
  const status = el("div", { class: "status", role: "status" });
  const notice = el("div", { class: "notice", role: "status" });
  const announcer = el("div", { class: "unseen", "aria-live": "polite" });
  const members = el(alone ? "aside" : "section", { class: "members", "aria-label": named("Members") });
  const leave = el("a", { class: "round leave", title: "Close this window", "aria-label": named("Close this window") });
  leave.append(icon("close"));
  const whose = el("span", { class: "whose" }, avatar(person, "small"), nameOf(person));
  const body = el("div", { class: "chat-body" });
  const menu = el(
    "button",
    {
      type: "button",
      class: "round menu",
      "aria-label": "Servers and channels",
      "aria-expanded": "false",
      "aria-controls": drawerId,
    },
    icon("menu"),
  );
  const people = el(
    "button",
    {
      type: "button",
      class: "round people",
      "aria-label": "Show members",
      "aria-pressed": "true",
      title: "Members",
    },
    icon("people"),
  );
  const scrim = el("div", { class: "scrim" });
  const drawer = el(
    "div",
    { class: "drawer", id: drawerId },
    el("nav", { class: "servers", "aria-label": named("Servers") }, servers),
    el(
      "div",
      { class: "channels" },
      el("header", {}, serverName),
      el("nav", { "aria-label": named("Channels") }, channels),
      self,
    ),
  );
  const pane = el(
    alone ? "div" : "section",
    { class: alone ? "pane" : "pane one-of-several", "aria-label": alone ? null : displayName(person) },
    drawer,
    scrim,
    el(
      alone ? "main" : "div",
      { class: "chat" },
      el(
        "header",
        { class: "chat-head" },
        menu,
        el("span", { class: "chat-title" }, sign, el("h1", {}, channelName)),
        people,
        alone ? null : [whose, leave],
      ),
      status,
      body,
      notice,
      announcer,
    ),
    members,
  );

  const setDrawer = (open) => {
    pane.classList.toggle("drawer-open", open);
    menu.setAttribute("aria-expanded", String(open));
  };
  menu.addEventListener("click", () => setDrawer(!pane.classList.contains("drawer-open")));
  scrim.addEventListener("click", () => setDrawer(false));
  pane.addEventListener("keydown", (event) => event.key === "Escape" && setDrawer(false));
  people.addEventListener("click", () => {
    const hidden = pane.classList.toggle("members-hidden");
    people.setAttribute("aria-pressed", String(!hidden));
  });

  let noticeTimer = null;
  return {
    pane,
    named,
    servers,
    serverName: serverName.firstChild,
    channels,
    self,
    sign,
    channelName,
    members,
    body,
    leave,
    closeDrawer: () => setDrawer(false),
    status: (words) => (status.textContent = words),
    announce: (words) => announcer.replaceChildren(words),
    notice: (words) => {
      clearTimeout(noticeTimer);
      notice.textContent = words;
      noticeTimer = setTimeout(() => (notice.textContent = ""), NOTICE_STAYS);
    },
  };
}
