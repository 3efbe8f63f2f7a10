"""How the kept ledgers are made, and what is printed of them.

`python -m tests.ageing NAME` keeps ledgers as the present version writes them, in a folder of that name: before a
change of the format, `format-N`; with a release, its number. They are never made again. What later versions print of
them may be worded otherwise: `python -m tests.rewrite` writes that anew, and the difference is read.
"""

from __future__ import annotations

import gzip
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from click.testing import CliRunner

from cli.main import campaign
from cli.play.sample import play_sample
from ledger.sqlite_store import create_store, open_store
from ledger.verify import verify
from tests.golden import CAMPAIGNS, CLOCK, samples
from tests.ledger.coin import PURSES, Banked, Coin
from tests.ledger.shared import played_shared
from tests.ledger.strategies import played as played_coin

KEPT: Final = Path(__file__).parent
MOVED: Final = "format-2"  # of which `campaign upgrade` makes new ledgers
COIN: Final = "coin"
SHARED: Final = "coin-shared"  # with shared dice
LINES: Final = 45  # of the first session of a sample
PRINTED: Final = (["show"], ["log", "--takes"], ["replay"], ["verify"])
EVENING: Final = (
    ["open", "Afterwards", "--seed", "ageing"],
    ["do", '!! > "the floor is hollow"'],  # 2.1
    ["do", "! reveal 2.1"],
    ["do", '!! > "nobody is told"'],
    ["do", '> "a noise"'],  # 2.4
    ["undo"],
    ["do", '> "rain"'],  # 2.4 again
    ["do", '! ruling "it rains till dawn" "a vote"'],
    ["amend", "--drop", "2.4", "--retcon", "--because", "nobody said so"],
    ["close"],
)


def run(folder: Path, *arguments: str) -> str:
    """Return what a command prints."""
    done = CliRunner().invoke(campaign, ["--clock", CLOCK, "-C", str(folder), *arguments])
    assert done.exit_code == 0, done.output
    return done.stdout


def kept_ledgers() -> Iterator[Path]:
    """Yield the folder of each kept ledger that is read as it is."""
    return (path.parent for path in sorted(KEPT.glob("*/*/ledger.db.gz")) if path.parts[-3] != MOVED)


def keep(name: str) -> None:
    """Play the ledgers of the present version, and keep them with what is printed of them."""
    for game in (*samples(), COIN, SHARED):
        folder = KEPT / name / game
        folder.mkdir(parents=True)
        with tempfile.TemporaryDirectory() as scratch:
            ledger = Path(scratch) / game / "ledger.db"
            play(game, ledger)
            (folder / "ledger.db.gz").write_bytes(gzip.compress(ledger.read_bytes(), mtime=0))
        write_printed(folder)


def play(game: str, ledger: Path) -> None:
    """Play the beginning of a sample, and a second session with secrets and corrections; or coins."""
    if game in (COIN, SHARED):
        ledger.parent.mkdir()
        store = create_store(ledger, (PURSES,))
        (played_coin if game == COIN else played_shared)(store)
        store.close()
        return
    sample = ledger.parents[1] / "sample"
    shutil.copytree(CAMPAIGNS / game, sample)
    plan = (sample / "campaign.toml").read_text("utf-8").split("[[sessions]]")
    (sample / "campaign.toml").write_text("[[sessions]]".join(plan[:2]), "utf-8")
    first = sample / "sessions" / "1.session"
    first.write_text("".join(first.read_text("utf-8").splitlines(keepends=True)[:LINES]), "utf-8")
    play_sample(sample, ledger.parent)
    for command in EVENING:
        run(ledger.parent, *command)


def unpack(kept: Path, folder: Path) -> Path:
    """Write a kept ledger into a folder."""
    folder.mkdir()
    (folder / "ledger.db").write_bytes(gzip.decompress((kept / "ledger.db.gz").read_bytes()))
    return folder


def printed(folder: Path) -> str:
    """Return what is printed of a ledger: its state, its log, and whether it is right."""
    if folder.name not in (COIN, SHARED):
        return "\n".join(f"$ campaign {' '.join(command)}\n{run(folder, *command)}" for command in PRINTED)
    store = open_store(folder / "ledger.db", write=False, models=(PURSES,))
    try:
        report, findings = verify(store, Coin(), Banked())
        lines = [f"{take.id}@{take.take} {take.line}" for take in store.takes()]
        return "\n".join([*lines, *map(str, findings), str(report), str(store.read_model_rows(PURSES)), ""])
    finally:
        store.close()


def write_printed(kept: Path) -> None:
    """Write what is printed of a kept ledger beside it."""
    with tempfile.TemporaryDirectory() as scratch:
        text = printed(unpack(kept, Path(scratch) / kept.name))
    (kept / "printed.txt").write_text(text, encoding="utf-8")
