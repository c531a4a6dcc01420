/** Reads the address, asks what world this is, and opens a window for each person named. */

import { el } from "./elements/element.js";
import { channelLabel } from "./model/channels.js";
import { displayName } from "./model/display-names.js";
import { findPerson } from "./model/server-cache.js";
import { MOST_PEOPLE, readAddress, writeAddress } from "./shell/address.js";
import { drawChooser } from "./shell/chooser.js";
import { Client } from "./shell/client.js";
import { requestWorld, takePageKey } from "./shell/page-key.js";
import { startTicking } from "./text/timestamps.js";

const RETRY = 1000;
const app = document.getElementById("app");

/** Ask for the world until it answers; a page opened before the sandbox waits for it. Null without the right key. */
async function askWorld() {
  for (;;) {
    try {
      const answer = await requestWorld();
      if (answer.status === 403) return null;
      if (answer.ok) return await answer.json();
    } catch (error) {
      console.info("The sandbox does not answer yet:", error.message);
    }
    app.replaceChildren(
      el("p", { class: "waiting", role: "status" }, "The sandbox does not answer yet. Trying again…"),
    );
    await new Promise((resolve) => setTimeout(resolve, RETRY));
  }
}

/** The sandbox was started anew, or somebody typed its address. */
function drawWithoutKey() {
  document.title = "Sandbox";
  app.replaceChildren(
    el(
      "main",
      { class: "chooser" },
      el(
        "div",
        { class: "chooser-card" },
        el("h1", {}, "Open the address that was printed"),
        el(
          "p",
          {},
          "Each start of the sandbox prints an address that ends with a key, and this tab lacks that key. ",
          "Open the whole address, or click it in the terminal.",
        ),
      ),
    ),
  );
}

/** The first visit, or a name that nobody bears. */
function ask(world, unknown) {
  const to = (...people) => {
    const parts = new URLSearchParams(location.search);
    parts.delete("people");
    parts.delete("person");
    const who = writeAddress(
      world.people,
      people.map((person) => ({ person })),
    );
    return [who, parts.toString()].filter(Boolean).join("&");
  };
  document.title = "Who are you? · Sandbox";
  app.replaceChildren(drawChooser(world.people, unknown, to));
}

/** What the windows share: the address, the title, and how to be somebody else as well. */
class Page {
  constructor(world) {
    this.world = world;
    this.windows = [];
  }

  moved() {
    const placed = this.windows.map(({ person, cache, server, channel }) => ({
      person,
      servers: cache.servers,
      server,
      channel,
    }));
    history.replaceState(null, "", writeAddress(this.world.people, placed));
    document.title = title(this.windows);
  }

  addressAs(person, window) {
    const { server, channel, cache } = window;
    return writeAddress(this.world.people, [{ person, servers: cache.servers, server, channel }]);
  }

  /** The address with one more person beside those who are here, or null when there is no room or need. */
  addressBeside(person, window) {
    const here = this.windows.map((other) => other.person);
    if (here.length >= MOST_PEOPLE || here.some((other) => other.id === person.id)) return null;
    const { server, channel, cache } = window;
    return writeAddress(
      this.world.people,
      [...here, person].map((each) => ({ person: each, servers: cache.servers, server, channel })),
    );
  }

  /** The address without one of several. */
  addressWithout(window) {
    const { server, channel, cache } = window;
    const others = this.windows.filter((other) => other !== window);
    return writeAddress(
      this.world.people,
      others.map(({ person }) => ({ person, servers: cache.servers, server, channel })),
    );
  }
}

function title(windows) {
  const [first] = windows;
  const names = windows.map(({ person }) => displayName(person)).join(", ");
  if (windows.length > 1) return `${names} · Sandbox`;
  return first.channel ? `${channelLabel(first.channel)} · ${first.server.name} · ${names}` : names;
}

async function start() {
  takePageKey();
  const world = await askWorld();
  if (world === null) return drawWithoutKey();
  const { names, places } = readAddress(location.search);
  const found = names.map((name) => findPerson(world.people, name));
  const unknown = names.find((_, index) => !found[index]);
  if (!names.length || unknown) return ask(world, unknown ?? null);
  const people = [...new Set(found)];
  const alone = people.length === 1;
  const page = new Page(world);
  const root = alone ? app : el("main", { class: "panes", data: { count: people.length } });
  app.replaceChildren(...(alone ? [] : [root]));
  for (const person of people) {
    const place = places[found.indexOf(person)];
    page.windows.push(new Client(root, world, person, place, page, alone));
  }
  startTicking();
}

window.addEventListener("hashchange", () => location.reload()); // somebody pasted a key into the address
start();
