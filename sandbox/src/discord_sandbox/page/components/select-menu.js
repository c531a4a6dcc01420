/** A select menu: a button that opens a list, by mouse and by keyboard; a long one can be searched. */

import { el, uniqueId } from "../elements/element.js";
import { icon } from "../elements/icons.js";
import { avatar } from "../elements/users.js";
import { emoji } from "../text/emoji.js";
import { entityOptions, offersEntities, promptOf } from "./entity-options.js";

const MOVES = { ArrowDown: 1, ArrowUp: -1 };
const MOST_SHOWN = 100;

/**
 * @typedef {Object} Option
 * @property {string} label
 * @property {string} value
 * @property {string} [description]
 * @property {Object} [emoji]
 * @property {Object} [user] whose picture is shown before the label
 * @property {string} [icon]
 * @property {boolean} [default]
 */

/**
 * What Discord's select component asks for, of whichever kind it is.
 *
 * @param {Object} component
 * @param {import("../text/rich-text.js").Surroundings} around
 */
export function menuOf(component, around) {
  const search = offersEntities(component);
  return {
    customId: component.custom_id,
    placeholder: component.placeholder || (search ? promptOf(component) : null),
    options: search ? entityOptions(component, around) : (component.options ?? []),
    search,
    least: component.min_values ?? 1,
    most: component.max_values ?? 1,
    disabled: Boolean(component.disabled),
  };
}

/**
 * @param {Object} menu
 * @param {string} menu.customId
 * @param {Option[]} menu.options
 * @param {boolean} [menu.search] whether to offer a line to search in
 * @param {number} menu.least
 * @param {number} menu.most
 * @param {string} [menu.id] of the button, for a label elsewhere
 * @param {string[]} [menu.chosen] what was taken before, where that is more than the defaults
 * @param {string|null} [menu.pending] what waits for its answer meanwhile
 * @param {function(string[]): void} menu.take called with the values when the choice is made
 */
export function selectMenu(menu) {
  return new Select(menu).element;
}

class Select {
  constructor(menu) {
    this.menu = menu;
    this.before = menu.chosen ?? menu.options.filter((option) => option.default).map((option) => option.value);
    this.chosen = new Set(this.before);
    this.shown = [];
    this.active = 0;
    this.closeOutside = (event) => this.element.contains(event.target) || this.close();
    this.draw();
    this.paintFace();
  }

  draw() {
    const { menu } = this;
    const listId = uniqueId("options");
    this.face = el("span", { class: "select-face" });
    const says = menu.label ?? menu.placeholder ?? "Make a selection";
    this.opener = el(
      "button",
      {
        type: "button",
        class: "select-button",
        id: menu.id,
        role: "combobox",
        "aria-haspopup": "listbox",
        "aria-expanded": "false",
        "aria-controls": listId,
        "aria-label": menu.id ? null : says,
        disabled: menu.disabled,
        "aria-disabled": menu.pending ? "true" : null,
        data: { customId: menu.customId },
      },
      this.face,
      icon("chevron"),
    );
    this.list = el("div", {
      class: "select-options",
      role: "listbox",
      id: listId,
      "aria-label": says,
      "aria-multiselectable": menu.most > 1 ? "true" : null,
    });
    this.search = menu.search
      ? el("input", {
          class: "select-search",
          type: "text",
          role: "combobox",
          placeholder: "Search",
          autocomplete: "off",
          "aria-label": `Search: ${says}`,
          "aria-expanded": "true",
          "aria-controls": listId,
        })
      : null;
    this.panel = el("div", { class: "select-list", hidden: true }, this.search, this.list);
    this.element = el("div", { class: "select" }, this.opener, this.panel);
    this.opener.addEventListener("click", () => (this.isOpen ? this.close() : this.open()));
    this.element.addEventListener("keydown", (event) => this.key(event));
    this.search?.addEventListener("input", () => this.fill());
  }

  get isOpen() {
    return !this.panel.hidden;
  }

  open() {
    if (this.menu.pending) return;
    this.panel.hidden = false;
    this.opener.setAttribute("aria-expanded", "true");
    if (this.search) this.search.value = "";
    this.fill();
    const below = this.opener.getBoundingClientRect().bottom + this.panel.offsetHeight;
    this.element.classList.toggle("upward", below > window.innerHeight);
    document.addEventListener("pointerdown", this.closeOutside);
    this.search?.focus({ preventScroll: true });
  }

