/** A menu that opens where it is asked for: by right click, by a long press, or by a key. */

import { el, uniqueId } from "../elements/element.js";
import { icon } from "../elements/icons.js";

const EDGE = 8;

/**
 * @typedef {Object} Item
 * @property {string} label
 * @property {function(): void} [act]
 * @property {Item[]} [items] a menu of its own
 */

/**
 * Open a menu over a window; it closes by itself once something is chosen or the reader turns elsewhere.
 *
 * @param {HTMLElement} root the window, which the menu stays within
 * @param {{x: number, y: number}} at where, in the page's coordinates
 * @param {string} label whom or what the menu is about
 * @param {Item[]} items
 */
export function openMenu(root, at, label, items) {
  if (root.querySelector(".menu-veil")) return;
  const held = document.activeElement;
  const menu = el("section", { class: "menu-veil", "aria-label": `Menu of ${label}` });
  const close = (back = true) => {
    menu.remove();
    document.removeEventListener("pointerdown", elsewhere, true);
    window.removeEventListener("resize", close);
    if (back && held?.isConnected) held.focus({ preventScroll: true });
  };
  const elsewhere = (event) => menu.contains(event.target) || close(false);
  const list = drawList(items, label, close);
  menu.append(list);
  menu.addEventListener("keydown", (event) => onKey(event, close));
  menu.addEventListener("contextmenu", (event) => event.preventDefault());
  root.append(menu);
  place(list, root, at);
  document.addEventListener("pointerdown", elsewhere, true);
  window.addEventListener("resize", close);
  entries(list)[0]?.focus({ preventScroll: true });
}

function drawList(items, label, close) {
  return el(
    "div",
    { class: "menu-list", role: "menu", "aria-label": label },
    items.map((item) => (item.items ? drawSubmenu(item, close) : drawItem(item, close))),
  );
}

function drawItem(item, close) {
  const choose = () => {
    close();
    item.act();
  };
  return el(
    "button",
    { type: "button", class: "menu-item", role: "menuitem", tabindex: -1, on: { click: choose, mouseenter: focusIt } },
    el("bdi", {}, item.label),
  );
}

function drawSubmenu(item, close) {
  const inner = drawList(item.items, item.label, close);
  inner.id = uniqueId("submenu");
  inner.hidden = true;
  const opener = el(
    "button",
    {
      type: "button",
      class: "menu-item",
      role: "menuitem",
      tabindex: -1,
      "aria-haspopup": "menu",
      "aria-expanded": "false",
      "aria-controls": inner.id,
      on: { mouseenter: focusIt },
    },
    el("bdi", {}, item.label),
    icon("chevron"),
  );
  const group = el("div", { class: "menu-group", role: "none" }, opener, inner);
  const set = (open) => {
    inner.hidden = !open;
    opener.setAttribute("aria-expanded", String(open));
    if (open) turn(group, inner);
  };
  opener.addEventListener("click", () => set(true));
  group.addEventListener("mouseenter", () => set(true));
  group.addEventListener("focusout", (event) => group.contains(event.relatedTarget) || set(false));
  return group;
}

function focusIt(event) {
  event.currentTarget.focus({ preventScroll: true });
}

/** Let a submenu stand beside its opener, on the side where there is room, or below it where there is none. */
function turn(group, inner) {
  const around = group.closest(".pane").getBoundingClientRect();
  const box = group.getBoundingClientRect();
  const width = inner.offsetWidth;
  const room = box.right + width < around.right ? "right" : box.left - width > around.left ? "left" : "below";
  inner.dataset.side = room;
  const over = inner.getBoundingClientRect().bottom - around.bottom + EDGE;
  inner.style.marginTop = room !== "below" && over > 0 ? `${-over}px` : "";
}

function place(list, root, at) {
  const around = root.getBoundingClientRect();
  const within = (wanted, size, room) => Math.max(EDGE, Math.min(wanted, room - size - EDGE));
  list.style.left = `${within(at.x - around.left, list.offsetWidth, around.width)}px`;
  list.style.top = `${within(at.y - around.top, list.offsetHeight, around.height)}px`;
}

/** The choices of one list, those of its submenus left out. */
function entries(list) {
  return [...list.querySelectorAll(":scope > .menu-item, :scope > .menu-group > .menu-item")];
}

function onKey(event, close) {
  const current = event.target.closest(".menu-item");
  const list = current?.closest(".menu-list");
  if (!list) return;
  const stops = entries(list);
  const at = stops.indexOf(current);
  const opener = list.closest(".menu-group")?.querySelector(":scope > .menu-item");
  const deeds = {
    ArrowDown: () => stops[(at + 1) % stops.length].focus(),
    ArrowUp: () => stops[(at - 1 + stops.length) % stops.length].focus(),
    Home: () => stops[0].focus(),
    End: () => stops.at(-1).focus(),
    ArrowRight: () => enter(current),
    ArrowLeft: () => opener?.focus(),
    Enter: () => (current.hasAttribute("aria-haspopup") ? enter(current) : current.click()),
    Escape: () => close(),
    Tab: () => close(),
  };
  deeds[" "] = deeds.Enter;
  if (!(event.key in deeds)) return;
  event.preventDefault();
  event.stopPropagation();
  deeds[event.key]();
}

function enter(opener) {
  if (!opener.hasAttribute("aria-haspopup")) return;
  opener.click();
  entries(opener.nextElementSibling)[0]?.focus();
}
