// SHA-256 of lines of text, in hex digits: also where the browser offers none, as to a page over http in a local network.
"use strict";
const sha256 = (() => {
  const primes = [];
  for (let number = 2; primes.length < 64; number += 1) if (primes.every((prime) => number % prime)) primes.push(number);
  const fraction = (root) => Math.floor((root - Math.floor(root)) * 2 ** 32) | 0; // its first 32 bits
  const START = primes.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));
  const ROUNDS = primes.map((prime) => fraction(Math.cbrt(prime)));
  const turn = (word, bits) => (word >>> bits) | (word << (32 - bits));

  function padded(bytes) {
    const all = new Uint8Array(((bytes.length + 72) >> 6) << 6);
    all.set(bytes);
    all[bytes.length] = 0x80;
    const view = new DataView(all.buffer);
    view.setUint32(all.length - 8, Math.floor(bytes.length / 2 ** 29));
    view.setUint32(all.length - 4, bytes.length << 3);
    return view;
  }

  function schedule(view, start) {
    const words = new Int32Array(64);
    for (let at = 0; at < 16; at += 1) words[at] = view.getInt32(start + 4 * at);
    for (let at = 16; at < 64; at += 1) {
      const [early, late] = [words[at - 15], words[at - 2]];
      const first = turn(early, 7) ^ turn(early, 18) ^ (early >>> 3);
      const second = turn(late, 17) ^ turn(late, 19) ^ (late >>> 10);
      words[at] = words[at - 16] + first + words[at - 7] + second;
    }
    return words;
  }

  return (...lines) => {
    const view = padded(new TextEncoder().encode(lines.join("\n")));
    const state = Int32Array.from(START);
    for (let start = 0; start < view.byteLength; start += 64) {
      const words = schedule(view, start);
      let [a, b, c, d, e, f, g, h] = state;
      for (let at = 0; at < 64; at += 1) {
        const one = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + ROUNDS[at] + words[at]) | 0;
        const other = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
        h = g;
        g = f;
        f = e;
        e = (d + one) | 0;
        d = c;
        c = b;
        b = a;
        a = (one + other) | 0;
      }
      [a, b, c, d, e, f, g, h].forEach((word, at) => (state[at] += word));
    }
    return Array.from(state, (word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
  };
})();
if (typeof module !== "undefined") module.exports = { sha256 };
