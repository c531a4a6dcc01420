/** The line drawings of the page, and the dots that show waiting. */

import { el } from "./element.js";

const SVG = "http://www.w3.org/2000/svg";
const ICONS = {
  hash: "M5.9 21 7 15H3l.35-2H7.4l1.06-6H4.4l.35-2H8.8L9.9 0h2L10.8 5h6L17.9 0h2L18.8 5H23l-.35 2H18.4l-1.06 6H21.6l-.35 2H17L15.9 21h-2L15 15H9L7.9 21zM10.4 7 9.35 13h6L16.4 7z",
  at: "M12 1a11 11 0 1 0 6.4 19.9 1 1 0 0 0-1.1-1.6A9 9 0 1 1 21 12v1.5a1.75 1.75 0 0 1-3.5 0V7.5h-2v.7a5.5 5.5 0 1 0 .6 7.3A3.75 3.75 0 0 0 23 13.5V12A11 11 0 0 0 12 1m0 14.5a3.5 3.5 0 1 1 0-7 3.5 3.5 0 0 1 0 7",
  chat: "M12 2C6 2 1.5 6 1.5 11c0 2.5 1.2 4.8 3 6.4-.2 1.4-.8 2.7-1.8 3.7-.4.4-.1 1 .4 1 2.2 0 4.2-.7 5.8-1.8 1 .2 2 .3 3.1.3 6 0 10.5-4.1 10.5-9.6S18 2 12 2",
  people:
    "M9 11a4 4 0 1 0 0-8 4 4 0 0 0 0 8m0 2c-4 0-8 2-8 5.5V20h16v-1.5C17 15 13 13 9 13m7.5-2a3.5 3.5 0 1 0-1.6-6.6 6 6 0 0 1 0 6.2q.75.4 1.6.4m.9 2.1C19 14.5 19 17 19 20h4v-1.5c0-3.2-2.6-5-5.6-5.4",
  menu: "M3 5h18v2H3zm0 6h18v2H3zm0 6h18v2H3z",
  eye: "M12 5C5.65 5 1 12 1 12s4.65 7 11 7 11-7 11-7-4.65-7-11-7m0 11a4 4 0 1 1 0-8 4 4 0 0 1 0 8m0-2a2 2 0 1 0 0-4 2 2 0 0 0 0 4",
  chevron:
    "M5.3 9.3a1 1 0 0 1 1.4 0L12 14.6l5.3-5.3a1 1 0 1 1 1.4 1.4l-6 6a1 1 0 0 1-1.4 0l-6-6a1 1 0 0 1 0-1.4",
  send: "M3.4 20.4 22 12 3.4 3.6 3 10l12 2-12 2z",
  slash: "M15.7 3h2.5L8.3 21H5.8z",
  external:
    "M15 2a1 1 0 0 1 1-1h6a1 1 0 0 1 1 1v6a1 1 0 1 1-2 0V4.4L11.7 13.7a1 1 0 0 1-1.4-1.4L19.6 3H16a1 1 0 0 1-1-1M5 2a3 3 0 0 0-3 3v14a3 3 0 0 0 3 3h14a3 3 0 0 0 3-3v-6a1 1 0 1 0-2 0v6a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1V5a1 1 0 0 1 1-1h6a1 1 0 1 0 0-2z",
  close:
    "M17.3 18.7a1 1 0 0 0 1.4-1.4L13.4 12l5.3-5.3a1 1 0 0 0-1.4-1.4L12 10.6 6.7 5.3a1 1 0 0 0-1.4 1.4l5.3 5.3-5.3 5.3a1 1 0 1 0 1.4 1.4l5.3-5.3z",
  check:
    "M21.7 5.3a1 1 0 0 1 0 1.4l-12 12a1 1 0 0 1-1.4 0l-6-6a1 1 0 1 1 1.4-1.4L9 16.6 20.3 5.3a1 1 0 0 1 1.4 0",
  file: "M6 1a3 3 0 0 0-3 3v16a3 3 0 0 0 3 3h12a3 3 0 0 0 3-3V9h-6a2 2 0 0 1-2-2V1zm9 .6V7h5.4z",
  thread:
    "M4 3h16a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2h-6l-5 4.5V17H4a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2m3 4v2h10V7zm0 4v2h7v-2z",
  beside: "M3 4h8v16H3a1 1 0 0 1-1-1V5a1 1 0 0 1 1-1m10 0h8a1 1 0 0 1 1 1v14a1 1 0 0 1-1 1h-8zm2 2v12h5V6z",
  more: "M5 10a2 2 0 1 0 0 4 2 2 0 0 0 0-4m7 0a2 2 0 1 0 0 4 2 2 0 0 0 0-4m7 0a2 2 0 1 0 0 4 2 2 0 0 0 0-4",
  pin: "M14 2l8 8-2 1-1-.5-4 4 .5 4.5-1.5 1.5-4.5-4.5L4 21l-1-1 5-5.5L3.5 10 5 8.5l4.5.5 4-4L13 4z",
  role: "M12 1l9 4v6c0 5.5-3.8 10-9 12-5.2-2-9-6.5-9-12V5z",
  swap: "M16 3l5 5-5 5v-3.5H4v-3h12zM8 11v3.5h12v3H8V21l-5-5z",
};

/** One of the page's line drawings; always beside words or a label, so hidden from screen readers. */
export function icon(name) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", ICONS[name]);
  svg.append(path);
  return svg;
}

/** Three dots, shown while an answer is awaited. */
export function dots() {
  return el("span", { class: "dots", "aria-hidden": "true" }, el("i"), el("i"), el("i"));
}
