"""What an evening cost and people's own words stay: losses by word alone, and the fiction that a quote answers."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.story.clauses import CHANGE, FALL, TURN, WOUND
from cli.story.passages import Passage
from cli.story.reasons import reason_of
from cli.story.selection import fiction_beside_quotes, paragraphs, short_story
from cli.story.style import STYLES
from cli.story.weights import Weights, is_loss
from ledger.facts import GM, ConditionBegan, Fact, Judged, PointsLost, PointsRegained, PointsSpent, Ruled, TokensMoved
from projections.recap.episodes import Episode
from rulebooks.common.narration import Narration
from rulebooks.common.texts import Wording
from tests.cli.passages import sentence
from tests.cli.test_recap_story import played

FICTION, QUOTE = Passage(kind="fiction", text="The bell rings."), Passage(kind="quote", by="Kess", text="Lift!")
DEED, SCENE = Passage(kind="", sentences=(sentence("Kess hit Rat"),)), Passage(kind="scene", text="The pit")


@pytest.mark.parametrize(
    ("passages", "places"),
    [
        ([FICTION, QUOTE], [(0, -1)]),
        ([QUOTE, FICTION], [(1, -1)]),
        ([FICTION, DEED, QUOTE], [(0, -1)]),
        ([FICTION, DEED, DEED, QUOTE], []),
        ([FICTION, SCENE, QUOTE], []),
        ([FICTION, FICTION], []),
    ],
)
def test_fiction_beside_a_quote_is_known(passages: list[Passage], places: list[tuple[int, int]]) -> None:
    assert [*fiction_beside_quotes(passages)] == places


def test_fiction_that_a_quote_answers_stays_before_other_fiction() -> None:
    rain = [Passage(kind="fiction", text=f"Rain {number} " + "fell " * 30) for number in range(3)]
    answered = Passage(kind="fiction", text="The bell rings " + "and rings " * 15)
    told = [rain[0], DEED, rain[1], DEED, DEED, answered, QUOTE, DEED, DEED, rain[2]]
    kept = short_story(told, STYLES["text"], 700)
    assert answered in kept
    assert rain[1] not in kept


LOST = PointsLost(who="Kess", pool="health", points=3, now=1, because="the rail gives way")
SPENT = PointsSpent(who="Kess", pool="speed", points=3, now=1, because="Effort 1")
ROLLED = Judged(who="Kess", what="task", result="failure", rolls=("1.1",), final=True)


@pytest.mark.parametrize(
    ("among", "is_lost"), [([LOST], True), ([LOST, SPENT], False), ([ROLLED, LOST], False), ([SPENT], False)]
)
def test_loss_is_by_word_alone(among: list[Fact], is_lost: bool) -> None:
    assert is_loss(among, {"Kess"}) is is_lost
    assert not is_loss(among, {"Orrin"})


@pytest.mark.slow
def test_loss_by_word_in_a_long_fight_is_told_with_its_reason(tmp_path: Path) -> None:
    lines = ('! encounter "the ferry house"', '! damage wren 3 "the rail gives way"')
    folder = played("dusk-bastards", tmp_path, *lines)
    for page in (folder.run("recap"), folder.run("recap", "--post")):
        assert "Wren was hurt: the rail gave way." in page


@pytest.mark.parametrize(
    ("texts", "told"),
    [
        (["No.", "Yes.", "No."], 'Cat answered: "No." Kess: "Yes." Cat answered: "No."'),
        (["Why?", "Why not?", "No."], 'Cat asked: "Why?" Kess: "Why not?" Cat answered: "No."'),
    ],
)
def test_answers_are_not_all_like_a_play(texts: list[str], told: str) -> None:
    quotes = [Passage(kind="quote", by=("Cat", "Kess")[place % 2], text=text) for place, text in enumerate(texts)]
    first = Passage(kind="quote", by="Kess", text="Lift!")
    (block,) = filter(None, paragraphs([DEED, first, *quotes], STYLES["text"]))
    assert block.endswith(f'Kess: "Lift!" {told}')


@pytest.mark.parametrize(("foe", "weight"), [("Hesk", TURN), ("Ringer 3", CHANGE)])
def test_blow_of_a_named_foe_weighs_more(foe: str, weight: int) -> None:
    blow = Judged(who=foe, what="attack", result="hit", against="Kess", final=True)
    episode = Episode(entries=["1.1"], by=foe, facts=[blow, LOST], said={}, line="")
    weights = Weights(Narration(), Wording(), frozenset({"Kess"}))
    assert weights.weight(episode, [], [blow], in_fight=True) == weight


@pytest.mark.slow
def test_that_it_was_the_ruling_is_no_reason(tmp_path: Path) -> None:
    page = played("dusk-bastards", tmp_path, '! damage wren 3 "the ruling"').run("recap")
    assert "Wren was hurt." in page.partition("## Where")[0]


SAID = {"say": "spend", "purpose": "the far lamp goes out"}
DOOM = TokensMoved(who=GM, token="doom", change=-2, now=1, most=None, because="the far lamp goes out")
RULED = Ruled(name="doom", text="the far lamp goes out", because="")
AWAY = ConditionBegan(id="absent Rat", who="Rat", name="absent")


@pytest.mark.parametrize(
    ("said", "among", "is_turn"),
    [
        (SAID, [DOOM, RULED], True),
        (SAID, [DOOM], False),
        (SAID, [RULED], False),
        ({"say": "leave", "reason": "runs for the river"}, [AWAY], True),
        ({"say": "leave"}, [AWAY], False),
    ],
)
def test_spend_and_flight_in_own_words_turn_a_fight(said: dict[str, str], among: list[Fact], is_turn: bool) -> None:
    episode = Episode(entries=["1.1"], by=GM, facts=among, said=said, line="")
    weights = Weights(Narration(), Wording(), frozenset({"Kess"}))
    assert weights.is_turn(episode, [], is_failure=False) is is_turn
    is_paid = {DOOM, RULED} <= {*among}
    assert (weights.weight(episode, [], [], in_fight=True) == WOUND) is is_paid


@pytest.mark.parametrize(("because", "told"), [("goose fat", "goose fat"), ("healed", "")])
def test_cure_in_own_words_is_a_reason(because: str, told: str) -> None:
    regained = PointsRegained(who="Kess", pool="health", points=3, now=1, because=because)
    episode = Episode(entries=["1.1"], by=GM, facts=[regained], said={"reason": "goose fat"}, line="")
    assert reason_of(episode) == told


@pytest.mark.parametrize(
    ("by", "who", "is_rescue"), [("Kess", "Orrin", True), ("Kess", "Kess", False), (GM, "Orrin", False)]
)
def test_who_saved_somebody_is_told(by: str, who: str, is_rescue: bool) -> None:
    aid = ConditionBegan(id="dying", who=who, name="dying")
    episode = Episode(entries=["1.1"], by=by, facts=[aid], said={"say": "aid"}, line="")
    weights = Weights(Narration(grave=("dying",)), Wording(), frozenset({"Kess", "Orrin"}))
    assert (weights.weight(episode, [], [], in_fight=False) == FALL) is is_rescue
    assert weights.weight(episode, [], [], in_fight=True) < FALL
