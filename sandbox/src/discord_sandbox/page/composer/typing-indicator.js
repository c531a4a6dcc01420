/** Who is writing just now, as one line under the composer. */

import { displayName } from "../model/display-names.js";

const FORGOTTEN = 10000;
const MOST_NAMED = 3;

export class TypingIndicator {
  /** @param {HTMLElement} element where the line is written */
  constructor(element) {
    this.element = element;
    this.names = new Map();
  }

  /** Somebody writes. */
  begin(user) {
    clearTimeout(this.names.get(user.id)?.timer);
    const timer = setTimeout(() => this.end(user.id), FORGOTTEN);
    this.names.set(user.id, { name: displayName(user), timer });
    this.paint();
  }

  /** Somebody has said what they wrote, or left off. */
  end(userId) {
    clearTimeout(this.names.get(userId)?.timer);
    if (this.names.delete(userId)) this.paint();
  }

  /** Another channel is looked at. */
  clear() {
    for (const id of [...this.names.keys()]) this.end(id);
  }

  paint() {
    const names = [...this.names.values()].map(({ name }) => name);
    this.element.classList.toggle("someone", names.length > 0);
    this.element.textContent = words(names);
  }
}

function words(names) {
  if (!names.length) return "";
  if (names.length > MOST_NAMED) return "Several people are typing…";
  const list = new Intl.ListFormat("en").format(names);
  return `${list} ${names.length > 1 ? "are" : "is"} typing…`;
}
