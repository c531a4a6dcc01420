/** The ways to open a context menu: right click, the menu key, a long press, and a plain click on a name. */

const LONG = 650; // a browser that knows long presses itself asks sooner
const SLACK = 10;

/**
 * @param {HTMLElement} pane a window; a thing in it that has a menu says so by `data-menu`
 * @param {function(HTMLElement, {x: number, y: number}): void} open called with the element and the position
 */
export function watchMenus(pane, open) {
  pane.addEventListener("contextmenu", (event) => {
    const thing = meant(event.target);
    if (!thing || !document.getSelection().isCollapsed) return;
    event.preventDefault();
    open(thing, event.clientX || event.clientY ? { x: event.clientX, y: event.clientY } : below(thing));
  });
  pane.addEventListener("click", (event) => {
    const thing = event.target.closest("button[data-menu]");
    if (thing && pane.contains(thing)) open(thing, below(thing));
  });
  watchLongPresses(pane, open);
}

function watchLongPresses(pane, open) {
  let timer = null;
  let from = null;
  const forget = () => clearTimeout(timer);
  pane.addEventListener("pointerdown", (event) => {
    forget();
    const thing = event.pointerType === "touch" && meant(event.target);
    if (!thing) return;
    from = { x: event.clientX, y: event.clientY };
    timer = setTimeout(() => {
      open(thing, from);
      pane.addEventListener("click", swallow, { capture: true, once: true });
      setTimeout(() => pane.removeEventListener("click", swallow, { capture: true }), LONG * 2);
    }, LONG);
  });
  pane.addEventListener("pointermove", (event) => {
    if (from && Math.hypot(event.clientX - from.x, event.clientY - from.y) > SLACK) forget();
  });
  for (const end of ["pointerup", "pointercancel", "contextmenu"]) pane.addEventListener(end, forget);
}

/** The click that ends a long press presses nothing. */
function swallow(event) {
  if (event.target.closest(".menu-list")) return;
  event.preventDefault();
  event.stopPropagation();
}

/** What has a menu here; fields keep the browser's own. */
function meant(target) {
  return target.closest("input, textarea, .menu-list") ? null : target.closest("[data-menu]");
}

function below(thing) {
  const box = thing.getBoundingClientRect();
  return { x: box.left, y: box.bottom };
}
