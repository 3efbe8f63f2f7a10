// What the page of somebody at the table keeps an eye on: the past that it has seen, and its own part of shared dice.
"use strict";
const newWatch = ({ table, net, link, container }) => {
  let isFull = false; // the storage of this browser
  const store = {
    get: (name) => JSON.parse(localStorage.getItem(name) ?? "null"),
    set: (name, value) => {
      try {
        localStorage.setItem(name, JSON.stringify(value));
      } catch {
        isFull = true;
      }
    },
  };
  const witness = newWitness({ store, link, read: (after) => table.ask(`/log?after=${after}`), tell });
  const chain = newChain({
    store,
    random: () => randomHex(32),
    isWaiting: (line) => table.queue.some((item) => item.line === line),
    say: (line) => table.say(line),
    give: async (id, given) => (await net.send("POST", "/link", { id, link: given })).body?.status,
    tell,
  });

  function tell() {
    const alarms = [...witness.alarms, ...chain.alarms].map((text) => make("p", {}, text));
    const stranger = chain.stranger && [
      make("p", {}, "A chain for the dice stands under your name, and this page did not make it. If no other page of yours did, somebody else shares the dice in your place."),
      button("Share the dice from this page", () => chain.commit(), { "data-key": "share" }),
    ];
    const full = isFull && make("p", {}, "This browser has no room to keep what it has seen.");
    fill(container, alarms, stranger, full);
    container.hidden = !container.firstChild;
  }

  function log(whole) {
    witness.take(whole);
    chain.take(whole);
    if (isFull) tell();
  }

  return { log, state: chain.update, link: chain.asked };
};
