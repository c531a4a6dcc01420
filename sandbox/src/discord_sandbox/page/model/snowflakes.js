/** Snowflakes: Discord's ids, which hold the time they were made (Discord's documentation, "Snowflakes"). */

const DISCORD_EPOCH = 1420070400000; // milliseconds; the first moment of 2015
const TIME_BITS = 22n; // how far the time is shifted; worker, process and a counter fill the bits below
const LAST_OF_ITS_MILLISECOND = (1n << TIME_BITS) - 1n;

/** Compare two snowflakes by age. @returns {number} negative when `one` is older */
export function byAge(one, other) {
  return one.length - other.length || (one < other ? -1 : Number(one > other));
}

/** An id for something that the page shows itself: newer than all that came before. @returns {string} */
export function newestSnowflake() {
  return String((BigInt(Date.now() - DISCORD_EPOCH) << TIME_BITS) | LAST_OF_ITS_MILLISECOND);
}
