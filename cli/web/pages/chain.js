// A player's part of shared dice: a chain of links from a secret of this browser, of which one is given for each throw.
// It has no page: storage, chance and network are handed in. `campaign help trust` says what it is for.
//
// store.get(name), store.set(name, value); random() -> 64 hex digits; isWaiting(line) -> whether a line is not answered
// yet; say(line); give(id, link) -> promise of what became of it; tell() is called when `alarms` or `stranger` change.
"use strict";
const newChain = ({ store, random, isWaiting, say, give, tell }) => {
  const LENGTH = 500;
  const UNUSED_MOST = 12; // links that were given and that no entry has yet: those of one line
  const GIVEN_MOST = 200; // that are remembered
  const chain = { alarms: [], stranger: false };
  let [place, links, table] = ["", [], null]; // the name in the store; from the secret to what was committed to
  let [unchecked, said] = [[], ""]; // links of the log until the table is known; the line of the last commitment

  const linkBefore = (link) => sha256("campaign-ledger link v1", table.ledger, table.session.number, link, table.holder);
  const given = () => store.get(`given ${place}`) ?? {}; // by link: {purpose, throw, late}
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
    while (links.length <= LENGTH) links.push(linkBefore(links.at(-1)));
  }

  const line = () => `${quoted(table.holder)} chain "${links.at(-1)}" ${LENGTH}`;

  function commit() {
    const secret = random();
    store.set(place, secret);
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
    const link = links[links.indexOf(last) - 1];
    if (!link || session !== table.session.number) return;
    const all = given();
    const before = all[link];
    if (!before && Object.values(all).filter((each) => !each.used && !each.late).length >= UNUSED_MOST) {
      alarm(`The table asks for links that it does not use: ${throwName({ purpose, throw: number })} got none.`);
      return;
    }
    remember({ ...all, [link]: { ...before, purpose, throw: number, late: false } });
    const status = await give(id, link).catch(() => "");
    if (status !== "taken") remember({ ...given(), [link]: { ...given()[link], late: true } });
  }

  // The links that entries have: each must be there for what it was given for.
  function take(log) {
    if (table === null) unchecked.push(...(log?.links ?? []));
    else check(log?.links ?? []);
  }

  function check(throws) {
    const entries = new Map();
    for (const each of throws)
      if (links.length && each.entry.startsWith(`${table.session.number}.`))
        entries.set(each.position, [...(entries.get(each.position) ?? []), each]);
    if (!entries.size) return;
    const all = given();
    for (const each of entries.values()) checkEntry(each, all);
    remember(all);
  }

  function checkEntry(throws, all) {
    const { entry } = throws[0];
    const own = [...new Set(throws.flatMap((each) => each.links))].filter((link) => links.includes(link));
    const isOf = (one) => throws.some((each) => !each.purpose || (each.purpose === one.purpose && each.throw === one.throw));
    for (const link of own) {
      const one = all[link];
      if (one?.purpose && !isOf(one)) alarm(`Entry ${entry} has your link for ${throwName(one)} in it, for another throw.`);
      all[link] = { ...one, used: true };
    }
    for (const one of Object.values(all)) {
      const isThere = one.purpose && throws.some((each) => each.purpose === one.purpose && each.throw === one.throw);
      if (isThere && !one.used && !one.late) alarm(`You gave a link for ${throwName(one)}, and entry ${entry} was thrown without it.`);
    }
  }

  return Object.assign(chain, { update, asked, take, commit });
};
if (typeof module !== "undefined") module.exports = { newChain };
