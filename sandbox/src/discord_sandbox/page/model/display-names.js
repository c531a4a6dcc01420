/** The names of users and servers as others see them, and their initials. */

/** The name others see. */
export function displayName(user) {
  return user.nick || user.global_name || user.username;
}

/** The first letter, digit or picture of a name; some names have none. */
export function initial(name) {
  const found = name.match(/[\p{L}\p{N}\p{Extended_Pictographic}]/u);
  return found ? found[0].toUpperCase() : "?";
}

/** Up to three initials of a server's name, as on Discord's server icons. */
export function initials(name) {
  const words = name
    .split(/\s+/)
    .map(initial)
    .filter((letter) => letter !== "?");
  return words.slice(0, 3).join("") || "?";
}
