// Parts of the page of somebody at the table.
"use strict";
const { element: make, present } = elements;

// Put children into a container, and leave the focus on the control that has the same `data-key`.
const fill = (container, ...children) => {
  const focused = container.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
  container.replaceChildren(...present(children));
  const again = focused && container.querySelector(`[data-key="${CSS.escape(focused)}"]`);
  if (again) again.focus();
};

const button = (label, onclick, attributes = {}) => make("button", { type: "button", onclick, ...attributes }, label);

// So many random bytes in hex digits: a key of a line, or the end of a chain.
const randomHex = (bytes) => Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) => byte.toString(16).padStart(2, "0")).join("");

// A text of the log as it is read: what a number becomes behind an arrow, and of a long hash its beginning.
const legible = (text) => text.replace(/(\d) ?> ?(?=-?\d)/g, "$1 → ").replace(/\b([0-9a-f]{8})[0-9a-f]{24,}\b/g, "$1…");
