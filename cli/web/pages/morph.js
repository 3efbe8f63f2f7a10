"use strict";
// Change a part of the document in place: what stays the same keeps the focus, the place scrolled to and open details.
const morphing = (() => {
  const keyOf = (node) => (node.nodeType === Node.ELEMENT_NODE ? node.id || node.dataset.key || "" : "");

  // Make `old` what `fresh` is. A policy forbids the attribute `style`, so its properties are set instead.
  function morph(old, fresh) {
    if (old.isEqualNode(fresh)) return;
    if (old.nodeName !== fresh.nodeName) return old.replaceWith(fresh);
    if (old.nodeType !== Node.ELEMENT_NODE) return (old.data = fresh.data);
    for (const { name } of [...old.attributes]) if (name !== "open" && !fresh.hasAttribute(name)) old.removeAttribute(name);
    for (const { name, value } of fresh.attributes) {
      if (old.getAttribute(name) === value) continue;
      if (name === "style") old.style.cssText = fresh.style.cssText;
      else old.setAttribute(name, value);
    }
    fill(old, ...fresh.childNodes);
  }

  // Give an element these children: one with a key is that which had the key before, the others go by their order.
  function fill(parent, ...fresh) {
    const old = [...parent.childNodes];
    const same = (one, other) => one && other && keyOf(one) === keyOf(other) && (keyOf(one) !== "" || one.isEqualNode(other));
    while (old.length && same(old[0], fresh[0])) morph(old.shift(), fresh.shift());
    const behind = [];
    while (old.length && same(old.at(-1), fresh.at(-1))) behind.push([old.pop(), fresh.pop()]);
    for (const [one, other] of behind) morph(one, other);
    const pairs = fresh.map((node) => {
      const at = old.findIndex((each) => each.nodeName === node.nodeName && keyOf(each) === keyOf(node));
      return [at < 0 ? null : old.splice(at, 1)[0], node];
    });
    for (const each of old) each.remove();
    let next = behind.length ? behind.at(-1)[0] : null;
    for (const [one, node] of pairs.reverse()) {
      const place = one || node;
      if (place.parentNode !== parent || place.nextSibling !== next) parent.insertBefore(place, next);
      if (one) morph(one, node);
      next = place;
    }
  }

  return { fill };
})();
