"use strict";
// Elements of the document. A text becomes a text node, never markup.
const elements = (() => {
  const byId = (id) => document.getElementById(id);
  const present = (children) => children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false && child !== "");

  // An attribute that is true has no value; one that is false, null or undefined is left out; `onclick` is a listener.
  function element(name, attributes, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) {
      if (typeof value === "function") made.addEventListener(key.slice(2), value);
      else if (value === true) made.setAttribute(key, "");
      else if (value !== false && value !== null && value !== undefined) made.setAttribute(key, value);
    }
    made.append(...present(children));
    return made;
  }

  const text = (value) => (value === null || value === undefined || value === "" ? "none" : String(value));

  return { byId, element, present, text };
})();
