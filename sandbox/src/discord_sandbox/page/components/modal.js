/**
 * A form that a command or a button asks to be filled in.
 *
 * Discord's component types here: 18 label, 1 action row (the older wrapping), 10 text display.
 */

import { el, uniqueId } from "../elements/element.js";
import { icon } from "../elements/icons.js";
import { richText } from "../text/rich-text.js";
import { labelled } from "./modal-fields.js";

const FAILED = "Something went wrong. Try again.";
const FOCUSABLE = "input:not(:disabled), textarea, button:not(:disabled)";

/**
 * Open a form and keep it open until its answer is taken or it is closed. It covers its own window alone.
 *
 * @param {HTMLElement} root the window it lives in
 * @param {{id: string, title: string, components: Object[]}} modal
 * @param {import("../text/rich-text.js").Surroundings} around
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
    {},
    el("header", {}, el("h2", { id: titleId }, modal.title), shut),
    el(
      "div",
      { class: "modal-fields" },
      (modal.components ?? []).map((component) => drawPart(component, values, around)),
    ),
    problem,
    el("footer", {}, cancel, send),
  );
  const dialog = el(
    "div",
    { class: "modal", role: "dialog", "aria-modal": "true", "aria-labelledby": titleId },
    form,
  );
  const close = cover(root, dialog);
  cancel.addEventListener("click", close);
  shut.addEventListener("click", close);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (send.getAttribute("aria-disabled") === "true") return;
    send.setAttribute("aria-disabled", "true");
    problem.textContent = "";
    const answer = await submit(await read(values));
    send.removeAttribute("aria-disabled");
    if (answer.ok) close();
    else problem.textContent = answer.reason || FAILED;
  });
  (dialog.querySelector(".modal-fields :is(input, textarea, .select-button)") ?? send).focus();
}

async function read(values) {
  const found = [...values].map(async ([id, value]) => [id, await value()]);
  return Object.fromEntries(await Promise.all(found));
}

/** Lay a dialog over its window, whose rest is out of reach meanwhile. @returns {function(): void} takes it away */
function cover(root, dialog) {
  const veil = el("div", { class: "veil" }, dialog);
  const held = document.activeElement;
  const covered = [...root.children].filter((child) => !child.inert);
  for (const child of covered) child.inert = true;
  const close = () => {
    veil.remove();
    for (const child of covered) child.inert = false;
    if (held?.isConnected) held.focus({ preventScroll: true });
  };
  veil.addEventListener("keydown", (event) => {
    if (event.key === "Escape") close();
    else if (event.key === "Tab") stayWithin(dialog, event);
  });
  root.append(veil);
  return close;
}

/** Tab goes round within the dialog. */
function stayWithin(dialog, event) {
  const stops = [...dialog.querySelectorAll(FOCUSABLE)].filter((stop) => stop.offsetParent !== null);
  const [from, to] = event.shiftKey ? [stops[0], stops.at(-1)] : [stops.at(-1), stops[0]];
  if (document.activeElement !== from) return;
  event.preventDefault();
  to.focus();
}

function drawPart(component, values, around) {
  if (component.type === 10) return richText(component.content, around);
  if (component.type === 1)
    return (component.components ?? []).map((inner) => labelled(inner, inner.label, null, values, around));
  return labelled(component.component, component.label, component.description, values, around);
}
