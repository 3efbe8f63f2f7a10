"""What a story says of failures, of falls and their order, and of what an evening leaves open or has decided."""

from __future__ import annotations

import msgspec
import pytest

from cli.phrases.patterns import fill_but_verbs, find_pattern, mark_name, mark_verb
from cli.story.being_names import BeingNames
from cli.story.chronicle import chronicle
from cli.story.clauses import Clause, Stroke, TextEffect
from cli.story.last_news import with_last_news
from cli.story.lead_text import both_falls, in_two_words
from cli.story.open_ends import leaves_more
from cli.story.parts import being_list, member_line, thread_lines, without_name
from cli.story.party_words import standing_lines
from cli.story.passages import Sentence
from cli.story.persons import Persons
from cli.story.plain_words import several_of_a_kind
from cli.story.post import open_line_parts, post
from cli.story.selection import NEEDED
from cli.story.style import STYLES
from cli.story.task_words import texts_of
from cli.story.voice import Voice
from ledger.facts import EncounterBegan, Ruled
from projections.recap.cast import Level
from projections.recap.events import RulingEvent
from projections.recap.falls import Fall
from projections.recap.threads import Thread
from projections.state import State
from rulebooks import load_game
from rulebooks.common.narration import Narration
from tests.cli.test_recap_post import member, page_of, text_of
from tests.cli.test_telling import state_of, story

PARTY = ("Sable", "Pike")


def fall(who: str, entry: str, kind: str = "fell", by: str = "Sable") -> Fall:
    return msgspec.convert(
        {"entry": entry, "who": who, "kind": kind, "name": "down", "by": [by], "fight": "the count"}, Fall
    )


def ruling(text: str, entry: str = "1.9") -> RulingEvent:
    return RulingEvent(
        entry=entry, name="ruling", text=text, because="", about="", scope="campaign", cites=(), agreed=()
    )


@pytest.mark.parametrize(
    ("game", "what", "result", "field", "deed", "told"),
    [
        ("momentum", "check", "failure", "reason", "search the wreck", "Odile searched the wreck in vain"),
        ("momentum", "check", "failure", "reason", "lift the wreck", "Odile could not lift the wreck"),
        ("mars", "check", "fail", "reason", "persuade the girl", "Odile tried in vain to persuade the girl"),
        ("monolith", "save: resolve Save", "failed", "reason", "listen at it", "Odile paid for listening at it"),
        ("monolith", "save: body Save", "failed", "reason", "read the log", "Odile tried in vain to read the log"),
        ("dusk-bastards", "task", "failure", "task", "look for tracks", "Odile looked for tracks in vain"),
    ],
)  # fmt: skip
def test_failure_says_what_is_true(game: str, what: str, result: str, field: str, deed: str, told: str) -> None:
    names = BeingNames(Narration(), State(), Persons(State()))
    pattern, which = find_pattern(load_game(game).texts().narration.results, what, result) or ("", "")
    fields = {"who": names("Odile"), "which": which, **texts_of({field: deed}, past=True)}
    assert Voice(names).alone(fill_but_verbs(pattern, fields)) == told


@pytest.mark.parametrize(
    ("deed", "done"),
    [
        ("talk to the miner who blinked", "talked to the miner who blinked"),
        ("take the lamp that fell behind the crate", "took the lamp that fell behind the crate"),
        ("talk to the miner who blinks", ""),
        ("throws the knife away and sits down beside it", "threw the knife away and sat down beside it"),
        ("takes the bread and cups of tin", ""),
    ],
)
def test_deed_with_a_clause_in_the_past_is_told_as_done(deed: str, done: str) -> None:
    names = BeingNames(Narration(), State(), Persons(State()))
    did = texts_of({"text": deed}, past=True).get("text_did", "")
    assert (Voice(names).alone(f"{mark_name('Pike')} {did}") == f"Pike {done}") if done else not did


def test_they_is_nobody_where_two_may_be_meant() -> None:
    state = state_of("Gaunt", "Bren", "Archer", "Tuck")
    names, hit = BeingNames(Narration(), state, Persons(state)), mark_verb("hit", plural=False)
    gaunt, bren, archer, tuck = map(mark_name, ("Gaunt", "Bren", "Archer", "Tuck"))
    text = f"{gaunt} {hit} {bren}, while {archer} {hit} {tuck}, leaving {tuck} hurt"
    assert Voice(names).alone(text) == "Gaunt hit Bren, while Archer hit Tuck, leaving Tuck hurt"
    assert Voice(names).alone(f"{archer} {hit} {tuck}, leaving {tuck} hurt") == "Archer hit Tuck, leaving them hurt"


def test_what_a_blow_did_to_each_is_said_once() -> None:
    pressed = f"{mark_name('Mag')} {mark_verb('press', plural=False)} {mark_name('Rat')} and {mark_name('Cat')}"
    blow = Stroke(what="attack", pattern="x", fields={}, who="Mag", against=("Rat", "Cat"))
    effects = [
        TextEffect("", whose="Rat", how="hurt"), TextEffect("", whose="Cat", how="little more than scratched")
    ]  # fmt: skip
    text, _ = Clause(pressed, blow=blow, effects=effects).parts()
    voice = Voice(BeingNames(Narration(), State(), Persons(State())))
    assert voice.alone(text) == "Mag pressed Rat and Cat, leaving Rat hurt and Cat little more than scratched"


