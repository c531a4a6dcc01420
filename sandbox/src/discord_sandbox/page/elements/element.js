/**
 * Building elements.
 *
 * Nothing on this page is ever parsed as HTML: text becomes text nodes, so a hostile name stays a name.
 */

let serial = 0;

/** An id no other element of this page has. */
export function uniqueId(prefix) {
  serial += 1;
  return `${prefix}-${serial}`;
}

/**
 * An element with attributes and children.
 *
 * @param {string} tag
 * @param {Object<string, unknown>} attributes null, undefined and false are left out, true is an empty
 *   attribute; `on` maps events to listeners, `data` fills the dataset.
 * @param {...(Node|string|null|undefined|false|Array)} children strings become text nodes
 * @returns {HTMLElement}
 */
export function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "on") listen(node, value);
    else if (name === "data") Object.assign(node.dataset, value);
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  node.append(...present(children));
  return node;
}

/** Children that are there: nested lists flattened, empty ones dropped. */
export function present(children) {
  return children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false);
}

function listen(node, listeners) {
  for (const [event, listener] of Object.entries(listeners)) node.addEventListener(event, listener);
}
