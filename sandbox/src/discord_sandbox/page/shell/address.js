/**
 * The page's address: who looks, at which server and channel.
 *
 * `?person=Alice&server=Card+Table&channel=lobby`, or `?people=Alice,Bob&…` for several side by side; server and
 * channel may then be given once for all, or once for each.
 */

import { displayName } from "../model/display-names.js";

export const MOST_PEOPLE = 6;

/** @returns {{names: string[], places: Array<{server: string|null, channel: string|null}>}} as many places as names */
export function readAddress(search) {
  const parts = new URLSearchParams(search);
  const several = parts
    .getAll("people")
    .flatMap((list) => list.split(","))
    .map((name) => name.trim())
    .filter(Boolean);
  const names = several.length ? several.slice(0, MOST_PEOPLE) : parts.getAll("person").slice(0, 1);
  const servers = parts.getAll("server");
  const channels = parts.getAll("channel");
  return {
    names,
    places: names.map((_, index) => ({
      server: servers[index] ?? servers[0] ?? null,
      channel: channels[index] ?? channels[0] ?? null,
    })),
  };
}

/**
 * @param {Object[]} everybody among whom a name must mean one person
 * @param {Array<{person: Object, servers?: Object[], server?: Object, channel?: Object}>} windows
 * @returns {string} beginning with `?`
 */
export function writeAddress(everybody, windows) {
  const parts = new URLSearchParams();
  const names = windows.map(({ person }) => called(everybody, person, displayName(person)));
  if (names.length > 1) parts.set("people", names.join(","));
  else parts.set("person", names[0]);
  const placed = windows.filter(({ server, channel }) => server && channel);
  const places = placed.map(({ servers, server, channel }) => [
    called(servers, server, server.name),
    called([...server.channels, ...server.threads], channel, channel.name),
  ]);
  const same = places.length < windows.length || places.every((place) => place.join("\n") === places[0].join("\n"));
  for (const [server, channel] of same ? places.slice(0, 1) : places) {
    parts.append("server", server);
    parts.append("channel", channel);
  }
  return `?${parts.toString().replaceAll("%2C", ",")}`;
}

/** A name where it means only one, else the id. */
function called(things, thing, name) {
  const bearers = things.filter((other) => [other.id, other.name, other.username, other.global_name].includes(name));
  return bearers.length === 1 && !name.includes(",") ? name : thing.id;
}
