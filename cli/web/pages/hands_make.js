// Parts of the page of somebody at the table.
"use strict";
const { element: make, present } = elements;

// A redraw would take the button from under a finger that is down, and its tap would be lost: it waits until the finger is up.
const press = (() => {
  const CLICK_WITHIN = 100; // milliseconds from the finger's lifting to the click that it becomes
  const LONGEST = 1000; // milliseconds that a finger which stays down holds a redraw up
  const waiting = new Map(); // what a container will show
  let isDown = false;
  let ending = 0;

  function end() {
    isDown = false;
    for (const [container, children] of waiting) put(container, children);
  }

  function until(milliseconds) {
    clearTimeout(ending);
    ending = setTimeout(end, milliseconds);
  }

  addEventListener("pointerdown", () => (until(LONGEST), (isDown = true)), true);
  addEventListener("pointerup", () => until(CLICK_WITHIN), true);
  addEventListener("pointercancel", end, true);
  addEventListener("click", () => (until(0), (isDown = false)), true); // what the click itself draws is drawn at once

  // Put children into a container, and leave the focus on the control that has the same `data-key`.
  function put(container, children) {
    waiting.delete(container);
    const focused = container.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
    container.replaceChildren(...present(children));
    const again = focused && container.querySelector(`[data-key="${CSS.escape(focused)}"]`);
    if (again) again.focus();
  }

  return { fill: (container, children) => (isDown ? waiting.set(container, children) : put(container, children)) };
})();

const fill = (container, ...children) => press.fill(container, children);

const button = (label, onclick, attributes = {}) => make("button", { type: "button", onclick, ...attributes }, label);

// So many random bytes in hex digits: a key of a line, or the end of a chain.
const randomHex = (bytes) => Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) => byte.toString(16).padStart(2, "0")).join("");

// A text of the log as it is read: what a number becomes behind an arrow, and of a long hash its beginning.
const legible = (text) => text.replace(/(\d) ?> ?(?=-?\d)/g, "$1 → ").replace(/\b([0-9a-f]{8})[0-9a-f]{24,}\b/g, "$1…");
