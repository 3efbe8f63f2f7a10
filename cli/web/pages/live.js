// A page that is served: it asks its server what has changed, and changes in place. Where it was at the end it stays
// there; elsewhere it does not move, and says how many entries are new.
(() => {
  "use strict";
  const status = document.getElementById("connection");
  const news = document.createElement("button"); // to the end, where there is something new
  const RETRY = 2000; // milliseconds
  let kept = null; // of the page, as the server has it: {html, data}
  const net = newNet(window.handedToken ?? ""); // of the link that this page came with, if it needs one
  let unseen = 0;

  function say(text, lost) {
    status.textContent = text;
    status.classList.toggle("lost", lost);
  }

  function applied(value, operations) {
    const root = { value };
    for (const [path, ...change] of operations) {
      const steps = ["value", ...path];
      const last = steps.pop();
      const holder = steps.reduce((each, step) => each[step], root);
      if (change.length === 0) delete holder[last];
      else if (change.length === 1) holder[last] = change[0];
      else holder[last] = spliced(holder[last], ...change);
    }
    return root.value;
  }

  function spliced(value, start, removed, items) {
    if (typeof value === "string") return value.slice(0, start) + items + value.slice(start + removed);
    return [...value.slice(0, start), ...items, ...value.slice(start + removed)];
  }

  function show(html) {
    const parser = new DOMParser();
    for (const [selector, parts] of Object.entries(html)) {
      const fresh = parser.parseFromString(parts.join(""), "text/html").body.firstElementChild;
      const old = document.querySelector(`#page ${selector}`);
      if (fresh && old) morphing.fill(old, ...fresh.childNodes);
      else if (fresh) document.querySelector("#page main").append(fresh);
      else if (old) old.remove();
    }
  }

  function take(next) {
    if (next.data.session !== replay.session) {
      location.replace(location.pathname);
      return;
    }
    const known = new Set(replay.ids());
    const follows = replay.isAtEnd();
    kept = next;
    show(next.html);
    replay.update(structuredClone(next.data)); // its own: a patch changes what is kept
    if (!follows) unseen += replay.ids().filter((id) => !known.has(id)).length;
    tell();
  }

  function tell() {
    if (replay.isAtEnd()) unseen = 0;
    news.hidden = unseen === 0;
    news.textContent = `${unseen} new`;
    news.setAttribute("aria-label", `${unseen} new: go to the end`);
  }

  async function start() {
    try {
      const { status, body } = await net.send("GET", "data");
      if (status === 403) return void say("This link is no longer valid. Ask for the new one.", true);
      if (status === 503) return void (say("The ledger cannot be read now.", true), setTimeout(start, RETRY));
      if (status !== 200) throw { status };
      take(body.content);
      listen(body.version);
    } catch {
      say("Connection lost. Trying again.", true);
      setTimeout(start, RETRY);
    }
  }

  // Hear what is new after a version, again and again: from the last one that was heard on, or from the whole page.
  async function listen(version) {
    const again = () => listen(version);
    let next = again;
    const hear = (name, data, id) => {
      if (name === "reload") throw name;
      next = start; // where a change does not fit what is shown
      if (name === "message") take(applied(kept, data));
      else say(name === "readable" ? "live" : "The ledger cannot be read now.", name !== "readable");
      version = id || version;
      next = again;
    };
    try {
      await net.stream(`events?since=${encodeURIComponent(version)}`, hear, () => say("live", false));
    } catch (why) {
      if (why === "reload") return void start();
      if (why?.status) next = start;
    }
    say("Connection lost. Trying again.", true);
    setTimeout(next, RETRY);
  }

  news.id = "news";
  news.type = "button";
  news.hidden = true;
  status.after(news);
  news.addEventListener("click", () => replay.toEnd());
  document.addEventListener("step", tell);
  start();
})();
