/** Channels and threads: their kinds, how they are written, and in which order they are listed. */

const CATEGORY = 4;

/** What Discord's addresses call the place of direct messages. */
export const DIRECT = "@me";

/** Whether a channel belongs to no server: direct messages, or a group of people. */
export function isDirect(channel) {
  return channel.type === 1 || channel.type === 3;
}

/** Whether a channel is a group of people. */
export function isGroup(channel) {
  return channel.type === 3;
}

/** Whether a channel is a thread. */
export function isThread(channel) {
  return channel.type >= 10 && channel.type <= 12;
}

/** A channel as it is written: `#lobby`, or `@Your Bot` for direct messages. */
export function channelLabel(channel) {
  return `${isDirect(channel) ? "@" : "#"}${channel.name}`;
}

/** The channels messages are read in. */
export function textChannels(server) {
  return server.channels.filter((channel) => channel.type !== 2 && channel.type !== CATEGORY);
}

/**
 * The channels as the list shows them: first those without a category.
 *
 * @returns {Array<{category: Object|null, channels: Object[]}>}
 */
export function byCategory(server) {
  const inOrder = (channels) => channels.toSorted((one, other) => one.position - other.position);
  const under = (id) => inOrder(textChannels(server).filter((channel) => (channel.parent_id ?? null) === id));
  const categories = inOrder(server.channels.filter((channel) => channel.type === CATEGORY));
  return [
    { category: null, channels: under(null) },
    ...categories.map((category) => ({ category, channels: under(category.id) })),
  ].filter(({ channels }) => channels.length);
}

/** The threads of a channel that are not put away. */
export function threadsUnder(server, channel) {
  return server.threads.filter((thread) => thread.parent_id === channel.id && !thread.archived);
}
