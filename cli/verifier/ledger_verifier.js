// Check a campaign's bundle without the program that wrote it: node ledger_verifier.js FILE [--head "17 3f9c..."]
// It is written from `campaign help formats` alone, needs Node 18 and nothing else, and knows no rule.
// It ends with 0 if nothing differs, 1 if something does, 2 for wrong usage, 3 for a file that cannot be read.
"use strict";
const { createHash, createHmac } = require("node:crypto");
const { readFileSync } = require("node:fs");
const { gunzipSync } = require("node:zlib");
const KEYS = "v position session number insert take cause request by holder door at seen facts".split(" ");
const HEADER = "format for ledger campaign game books records head".split(" "); // its last keys
const BLANKS = { cause: null, request: null, by: "gm", holder: "", door: "" }; // where these are hidden
const OPEN = "campaign-created session-opened words-added chain-committed session-closed".split(" "); // never hidden
const [GENESIS, HASH] = ["0".repeat(64), /^[0-9a-f]{64}$/];
const sha = (...lines) => createHash("sha256").update(lines.join("\n")).digest("hex");
const hmac = (key, ...lines) => createHmac("sha256", key).update(lines.join("\n")).digest();
const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
const isObject = (value) => Object.prototype.toString.call(value) === "[object Object]";
const factsOf = (records, kind) => records.flatMap((record) => record.facts.filter((fact) => fact.fact === kind));
const size = (text) => Buffer.byteLength(text);
const refuse = (what) => { throw new Error(what); };
const place = (hash, shift) => Number((BigInt(`0x${hash.slice(0, 11)}`) >> shift) & 2047n);
const readAloud = (hash, words) => [33n, 22n, 11n, 0n].map((shift) => words[place(hash, shift)]).join(" ");

function parse(text) {
  const value = JSON.parse(text, function check(key, part) {
    if (typeof part === "number" && !Number.isSafeInteger(part)) refuse("a number is too large, or not whole");
    if ((!Array.isArray(this) && /^[0-9]+$/.test(key)) || /\p{Cs}/u.test(key)) refuse("a key is none");
    return typeof part === "string" && /\p{Cs}/u.test(part) ? refuse("half a letter") : part;
  });
  return JSON.stringify(value) === text ? value : refuse("its bytes are not canonical");
}

function sessionKey(seed, ledger, session, words) {
  const spoken = words.flat().map((text) => `${size(text)} ${text}`);
  return hmac(Buffer.from(seed, "hex"), "campaign-ledger key v2", ledger, session, ...spoken);
}

// `more` is the link of a shared die.
function face(key, purpose, throwNumber, ordinal, sides, ...more) {
  const digest = hmac(key, "campaign-ledger die v2", purpose, throwNumber, ordinal, sides, ...more);
  const words = [0, 4, 8, 12, 16, 20, 24, 28].map((start) => digest.readUInt32BE(start));
  const word = words.find((each) => each < 2 ** 32 - (2 ** 32 % sides));
  return word === undefined ? face(key, purpose, throwNumber, ordinal, sides, ...more, "again") : (word % sides) + 1;
}

function readRecord(text, position, whole) {
  const record = parse(text);
  if (!same(Object.keys(record), KEYS) || record.position !== position || size(text) > 2 ** 20)
    refuse("its keys, its format, its position or its length are others");
  const numbers = KEYS.slice(0, 6).map((name) => record[name]);
  const isLater = record.facts.some((fact) => ["links", "shared_dice", "chain"].some((name) => name in fact));
  if (record.v !== (isLater ? 4 : 3) && (whole || record.v !== 4)) refuse("it is of another format");
  record.facts.forEach((fact, place) => {
    const dice = fact.fact === "rolled" ? fact.dice : [];
    numbers.push(...dice.flatMap((die) => [fact.throw, die.ordinal, die.sides, die.face]));
    const isDie = (die) => die.face >= 1 && die.face <= die.sides && die.sides <= 1e6;
    const { links = [""], length = 0 } = fact;
    numbers.push(length);
    const isThere = !whole || (fact.fact !== "withheld" && (fact.fact === "declared") === (place === 0));
    const isSaid = fact.fact !== "declared" || ("said" in fact && fact.by === record.by);
    const isFact = Object.keys(fact)[0] === "fact" && Object.keys(fact)[1] === "rules" && dice.every(isDie) &&
      [1, dice.length].includes(links.length);
    if (!isFact || !isThere || !isSaid) refuse(`fact ${place + 1} is none`);
  });
  const texts = [record.cause ?? "", record.request ?? "", ...KEYS.slice(8, 13).map((name) => record[name])];
  const isTyped = [...texts, ...record.facts.map((fact) => fact.fact)].every((each) => typeof each === "string");
  const isKnown = isTyped && ["", "keyboard", "file", "page"].includes(record.door);
  return isKnown && numbers.every(Number.isSafeInteger) ? record : refuse("a value is of another type");
}

