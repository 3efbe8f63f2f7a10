// What the page of somebody at the table keeps an eye on: the past that it has seen, and its own part of shared dice.
"use strict";

// It has no page: storage, chance and network are handed in. store.get(name), store.set(name, value); random() -> 64 hex
// digits; link: a name for the link; length: of a chain; tell() is called when there is something new to show.
const newWatch = ({ table, net, store, random, link, tell, length }) => {
  const witness = newWitness({ store, link, read: (after) => table.ask(`/log?after=${after}`), tell });
  const chain = newChain({
    store,
    random,
    isWaiting: (line) => table.queue.some((item) => item.line === line),
    say: (line) => table.say(line),
    give: async (id, given) => (await net.send("POST", "/link", { id, link: given })).body?.status,
    tell,
    length,
  });

  function log(whole) {
    witness.take(whole);
    chain.take(whole);
  }

  const alarms = () => [...witness.alarms, ...chain.alarms];
  return { log, state: chain.update, link: chain.asked, commit: chain.commit, alarms, isStranger: () => chain.stranger };
};

// The same on a page, with the storage of this browser.
const showWatch = ({ table, net, link, container }) => {
  let isFull = false;
  const store = {
    get: (name) => JSON.parse(localStorage.getItem(name) ?? "null"),
    set: (name, value) => {
      try {
        localStorage.setItem(name, JSON.stringify(value));
      } catch {
        isFull = true;
        tell();
      }
    },
  };
  const watch = newWatch({ table, net, store, random: () => randomHex(32), link, tell });

  function tell() {
    const alarms = watch.alarms().map((text) => make("p", {}, text));
    const stranger = watch.isStranger() && [
      make("p", {}, "A chain for the dice stands under your name, and this page did not make it. If no other page of yours did, somebody else shares the dice in your place."),
      button("Share the dice from this page", () => watch.commit(), { "data-key": "share" }),
    ];
    const full = isFull && make("p", {}, "This browser has no room to keep what it has seen.");
    fill(container, alarms, stranger, full);
    container.hidden = !container.firstChild;
  }

  return watch;
};
