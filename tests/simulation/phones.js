// The phones of a simulated table: the script of the players' page, with clock, network and storage handed in.
//
// It reads one command a line, lets everything happen that follows from it, and prints the effects as one line.
"use strict";
const fs = require("fs");
const readline = require("readline");
const vm = require("vm");

const newTable = vm.runInThisContext(`${fs.readFileSync(process.argv[2], "utf8")}\nnewTable`);
const phones = new Map();
const kept = new Map(); // what a phone has stored
const waiting = new Map(); // requests, streams and timers, by id
const keys = new Map();
let effects = [];
let next = 0;

function wait(phone, effect, thing) {
  next += 1;
  waiting.set(next, { phone, ...thing });
  effects.push({ ...effect, phone, id: next });
}

function promised(phone, effect, more) {
  return new Promise((resolve, reject) => wait(phone, effect, { resolve, reject, ...more }));
}

function open(phone) {
  for (const [id, thing] of [...waiting]) if (thing.phone === phone) waiting.delete(id);
  const table = newTable({
    net: {
      send: (method, path, body) => promised(phone, { do: "send", method, path, body }, {}),
      listen: (after, hear) => promised(phone, { do: "listen", after }, { hear }),
    },
    store: {
      load: () => (kept.has(phone) ? JSON.parse(kept.get(phone)) : null),
      save: (value) => kept.set(phone, JSON.stringify(value)),
    },
    clock: { later: (ms, action) => wait(phone, { do: "timer", ms }, { action }) },
    key: () => {
      keys.set(phone, (keys.get(phone) ?? 0) + 1);
      return `key-${phone}-${String(keys.get(phone)).padStart(6, "0")}`;
    },
    tell: (name, body) => {
      if (name === "taken") effects.push({ do: "taken", phone, body });
    },
  });
  phones.set(phone, table);
  table.start();
}

const commands = {
  open: ({ phone }) => open(phone),
  say: ({ phone, line }) => phones.get(phone).say(line),
  drop: ({ phone, at }) => phones.get(phone).drop(phones.get(phone).queue[at]),
  replace: ({ phone, at, line }) => phones.get(phone).replace(phones.get(phone).queue[at], line),
  release: ({ phone }) => phones.get(phone).release(),
  answer: ({ id, status, body, wait: seconds }) => take(id)?.resolve({ status, body, wait: seconds ?? 0 }),
  fail: ({ id }) => take(id)?.reject(new Error("no answer")),
  event: ({ id, name, data }) => waiting.get(id)?.hear(name, data),
  cut: ({ id }) => take(id)?.resolve(),
  refuse: ({ id, status }) => take(id)?.reject({ status }),
  timer: ({ id }) => take(id)?.action(),
  look: ({ phone }) => effects.push({ do: "look", phone, taps: phones.get(phone).taps }),
  queue: ({ phone }) => effects.push({ do: "queue", phone, items: phones.get(phone).queue }),
  report: () => {
    for (const [phone, table] of phones) effects.push({ do: "report", phone, ...report(table) });
  },
};

function take(id) {
  const thing = waiting.get(id);
  waiting.delete(id);
  return thing;
}

function report({ state, taps, position, entries, queue, online }) {
  return { state, taps, position, entries: [...entries.values()], queue, online };
}

readline.createInterface({ input: process.stdin }).on("line", (text) => {
  const command = JSON.parse(text);
  effects = [];
  commands[command.do](command);
  setImmediate(() => setImmediate(() => console.log(JSON.stringify(effects)))); // all promises are settled by then
});
