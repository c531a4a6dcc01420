/** The line at the bottom: ordinary words, or a command with its options as chips. */

import { el } from "../elements/element.js";
import { choose, encoded } from "../elements/file-upload.js";
import { icon } from "../elements/icons.js";
import { fieldAt, finished, leaves, missing, read, resolve, soFar, withMentions } from "./command-line.js";
import { Popup } from "./popup.js";
import { suggest } from "./suggestions.js";

const AUTOCOMPLETE_REST = 120;
const TYPING_AGAIN = 8000;

export class Composer {
  /**
   * @param {Object} deeds
   * @param {function(string): boolean} deeds.say send ordinary words; false when that is not possible now
   * @param {function(): void} deeds.typing tell others that words are being written
   * @param {function(Object, Object): boolean} deeds.slash send a command's leaf with its options
   * @param {function(Object, Object, string, string): Promise<Array>} deeds.complete ask for autocompletions
   */
  constructor(deeds) {
    this.deeds = deeds;
    this.server = null;
    this.person = null;
    this.leaves = [];
    this.dismissed = false;
    this.toldTyping = 0;
    this.offers = new Map();
    this.popup = new Popup((row) => this.take(row));
    this.layer = el("div", { class: "composer-layer", "aria-hidden": "true" });
    this.input = el("textarea", {
      class: "composer-input",
      rows: 1,
      maxlength: 4000,
      spellcheck: "false",
      autocomplete: "off",
      "aria-autocomplete": "list",
      "aria-controls": this.popup.list.id,
    });
    this.problem = el("div", { class: "composer-problem", role: "alert" });
    const commands = el(
      "button",
      {
        type: "button",
        class: "round",
        "aria-label": "Commands",
        title: "Commands",
        on: { click: () => this.fill("/") },
      },
      icon("slash"),
    );
    const send = el(
      "button",
      {
        type: "button",
        class: "round send",
        "aria-label": "Send",
        title: "Send",
        on: { click: () => this.submit() },
      },
      icon("send"),
    );
    this.typing = el("div", { class: "typing" });
    this.element = el(
      "div",
      { class: "composer" },
      this.popup.element,
      this.problem,
      el(
        "div",
        { class: "composer-box" },
        commands,
        el("div", { class: "composer-line" }, this.layer, this.input),
        send,
      ),
      this.typing,
    );
    this.input.addEventListener("input", () => this.typed());
    this.input.addEventListener("keydown", (event) => this.key(event));
    for (const event of ["keyup", "click", "focus"]) this.input.addEventListener(event, () => this.refresh());
    this.input.addEventListener("blur", () => this.popup.hide());
    this.input.addEventListener("scroll", () => (this.layer.scrollTop = this.input.scrollTop));
  }

  setPlace(server, label, person, commands) {
    this.server = server;
    this.person = person;
    this.leaves = leaves(commands);
    this.input.placeholder = `Message ${label}`;
    this.input.setAttribute("aria-label", `Message ${label}`);
    this.paint();
  }

  /** Put a text into the line, as if typed. */
  fill(text) {
    this.input.value = text;
    this.input.focus();
    this.input.setSelectionRange(text.length, text.length);
    this.typed();
  }

  /** Put words at the end of the line. */
  add(words) {
    const { value } = this.input;
    this.fill(`${value}${value && !value.endsWith(" ") ? " " : ""}${words} `);
  }

  get reading() {
    return read(this.input.value, this.leaves);
  }

  typed() {
    this.dismissed = false;
    this.problem.textContent = "";
    if (!this.input.value) this.offers.clear();
    this.paint();
    this.refresh();
    this.tellTyping();
  }

  tellTyping() {
    if (!this.input.value || this.input.value.startsWith("/")) return;
    if (Date.now() - this.toldTyping < TYPING_AGAIN) return;
    this.toldTyping = Date.now();
    this.deeds.typing();
  }

  /** Offer what fits at the caret. */
  refresh() {
    if (this.dismissed || !this.server || document.activeElement !== this.input) return this.close();
    const reading = this.reading;
    const offer = suggest(this.input.value, this.input.selectionStart, reading, {
      server: this.server,
      person: this.person,
      leaves: this.leaves,
      offered: (option) => this.offeredFor(option, reading),
    });
    if (!offer || (!offer.rows.length && !offer.none && !offer.about)) return this.close();
    this.popup.show(offer);
    this.announceActive();
    if (offer.asks) this.ask(reading, offer.asks);
  }

  close() {
    this.popup.hide();
    this.announceActive();
  }

  announceActive() {
    const id = this.popup.currentId;
    if (id) this.input.setAttribute("aria-activedescendant", id);
    else this.input.removeAttribute("aria-activedescendant");
  }

  key(event) {
    if (event.isComposing) return;
    const handled = {
      ArrowDown: () => this.step(1),
      ArrowUp: () => this.step(-1),
      Tab: () => !event.shiftKey && this.takeFirst(),
      Escape: () => this.dismiss(),
      Enter: () => !event.shiftKey && this.enter(),
    }[event.key]?.();
    if (handled) event.preventDefault();
  }

  step(by) {
    if (!this.popup.isOpen || !this.popup.rows.length) return false;
    this.popup.move(by);
    this.announceActive();
    return true;
  }

