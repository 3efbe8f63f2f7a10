// The phones of a simulated table: the scripts of the players' page, with clock, network, storage and chance handed in.
//
// node phones.js SCRIPT... reads one command a line, lets everything happen that follows from it, and prints the effects
// as one line. `reset` begins another evening.
"use strict";
const fs = require("fs");
const readline = require("readline");
const vm = require("vm");

const text = process.argv.slice(2).map((path) => fs.readFileSync(path, "utf8"));
const { newTable, newWatch, sha256 } = vm.runInThisContext(`${text.join("\n")}\n;({ newTable, newWatch, sha256 })`);
const phones = new Map(); // {table, watch} of each
const waiting = new Map(); // requests, streams and timers, by id
const stored = new Map(); // of each phone: what its browser keeps, by name
const made = new Map(); // how many keys and secrets a phone has made
let [effects, next, seed, length] = [[], 0, "", 0];

function wait(phone, effect, thing) {
  next += 1;
  waiting.set(next, { phone, ...thing });
  effects.push({ ...effect, phone, id: next });
}

function promised(phone, effect, more) {
  return new Promise((resolve, reject) => wait(phone, effect, { resolve, reject, ...more }));
}

function browserOf(phone) {
  if (!stored.has(phone)) stored.set(phone, new Map());
  const kept = stored.get(phone);
  return {
    get: (name) => JSON.parse(kept.get(name) ?? "null"),
    set: (name, value) => kept.set(name, JSON.stringify(value)),
  };
}

function count(phone) {
  made.set(phone, (made.get(phone) ?? 0) + 1);
  return made.get(phone);
}

function close({ phone }) {
  for (const [id, thing] of [...waiting]) if (thing.phone === phone) waiting.delete(id);
  phones.delete(phone);
}

// A page is loaded with a link: what is not answered yet is kept for the link, and what was seen for the ledger.
function open({ phone, link }) {
  close({ phone });
  const store = browserOf(phone);
  const watching = { state: (table) => table.state, log: (table, news, whole) => whole };
  const net = {
    send: (method, path, body) => promised(phone, { do: "send", method, path, body }, {}),
    listen: (after, hear) => promised(phone, { do: "listen", after }, { hear }),
  };
  const table = newTable({
    net,
    store: { load: () => store.get(`queue ${link}`), save: (value) => store.set(`queue ${link}`, value) },
    clock: { later: (ms, action) => wait(phone, { do: "timer", ms }, { action }) },
    key: () => `key-${phone}-${String(count(phone)).padStart(6, "0")}`,
    tell: (name, ...more) => {
      if (name === "taken") effects.push({ do: "taken", phone, body: more[0] });
      if (name === "link") watch.link(more[0]);
      if (name in watching) watch[name](watching[name](table, ...more));
    },
  });
  const random = () => sha256(seed, String(phone), String(count(phone)));
  const watch = newWatch({ table, net, store, link, random, tell: () => {}, length });
  phones.set(phone, { table, watch });
  table.start();
}

const commands = {
  reset: ({ seed: text, length: links }) => {
    for (const each of [phones, waiting, stored, made]) each.clear();
    [next, seed, length] = [0, text, links];
  },
  open,
  close,
  wipe: ({ phone }) => stored.delete(phone),
  say: ({ phone, line }) => phones.get(phone).table.say(line),
  drop: ({ phone, at }) => phones.get(phone).table.drop(phones.get(phone).table.queue[at]),
  replace: ({ phone, at, line }) => phones.get(phone).table.replace(phones.get(phone).table.queue[at], line),
  release: ({ phone }) => phones.get(phone).table.release(),
  commit: ({ phone }) => phones.get(phone).watch.commit(),
  answer: ({ id, status, body, wait: seconds }) => take(id)?.resolve({ status, body, wait: seconds ?? 0 }),
  fail: ({ id }) => take(id)?.reject(new Error("no answer")),
  event: ({ id, name, data }) => waiting.get(id)?.hear(name, data),
  cut: ({ id }) => take(id)?.resolve(),
  refuse: ({ id, status }) => take(id)?.reject({ status }),
  timer: ({ id }) => take(id)?.action(),
  look: ({ phone }) => effects.push({ do: "look", ...report(phone) }),
  report: () => {
    for (const phone of phones.keys()) effects.push({ do: "report", ...report(phone) });
  },
};

function take(id) {
  const thing = waiting.get(id);
  waiting.delete(id);
  return thing;
}

function report(phone) {
  const { table, watch } = phones.get(phone);
  const { state, taps, position, entries, queue, online, revoked } = table;
  const [alarms, stranger] = [watch.alarms(), watch.isStranger()];
  return { phone, state, taps, position, entries: [...entries.values()], queue, online, revoked, alarms, stranger };
}

readline.createInterface({ input: process.stdin }).on("line", (text) => {
  const command = JSON.parse(text);
  effects = [];
  commands[command.do](command);
  setImmediate(() => setImmediate(() => console.log(JSON.stringify(effects)))); // all promises are settled by then
});
