// What this browser has seen of a log: its hashes and leaves are kept, so that a past that was rewritten is noticed. It
// has no page: storage and network are handed in.
//
// store.get(name) -> what was kept under a name, or null; store.set(name, value). link: a name for the link. read(after) -> promise of the log after
// a position. tell() is called when `alarms` has changed. A log has {ledger, position, chain: [{position, leaf, hash}],
// lines: [{position, entry}], more}.
"use strict";
const newWitness = ({ store, link, read, tell }) => {
  const BEFORE_FIRST = "0".repeat(64);
  const CHUNK = 200; // positions that are kept together
  const hashAfter = (before, leaf) => sha256("campaign-ledger record v3", before, leaf);
  const witness = { alarms: [] };
  let [position, hash] = [0, BEFORE_FIRST]; // up to where the log was followed
  let [ledger, isComparing] = ["", false];

  function alarm(text) {
    if (!witness.alarms.includes(text)) {
      witness.alarms.push(text);
      tell();
    }
  }

  // What is kept

  const name = (place) => `seen ${ledger} ${Math.floor((place - 1) / CHUNK)}`;
  const chunk = (place) => store.get(name(place)) ?? [];
  const kept = (place) => chunk(place)[(place - 1) % CHUNK] ?? null; // [hash, leaf, entry]
  const last = () => store.get(`seen ${ledger}`) ?? 0;

  function keep(links, entries) {
    let [records, at] = [null, ""];
    for (const { position: place, leaf, hash: own } of links) {
      if (at !== name(place)) {
        if (records) store.set(at, records);
        [records, at] = [chunk(place), name(place)];
      }
      records[(place - 1) % CHUNK] = [own, leaf, entries.get(place) ?? ""];
    }
    if (records) store.set(at, records);
    if (links.length) store.set(`seen ${ledger}`, Math.max(last(), links.at(-1).position));
  }

  // What comes

  function check(chain, entries, before) {
    let hashBefore = before;
    for (const { position: place, leaf, hash: own } of chain) {
      const known = kept(place);
      const entry = known?.[2] || entries.get(place);
      const what = entry ? `Entry ${entry}` : `What stands at position ${place}`;
      if (known && known[0] !== own) {
        alarm(`The past was rewritten. ${what} is not what this page has seen: it had the hash ${known[0]}, and has ${own} now.`);
        return false;
      }
      if (hashAfter(hashBefore, leaf) !== own) {
        alarm(`The log cannot be right: the hash of ${what} does not follow from what stands before it.`);
        return false;
      }
      hashBefore = own;
    }
    return true;
  }

  const entriesOf = (log) => new Map(log.lines.map((line) => [line.position, line.entry]));

  function take(log) {
    if (log === null) return restart();
    if (log.ledger !== ledger) begin(log.ledger);
    if (witness.alarms.length || isComparing) return;
    const chain = log.chain.filter((link) => link.position > position);
    if (chain.length && (chain[0].position !== position + 1 || hashAfter(hash, chain[0].leaf) !== chain[0].hash)) {
      compare();
      return;
    }
    if (!check(chain, entriesOf(log), hash)) return;
    keep(chain.filter((link) => link.position > last()), entriesOf(log));
    if (chain.length) ({ position, hash } = chain.at(-1));
    if (!log.more) checkEnd(log);
  }

  function checkEnd(log) {
    if (log.position < last())
      alarm(`The log was cut off: it ends at position ${log.position}, and this page has seen it up to ${last()}.`);
  }

  // The whole log is read again, to find the entry from which on it is another one.
  async function compare() {
    isComparing = true;
    try {
      let before = BEFORE_FIRST;
      for (let log = { position: 0, more: true }; log.more; ) {
        log = await read(log.position);
        if (!check(log.chain, entriesOf(log), before)) return;
        before = log.chain.at(-1)?.hash ?? before;
        if (!log.more) checkEnd(log);
        if (!log.more) [position, hash] = [log.position, before];
      }
    } catch {
      // it is compared again with what comes next
    } finally {
      isComparing = false;
    }
  }

  function begin(id) {
    const known = store.get(`ledger of ${link}`);
    if (known && known !== id) alarm("This link has shown another campaign before: its log is another one.");
    if (!known) store.set(`ledger of ${link}`, id);
    [ledger, position, hash] = [id, 0, BEFORE_FIRST];
  }

  function restart() {
    [position, hash] = [0, BEFORE_FIRST];
  }

  return Object.assign(witness, { take });
};
if (typeof module !== "undefined") module.exports = { newWitness };
