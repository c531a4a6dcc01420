/** The messages of one channel: in order, grouped, and kept at the newest while the reader is there. */

import { el } from "../elements/element.js";
import { byAge } from "../model/snowflakes.js";
import { dayName, sameDay } from "../text/timestamps.js";
import { drawMessage, excerpt, isEphemeral } from "./message.js";
import { isSystemMessage } from "./system-messages.js";

const GROUP_WINDOW = 7 * 60 * 1000;
const NEAR = 40;
const NEW_ROWS = 50;
const AT_REST = { pending: null, failure: null, sending: null, chosen: {} };

export class Timeline {
  /** @param {Object} room what `drawMessage` wants, without `find` */
  constructor(room) {
    this.room = { ...room, find: (id) => this.messages.get(id) ?? null };
    this.messages = new Map();
    this.rows = new Map();
    this.standings = new Map();
    this.intro = el("div", { class: "intro" });
    this.list = el("ol", { class: "messages" });
    this.scroller = el(
      "div",
      { class: "scroller", tabindex: 0, role: "region" },
      el("div", { class: "scrolled" }, this.intro, this.list),
    );
    this.newer = el(
      "button",
      { type: "button", class: "newer", hidden: true, on: { click: () => this.toNewest() } },
      "New messages ↓",
    );
    this.element = el("div", { class: "timeline" }, this.scroller, this.newer);
    this.stuck = true;
    this.top = 0;
    this.scroller.addEventListener("scroll", () => this.scrolled(), { passive: true });
    this.scroller.addEventListener("keydown", (event) => this.step(event));
    const keep = new ResizeObserver(() => this.stay());
    keep.observe(this.scroller);
    keep.observe(this.scroller.firstChild);
  }

  /** Show another channel, or the same one again. */
  show(label, intro, messages) {
    this.scroller.setAttribute("aria-label", label);
    this.intro.replaceChildren(...intro);
    const same = messages.length && this.messages.has(messages[0].id);
    this.messages = new Map(
      messages.toSorted((one, other) => byAge(one.id, other.id)).map((message) => [message.id, message]),
    );
    if (!same) this.standings.clear();
    this.rows.clear();
    for (const message of this.messages.values()) this.rows.set(message.id, this.draw(message));
    let before = null;
    for (const row of this.rows.values()) {
      this.group(row, before);
      before = row;
    }
    for (const row of [...this.rows.values()].slice(0, -NEW_ROWS)) row.classList.add("old");
    this.list.replaceChildren(...this.rows.values());
    if (!same) this.stuck = true;
    this.stay();
  }

  put(message) {
    this.scrolled(); // somebody may have scrolled up whose event is still to come
    const old = this.row(message.id);
    this.messages.set(message.id, message);
    const row = this.draw(message);
    this.rows.set(message.id, row);
    if (old) {
      replaceKeepingFocus(old, row);
    } else {
      this.insert(row);
      this.newer.hidden = this.stuck;
    }
    this.group(row);
    this.group(row.nextElementSibling);
    this.stay();
  }

  remove(id) {
    const row = this.row(id);
    this.messages.delete(id);
    this.rows.delete(id);
    this.standings.delete(id);
    if (!row) return;
    const next = row.nextElementSibling;
    row.remove();
    this.group(next);
    this.stay();
  }

  /** Whoever is at the newest stays there, at once: two changes in a row must not look like a scrolling away. */
  stay() {
    if (this.stuck) this.toNewest();
  }

  /** Change what the page knows of a message, and draw it so. */
  stand(id, change) {
    this.standings.set(id, { ...this.standing(id), ...change });
    const message = this.messages.get(id);
    if (message) this.put(message);
  }

  /** Draw a message as its author has changed it, also where others quote it; what was chosen in it is no more. */
  change(message) {
    for (const quote of this.list.querySelectorAll(`[data-excerpt-of="${CSS.escape(message.id)}"]`))
      quote.replaceChildren(...excerpt(message));
    const standing = this.standings.get(message.id);
    if (standing) this.standings.set(message.id, { ...standing, chosen: {} });
    this.put(message);
  }