def test_ruling_by_the_name_of_the_story_is_news_of_somebody() -> None:
    thread = Thread(kind="at large", who="Mourner 2")
    ruled = [ruling("The second mourner is put on the train in irons")]
    (news,) = with_last_news([thread], {}, [], ruled, ["Mourner 1", "Mourner 2"], {"Mourner 2": "the second mourner"})
    assert (news.ruled, news.settled, news.last_entry) == (True, True, "1.9")


@pytest.mark.parametrize(
    ("text", "more"),
    [
        ("The well has no lid", False),
        ("Lusk is left in Bay Four", False),
        ("Yarrow stays in the cellar until the judge comes", True),
        ("Pell lives, and the Guild will ask who did it", True),
        ("Corin wakes on Thursday", True),
    ],
)
def test_decision_is_open_only_where_it_leaves_something_to_come(text: str, more: bool) -> None:
    page = msgspec.structs.replace(page_of(), rulings=(ruling(text),))
    told, small = text_of(page), f"{text[:1].lower()}{text[1:]}"
    assert leaves_more(ruling(text)) is more
    assert (f"**Decided:** {text}." in told) is not more
    assert (f"**Open:** {text}." in told or f"**Open:** {small}." in told) is more


def test_short_post_names_those_who_lie_or_fled_first() -> None:
    about = (Thread(kind="at large", who="Dog", names=("dying", "unconscious"), down=True),)
    page = msgspec.structs.replace(page_of(), threads=about, rulings=(ruling("The judge comes next month"),))
    style = STYLES["markdown"]
    assert open_line_parts(page, style, 0, brief=True)[0] == "Left lying: Dog (dying)"
    assert open_line_parts(page, style, 0)[-1] == "left lying: Dog (dying)"


def test_fall_in_two_words_has_the_name_of_its_sentence() -> None:
    page = msgspec.structs.replace(page_of(), falls=(fall("Captain Gaunt", "1.2"),))
    short = Sentence(entries=("1.2",), text="Sable cut Gaunt down", weight=NEEDED)
    whole = Sentence(entries=("1.2",), text="Sable cut Captain Gaunt down", weight=NEEDED)
    assert [in_two_words(page, each).text for each in (short, whole)] == [
        "Gaunt fell to Sable", "Captain Gaunt fell to Sable"
    ]  # fmt: skip


def test_fall_and_what_it_did_are_one_sentence() -> None:
    fell = Sentence(entries=("1.2",), text="Ham fell to Pell", weight=NEEDED, mentions=("Ham", "Pell"))
    wound = Sentence(entries=("1.3",), text="He took a wound", alone="Ham took a wound", weight=9, mentions=("Ham",))
    assert both_falls(fell, wound) == "Ham fell to Pell and took a wound"
    other = msgspec.structs.replace(wound, alone="Wren took a wound")
    assert not both_falls(fell, other)


def test_sides_are_one_list() -> None:
    sides = (("players", ("Vesna",)), ("foes", ("Gaunt", "Archer")), ("others", ("Rat 1", "Rat 2")))
    fields = {"encounter": "the bridge", "kind": "combat", "scale": "", "sides": sides}
    told = story("momentum", msgspec.convert(fields, EncounterBegan, strict=False))
    assert (told.count(" and "), told.count(", ")) == (1, 2)


def test_difficulty_that_the_game_master_sets_is_not_told() -> None:
    fact = Ruled(rules=(), name="object", text="the lid: difficulty 10", because="oak and iron", about="Vesna")
    assert "difficulty" not in story("mars", fact)


def test_list_that_ends_with_several_of_a_kind_is_one_list() -> None:
    state = state_of("Gaunt", "Bren", "Odile")
    names, gaunt, bren = BeingNames(Narration(), state, Persons(state)), mark_name("Gaunt"), mark_name("Bren")
    text = f"{mark_name('Odile')} {mark_verb('face', plural=False)} {gaunt}, {bren} and two reavers"
    assert Voice(names).alone(text) == "Odile faced Gaunt, Bren and two reavers"


def test_ruling_of_two_keeps_both() -> None:
    assert without_name("Yarrow and her drover stay", "Yarrow") == "Yarrow and her drover stay"
    assert without_name("Yarrow stays", "Yarrow") == "stays"


@pytest.mark.parametrize(
    ("texts", "told"),
    [
        (["the first cur (hurt)", "the second cur (hurt)"], ["the first and second curs (hurt)"]),
        (["the first cur (hurt)", "the second cur"], ["the first cur (hurt)", "the second cur"]),
        (["Rat", "the first cur", "Rat", "the third cur"], ["Rat", "Rat", "the first and third curs"]),
        (["the old cur", "the new cur"], ["the old cur", "the new cur"]),
    ],
)
def test_several_of_a_kind_are_listed_together(texts: list[str], told: list[str]) -> None:
    assert several_of_a_kind(texts) == told


