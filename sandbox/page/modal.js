/**
 * A form that a command or a button asks to be filled in.
 *
 * Discord's component types here: 18 label, 1 action row (the older wrapping), 4 text input, 3 select,
 * 10 text display.
 */

import { el, icon, uniqueId } from "./dom.js";
import { richText } from "./richtext.js";
import { selectMenu } from "./select.js";

const FAILED = "Something went wrong. Try again.";

/**
 * Open a form and keep it open until its answer is taken or it is closed.
 *
 * @param {HTMLElement} root where it lives
 * @param {{id: string, title: string, components: Object[]}} modal
 * @param {import("./richtext.js").Surroundings} around
 * @param {function(Object): Promise<{ok: boolean, reason?: string}>} submit
 */
export function openModal(root, modal, around, submit) {
  const values = new Map();
  const titleId = uniqueId("modal");
  const problem = el("div", { class: "modal-problem", role: "alert" });
  const send = el("button", { type: "submit", class: "button primary" }, "Submit");
  const cancel = el("button", { type: "button", class: "button plain" }, "Cancel");
  const shut = el(
    "button",
    { type: "button", class: "round modal-close", "aria-label": "Close" },
    icon("close"),
  );
  const form = el(
    "form",
    { method: "dialog" },
    el("header", {}, el("h2", { id: titleId }, modal.title), shut),
    el(
      "div",
      { class: "modal-fields" },
      (modal.components ?? []).map((component) => drawPart(component, values, around)),
    ),
    problem,
    el("footer", {}, cancel, send),
  );
  const dialog = el("dialog", { class: "modal", "aria-labelledby": titleId }, form);
  const close = () => dialog.close();
  cancel.addEventListener("click", close);
  shut.addEventListener("click", close);
  dialog.addEventListener("close", () => dialog.remove());
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (send.getAttribute("aria-disabled") === "true") return;
    send.setAttribute("aria-disabled", "true");
    problem.textContent = "";
    const answer = await submit(Object.fromEntries([...values].map(([id, value]) => [id, value()])));
    send.removeAttribute("aria-disabled");
    if (answer.ok) close();
    else problem.textContent = answer.reason || FAILED;
  });
  root.append(dialog);
  dialog.showModal();
  (dialog.querySelector("input, textarea, .select-button") ?? send).focus();
}

function drawPart(component, values, around) {
  if (component.type === 10) return richText(component.content, around);
  if (component.type === 1)
    return (component.components ?? []).map((inner) => labelled(inner.label, null, inner, values));
  if (component.type === 18)
    return labelled(component.label, component.description, component.component, values);
  return labelled(component.label ?? "", null, component, values);
}

function labelled(label, description, component, values) {
  const id = uniqueId("field");
  const required = component.required !== false;
  const words = el(
    "label",
    { for: id },
    label,
    required ? el("span", { class: "needed", "aria-hidden": "true" }, " *") : null,
  );
  const field =
    component.type === 3
      ? selectField(component, label, required, values)
      : textField(component, id, required, values);
  return el("div", { class: "modal-field" }, words, description && el("p", {}, description), field);
}

function textField(component, id, required, values) {
  const long = component.style === 2;
  const field = el(long ? "textarea" : "input", {
    id,
    type: long ? null : "text",
    rows: long ? 4 : null,
    placeholder: component.placeholder,
    required,
    minlength: component.min_length,
    maxlength: component.max_length ?? 4000,
    autocomplete: "off",
    data: { customId: component.custom_id },
  });
  field.value = component.value ?? "";
  values.set(component.custom_id, () => field.value);
  return field;
}

function selectField(component, label, required, values) {
  let taken = (component.options ?? []).filter((option) => option.default).map((option) => option.value);
  values.set(component.custom_id, () => taken);
  return selectMenu({
    customId: component.custom_id,
    label,
    placeholder: component.placeholder,
    options: component.options ?? [],
    least: required ? (component.min_values ?? 1) : 0,
    most: component.max_values ?? 1,
    disabled: false,
    pending: null,
    take: (chosen) => (taken = chosen),
  });
}