  standing(id) {
    return this.standings.get(id) ?? AT_REST;
  }

  /** Bring a message into view and mark it for a moment. @returns {boolean} whether it is here */
  reveal(id) {
    const row = this.row(id);
    if (!row) return false;
    row.scrollIntoView({ block: "center" });
    row.classList.add("revealed");
    setTimeout(() => row.classList.remove("revealed"), 2000);
    return true;
  }

  /** Arrows walk from message to message, from the newest up. */
  step(event) {
    const row = event.target.closest("li.message");
    if (!["ArrowUp", "ArrowDown"].includes(event.key) || ![row, this.scroller].includes(event.target)) return;
    const up = event.key === "ArrowUp";
    const next = row ? row[up ? "previousElementSibling" : "nextElementSibling"] : this.list.lastElementChild;
    if (!next) return;
    event.preventDefault();
    next.focus();
  }

  toNewest() {
    this.stuck = true;
    this.newer.hidden = true;
    this.scroller.scrollTop = this.scroller.scrollHeight;
    this.top = this.scroller.scrollTop; // by the time of its event somebody may have scrolled up
  }

  scrolled() {
    const { scrollHeight, scrollTop, clientHeight } = this.scroller;
    if (scrollHeight - scrollTop - clientHeight < NEAR) this.stuck = true;
    else if (scrollTop < this.top) this.stuck = false; // growth below alone is no scrolling away
    this.top = scrollTop;
    if (this.stuck) this.newer.hidden = true;
  }

  draw(message) {
    return drawMessage(message, this.standing(message.id), this.room);
  }

  row(id) {
    return this.rows.get(id) ?? null;
  }

  insert(row) {
    let before = this.list.lastElementChild;
    while (before && byAge(row.dataset.messageId, before.dataset.messageId) < 0)
      before = before.previousElementSibling;
    if (before) before.after(row);
    else this.list.prepend(row);
    this.list.children[this.list.children.length - NEW_ROWS - 1]?.classList.add("old");
  }

  /** Join a row to the one before it, or let it begin a group or a day. */
  group(row, above = row?.previousElementSibling) {
    if (!row) return;
    const message = this.messages.get(row.dataset.messageId);
    const before = this.messages.get(above?.dataset.messageId);
    const date = new Date(message.timestamp);
    const newDay = !before || !sameDay(date, new Date(before.timestamp));
    row.classList.toggle("new-day", newDay);
    if (newDay) row.dataset.day = dayName(date);
    row.classList.toggle("grouped", !newDay && continues(row, message, before));
  }
}

function continues(row, message, before) {
  return (
    message.author.id === before.author.id &&
    !isSystemMessage(message) &&
    !isSystemMessage(before) &&
    isEphemeral(message) === isEphemeral(before) &&
    !row.querySelector(":scope > .above") &&
    new Date(message.timestamp) - new Date(before.timestamp) < GROUP_WINDOW
  );
}

/**
 * Keep the focus when a row is replaced: on the same or the third button as before, else on the row.
 *
 * A button that can no longer be pressed loses the focus. Then it goes to the row, not to the button beside it, where a
 * second press of the same key would do something else.
 */
function replaceKeepingFocus(old, row) {
  const held = old.contains(document.activeElement) ? document.activeElement : null;
  const place = held && [...old.querySelectorAll("button")].indexOf(held);
  old.replaceWith(row);
  if (!held) return;
  const buttons = [...row.querySelectorAll("button")];
  const same = buttons.find(
    (button) => button.dataset.customId && button.dataset.customId === held.dataset.customId,
  );
  const target = held === old ? row : same ?? buttons[Math.min(place, buttons.length - 1)];
  (target && !target.disabled ? target : row).focus({ preventScroll: true });
}
