"""The page `campaign help chat-log`: what a chat has of the open game's evenings is what was said and thrown there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from ledger.facts import Judged, Rolled, Told
from tests.cli.conftest import Folder, numbered_facts
from tests.readme import HELP

SAMPLES = ("barrow-road", "drowned-parish")
BLOCK = re.compile(r"```text\n(.*?)```", re.DOTALL)


def chat_of(folder: Folder) -> Iterator[str]:
    """Yield the evening as a chat with a dice bot has it: who says what, and who rolls what for which total."""
    rolled = dict[str, Rolled]()
    for _, _, fact in numbered_facts(folder):
        if isinstance(fact, Told):
            yield f"{fact.by}: {fact.text}" if fact.kind == "quote" else f"GM: {fact.text}"
        elif isinstance(fact, Rolled):
            rolled[fact.purpose] = fact
        elif isinstance(fact, Judged) and fact.rolls and fact.total is not None:
            dice = [die for purpose in fact.rolls for die in rolled[purpose].dice]
            kept = sum(die.face for die in dice if die.kept)
            faces, more = ", ".join(str(die.face) for die in dice), fact.total - kept
            modifier = f"+{more}" if more else ""
            keep = "kh1" if not all(die.kept for die in dice) else ""
            yield f"{fact.who} rolls {len(dice)}d{dice[0].sides}{keep}{modifier}: [{faces}]{modifier} = {fact.total}"


@pytest.mark.parametrize("sample", SAMPLES)
def test_chat_on_the_page_is_that_of_the_evening(sample: str, played_samples: dict[str, Path]) -> None:
    blocks = BLOCK.findall((HELP / "chat-log.md").read_text(encoding="utf-8"))
    assert blocks[SAMPLES.index(sample)].splitlines() == list(chat_of(Folder(played_samples[sample])))
