/** The list over the composer: what can be picked, moved through by arrows while the caret stays in the line. */

import { el, uniqueId } from "../elements/element.js";
import { icon } from "../elements/icons.js";
import { avatar } from "../elements/users.js";

export class Popup {
  /** @param {function(Object): void} pick called with the row that was taken */
  constructor(pick) {
    this.pick = pick;
    this.rows = [];
    this.active = -1;
    this.moved = false;
    this.heading = el("div", { class: "popup-heading" });
    this.list = el("div", {
      class: "popup-list",
      role: "listbox",
      id: uniqueId("offers"),
      "aria-label": "Suggestions",
    });
    this.element = el("div", { class: "popup", hidden: true }, this.heading, this.list);
    this.element.addEventListener("mousedown", (event) => event.preventDefault());
  }

  get isOpen() {
    return !this.element.hidden;
  }

  get current() {
    return this.isOpen ? (this.rows[this.active] ?? null) : null;
  }

  get currentId() {
    return this.current ? this.list.children[this.active].id : null;
  }

  show(offer) {
    const same = this.isOpen && this.sameRows(offer.rows);
    this.rows = offer.rows;
    this.heading.replaceChildren(...headingOf(offer));
    this.element.hidden = false;
    if (same) return;
    this.moved = false;
    this.active = offer.sure && offer.rows.length ? 0 : -1;
    this.list.replaceChildren(...offer.rows.map((row, index) => this.draw(row, index)));
    this.list.hidden = !offer.rows.length;
    this.mark();
  }

  hide() {
    this.element.hidden = true;
    this.rows = [];
    this.active = -1;
  }

  move(step) {
    if (!this.rows.length) return;
    this.moved = true;
    this.active =
      this.active < 0
        ? step > 0
          ? 0
          : this.rows.length - 1
        : (this.active + step + this.rows.length) % this.rows.length;
    this.mark();
  }

  sameRows(rows) {
    return (
      JSON.stringify(rows.map((row) => [row.title, row.detail])) ===
      JSON.stringify(this.rows.map((row) => [row.title, row.detail]))
    );
  }

  mark() {
    [...this.list.children].forEach((node, index) => {
      node.setAttribute("aria-selected", String(index === this.active));
      if (index === this.active) node.scrollIntoView({ block: "nearest" });
    });
  }

  draw(row, index) {
    const point = () => {
      if (this.active === index) return;
      this.active = index;
      this.mark();
    };
    return el(
      "div",
      {
        class: "popup-row",
        role: "option",
        id: uniqueId("offer"),
        on: { click: () => this.pick(this.rows[index]), mousemove: point },
      },
      row.user && avatar(row.user, "small"),
      row.icon && el("span", { class: "popup-icon" }, icon(row.icon === "command" ? "slash" : row.icon)),
      el(
        "span",
        { class: "popup-words" },
        el(
          "span",
          { class: "popup-title" },
          el("bdi", {}, row.title),
          (row.notes ?? []).map((note) =>
            el("span", { class: note.required ? "note required" : "note" }, note.text),
          ),
        ),
        row.icon === "command" && row.detail ? el("span", { class: "popup-under" }, row.detail) : null,
      ),
      row.mark && el("span", { class: "popup-mark" }, row.mark),
      row.icon !== "command" && row.detail ? el("bdi", { class: "popup-detail" }, row.detail) : null,
    );
  }
}

function headingOf(offer) {
  const words = [el("strong", {}, offer.heading)];
  if (offer.about) words.push(el("span", {}, offer.about));
  if (!offer.rows.length && offer.none) words.push(el("em", {}, offer.none));
  return words;
}
