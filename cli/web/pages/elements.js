"use strict";
// Elements of the document. A text becomes a text node, never markup.
const elements = (() => {
  const byId = (id) => document.getElementById(id);

  function element(name, attributes, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) {
      if (value === true) made.setAttribute(key, "");
      else if (value !== false && value !== null && value !== undefined) made.setAttribute(key, value);
    }
    made.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== ""));
    return made;
  }

  const text = (value) => (value === null || value === undefined ? "none" : value === "" ? "none" : String(value));


  return { byId, element, text };
})();