@pytest.mark.parametrize(
    ("deed", "told"),
    [
        ("packs the bite, we have nothing else", 'Pike packed the bite ("we have nothing else")'),
        ("bars the door", "Pike barred the door"),
        ("row, love", ""),
        ("opens the door, then waits", ""),
    ],
)
def test_remark_behind_a_deed_is_no_speech(deed: str, told: str) -> None:
    names = BeingNames(Narration(), State(), Persons(State()))
    for past in (True, False):
        did = texts_of({"text": deed}, past=past).get("text_did", "")
        assert (Voice(names).alone(f"{mark_name('Pike')} {did}") if did else "") == told


@pytest.mark.parametrize(
    ("names", "told"),
    [
        (("unconscious", "dying (DC 6)"), "Left lying: Dog (dying)"),
        (("unconscious",), "Left lying: Dog (unconscious)"),
    ],
)
def test_who_lies_dying_is_not_called_unconscious(names: tuple[str, ...], told: str) -> None:
    thread = Thread(kind="at large", who="Dog", names=names, down=True)
    page = msgspec.structs.replace(page_of(), threads=(thread,))
    assert open_line_parts(page, STYLES["text"], 0)[-1] == told


def test_who_fell_and_is_well_is_up_again() -> None:
    cur = Fall(entry="1.1", who="Wren", kind="fell", name="down", lasting=False)
    party = (member("Wren", pools=(Level(name="hp", now=8, most=8),)), member("Kess"))
    page = msgspec.structs.replace(page_of(), party=party, vital="hp", falls=(cur,))
    assert list(standing_lines(page, STYLES["text"])) == ["Wren up again", "Kess unhurt"]


def test_who_is_down_stands_first_and_so_does_their_state() -> None:
    hurt = (Level(name="hp", now=1, most=8),)
    kess = msgspec.structs.replace(member("Kess", pools=hurt), conditions=("frightened", "dying (DC 4)"))
    party = (member("Wren", pools=hurt), msgspec.structs.replace(kess, down="dying (DC 4)"))
    page = msgspec.structs.replace(page_of(), party=party, vital="hp")
    style = STYLES["text"]
    for brief in (True, False):
        assert list(standing_lines(page, style, brief=brief)) == ["Kess dying", "Wren barely standing (hp 1 of 8)"]
    assert member_line(party[1], style).startswith("Kess: frightened, dying (DC 4); hp 1/8")
    told = [line for line in chronicle(page, style) if "hp 1/8" in line]
    assert [line.lstrip("- ")[:4] for line in told] == ["Kess", "Wren"]


@pytest.mark.parametrize(
    ("most", "told"),
    [
        (0, "the first cur (hurt), Gaunt, the third cur"),
        (99, "Gaunt, the first cur (hurt), the third cur"),
        (30, "Gaunt, the first cur (hurt), one more"),
        (3, "Gaunt, two more"),
    ],
)
def test_list_without_room_keeps_those_with_a_name(most: int, told: str) -> None:
    assert being_list(["the first cur (hurt)", "Gaunt", "the third cur"], most) == told


def test_who_got_away_stands_before_rulings_without_room() -> None:
    about = (Thread(kind="at large", who="Gaunt", names=("fled",), out="fled", fight="x", fight_entry="1.1"),)
    long = [ruling(f"The judge will come {'and come ' * 30}", f"1.{number}") for number in (8, 9)]
    page = msgspec.structs.replace(page_of(), threads=about, rulings=tuple(long))
    assert open_line_parts(page, STYLES["text"], 0)[0] == "Got away: Gaunt"
    assert "Open: Got away: Gaunt; " in "\n".join(post(page, STYLES["text"]))


def test_part_of_a_body_has_no_number() -> None:
    orsk = Thread(kind="at large", who="Orsk", names=("hurt in hand 2",))
    (line,) = thread_lines([orsk], STYLES["text"])
    assert line.startswith("Orsk (hurt in one hand)")


def test_who_fled_from_a_fight_that_goes_on_got_away() -> None:
    fled = Thread(kind="at large", who="Gaunt", names=("hurt", "fled"), last="Gaunt fled", last_entry="1.3")
    page = msgspec.structs.replace(page_of(), threads=(fled, Thread(kind="encounter", what="the gate")))
    assert open_line_parts(page, STYLES["text"], 0)[-1] == "got away: Gaunt (hurt)"


def test_who_got_away_hurt_is_hurt_in_a_short_post() -> None:
    hurt = msgspec.structs.replace(member("Wren", pools=(Level(name="hp", now=7, most=8),)), conditions=("absent",))
    page = msgspec.structs.replace(page_of(), party=(hurt,), vital="hp")
    assert list(standing_lines(page, STYLES["text"], brief=True)) == ["Wren got away, little more than scratched"]
