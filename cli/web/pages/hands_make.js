// Elements from texts: nothing that comes from the table is ever read as markup.
"use strict";
const present = (children) => children.flat().filter((child) => child !== null && child !== undefined && child !== false);

const make = (tag, attributes = {}, ...children) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...present(children));
  return element;
};

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
