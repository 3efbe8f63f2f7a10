// What the verifier in JavaScript finds of the golden vectors: node check.js ledger_verifier.js vectors.json words.txt
"use strict";
const { readFileSync } = require("node:fs");
const [, , program, vectors, words] = process.argv;
const { parse, sha, sessionKey, face, readAloud, Verifier } = require(program);
const given = JSON.parse(readFileSync(vectors, "utf8"));
const list = readFileSync(words, "utf8").trim().split("\n");

const isText = (json) => {
  try {
    return parse(json);
  } catch (error) {
    return error.message;
  }
};
const whole = new Verifier();
const shown = new Verifier();
const shared = new Verifier();
for (const { position, public: text, sealed, sealed_hash: sealedHash, hash } of given.records) {
  whole.add({ position, public: text, sealed, hash });
  shown.add({ position, public: text, sealed_hash: sealedHash, hash });
}
for (const { position, public: text, hash } of given.shared_records) shared.add({ position, public: text, hash });
shared.finish();
whole.finish();
shown.finish();
console.log(
  JSON.stringify({
    texts: given.texts.map(({ json }) => isText(json)),
    other_bytes: given.other_bytes.map(({ public: text }) => {
      const verifier = new Verifier();
      verifier.add({ position: 1, public: text, hash: sha("campaign-ledger record v3", "0".repeat(64), sha(text)) });
      return verifier.findings.length;
    }),
    records: [whole.hashes.slice(1), whole.findings, shown.hashes.slice(1), shown.findings],
    commitments: given.commitments.map(({ ledger, session, seed }) =>
      sha("campaign-ledger commit v2", ledger, session, seed)),
    keys: given.keys.map(({ seed, ledger, session, words: said }) =>
      sessionKey(seed, ledger, session, said).toString("hex")),
    faces: given.faces.map(({ key, purpose, throw: number, ordinal, sides }) =>
      face(Buffer.from(key, "hex"), purpose, number, ordinal, sides)),
    shared_records: shared.findings,
    links: given.links.map(({ ledger, session, link, who }) =>
      sha("campaign-ledger link v1", ledger, session, link, who)),
    shared_faces: given.shared_faces.map(({ key, purpose, throw: number, ordinal, sides, link }) =>
      face(Buffer.from(key, "hex"), purpose, number, ordinal, sides, link)),
    words: given.words.map(({ hash }) => readAloud(hash, list)),
    word_list: sha(...list, ""),
  }),
);
