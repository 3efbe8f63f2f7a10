"""Every condition of every game has a sentence as it begins, changes and ends: in log, reply, why and recap."""

from __future__ import annotations

import re
from functools import partial

import msgspec
import pytest

from cli.phrases.durations import until
from cli.phrases.entries import fact_lines
from cli.phrases.fact_phrases import fact_clause
from cli.questions.consequences import consequences
from cli.render.reply import reply_lines
from cli.story.sentences import storytellers
from ledger.facts import ConditionBegan, ConditionEnded, Ends, EntryId, Fact, Joined, Ruled
from ledger.records import Record
from projections.beings import add_being
from projections.recap.episodes import Episode
from projections.state import State
from rulebooks import load_game

PLAIN = {
    "dusk-bastards": "absent blind dazed dead deaf defending diseased hidden incapacitated invisible located obscured "
    "paralysed poisoned prone rattled slowed stunned underwater",
    "mars": "absent blind crippled dead defeated dying encumbered intimidated overencumbered prone surprised "
    "unconscious",
    "momentum": "absent dead down wounded",
    "monolith": "absent dead stable unconscious",
    "semiautomagic": "absent concealed crouching dead destroyed dusted flanked invisible jammed prone staggered "
    "unconscious",
}
NAMED = {"mars": ["debilitation strength", "enhancement resolve", "dexterity bonus", "strength penalty"]}
RAW = re.compile(r"\{|\}|\[|\]|_|  |\(\)|\b(?:dexterity bonus|is long rest|is held$|Here)\b")


def names_of(game: str) -> list[str]:
    """Return the conditions of a game: those with sentences of their own, and those that somebody simply is."""
    wording = load_game(game).texts().lexicon.wording
    own = (re.sub(r" \d$", "", name) for name, text in wording.conditions.items() if text and "*" not in name)
    return [*dict.fromkeys((*own, *PLAIN[game].split(), *NAMED.get(game, ())))]


CONDITIONS = [(game, name) for game in PLAIN for name in names_of(game)]


def state_of(*characters: str) -> State:
    """Return a state with these players' characters."""
    state = State()
    for who in characters:
        add_being(state, EntryId(0, 1), Joined(who=who, kind="pc", side="players", sheet=(), seen="table"))
    return state


def began(name: str, degree: int = 1) -> ConditionBegan:
    return ConditionBegan(id=f"{name} Vesna", who="Vesna", name=name, degree=degree, effects=(("strength", 2),))


def told(game: str, *entries: Fact) -> list[str]:
    """Return what log, reply and recap say of the last of these entries, without places where nothing is said."""
    book = load_game(game)
    wording, teller = book.texts().lexicon.wording, storytellers(book)(State(), state_of("Vesna"))
    sentences = [teller.sentence(Episode(entries=["1.1"], by="gm", line="", said={}, facts=[each])) for each in entries]
    log, reply = fact_lines(entries[-1:], wording), reply_lines(entries[-1:], wording)
    if sentences[-1] is None:
        narration, name = book.texts().narration, getattr(entries[-1], "name", "")
        assert name in (*narration.untold, *narration.untold_ends), "the recap is silent without saying so"
        return [*log, *reply]
    return [*log, *reply, sentences[-1].text]


@pytest.mark.quick_rows(12)
@pytest.mark.parametrize(("game", "name"), CONDITIONS)
def test_condition_is_told_as_it_begins(game: str, name: str) -> None:
    texts = told(game, began(name))
    assert len(texts) > 1
    assert all("Vesna" in text and not RAW.search(text) for text in texts), texts


@pytest.mark.quick_rows(15)
@pytest.mark.parametrize(("game", "name"), CONDITIONS)
@pytest.mark.parametrize(("was", "now"), [(1, 2), (3, 2)], ids=["more", "less"])
def test_condition_is_told_as_its_degree_changes(game: str, name: str, was: int, now: int) -> None:
    texts = told(game, began(name, was), began(name, now))
    assert len(texts) > 1
    assert all("Vesna" in text and not RAW.search(text) for text in texts), texts


ELSEWHERE = {("momentum", "momentum"), *(("semiautomagic", light) for light in ("clear", "darkness", "hazy"))}


@pytest.mark.quick_rows(20)
@pytest.mark.parametrize(("game", "name"), [pair for pair in CONDITIONS if pair not in ELSEWHERE])
@pytest.mark.parametrize("because", ["used", "removed", "its time is over"])
def test_condition_is_told_as_it_ends(game: str, name: str, because: str) -> None:
    wording = load_game(game).texts().lexicon.wording
    ended = ConditionEnded(id=f"{name} Vesna", who="Vesna", name=name, because=because)
    if wording.ends.get(f"{name} {because}") == "":
        return
    texts = told(game, began(name), ended)
    record = Record(
        position=2, session=1, number=2, insert=0, take=1, cause=None, request=None, by="gm", at="", seen="table",
        facts=(ended,),
    )  # fmt: skip
    texts += [each.what for each in consequences([began(name)], [record], partial(fact_clause, wording=wording))]
    assert len(texts) > 2
    assert all("Vesna" in text and not RAW.search(text) for text in texts), texts


