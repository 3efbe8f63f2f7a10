// A player's part of shared dice: a chain of links from a secret of this browser, of which one is given for each throw.
// It has no page: storage, chance and network are handed in. `campaign help trust` says what it is for.
//
// store.get(name), store.set(name, value); random() -> 64 hex digits; isWaiting(line) -> whether a line is not answered
// yet; say(line); give(id, link) -> promise of what became of it; tell() is called when `alarms` or `stranger` change;
// length: how many links a chain has.
"use strict";
const newChain = ({ store, random, isWaiting, say, give, tell, length = 500 }) => {
  const UNUSED_MOST = 12; // links that were given and that no entry has yet: those of one line
  const GIVEN_MOST = 200; // that are remembered
  const chain = { alarms: [], stranger: false };
  let [place, links, table] = ["", [], null]; // the name in the store; from the secret to what was committed to
  let [older, seen] = [[], 0]; // the chain before, until the server has the new one; the position of the log so far
  let [unchecked, said] = [[], ""]; // links of the log until the table is known; the line of the last commitment

  const linkBefore = (link) => sha256("campaign-ledger link v1", table.ledger, table.session.number, link, table.holder);
  const given = () => store.get(`given ${place}`) ?? {}; // by link: {throws, entry: that has it}
  // Each of its throws: {purpose, throw, since: the position when it was given, taken, with, without: entries}.
  const remember = (all) => store.set(`given ${place}`, Object.fromEntries(Object.entries(all).slice(-GIVEN_MOST)));
  const throwName = ({ purpose, throw: number }) => (purpose ? `"${purpose}", throw ${number}` : "a secret throw");
  const quoted = (name) => (/^[\p{L}\p{N}_-]+$/u.test(name) ? name : JSON.stringify(name));

  function alarm(text) {
    if (!chain.alarms.includes(text)) {
      chain.alarms.push(text);
      tell();
    }
  }

  function make(secret) {
    links = [secret];
    while (links.length <= length) links.push(linkBefore(links.at(-1)));
  }

  const line = () => `${quoted(table.holder)} chain "${links.at(-1)}" ${length}`;

  function commit() {
    const secret = random();
    store.set(place, secret);
    older = links;
    make(secret);
    sayLine();
  }

  function sayLine() {
    said = line();
    say(said);
  }

  // The table as the server has it: a chain is made where there is none, or where it comes to its end.
  function update(state) {
    table = state;
    if (state.role !== "player" || state.chains === null) return void (links = []);
    const name = `chain ${state.ledger} ${state.session.number} ${state.holder}`;
    if (name !== place || !links.length) {
      place = name;
      links = [];
      const secret = store.get(place);
      if (secret) make(secret);
    }
    const shown = state.chains.find((each) => each.who === state.holder);
    const isOwn = Boolean(shown) && links.includes(shown.last);
    const isSaid = links.length > 0 && isWaiting(line());
    if (!shown && !links.length) commit();
    else if (!shown && !isSaid && said !== line()) sayLine();
    else if (isOwn && shown.left < UNUSED_MOST && !isSaid) commit();
    const stranger = Boolean(shown) && !isOwn && !isSaid;
    check(unchecked.splice(0));
    if (stranger !== chain.stranger) {
      chain.stranger = stranger;
      tell();
    }
  }

  // The server asks for the link before the last one of the chain.
  async function asked({ id, session, last, purpose, throw: number }) {
    const of = links.includes(last) ? links : older;
    const link = of[of.indexOf(last) - 1];
    if (!link || session !== table.session.number) return;
    const all = given();
    const throws = all[link]?.throws ?? [];
    if (!throws.length && Object.values(all).filter((each) => !each.entry).length >= UNUSED_MOST) {
      alarm(`The table asks for links that it does not use: ${throwName({ purpose, throw: number })} got none.`);
      return;
    }
    const isOf = (each) => each.purpose === purpose && each.throw === number;
    const others = throws.filter((each) => !isOf(each));
    remember({ ...all, [link]: { ...all[link], throws: [...others, { purpose, throw: number, since: seen }] } });
    const status = await give(id, link).catch(() => ""); // until it is taken, it may have come too late
    const now = given();
    const one = now[link]?.throws.find(isOf);
    if (status !== "taken" || !one) return;
    one.taken = true;
    remember(now);
    compare(now);
  }

  // The links that entries have: each must be there for what it was given for.
  function take(log) {
    seen = Math.max(seen, log?.position ?? 0);
    if (table === null) unchecked.push(...(log?.links ?? []));
    else check(log?.links ?? []);
  }

  function check(rows) {
    const entries = new Map();
    for (const each of rows)
      if (links.length && each.entry.startsWith(`${table.session.number}.`))
        entries.set(each.position, [...(entries.get(each.position) ?? []), each]);
    if (!entries.size) return;
    const all = given();
    for (const each of entries.values()) note(each, all);
    remember(all);
    compare(all);
  }

  // Note which entry has a link that was given, and which has a throw for which one was given.
  function note(rows, all) {
    const { entry, position } = rows[0];
    const has = new Set(rows.flatMap((each) => each.links));
    const isOf = (one) => rows.some((each) => each.purpose && each.purpose === one.purpose && each.throw === one.throw);
    for (const [link, each] of Object.entries(all)) {
      if (has.has(link)) each.entry = entry;
      for (const one of each.throws.filter(isOf))
        if (has.has(link)) one.with = entry;
        else if (position > one.since) one.without ??= entry;
      const [known] = each.throws.filter((one) => one.purpose);
      if (has.has(link) && known && rows.every((row) => row.purpose) && !each.throws.some(isOf))
        alarm(`Entry ${entry} has your link for ${throwName(known)} in it, for another throw.`);
    }
  }

  // Tell which throws were made without the link that was taken for them.
  function compare(all) {
    for (const { throws } of Object.values(all))
      for (const one of throws)
        if (one.taken && one.without && !one.with)
          alarm(`You gave a link for ${throwName(one)}, and entry ${one.without} was thrown without it. It happens where the server is stopped or two lines come at once; otherwise ask why.`);
  }

  return Object.assign(chain, { update, asked, take, commit });
};
if (typeof module !== "undefined") module.exports = { newChain };
