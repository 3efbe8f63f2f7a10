"""`python -m tests.rewrite`: rewrite the golden outputs, the evenings' screens, and the transcripts of README and help.

Golden outputs are also those of the ledgers that are kept in `tests/ageing`.

Read the difference before you keep it.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from tests.ageing.ledgers import kept_ledgers, write_printed
from tests.cli import evenings
from tests.golden import CAMPAIGNS, FORECASTS, foretold, played, printed, retold, samples, stories
from tests.readme import CHAINS, rewrite_pages
from tests.seals import fix_salts


def main() -> None:
    """Rewrite all."""
    fix_salts()
    with tempfile.TemporaryDirectory() as scratch, tempfile.TemporaryDirectory() as told_again:
        for sample in samples():
            played(sample, Path(scratch) / sample)
            golden = CAMPAIGNS / sample / "golden"
            golden.mkdir(exist_ok=True)
            for name, text in printed(Path(scratch) / sample):
                (golden / name).write_text(text, encoding="utf-8")
            for name, story in stories(sample).items():
                told = retold(story, Path(scratch) / sample, Path(told_again) / sample / name)
                (golden / name).write_text(told, encoding="utf-8")
        FORECASTS.write_text(foretold(Path(scratch)), encoding="utf-8")
    for kept in kept_ledgers():
        write_printed(kept)
    for game in evenings.GAMES:
        with tempfile.TemporaryDirectory() as scratch:
            evenings.prepare(game, Path(scratch) / game)
            terminal = evenings.play(game, Path(scratch) / game)
            (evenings.EVENINGS / game / "screen.txt").write_text(evenings.screen_text(terminal), encoding="utf-8")
            if game == evenings.SHOWN:
                (evenings.EVENINGS / game / "screen.svg").write_text(evenings.picture(terminal), encoding="utf-8")
    for pages in CHAINS:
        with tempfile.TemporaryDirectory() as scratch:
            rewrite_pages(pages, Path(scratch))


if __name__ == "__main__":
    main()