function isPart(shown, whole, next = 0, at = 0) {
  if (shown === "" || shown === null || shown === 0 || same(shown, []) || same(shown, whole)) return true;
  const text = String(shown).replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
  const form = text.replace(/…([^…]*)(?=…)/g, (_, to) => `(?=([^]*?${to}))\\${++at}(?:)`).replace("…", "[^]*");
  if (typeof shown === "string" && typeof whole === "string") return RegExp(`^${form}$`, "u").test(whole);
  const isNext = (item) => (next = whole.findIndex((each, at) => at >= next && isPart(item, each)) + 1) > 0;
  if (Array.isArray(shown) && Array.isArray(whole)) return shown.every(isNext);
  if (!isObject(shown) || !isObject(whole)) return false;
  if ("say" in shown && "say" in whole) {
    const { say, "seen texts": texts = {}, ...rest } = shown;
    const isSaid = ([name, text]) => name in whole && same(whole[name], text);
    return say === whole.say && same(rest, {}) && Object.entries(texts).every(isSaid);
  }
  const isIn = ([key, part]) => isPart(part, whole[key]);
  return same(Object.keys(shown), Object.keys(whole)) && Object.entries(shown).every(isIn);
}

function checkPart(shown, whole) {
  const isSame = (name) => shown[name] === whole[name] || (name in BLANKS && shown[name] === BLANKS[name]);
  const left = { degree: 1, ...(whole.seen === "table" ? {} : { because: "secret" }) };
  const isCounted = shown.facts.length === Math.max(whole.facts.length, whole.seen === "table" ? 0 : 1);
  if (!KEYS.slice(0, -1).every(isSame) || same(shown, whole) || !isCounted)
    refuse("its public part is of another record, or nothing is hidden");
  whole.facts.forEach((fact, place) => {
    const seen = shown.facts[place];
    const pairs = Object.entries(seen).map(([key, part]) => [key, left[key] === part ? fact[key] : part]);
    const differs = seen.fact !== fact.fact || (OPEN.includes(fact.fact) && !same(seen, fact));
    if (seen.fact !== "withheld" && (differs || !isPart(Object.fromEntries(pairs), fact)))
      refuse(`its public part says something else than the whole in ${fact.fact}`);
  });
}

const diceOf = ({ purpose, throw: number, dice, links = [""] }) => dice.map((die, place) => (
  { id: [purpose, number, die.ordinal, die.sides], link: links[links.length > 1 ? place : 0], face: die.face }));

// The chains of a session and the links of its dice, as far as its records were checked.
class Links {
  constructor(ledger, session, isWhole) {
    Object.assign(this, { ledger, session, isWhole, isShared: false, chains: new Map(), known: new Map() });
  }
  // Whether a die keeps its link, and new dice have the next one of a chain, or none.
  fit(facts) {
    const added = new Map();
    const fits = facts.map((fact) => {
      if (fact.fact === "session-opened") this.isShared = fact.shared_dice === true;
      if (fact.fact === "chain-committed") this.chains.set(fact.who, { last: fact.chain, left: fact.length });
      if (fact.fact !== "rolled") return true;
      const isDrawn = fact.source !== "table";
      const dice = this.isShared && isDrawn ? diceOf(fact).map(({ id, link }) => [String(id), link]) : [];
      for (const [die, link] of dice) if (!this.known.has(die)) added.set(die, link);
      const isKept = ([die, link]) => link === (this.known.get(die) ?? (fact.source === "seed" ? link : ""));
      return "links" in fact === (this.isShared && isDrawn) && dice.every(isKept);
    });
    const links = [...new Set(added.values())];
    const isNext = links.length < 2 && links.every((link) => link === "" || this.follow(link));
    for (const [die, link] of added) this.known.set(die, link);
    return isNext && fits.every(Boolean);
  }
  // Move the chain on of which a link is the next one, and return whether there is one.
  follow(link) {
    if (!HASH.test(link) || [...this.known.values()].includes(link)) return false;
    for (const [who, { last, left }] of this.chains)
      for (let before = link, steps = 1; steps <= (this.isWhole ? Math.min(left, 1) : left); steps += 1)
        if ((before = sha("campaign-ledger link v1", this.ledger, this.session, before, who)) === last)
          return Boolean(this.chains.set(who, { last: link, left: left - steps }));
    return false;
  }
}

