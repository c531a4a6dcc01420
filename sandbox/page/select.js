/** A select menu: a button that opens a list, by mouse and by keyboard. */

import { el, icon, uniqueId } from "./dom.js";
import { emoji } from "./emoji.js";

/**
 * @param {Object} menu
 * @param {string} menu.customId
 * @param {Array<{label: string, value: string, description?: string, emoji?: Object, default?: boolean}>} menu.options
 * @param {number} menu.least
 * @param {number} menu.most
 * @param {function(string[]): void} menu.take told the values when the choice is made
 */
export function selectMenu(menu) {
  const chosen = new Set(menu.options.filter((option) => option.default).map((option) => option.value));
  const listId = uniqueId("options");
  const face = el("span", { class: "select-face" });
  const opener = el(
    "button",
    {
      type: "button",
      class: "select-button",
      role: "combobox",
      "aria-haspopup": "listbox",
      "aria-expanded": "false",
      "aria-controls": listId,
      "aria-label": menu.label ?? menu.placeholder ?? "Make a selection",
      disabled: menu.disabled,
      "aria-disabled": menu.pending ? "true" : null,
      data: { customId: menu.customId },
    },
    face,
    icon("chevron"),
  );
  const list = el("div", {
    class: "select-list",
    role: "listbox",
    id: listId,
    hidden: true,
    "aria-multiselectable": menu.most > 1 ? "true" : null,
  });
  const box = el("div", { class: "select" }, opener, list);
  let active = 0;

  const rows = menu.options.map((option, index) =>
    el(
      "div",
      {
        class: "select-option",
        role: "option",
        id: uniqueId("option"),
        on: { click: () => toggle(index), mousemove: () => point(index) },
      },
      option.emoji && emoji(option.emoji),
      el(
        "span",
        { class: "option-words" },
        el("span", {}, option.label),
        option.description && el("small", {}, option.description),
      ),
      menu.most > 1 ? el("span", { class: "tick" }, icon("check")) : null,
    ),
  );
  list.append(...rows);

  function paint() {
    const labels = menu.options.filter((option) => chosen.has(option.value)).map((option) => option.label);
    face.textContent = labels.join(", ") || menu.placeholder || "Make a selection";
    face.classList.toggle("empty", !labels.length);
    rows.forEach((row, index) => {
      row.setAttribute("aria-selected", String(chosen.has(menu.options[index].value)));
      row.classList.toggle("active", index === active);
    });
    if (!list.hidden) opener.setAttribute("aria-activedescendant", rows[active]?.id ?? "");
  }

  function point(index) {
    if (index === active) return;
    active = index;
    paint();
    rows[active]?.scrollIntoView({ block: "nearest" });
  }

  function open() {
    if (menu.pending) return;
    list.hidden = false;
    opener.setAttribute("aria-expanded", "true");
    active = Math.max(
      0,
      menu.options.findIndex((option) => chosen.has(option.value)),
    );
    paint();
    box.classList.toggle(
      "upward",
      opener.getBoundingClientRect().bottom + list.offsetHeight > window.innerHeight,
    );
    document.addEventListener("pointerdown", closeOutside);
  }

  function close(finish = true) {
    if (list.hidden) return;
    list.hidden = true;
    opener.setAttribute("aria-expanded", "false");
    opener.removeAttribute("aria-activedescendant");
    document.removeEventListener("pointerdown", closeOutside);
    if (finish && menu.most > 1 && chosen.size >= menu.least) menu.take([...chosen]);
  }

  function closeOutside(event) {
    if (!box.contains(event.target)) close();
  }

  function toggle(index) {
    const { value } = menu.options[index];
    if (menu.most === 1) {
      const again = chosen.has(value) && menu.least === 0;
      chosen.clear();
      if (!again) chosen.add(value);
      paint();
      close(false);
      menu.take([...chosen]);
    } else {
      if (chosen.has(value)) chosen.delete(value);
      else if (chosen.size < menu.most) chosen.add(value);
      paint();
    }
    opener.focus({ preventScroll: true });
  }

  opener.addEventListener("click", () => (list.hidden ? open() : close()));
  opener.addEventListener("keydown", (event) => {
    const moves = { ArrowDown: 1, ArrowUp: -1 };
    if (list.hidden && event.key in moves) open();
    else if (list.hidden) return;
    else if (event.key in moves) point((active + moves[event.key] + rows.length) % rows.length);
    else if (event.key === "Home") point(0);
    else if (event.key === "End") point(rows.length - 1);
    else if (event.key === "Enter" || event.key === " ") toggle(active);
    else if (event.key === "Escape") close(false);
    else if (event.key === "Tab") return close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  paint();
  return box;
}