@pytest.mark.parametrize(
    ("game", "end", "words"),
    [
        ("mars", Ends(at="turn", whose="Ada"), "until Ada's turn begins"),
        ("mars", Ends(at="turn", whose="Ada", due=3), "until Ada's turn begins in round 3"),
        ("mars", Ends(at="turn", due=2), "for so many rounds from the next turn on: 2"),
        ("mars", Ends(at="turn_end", whose="Ada"), "until the end of Ada's turn"),
        ("mars", Ends(at="day", whose="Ada", due=7), "until the end of day 7"),
        ("semiautomagic", Ends(at="slot", whose="Wren"), "until Wren's next turn begins"),
        ("dusk-bastards", Ends(at="move", whose="Kess"), "until Kess moves"),
        ("momentum", Ends(at="round", due=1), "until the end of round 1"),
        ("monolith", Ends(at="encounter"), "until the end of the encounter"),
    ],
)
def test_end_is_when_the_book_ends_it(game: str, end: Ends, words: str) -> None:
    assert until(end, 0, load_game(game).texts().lexicon.wording) == words


RULINGS = [
    ("dusk-bastards", Ruled(name="condition", text="a blow", because="dazed"), "dazed", "was dazed: a blow"),
    ("dusk-bastards", Ruled(name="condition", text="", because="dazed"), "dazed", "was dazed"),
    ("mars", Ruled(name="leave", text="Vesna leaves", because="she runs"), "absent", "left: she ran"),
    ("semiautomagic", Ruled(name="conceal", text="Vesna: on", because="fog"), "concealed", "was concealed: fog"),
]


def story(game: str, *facts: Fact) -> str:
    """Return the sentence of a page for an entry with these facts."""
    episode = Episode(entries=["1.1"], by="gm", line="", said={}, facts=[*facts])
    sentence = storytellers(load_game(game))(State(), state_of("Vesna")).sentence(episode)
    return sentence.text if sentence else ""


@pytest.mark.parametrize(("game", "ruled", "name", "words"), RULINGS)
def test_ruling_on_a_condition_is_told_once(game: str, ruled: Ruled, name: str, words: str) -> None:
    assert story(game, ruled, began(name, degree=0)) == f"Vesna {words}"


FLAME = ConditionBegan(id="concentration Vesna", who="Vesna", name="concentration", about="the flame")
WARD = msgspec.structs.replace(FLAME, about="the ward")


@pytest.mark.parametrize(
    ("facts", "words", "told"),
    [
        (
            (ConditionEnded(id=WARD.id, who="Vesna", name=WARD.name, because="the ward gives way"), FLAME),
            "Vesna no longer concentrates on the ward",
            "Vesna no longer concentrated on the ward",
        ),
        (
            (ConditionEnded(id="sickness Vesna 1", who="Vesna", name="sickness", because="another goes on"),),
            "Vesna is over one sickness, but not over the other",
            "Vesna was over one sickness, but not over the other",
        ),
        (
            (ConditionEnded(id="x", who="Vesna", name="strength bonus", because="another goes on"),),
            "Vesna has lost one bonus to strength, but not the other",
            "Vesna had lost one bonus to strength, but not the other",
        ),
    ],
)
def test_end_is_told_where_another_of_its_kind_goes_on(facts: tuple[Fact, ...], words: str, told: str) -> None:
    """Else who is freed of one sickness is said to be well, and nobody reads that the ward is gone."""
    assert words in fact_lines(facts, load_game("mars").texts().lexicon.wording)
    assert told in story("mars", *facts)


def test_fall_after_the_last_success_is_a_sentence_of_its_own() -> None:
    """A fire may fell somebody again in the very line in which they have become stable."""
    ended = ConditionEnded(id="dying Vesna", who="Vesna", name="dying", because="stabilised")
    lines = fact_lines((ended, began("dying"), began("burning", 2)), load_game("mars").texts().lexicon.wording)
    assert lines == ["Vesna becomes stable, no longer dying", "Vesna is dying and burning (degree 2)"]


def test_end_of_darkness_is_told_as_its_beginning_is() -> None:
    """Else a page says that a place is dark to the end."""
    ended = ConditionEnded(id="darkness hall", who="hall", name="darkness", because="ruling")
    assert story("semiautomagic", ended) == "It was no longer totally dark in hall"


def test_what_a_ruling_says_is_not_said_again_in_the_log() -> None:
    ruled = Ruled(name="leave", text="Vesna leaves the fight", because="she runs")
    lines = fact_lines((ruled, began("absent")), load_game("semiautomagic").texts().lexicon.wording)
    assert lines == ["leave: Vesna leaves the fight (she runs)"]
