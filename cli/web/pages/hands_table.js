// A player's side of the table without a page: the lines that are not answered yet, what the server has told, and the
// connection. Network, storage and clock are handed in, so that it runs the same under a test.
//
// net.send(method, path, body, longest) -> promise of {status, body, wait}; it rejects where nothing came back in so many
// milliseconds (15 seconds, if that is not given).
// net.listen(after, hear) -> promise that ends with the connection; hear(name, data) for each event.
// store.load() -> what was saved, or null; store.save(value). clock.later(milliseconds, action). key() -> a new key.
"use strict";
const newTable = ({ net, store, clock, key, tell }) => {
  const FIRST_WAIT = 500; // milliseconds, doubled up to the longest
  const LONGEST_WAIT = 8000;
  const AGAIN = [408, 425, 429, 500, 502, 503, 504]; // answers after which a line is sent again
  const table = {
    state: null, // as /state has it
    taps: null, // as /acts has it
    entries: new Map(), // by id, each as /log has it
    position: 0,
    words: [],
    online: false,
    revoked: false,
    queue: [], // {line, key, status: waiting | sending | held | asked | refused, answer}
  };
  let isSending = false;
  let isReading = false; // what is there now
  let isStale = false; // it has changed since it was read
  let listenNow = () => {}; // before its time, where it waits for it

  const save = () => store.save(table.queue.map(({ line, key, status, answer }) => ({ line, key, status, answer })));
  const changed = (...what) => {
    save();
    tell(...what);
  };
  const pause = (tries) => Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** tries);

  // Lines, one after the other in the order in which they were said: the next is sent when the one before is answered.

  function say(line) {
    table.queue.push({ line, key: key(), status: "waiting", answer: null });
    changed("queue");
    send();
  }

  async function send(tries = 0) {
    const item = table.queue.find((each) => each.status === "waiting");
    if (isSending || !item || table.revoked) return;
    isSending = true;
    item.status = "sending";
    changed("queue");
    let answer = null;
    try {
      answer = await net.send("POST", "/line", { line: item.line, key: item.key, seen: table.position || null });
    } catch {
      // nothing came back: whether it was taken is not known, so it is sent again with its key
    }
    isSending = false;
    if (!answer || AGAIN.includes(answer.status)) {
      item.status = "waiting";
      setOnline(Boolean(answer));
      changed("queue");
      clock.later(answer?.wait ? answer.wait * 1000 : pause(tries), () => send(tries + 1));
      return;
    }
    setOnline(true);
    settle(item, answer);
    send();
  }

  function settle(item, { status, body }) {
    if (status === 401) {
      item.status = "waiting";
      revoke();
    } else if (body?.status === "taken") {
      remove(item);
      tell("taken", body);
      if (body.then) say(body.then);
      refresh();
    } else if (body?.status === "answered") {
      remove(item);
      tell("answered", body);
    } else {
      item.status = body?.status === "asked" ? "asked" : "refused";
      item.answer = body;
      // what was said behind it may have counted on it
      for (const each of table.queue) if (each.status === "waiting") each.status = "held";
    }
    changed("queue");
  }

  function remove(item) {
    table.queue = table.queue.filter((each) => each !== item);
  }

  function drop(item) {
    remove(item);
    changed("queue");
    send();
  }

  function replace(item, line) {
    const place = table.queue.indexOf(item);
    table.queue[place] = { line, key: key(), status: "waiting", answer: null };
    changed("queue");
    send();
  }

  function release() {
    for (const each of table.queue) if (each.status === "held") each.status = "waiting";
    changed("queue");
    send();
  }

  // What the server tells

  function setOnline(online) {
    if (table.online !== online) {
      table.online = online;
      tell("connection");
    }
  }

  function revoke() {
    table.revoked = true;
    setOnline(false);
    tell("connection");
  }

  async function ask(path, longest) {
    const answer = await net.send("GET", path, undefined, longest);
    if (answer.status === 401) revoke();
    return answer.status === 200 ? answer.body : Promise.reject(answer);
  }

  async function refresh() {
    let tries = 0;
    isStale = true;
    if (isReading) return;
    isReading = true;
    try {
      while (isStale && !table.revoked) {
        isStale = false;
        if ((await read("state", "/state")) && (await read("taps", "/acts"))) continue;
        isStale = true;
        await new Promise((resolve) => clock.later(pause(tries++), resolve));
      }
    } finally {
      isReading = false;
    }
  }

  // Read what the table is now, or may be said; return whether it came.
  async function read(name, path) {
    const answer = await ask(path).catch(() => null);
    if (answer === null) return false;
    table[name] = answer;
    tell(name);
    return true;
  }

  function takeLog(log) {
    const news = log.lines.filter((line) => !(table.entries.get(line.entry)?.position >= line.position));
    for (const line of news) table.entries.set(line.entry, line);
    table.position = log.position;
    table.words = log.words;
    tell("log", news, log);
  }

  async function readLog() {
    for (let more = true; more; ) {
      const log = await ask(`/log?after=${table.position}`);
      takeLog(log);
      more = log.more;
    }
  }

  async function listen(tries = 0) {
    if (table.revoked) return;
    let heard = false;
    try {
      await readLog();
      setOnline(true);
      refresh();
      send();
      await net.listen(table.position, (name, data) => {
        heard = true;
        if (name === "link") tell("link", data);
        else if (name === "reload") forget();
        else if (data?.lines) {
          takeLog(data);
          refresh();
        }
      });
    } catch (answer) {
      if (answer?.status === 422) forget(); // the log is shorter than what was read: another ledger, or a copy
    }
    setOnline(false);
    let waits = true;
    const again = () => {
      if (waits) listen(heard ? 0 : tries + 1);
      waits = false;
    };
    listenNow = again;
    clock.later(heard ? FIRST_WAIT : pause(tries), again);
  }

  // The connection is back, as far as the browser knows: nothing waits for its time any more.
  function resume() {
    send();
    listenNow();
  }

  function forget() {
    table.entries.clear();
    table.position = 0;
    tell("log", [], null);
  }

  function start() {
    const kept = store.load() ?? [];
    table.queue = kept.map((each) => ({ ...each, status: each.status === "sending" ? "waiting" : each.status }));
    tell("queue");
    listen();
  }

  return Object.assign(table, { start, say, send, resume, drop, replace, release, ask });
};
if (typeof module !== "undefined") module.exports = { newTable };
