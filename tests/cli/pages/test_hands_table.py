"""Test the table of a phone under node, with a network and a clock that are handed in."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import cli
from tests.cli.verifiers import NODE, needs_node

TABLE = Path(cli.__file__).parent / "web" / "pages" / "hands_table.js"
CUT_AND_BACK = """
const { newTable } = require(process.argv[1]);
let isCut = true;
const sent = [];
const waits = []; // what a clock would call later; here nothing comes by itself
const log = { lines: [], position: 1, words: [], more: false };
const net = {
  async send(method, path, body) {
    if (isCut) throw new Error("cut");
    sent.push(path);
    return { status: 200, body: path.startsWith("/log") ? log : path === "/line" ? { status: "taken" } : {} };
  },
  listen: () => new Promise(() => {}),
};
const clock = { later: (milliseconds) => waits.push(milliseconds) };
const table = newTable({ net, clock, store: { load: () => null, save() {} }, key: () => "k", tell() {} });
const settled = () => new Promise((resolve) => setTimeout(resolve, 20));
(async () => {
  table.start();
  table.say("k sneak v4");
  await settled();
  const before = sent.length;
  isCut = false;
  table.resume();
  await settled();
  const heard = sent.filter((path) => path.startsWith("/log")).length;
  table.resume(); // nothing waits any more: it listens once
  await settled();
  const twice = sent.filter((path) => path.startsWith("/log")).length;
  console.log(JSON.stringify([before, waits.length >= 2, sent.includes("/line"), heard, twice, table.online]));
})();
"""


@needs_node
def test_phone_that_is_back_sends_and_listens_at_once() -> None:
    assert NODE
    done = subprocess.run(
        [NODE, "-e", CUT_AND_BACK, str(TABLE)], capture_output=True, text=True, timeout=30, check=True
    )
    assert json.loads(done.stdout) == [0, True, True, 1, 1, True]
