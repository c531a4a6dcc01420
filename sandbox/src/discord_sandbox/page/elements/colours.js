/** Colours as Discord sends them and as CSS writes them. */

/** `#rrggbb` of Discord's integer colours. */
export function hex(colour) {
  return `#${(colour & 0xffffff).toString(16).padStart(6, "0")}`;
}

/** Whether dark text reads better on a colour. @param {string} colour `#rrggbb` */
export function isLight(colour) {
  const [red, green, blue] = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
  return red * 0.299 + green * 0.587 + blue * 0.114 > 150;
}