class Verifier {
  constructor() {
    Object.assign(this, { position: 0, hashes: [GENESIS], last: 0, sessions: {}, findings: [], format: 3 });
  }
  find = (where, what) => this.findings.push(`${where}: ${what}`) > 100 && refuse("there are more than 100 findings");
  add({ position, public: text, sealed, sealed_hash: sealedHash, hash }) {
    const seals = sealed === undefined ? [sealedHash].filter((each) => each !== undefined) : [sha(sealed)];
    const where = `position ${++this.position}`;
    try {
      const shown = readRecord(text, this.position, seals.length === 0);
      const record = sealed === undefined ? shown : readRecord(sealed.slice(32), this.position, true);
      const id = record.session * 1e10 + record.number * 1e4 + record.insert;
      const more = { whole: sealed !== undefined || !seals.length, late: id < this.last };
      (this.sessions[record.session] ??= []).push({ ...record, ...more });
      [this.last, this.format] = [Math.max(id, this.last), Math.max(record.v, this.format)];
      const salt = sealed === undefined ? (seals[0] ?? GENESIS) : sealed.slice(0, 32).repeat(2);
      if (position !== this.position || !HASH.test(salt) || (!seals.length && record.seen !== "table"))
        refuse("its position or its salt is no such number, or it is secret and not sealed");
      if (sealed !== undefined) checkPart(shown, record);
    } catch (error) {
      this.find(where, error.message);
    }
    const made = sha("campaign-ledger record v3", this.hashes.at(-1), sha(text), ...seals);
    if (this.hashes.push(hash) && hash !== made) this.find(where, "its hash does not match its bytes and those before");
  }
  finish() {
    const sessions = Object.keys(this.sessions).map(Number);
    if (!sessions.every((session, place) => session === place)) this.find("bundle", "a session is missing");
    const [created = {}] = factsOf(this.sessions[0] ?? [], "campaign-created");
    for (const session of sessions) this.checkSession(session, this.sessions[session], created.ledger);
    const opened = sessions.flatMap((session) => factsOf(this.sessions[session], "session-opened").slice(-1));
    const books = opened.map((fact) => [String(fact.number), `${fact.rulebook} revision ${fact.revision}`]);
    const head = `${this.position} ${this.hashes.at(-1)}`;
    return [this.format, created.ledger, created.name, created.game, books, this.position, head];
  }
  checkSession(session, records, ledger) {
    const commitments = factsOf(records, "session-opened").map((fact) => fact.commitment);
    const { seed = "" } = factsOf(records, "session-closed").find((fact) => fact.seed) ?? {};
    const isSeed = HASH.test(seed) && commitments.includes(sha("campaign-ledger commit v2", ledger, session, seed));
    if (seed && !isSeed) this.find(`session ${session}`, "the seed is not the one that it committed to");
    const [isWhole, entries, words, taken] = [records.every((record) => record.whole), new Map(), new Map(), []];
    const links = new Links(ledger, session, isWhole);
    for (const record of records) {
      const [where, id] = [`position ${record.position}`, record.number * 1e4 + record.insert];
      const before = entries.get(id) ?? [];
      const isOdd = before.length ? before.at(-1).said.length : record.insert || record.late;
      if (record.take !== before.length + 1 || (record.whole && record.cause === null && isOdd))
        this.find(where, "a take is missing before it, or no correction is its cause");
      const said = factsOf([record], "declared").map((fact) => fact.said);
      const rolls = factsOf([record], "rolled").filter((fact) => fact.source !== "table");
      const throws = rolls.map((fact) => [fact.purpose, fact.throw]);
      const alike = [false, true].flatMap((isSame) => before.filter((each) => same(each.said, said) === isSame));
      const own = new Map(record.cause ? alike.flatMap((each) => each.throws) : []);
      for (const each of before.at(-1)?.throws ?? []) taken.splice(taken.indexOf(String(each)), 1);
      entries.set(id, [...before, { said, throws }]);
      words.set(id, factsOf([record], "words-added").map((fact) => [fact.who, fact.words]));
      const spoken = [...words].sort(([one], [other]) => one - other).flatMap(([, pairs]) => pairs);
      const key = sessionKey(isSeed ? seed : "", ledger, session, spoken);
      if (!links.fit(record.facts)) this.find(where, "a link of its dice is not the next one, or not the one they had");
      for (const roll of rolls) {
        const { purpose, throw: number } = roll;
        const lowest = 1 + [...taken, ""].findIndex((_, at) => !taken.includes(`${purpose},${at + 1}`));
        if (!commitments.length || (isWhole && number !== (own.get(purpose) ?? lowest)))
          this.find(where, `throw ${number} for ${purpose} has a number that it cannot have`);
        const isGiven = ({ id, link, face: shown }) => shown === face(key, ...id, ...(link ? [link] : []));
        if (isSeed && !diceOf(roll).every(isGiven))
          this.find(where, `the faces of throw ${number} for ${purpose} are not those that the seed gives`);
      }
      taken.push(...throws.map(String));
    }
    const ids = [-1e4, ...[...entries.keys()].sort((one, other) => one - other)];
    const isNext = (id, at) => !at || id === ids[at - 1] + 1 || id === (Math.floor(ids[at - 1] / 1e4) + 1) * 1e4;
    if (!ids.every(isNext)) this.find(`session ${session}`, "an entry is missing");
  }
}

