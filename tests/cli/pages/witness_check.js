// What a browser would notice: node witness_check.js FOLDER < acts. FOLDER has the scripts. Acts are lists of a name and
// its arguments; what they lead to is printed as JSON, with alarms as they are at the end.
"use strict";
const { readFileSync } = require("node:fs");
const { join } = require("node:path");
const { runInThisContext } = require("node:vm");
const folder = process.argv[2];
for (const name of ["sha256.js", "witness.js", "chain.js"]) runInThisContext(readFileSync(join(folder, name), "utf8"), name);
const kept = new Map();
const store = {
  get: (name) => JSON.parse(kept.get(name) ?? "null"),
  set: (name, value) => kept.set(name, JSON.stringify(value)),
};
const found = { said: [], given: [] };
const answers = new Map(); // awaited, by what was asked
let [served, secrets, page] = [null, 0, null];

function open() {
  const read = async (after) => ({ ...served, chain: served.chain.filter((link) => link.position > after) });
  const witness = runInThisContext("newWitness")({ store, link: "a", read, tell: () => {} });
  const chain = runInThisContext("newChain")({
    store,
    random: () => String((secrets += 1)).repeat(64),
    isWaiting: () => false,
    say: (line) => found.said.push(line),
    give: (id, link) => {
      found.given.push([id, link]);
      return new Promise((resolve, reject) => answers.set(id, { resolve, reject }));
    },
    tell: () => {},
  });
  page = { witness, chain };
}

const acts = {
  open,
  serve: (log) => (served = log),
  log: (log) => (page.witness.take(log), page.chain.take(log)),
  links: (log) => page.chain.take(log),
  state: (state) => page.chain.update(state),
  ask: (wanted) => void page.chain.asked(wanted),
  answer: (id, status) => (status ? answers.get(id).resolve(status) : answers.get(id).reject(new Error("no answer"))),
};

(async () => {
  for (const [name, ...more] of JSON.parse(readFileSync(0, "utf8"))) {
    await acts[name](...more);
    await new Promise(setImmediate);
  }
  const { witness, chain } = page;
  console.log(JSON.stringify({ ...found, alarms: [...witness.alarms, ...chain.alarms], stranger: chain.stranger }));
})();
