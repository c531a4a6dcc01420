/** Reads the address, asks what world this is, and opens a window for the person named. */

import { drawChooser } from "./chooser.js";
import { Client } from "./client.js";
import { channelLabel, findPerson } from "./directory.js";
import { el } from "./dom.js";
import { displayName } from "./people.js";
import { startTicking } from "./times.js";

const RETRY = 1000;
const app = document.getElementById("app");

/** Ask for the world until it answers; a page opened before the sandbox waits for it. */
async function askWorld() {
  for (;;) {
    try {
      const answer = await fetch("/world");
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

/** A name where it means only one, else the id. */
function called(things, thing, name) {
  return things.filter(
    (other) =>
      other.id === name || other.name === name || other.username === name || other.global_name === name,
  ).length === 1
    ? name
    : thing.id;
}

function address(world, person, server, channel) {
  const parts = new URLSearchParams({ person: called(world.people, person, displayName(person)) });
  if (server) parts.set("server", called(world.servers, server, server.name));
  if (channel) parts.set("channel", called(server.channels, channel, channel.name));
  return `?${parts}`;
}

async function start() {
  const world = await askWorld();
  const asked = new URLSearchParams(location.search);
  const wanted = { server: asked.get("server"), channel: asked.get("channel") };
  const person = findPerson(world.people, asked.get("person"));
  if (!person) {
    const keep = (other) => {
      const parts = new URLSearchParams(location.search);
      parts.set("person", called(world.people, other, displayName(other)));
      return `?${parts}`;
    };
    document.title = "Who are you? · Sandbox";
    app.replaceChildren(drawChooser(world.people, asked.get("person"), keep));
    return;
  }
  app.replaceChildren();
  new Client(app, world, person, wanted, {
    moved: (server, channel) => {
      document.title = `${channelLabel(channel)} · ${server.name} · ${displayName(person)}`;
      history.replaceState(null, "", address(world, person, server, channel));
    },
    addressAs: (other, server, channel) => address(world, other, server, channel),
  });
  startTicking();
}

start();
