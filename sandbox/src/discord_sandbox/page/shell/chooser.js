/** The first visit: one line that explains the page, and the people one may be. */

import { el } from "../elements/element.js";
import { icon } from "../elements/icons.js";
import { avatar, nameOf } from "../elements/users.js";
import { displayName } from "../model/display-names.js";

/**
 * @param {Object[]} people
 * @param {string|null} unknown a name the address asked for and nobody bears
 * @param {function(...Object): string} addressAs the page's address as that person, or those side by side
 */
export function drawChooser(people, unknown, addressAs) {
  return el(
    "main",
    { class: "chooser" },
    el(
      "div",
      { class: "chooser-card" },
      el("h1", {}, "Who are you?"),
      el(
        "p",
        {},
        "You are on a Discord of your own, on this machine alone: pick a person, or play both sides at once.",
      ),
      unknown &&
        el(
          "p",
          { class: "chooser-unknown", role: "alert" },
          "There is nobody called “",
          el("bdi", {}, unknown),
          "” here.",
        ),
      el(
        "ul",
        {},
        people.map((person) =>
          el(
            "li",
            {},
            el(
              "a",
              { href: addressAs(person) },
              avatar(person, "huge"),
              nameOf(person),
              el("bdi", { class: "user-name" }, person.username),
            ),
          ),
        ),
      ),
      people.length > 1 && bothSides(people[0], people[1], addressAs),
    ),
  );
}

function bothSides(one, other, addressAs) {
  return el(
    "a",
    { class: "button primary both-sides", href: addressAs(one, other) },
    el("span", { class: "face" }, icon("beside"), `Play both sides: ${displayName(one)} and ${displayName(other)}`),
  );
}