  /** List the options that answer to what is searched for. */
  fill() {
    const wanted = (this.search?.value ?? "").trim().toLowerCase();
    const answers = (option) => `${option.label}\n${option.description ?? ""}`.toLowerCase().includes(wanted);
    this.shown = this.menu.options.filter((option) => !wanted || answers(option)).slice(0, MOST_SHOWN);
    this.rows = this.shown.map((option, index) => this.row(option, index));
    this.list.replaceChildren(...this.rows);
    if (!this.rows.length)
      this.list.append(el("div", { class: "select-none", role: "option", "aria-disabled": "true" }, "Nothing matches"));
    this.active = Math.max(0, wanted ? 0 : this.shown.findIndex((option) => this.chosen.has(option.value)));
    this.paint();
  }

  row(option, index) {
    return el(
      "div",
      {
        class: "select-option",
        role: "option",
        id: uniqueId("option"),
        on: { click: () => this.toggle(index), mousemove: () => this.point(index) },
      },
      option.user && avatar(option.user, "small"),
      option.icon && icon(option.icon),
      option.emoji && emoji(option.emoji),
      el(
        "span",
        { class: "option-words" },
        el("bdi", {}, option.label),
        option.description && el("small", {}, option.description),
      ),
      this.menu.most > 1 ? el("span", { class: "tick" }, icon("check")) : null,
    );
  }

  paintFace() {
    const labels = this.menu.options
      .filter((option) => this.chosen.has(option.value))
      .map((option) => option.label);
    this.face.textContent = labels.join(", ") || this.menu.placeholder || "Make a selection";
    this.face.classList.toggle("empty", !labels.length);
  }

  paint() {
    this.paintFace();
    this.rows.forEach((row, index) => {
      row.setAttribute("aria-selected", String(this.chosen.has(this.shown[index].value)));
      row.classList.toggle("active", index === this.active);
    });
    const id = this.rows[this.active]?.id;
    const holder = this.search ?? this.opener;
    if (id) holder.setAttribute("aria-activedescendant", id);
    else holder.removeAttribute("aria-activedescendant");
  }

  point(index) {
    if (index === this.active || !this.rows.length) return;
    this.active = index;
    this.paint();
    this.rows[index].scrollIntoView({ block: "nearest" });
  }

  close(finish = true) {
    if (!this.isOpen) return;
    const hadFocus = this.panel.contains(document.activeElement);
    this.panel.hidden = true;
    this.opener.setAttribute("aria-expanded", "false");
    this.opener.removeAttribute("aria-activedescendant");
    document.removeEventListener("pointerdown", this.closeOutside);
    if (hadFocus) this.opener.focus({ preventScroll: true });
    const changed = [...this.chosen].join() !== this.before.join();
    if (finish && changed && this.menu.most > 1 && this.chosen.size >= this.menu.least) this.take();
  }

  take() {
    this.before = [...this.chosen];
    this.menu.take(this.before);
  }

  toggle(index) {
    const option = this.shown[index];
    if (!option) return;
    const { chosen, menu } = this;
    if (menu.most > 1) {
      if (chosen.has(option.value)) chosen.delete(option.value);
      else if (chosen.size < menu.most) chosen.add(option.value);
      this.paint();
      (this.search ?? this.opener).focus({ preventScroll: true });
      return;
    }
    const again = chosen.has(option.value) && menu.least === 0;
    chosen.clear();
    if (!again) chosen.add(option.value);
    this.paint();
    this.close(false);
    this.opener.focus({ preventScroll: true });
    this.take();
  }

  key(event) {
    if (!this.isOpen && event.key in MOVES) this.open();
    else if (!this.isOpen || !this.keyInList(event)) return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** @returns {boolean} whether the key was meant for the list */
  keyInList({ key }) {
    const count = this.rows.length;
    if (key in MOVES) this.point((this.active + MOVES[key] + count) % (count || 1));
    else if (key === "Home" && !this.search) this.point(0);
    else if (key === "End" && !this.search) this.point(count - 1);
    else if (key === "Enter" || (key === " " && !this.search)) this.toggle(this.active);
    else if (key === "Escape") this.close(this.menu.most > 1);
    else {
      if (key === "Tab") this.close();
      return false;
    }
    return true;
  }
}
