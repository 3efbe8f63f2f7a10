// The page of a link: it takes the token from behind its #, keeps it, and puts the page that it asks for in its own place.
// The players' token stays in this browser, so that an address somebody copied opens here; the game master's in its tab.
"use strict";
(() => {
  const RETRY = 2000; // milliseconds
  const store = location.pathname.startsWith("/gm/") ? sessionStorage : localStorage;
  const KEY = `token ${location.pathname.split("/")[1]}`;
  const say = (text) => (document.getElementById("connection").textContent = text);
  const given = new URLSearchParams(location.hash.slice(1)).get("t");
  if (given) {
    store.setItem(KEY, given);
    history.replaceState(null, "", location.pathname);
  }

  async function open(token) {
    try {
      const answer = await fetch(location.pathname, { headers: { authorization: `Bearer ${token}` }, cache: "no-store" });
      if (answer.status === 403) return void say("This link is no longer valid. Ask for the new one.");
      if (answer.status === 404) return void say("There is no such page.");
      if (!answer.ok) throw new Error(answer.statusText);
      const page = await answer.text();
      window.handedToken = token; // for the script of the page
      document.open();
      document.write(page);
      document.close();
    } catch {
      say("Connection lost. Trying again.");
      setTimeout(() => open(token), RETRY);
    }
  }

  const token = store.getItem(KEY);
  if (token) open(token);
  else say("This page needs its whole link. Ask the game master for it, or scan the code again.");
})();
