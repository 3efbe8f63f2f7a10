"use strict";
// The address of what the page shows: `#e1.34/lines/why` is an entry, with the lines beside it and its Why open.
const address = (() => {
  const ENTRY = /^#(opening|e(?=[\d%])[^/]*)((?:\/[a-z]+)*)$/;

  function decoded(text) {
    try {
      return decodeURIComponent(text);
    } catch {
      return text;
    }
  }

  // What an address names: an entry ("" is the opening), or a tab alone, or a place in the text; or nothing.
  function read(hash) {
    const named = ENTRY.exec(hash);
    if (named) {
      const [, entry, more] = named;
      const words = more.split("/");
      return { entry: entry === "opening" ? "" : decoded(entry.slice(1)), tab: words.find((word) => word === "story" || word === "lines"), why: words.includes("why") };
    }
    if (hash === "#story" || hash === "#lines") return { tab: hash.slice(1) };
    return hash === "#open" ? { tab: "story", place: "open" } : {};
  }

  // The address of an entry (undefined: of none, "": of the opening) with its tab, and its Why where that is open.
  function write(entry, tab, why) {
    if (entry === undefined) return tab ? `#${tab}` : "";
    return (entry === "" ? "#opening" : `#e${entry}`) + (tab ? `/${tab}` : "") + (why ? "/why" : "");
  }

  const isServed = () => "live" in document.body.dataset;
  const page = () => location.href.split("#")[0];
  const home = () => page().replace(/session\/\d+\/$/, "");

  // An address that lasts: below its session, and the players' where this is the game master's page.
  function lasting(session, hash) {
    if (location.protocol === "file:") return location.pathname.split("/").pop() + hash;
    return isServed() ? `${document.body.dataset.players || home()}session/${session}/${hash}` : page() + hash;
  }

  // The address of another session beside this page: below the same server, or in the same folder (`session-2.html`).
  function ofSession(session) {
    if (isServed()) return `${home()}session/${session}/`;
    const file = page().replace(/session-\d+\.html$/, `session-${session}.html`);
    return file === page() ? "" : file;
  }

  return { read, write, lasting, ofSession };
})();