  takeFirst() {
    const row = this.popup.current ?? (this.popup.isOpen ? this.popup.rows[0] : null);
    if (row) this.take(row);
    return Boolean(row);
  }

  dismiss() {
    if (!this.popup.isOpen) return false;
    this.dismissed = true;
    this.close();
    return true;
  }

  /** Enter takes what was moved to, else sends a finished line, else takes what is surely meant. */
  enter() {
    const { current, moved } = this.popup;
    if (current && (moved || !this.isFinished())) this.take(current);
    else this.submit();
    return true;
  }

  isFinished() {
    const reading = this.reading;
    if (!reading) return !this.popup.isOpen;
    const field = reading.leaf && fieldAt(reading, this.input.selectionStart);
    const unsettled = field?.option.autocomplete && !this.settled(field, reading);
    return !unsettled && "leaf" in finished(reading, this.server, (option) => this.lastOffered(option));
  }

  /** Whether an autocompleted value is one that was offered. */
  settled(field, reading) {
    const offered = this.offeredFor(field.option, reading) ?? [];
    return offered.some((choice) => choice.name === field.text || String(choice.value) === field.text);
  }

  take(row) {
    if (row.chooses) return this.chooseFor(row.chooses);
    const { from, to, text, next } = row.edit;
    const value = this.input.value;
    let line = value.slice(0, from) + text + value.slice(to).trimStart();
    let caret = from + text.length;
    const reading = read(line, this.leaves);
    const needed =
      next && reading?.leaf && caret === line.length
        ? missing(reading).find((option) => option.required)
        : null;
    if (needed) {
      line += `${needed.name}:`;
      caret = line.length;
    }
    this.input.value = line;
    this.input.focus();
    this.input.setSelectionRange(caret, caret);
    this.typed();
  }

  /** Let a file stand in the line by its name, and go with the command by its content. */
  chooseFor(option) {
    choose(async (file) => {
      const value = await encoded(file);
      const name = file.name.replace(/[:\s]+/g, "_");
      this.offers.set(option.name, { value: name, choices: [{ name, value }] });
      const field = this.reading?.fields.find((candidate) => candidate.option === option);
      if (!field) return;
      const line = this.input.value;
      this.fill(`${line.slice(0, field.from)}${option.name}:${name} ${line.slice(field.end).trimStart()}`);
    });
  }

  submit() {
    const text = this.input.value.trim();
    if (!text || !this.server) return;
    const reading = read(text, this.leaves);
    const done = reading ? this.sendCommand(reading) : this.deeds.say(withMentions(text, this.server.members));
    if (!done) return;
    this.input.value = "";
    this.toldTyping = 0;
    this.typed();
  }

  sendCommand(reading) {
    const command = finished(reading, this.server, (option) => this.lastOffered(option));
    if ("problem" in command) {
      this.dismiss();
      this.problem.textContent = command.problem;
      this.paint();
      return false;
    }
    return this.deeds.slash(command.leaf, command.options);
  }

  /* Autocompletion */

  /** The completions for what the field says now; null while they are awaited. */
  offeredFor(option, reading) {
    const offer = this.offers.get(option.name);
    const field = reading?.fields.find((candidate) => candidate.option === option);
    if (!offer?.choices) return null;
    return offer.value === field?.text || offer.choices.some((choice) => choice.name === field?.text)
      ? offer.choices
      : null;
  }

  lastOffered(option) {
    return this.offers.get(option.name)?.choices ?? [];
  }

  ask(reading, { option, value }) {
    const before = this.offers.get(option.name);
    if (before && (before.value === value || before.choices?.some((choice) => choice.name === value))) return;
    const offer = { value, choices: null };
    this.offers.set(option.name, offer);
    const options = soFar(reading, this.server, (other) => this.lastOffered(other));
    setTimeout(async () => {
      if (this.offers.get(option.name) !== offer) return;
      offer.choices = await this.deeds.complete(reading.leaf, options, option.key, value);
      if (this.offers.get(option.name) === offer) this.refresh();
    }, AUTOCOMPLETE_REST);
  }

  /* Chips */

  /** Draw the chips behind the line: the same letters, unseen, on coloured ground. */
  paint() {
    const text = this.input.value;
    const reading = this.server ? this.reading : null;
    this.element.classList.toggle("commanding", Boolean(reading?.leaf));
    this.layer.replaceChildren(...(reading?.leaf ? this.chips(text, reading) : []));
    this.input.style.height = "auto";
    this.input.style.height = `${this.input.scrollHeight}px`;
  }

  chips(text, reading) {
    const pieces = [el("span", { class: "chip-command" }, text.slice(0, reading.after))];
    const current = fieldAt(reading, this.input.selectionStart);
    let at = reading.after;
    for (const field of reading.fields) {
      const left = field !== current || this.problem.textContent;
      const wrong =
        left &&
        field.text &&
        "problem" in resolve(field.option, field.text, this.server, this.lastOffered(field.option));
      const name = el("span", { class: "chip-name" }, text.slice(field.from, field.start));
      const value = el("span", { class: "chip-value" }, text.slice(field.start, field.end));
      pieces.push(
        text.slice(at, field.from),
        el("span", { class: wrong ? "chip wrong" : "chip" }, name, value),
      );
      at = field.end;
    }
    return [...pieces, text.slice(at), "\u200b"];
  }
}