function readBundle(bytes, verifier) {
  const text = bytes.readUInt16BE() === 0x1f8b ? gunzipSync(bytes, { maxOutputLength: 2 ** 29 }) : bytes;
  const [header, ...lines] = text.toString().split("\n").map((line, place) => (place ? line : parse(line)));
  const hidden = { gm: "sealed", players: "sealed_hash" }[header.for];
  const isHeader = same(Object.entries(header).slice(0, 2), [["bundle", "campaign-ledger"], ["v", 1]]);
  if (!isHeader || !hidden || lines.pop() !== "") refuse("it is no bundle, or is cut off");
  for (const part of lines.map(parse)) {
    const keys = ["position", "public", ...(hidden in part ? [hidden] : []), "hash"];
    if (!same(Object.keys(part), keys)) refuse("a line is not that of a record");
    verifier.add(part);
  }
  const [format, ...values] = verifier.finish();
  const isTrue = same(Object.values(header).slice(2), [format, header.for, ...values]);
  if (!same(Object.keys(header).slice(2), HEADER)) verifier.find("line 1", "its keys are others");
  if (!isTrue) verifier.find("line 1", "it says other things than the records, or is cut off");
}

function main([file, ...options]) {
  const heads = options.filter((each) => each !== "--head").map((each) => /^([1-9]\d*) ([0-9a-f]{64})$/.exec(each));
  const verifier = new Verifier();
  if (!file || heads.includes(null)) return [2, 'usage: node ledger_verifier.js FILE [--head "17 3f9c..."]'];
  try {
    readBundle(readFileSync(file), verifier);
    for (const [, position, hash] of heads)
      if (verifier.hashes[position] !== hash) verifier.find(`position ${position}`, "another head was kept");
  } catch (error) {
    return [3, ...verifier.findings, `${file} cannot be read on: ${error.message}`];
  }
  const { findings, position, hashes } = verifier;
  const end = findings.length ? `${findings.length} findings` : "nothing differs; no rule was applied";
  return [findings.length ? 1 : 0, ...findings, `head ${position} ${hashes.at(-1)}`, end];
}
module.exports = { parse, sha, sessionKey, face, readAloud, Verifier, main };
if (require.main === module) {
  const [code, ...lines] = main(process.argv.slice(2));
  console.log(lines.join("\n").replace(/[^\P{C}\n]/gu, (letter) => `\\u{${letter.codePointAt(0).toString(16)}}`));
  process.exitCode = code;
}
