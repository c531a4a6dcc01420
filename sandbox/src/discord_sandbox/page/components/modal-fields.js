/**
 * The fields of a form.
 *
 * Discord's component types: 4 text input, 3 and 5 to 8 selects, 19 file upload, 21 radio group, 22 checkbox
 * group, 23 checkbox. Each drawn field says how its value is read, once the form is sent.
 */

import { el, uniqueId } from "../elements/element.js";
import { encoded } from "../elements/file-upload.js";
import { menuOf, selectMenu } from "./select-menu.js";

const SELECTS = new Set([3, 5, 6, 7, 8]);
const GROUPS = new Set([21, 22]);

/**
 * A field under its label.
 *
 * @param {Object} component
 * @param {string} label
 * @param {string|null} description
 * @param {Map<string, function(): unknown>} values filled with how to read each custom id's value, or a promise of it
 * @param {import("../text/rich-text.js").Surroundings} around
 */
export function labelled(component, label, description, values, around) {
  const id = uniqueId("field");
  const required = component.required !== false && component.type !== 23;
  const mark = required ? el("span", { class: "needed", "aria-hidden": "true" }, " *") : null;
  const about = description && el("p", { id: `${id}-about` }, description);
  const field = draw(component, { id, label, required, about: about ? `${id}-about` : null }, values, around);
  const title = GROUPS.has(component.type)
    ? el("span", { class: "field-label", id: `${id}-label` }, label, mark)
    : el("label", { for: id }, label, mark);
  if (component.type === 23) return el("div", { class: "modal-field ticked" }, field, el("div", {}, title, about));
  return el("div", { class: "modal-field" }, title, about, field);
}

function draw(component, place, values, around) {
  if (SELECTS.has(component.type)) return select(component, place, values, around);
  if (component.type === 21) return radios(component, place, values);
  if (component.type === 22) return checkboxes(component, place, values);
  if (component.type === 23) return checkbox(component, place, values);
  if (component.type === 19) return upload(component, place, values);
  return text(component, place, values);
}

function text(component, place, values) {
  const long = component.style === 2;
  const field = el(long ? "textarea" : "input", {
    id: place.id,
    type: long ? null : "text",
    rows: long ? 4 : null,
    placeholder: component.placeholder,
    required: place.required,
    minlength: component.min_length,
    maxlength: component.max_length ?? 4000,
    autocomplete: "off",
    "aria-describedby": place.about,
    data: { customId: component.custom_id },
  });
  field.value = component.value ?? "";
  values.set(component.custom_id, () => field.value);
  return field;
}

function select(component, place, values, around) {
  const menu = menuOf(component, around);
  let taken = menu.options.filter((option) => option.default).map((option) => option.value);
  values.set(component.custom_id, () => taken);
  return selectMenu({
    ...menu,
    id: place.id,
    label: place.label,
    least: place.required ? menu.least : 0,
    take: (chosen) => (taken = chosen),
  });
}

function radios(component, place, values) {
  const group = choices("radio", component, place, (option) => Boolean(option.default), place.required);
  values.set(component.custom_id, () => ticked(group));
  return group;
}

function checkboxes(component, place, values) {
  const group = choices("checkbox", component, place, (option) => Boolean(option.default), false);
  const most = component.max_values ?? component.options.length;
  group.addEventListener("change", () => {
    const full = ticked(group).length >= most;
    for (const box of group.querySelectorAll("input")) box.disabled = full && !box.checked;
  });
  values.set(component.custom_id, () => ticked(group));
  return group;
}

function choices(type, component, place, isTicked, required) {
  return el(
    "div",
    {
      class: "choices",
      role: type === "radio" ? "radiogroup" : "group",
      "aria-labelledby": `${place.id}-label`,
      "aria-describedby": place.about,
    },
    component.options.map((option) =>
      el(
        "label",
        { class: "choice" },
        el("input", { type, name: place.id, value: option.value, checked: isTicked(option), required }),
        el("span", {}, option.label, option.description && el("small", {}, option.description)),
      ),
    ),
  );
}

function ticked(group) {
  return [...group.querySelectorAll("input:checked")].map((box) => box.value);
}

function checkbox(component, place, values) {
  const box = el("input", {
    id: place.id,
    type: "checkbox",
    checked: Boolean(component.default),
    "aria-describedby": place.about,
  });
  values.set(component.custom_id, () => box.checked);
  return box;
}

function upload(component, place, values) {
  const field = el("input", {
    id: place.id,
    type: "file",
    class: "upload",
    multiple: (component.max_values ?? 1) > 1,
    required: place.required,
    "aria-describedby": place.about,
  });
  values.set(component.custom_id, () => Promise.all([...field.files].map(encoded)));
  return field;
}
