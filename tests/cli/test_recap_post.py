"""The post: less than 2,000 characters for any session, with what matters most."""

from __future__ import annotations

import re
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cli.story.clauses import FAILED
from cli.story.page import Page
from cli.story.passages import Passage, Sentence
from cli.story.post import MOST, post, short_post, with_survivals
from cli.story.style import STYLES
from ledger.facts import GM
from projections.recap.cast import Level, WoundStatus
from projections.recap.events import CorrectionEvent, LossEvent, OptionEvent, RulingEvent
from projections.recap.falls import Fall
from projections.recap.night import NightRoll
from projections.recap.party import PartyMember
from projections.recap.threads import Thread
from tests.budget import BUDGET
from tests.cli.conftest import Folder, is_printable

EXAMPLES = BUDGET.examples(10, 75)
HARD = st.text(st.sampled_from("aA 1.*_`[]<>|#&~\\\n\x1b\u202e@:/=-äß李\U0001f3b2"), max_size=30)
LONG = st.one_of(HARD, st.integers(100, 2500).map("x".__mul__), st.integers(100, 900).map("<*&".__mul__))
ENTRY = st.builds("{}.{}".format, st.integers(1, 999999), st.integers(1, 999999))
SENTENCE = st.builds(
    Sentence, entries=st.lists(ENTRY, min_size=1, max_size=3).map(tuple), text=LONG, weight=st.integers(1, 9)
)
PASSAGE = st.one_of(
    st.builds(Passage, kind=st.sampled_from(["scene", "fiction", "quote"]), by=HARD, text=LONG),
    st.builds(
        Passage,
        kind=st.sampled_from(["", "round", "encounter"]),
        text=HARD,
        sentences=st.lists(SENTENCE, min_size=1, max_size=5).map(tuple),
    ),
)
NUMBER = st.integers(-(10**9), 10**9)
MEMBER = st.builds(
    PartyMember,
    who=st.one_of(HARD, st.just(GM)),
    player=HARD,
    pools=st.lists(st.builds(Level, name=HARD, now=NUMBER, most=st.none() | NUMBER), max_size=4).map(tuple),
    tokens=st.lists(st.builds(Level, name=HARD, now=NUMBER, most=st.none()), max_size=2).map(tuple),
    wounds=st.lists(st.builds(WoundStatus, kind=HARD, value=NUMBER, in_force=st.booleans()), max_size=3).map(tuple),
    conditions=st.lists(HARD, max_size=3).map(tuple),
    days=st.integers(0, 99),
)
TEXTS = st.lists(HARD, min_size=1, max_size=2).map(tuple)
PAGE = st.builds(
    Page,
    campaign=LONG,
    session=st.integers(0, 10**6),
    title=LONG,
    dates=TEXTS,
    position=NUMBER,
    open=st.booleans(),
    cast=st.just(()),
    story=st.lists(PASSAGE, max_size=10).map(tuple),
    party=st.lists(MEMBER, max_size=3).map(tuple),
    lost=st.lists(st.builds(LossEvent, entry=ENTRY, who=HARD, name=HARD), max_size=3).map(tuple),
    falls=st.lists(st.builds(Fall, entry=ENTRY, who=HARD, name=HARD, because=LONG, kind=st.just("died"))).map(tuple),
    lead=st.lists(SENTENCE, max_size=3).map(tuple),
    moment=st.lists(SENTENCE, max_size=3).map(tuple),
    threads=st.lists(
        st.builds(Thread, kind=st.sampled_from(["encounter", "window", "at large"]), who=HARD, what=HARD, names=TEXTS),
        max_size=4,
    ).map(tuple),
    night=st.none(),
    scenes=st.just(()),
    wounds=st.just(()),
    resources=st.just(()),
    options=st.lists(
        st.builds(OptionEvent, entry=ENTRY, name=HARD, was=HARD, now=HARD, because=LONG, agreed=TEXTS), max_size=3
    ).map(tuple),
    rulings=st.lists(
        st.builds(
            RulingEvent,
            entry=ENTRY, name=HARD, text=LONG, because=LONG, about=HARD, cites=TEXTS, scope=HARD, agreed=TEXTS,
        ),
        max_size=3,
    ).map(tuple),
    corrections=st.lists(
        st.builds(CorrectionEvent, entry=ENTRY, of=ENTRY, outcome=HARD, because=LONG, agreed=TEXTS, changed=TEXTS),
        max_size=3,
    ).map(tuple),
    claims=st.just(()),
    dice=st.just(()),
    outcomes=st.just(()),
)  # fmt: skip


def text_of(page: Page, form: str = "markdown") -> str:
    """Return the post as it is printed."""
    return "".join(f"{line}\n" for line in post(page, STYLES[form]))


@pytest.mark.slow
@settings(max_examples=EXAMPLES)
@given(PAGE, st.sampled_from(sorted(STYLES)))
def test_post_of_any_session_is_one_message(page: Page, form: str) -> None:
    text = text_of(page, form)
    assert len(text) < 2000
    assert is_printable(text)
    assert not re.search(r"^\||<", text, re.MULTILINE) or form == "text"


def page_of(*passages: Passage) -> Page:
    """Return a page with this story and nothing else."""
    empty = dict.fromkeys(Page.__struct_fields__, ())
    empty |= {"called": {}, "failures": {}, "pool_words": {}, "night_sentence": None}
    given = {"campaign": "C", "session": 1, "title": "T", "position": 1, "open": False, "night": None}
    return Page(**{**empty, **given, "story": passages})


def member(who: str, **more: Any) -> PartyMember:
    """Return somebody of the party, well in all that is not said."""
    return PartyMember(
        **{"player": "", "pools": (), "tokens": (), "wounds": (), "conditions": (), "days": 0, **more}, who=who
    )


def sentence(number: int, weight: int, text: str = "Kess did a") -> Sentence:
    return Sentence(entries=(f"1.{number}",), text=f"{text} deed 1.{number}", weight=weight)


def test_post_of_four_hundred_entries_keeps_the_deaths() -> None:
    told = [sentence(number, 9 if number % 40 == 0 else 1 + number % 5) for number in range(1, 401)]
    rounds = [Passage(kind="round", text=str(n), sentences=tuple(told[10 * n : 10 * n + 10])) for n in range(40)]
    text = text_of(page_of(*rounds))
    assert MOST - 250 < len(text) <= MOST
    assert all(f"deed {number.entries[0]}." in text for number in told if number.weight == 9)


def test_post_keeps_peoples_own_words_whole_or_not_at_all() -> None:
    fiction = [Passage(kind="fiction", text=f"{number} " + "word " * 150) for number in range(6)]
    text = text_of(page_of(*fiction))
    quoted = [line for line in text.splitlines() if line.startswith("> ")]
    assert quoted == [f"> {number} " + "word " * 149 + "word" for number in (0, 5)]


def test_scene_without_anything_kept_is_left_out() -> None:
    scenes = [Passage(kind="scene", text=name) for name in ("Full", "Empty")]
    page = page_of(scenes[0], Passage(kind="", sentences=(sentence(1, 9),)), scenes[1])
    assert "Full" in text_of(page)
    assert "Empty" not in text_of(page)


Keys = tuple[tuple[str, str], ...]


def harm(number: int, harms: Keys, changes: Keys, weight: int, text: str = "x") -> Sentence:
    return Sentence(
        entries=(f"1.{number}",), text=f"{text} deed 1.{number}", weight=weight, harms=harms, changes=changes
    )


def test_harm_is_told_with_what_became_of_it() -> None:
    wound = harm(1, (("Kess", "wound 1"),), (("Kess", "wound 1"),), 9)
    healed = harm(2, (), (("Kess", "wound 1"),), 1)
    others = tuple(sentence(number, 8, "Something else happens " * 4) for number in range(3, 40))
    text = text_of(page_of(Passage(kind="", sentences=(wound, *others, healed))))
    assert "deed 1.1." in text
    assert "deed 1.2." in text
    assert "deed 1.39." not in text


def test_harm_is_left_out_where_its_end_has_no_room() -> None:
    wound = harm(1, (("Kess", "wound 1"),), (("Kess", "wound 1"),), 9)
    healed = harm(2, (), (("Kess", "wound 1"),), 9, "A long tale of healing " * 100)
    text = text_of(page_of(Passage(kind="", sentences=(wound, healed, sentence(3, 4)))))
    assert "deed 1.1." not in text
    assert "deed 1.3." in text


def test_pool_of_a_character_is_told_to_its_last_change() -> None:
    pool = (("Kess", "speed"),)
    spent, back = harm(1, (), pool, 9), harm(2, (), pool, 1, "A long rest " * 12)
    others = tuple(sentence(number, 8, "Something else happens " * 4) for number in range(3, 40))
    page = page_of(Passage(kind="", sentences=(spent, *others, back)))
    assert "deed 1.2." not in text_of(page)
    speed = Level(name="speed", now=9, most=9)
    kess = PartyMember(who="Kess", player="", pools=(speed,), tokens=(), wounds=(), conditions=(), days=0)
    text = text_of(msgspec.structs.replace(page, party=(kess,)))
    assert "deed 1.1." in text
    assert "deed 1.2." in text


def test_end_of_the_dead_is_told_behind_the_story() -> None:
    blow = harm(1, (("Rat", "down"),), (("Rat", "down"),), 9)
    end = harm(2, (("Rat", "down"),), (("Rat", "down"),), 9, "A long tale of an end " * 100)
    page = page_of(Passage(kind="", sentences=(blow, end)))
    assert "deed 1.1." not in text_of(page)
    dead = msgspec.structs.replace(page, lost=(LossEvent(entry="1.2", who="Rat", name="dead"),))
    assert "deed 1.1." in text_of(dead)
    assert "**Dead:** Rat." in text_of(dead)


@pytest.mark.parametrize(("named", "told"), [(True, "the fight is over."), (False, "the fight is over; Rat stands")])
def test_end_of_a_fight_is_short_where_all_are_named(named: bool, told: str) -> None:
    text = "the fight is over; Rat stands"
    over = Sentence(entries=("1.1",), text=text, weight=9, names=("Rat",), outcome="; Rat stands")
    page = page_of(Passage(kind="", sentences=(over,)))
    threads = (Thread(kind="at large", who="Rat"),) if named else ()
    assert told in text_of(msgspec.structs.replace(page, threads=threads))


def test_last_of_several_harms_comes_first() -> None:
    key = (("Rat", "hp"),)
    blows = harm(1, key, (), 9, "A short blow " * 80), harm(2, key, (), 9, "A longer blow " * 90)
    text = text_of(page_of(Passage(kind="", sentences=blows)))
    assert "deed 1.2." in text
    assert "deed 1.1." not in text


def test_post_keeps_quotes_before_single_blows() -> None:
    said = [Passage(kind="quote", by="Kess", text=f"Word {number}.") for number in range(30)]
    blows = Passage(kind="", sentences=tuple(sentence(number, 6, "A long blow " * 9) for number in range(20)))
    death = Passage(kind="", sentences=(sentence(77, 10),))
    text = text_of(page_of(blows, *said, death))
    assert all(f"Word {number}." in text for number in range(30))
    assert "deed 1.77." in text
    assert text.count("blow") < 20 * 9


def test_fight_has_few_words_in_a_post() -> None:
    blows = tuple(sentence(number, 6, "A blow that was told in ten words or so by somebody") for number in range(20))
    fight = [Passage(kind="encounter", text="the inn", fight="1.1", sentences=blows[:10])]
    fight += [Passage(kind="round", text="2", fight="1.1", sentences=blows[10:])]
    after = Passage(kind="", sentences=(sentence(99, 1, "Then all went home in the end, which is no part of it"),))
    text = text_of(page_of(*fight, after))
    told = text.partition("The inn.**")[2].partition("Then all went home")[0]
    assert 80 < len(told.split()) < 120
    assert "deed 1.99." in text


def fell(who: str, by: tuple[str, ...], kind: str = "died", because: str = "") -> Any:
    return Fall(entry="1.1", who=who, kind=kind, name="dead", by=by, because=because)  # type: ignore[arg-type]


def test_post_begins_with_the_lead_and_ends_with_how_all_stand() -> None:
    kess = member("Kess", pools=(Level(name="hp", now=1, most=8), Level(name="speed", now=0, most=9)), days=2)
    orrin = member("Orrin", pools=(Level(name="hp", now=5, most=8), Level(name="speed", now=5, most=9)))
    wren = member("Wren", pools=(Level(name="hp", now=8, most=8),))
    gm = member(GM, tokens=(Level(name="doom", now=3, most=None),))
    corrected = CorrectionEvent(entry="1.9", of="1.8", outcome="undo", because="x", agreed=(), changed=())
    page = msgspec.structs.replace(
        page_of(Passage(kind="fiction", text="Rain.")),
        lead=(sentence(1, 9, "Kess ended it, in a"), sentence(2, 9, "Orrin did another")),
        party=(kess, orrin, wren, gm),
        vital="hp",
        lost=(LossEvent(entry="1.1", who="Rat", name="dead"), LossEvent(entry="1.1", who="Cat", name="dead")),
        falls=(fell("Rat", ("Kess", "Orrin")), fell("Cat", (), because="a roof")),
        threads=(Thread(kind="at large", who="Dog", names=("fled",)),),
        corrections=(corrected,),
        night=NightRoll(entry="1.1", who="Kess", total=9, target=8, one_in=7),
    )
    lines = [line for line in text_of(page).splitlines() if line]
    assert lines[1:] == [
        "Kess ended it, in a deed 1.1. Orrin did another deed 1.2.",
        "> Rain.",
        "**Now:** Kess barely standing (hp 1 of 8), with no speed left, two days of rest owed; Orrin hurt; Wren unhurt;"
        " Doom at 3.",
        "**Dead:** Rat (by Kess and Orrin), Cat (a roof).",
        "**Open:** Got away: Dog.",
        "**Roll of the night:** Kess's throw, by a hair (9 against 8), which killed Rat and Cat."
        " One throw in 7 does as well.",
        "**Corrected:** 1 entry.",
    ]


def test_short_post_counts_no_corrections() -> None:
    corrected = CorrectionEvent(entry="1.9", of="1.8", outcome="undo", because="x", agreed=(), changed=())
    page = msgspec.structs.replace(page_of(), corrections=(corrected,))
    assert "Corrected" in text_of(page)
    assert "Corrected" not in "".join(short_post(page, STYLES["markdown"]))


@pytest.mark.slow
@settings(max_examples=EXAMPLES)
@given(PAGE, st.sampled_from(sorted(STYLES)))
def test_short_post_of_any_session_is_a_few_lines(page: Page, form: str) -> None:
    text = "".join(f"{line}\n" for line in short_post(page, STYLES[form]))
    assert len(text) < 500
    assert is_printable(text)


@pytest.mark.slow
def test_post_of_long_evening_is_one_message(folder: Folder) -> None:
    lines = [f'k does "a long deed, number {number}, with *stars* and <tags>"' for number in range(400)]
    folder.file("long.session", "".join(f"{line}\n" for line in lines))
    folder.run("run", str(folder.path / "long.session"))
    assert len(folder.run("recap", "--post")) < 2000
    assert folder.run("recap").count("a long deed, number") == 400


@pytest.mark.parametrize("value", ["", "\x1b[31m", "a\nb"])
def test_hostile_title_is_harmless(value: str) -> None:
    page = msgspec.structs.replace(page_of(), title=value, campaign=value)
    assert is_printable(text_of(page))
    assert text_of(page).splitlines()[1:] == ["", "**Open:** nothing."]


def told_in_lead() -> str:
    """Return a post whose lead tells the fall of Bryn, its first sentence; the second calls Ash `her`."""
    fall = Sentence(entries=("1.1",), text="Ash brought Bryn down", weight=9, mentions=("Ash", "Bryn"))
    blow = Sentence(entries=("1.2",), text="Kess hit her", alone="Kess hit Ash", weight=8)
    page = page_of(Passage(kind="", sentences=(fall, blow)))
    falls = (fell("Bryn", ("Ash",), kind="fell"),)
    return text_of(msgspec.structs.replace(page, lead=(fall,), falls=falls))


def test_name_stands_behind_a_sentence_cut_to_two_words() -> None:
    assert "Bryn fell to Ash. Kess hit Ash." in told_in_lead()


def test_quote_stands_alone_where_the_sentence_before_it_is_cut() -> None:
    turned = Sentence(entries=("1.1",), text="Kess turned the wheel", weight=9)
    blow = Sentence(entries=("1.2",), text="Kess swam", weight=8)
    said = Passage(kind="quote", entry="1.3", by="Kess", text="Now.")
    page = page_of(Passage(kind="", sentences=(blow,)), said, Passage(kind="", sentences=(turned,)))
    assert 'Kess swam: "Now."' in text_of(page)
    page = page_of(Passage(kind="", sentences=(blow, turned)), said)
    assert 'Kess swam. Kess: "Now."' in text_of(msgspec.structs.replace(page, lead=(turned,)))
    long = Sentence(entries=("1.2",), text="Kess swam " + "on " * 990, weight=1)
    told = text_of(page_of(Passage(kind="", sentences=(blow, long)), said))
    assert 'Kess swam. Kess: "Now."' in told


def test_others_who_died_with_one_in_the_lead_are_told() -> None:
    lead = Sentence(entries=("1.1",), text="Kess died", weight=9, mentions=("Kess",))
    page = page_of(Passage(kind="", sentences=(Sentence(entries=("1.1",), text="Kess and the Rat died", weight=9),)))
    falls = (fell("Kess", ()), fell("Rat", ()))
    assert "\n\nKess and the Rat died." in text_of(msgspec.structs.replace(page, lead=(lead,), falls=falls))


def ruled(scope: str, entry: str = "1.9") -> RulingEvent:
    return RulingEvent(
        entry=entry, name="ruling", text="The dam holds until dawn", because="", about="", scope=scope, cites=(),
        agreed=(),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("scope", "fight", "is_open"),
    [("campaign", "", True), ("once", "1.1", True), ("session", "1.1", False), ("once", "", False)],
)
def test_ruling_is_open_until_it_is_over(scope: str, fight: str, is_open: bool) -> None:
    page = page_of(Passage(kind="encounter", text="x", fight=fight, sentences=(sentence(1, 9),)))
    page = msgspec.structs.replace(page, rulings=(ruled(scope),))
    for text in (text_of(page), "\n".join(short_post(page, STYLES["markdown"]))):
        assert ("**Open:** the dam holds until dawn." in text) == is_open
        assert ("**Open:** nothing." in text) != is_open


def test_roll_of_the_night_does_not_repeat_the_lead() -> None:
    turned = Sentence(entries=("1.1",), text="Kess felled the Rat", weight=9)
    night = NightRoll(entry="1.1", who="Kess", total=9, target=8, one_in=7)
    page = msgspec.structs.replace(page_of(), lead=(turned,), night=night, night_sentence=turned)
    assert "**Roll of the night:** Kess's throw, by a hair (9 against 8). One throw in 7 does as well." in text_of(page)
    dull = msgspec.structs.replace(page, night=NightRoll(entry="1.1", who="Kess", total=None, target=None, one_in=1))
    assert "**Roll of the night:** Kess's." in text_of(dull)
    plain = msgspec.structs.replace(night, total=12)
    told = "**Roll of the night:** Kess's throw, with points to spare. One throw"
    assert told in text_of(msgspec.structs.replace(page, night=plain))


@pytest.mark.parametrize(
    ("kind", "felled", "ended", "told"),
    [
        ("died", (), False, "which killed Rat"),
        ("fell", (), True, "which felled Rat and ended the fight"),
        ("fell", ("Ash",), False, "which felled Rat"),
        ("left", (), False, "which put Rat to flight"),
    ],
)
def test_roll_of_the_night_says_what_it_did(kind: str, felled: tuple[str, ...], ended: bool, told: str) -> None:
    turned = Sentence(entries=("1.1",), text="Kess cut the Rat down", weight=9)
    night = NightRoll(entry="1.1", who="Kess", total=17, target=9, felled=felled, ended=ended)
    page = msgspec.structs.replace(page_of(), lead=(turned,), night=night, night_sentence=turned)
    page = msgspec.structs.replace(page, falls=(fell("Rat", ("Kess",), kind=kind),))
    assert f"**Roll of the night:** Kess's throw, {told}." in text_of(page)


def test_fiction_behind_a_failure_stays_with_it() -> None:
    """It says what the failure cost."""
    rain = [Passage(kind="fiction", text=f"Rain {number} " + "fell " * 90) for number in range(3)]
    failed = Passage(kind="", sentences=(sentence(1, FAILED),))
    cost = Passage(kind="fiction", text="The door is barred, " + "and barred " * 60)
    text = text_of(page_of(rain[0], rain[1], failed, cost, rain[2]))
    assert "The door is barred" in text
    assert "Rain 1" not in text


@pytest.mark.parametrize(
    ("typed", "posted"),
    [
        ('"A lamp does not wander."', '"A lamp does not wander."'),
        ("“A lamp does not wander.”", '"A lamp does not wander."'),
        ('"No," she said, "it waits."', "\"'No,' she said, 'it waits.'\""),
        ('It says "wait".', "\"It says 'wait'.\""),
    ],
)
def test_quote_stands_in_one_pair_of_marks(typed: str, posted: str, folder: Folder) -> None:
    folder.run("do", f'" kess: {typed}')
    assert f"Kess: {posted}" in folder.run("recap", "--post")


@pytest.mark.parametrize(
    ("texts", "told"),
    [
        (["Tobit fell to Hob", "Tobit clung to life, by a hair"], ["Tobit fell to Hob and clung to life, by a hair"]),
        (["Hob fell to Ise", "Ise hit the dog"], ["Hob fell to Ise, who hit the dog"]),
        (["Hob fell to Ise", "Ise hit Hob where he lay"], ["Hob fell to Ise", "Ise hit Hob where he lay"]),
        (["Hob fell to Ise", "Maren hit the dog"], ["Hob fell to Ise", "Maren hit the dog"]),
        (["Hob died", "Hob hit the dog"], ["Hob died", "Hob hit the dog"]),
        (["Hob fell to Ise", "Hob and Orsk rested"], ["Hob fell to Ise", "Hob and Orsk rested"]),
    ],
)
def test_fall_takes_what_came_right_behind_it(texts: list[str], told: list[str]) -> None:
    sentences = [Sentence(entries=(f"1.{number}",), text=text, weight=9) for number, text in enumerate(texts)]
    for passages in (
        [Passage(kind="", sentences=tuple(sentences), fight="1.1")],
        [Passage(kind="round", sentences=(each,), fight="1.1") for each in sentences],
    ):
        assert [each.text for passage in with_survivals(passages) for each in passage.sentences] == told
    apart = [Passage(kind="", sentences=(each,), fight=each.text) for each in sentences]
    assert [each.text for passage in with_survivals(apart) for each in passage.sentences] == texts


def test_roll_of_a_lost_evening_is_the_one_that_was_not_enough() -> None:
    lost = Sentence(entries=("1.1",), text="Hob brought Kess down", weight=9)
    night = NightRoll(entry="1.1", who="Kess", total=4, target=12, what="dodge")
    page = msgspec.structs.replace(page_of(), lead=(lost,), night=night, night_sentence=lost)
    page = msgspec.structs.replace(page, falls=(fell("Kess", ("Hob",), kind="fell"),))
    assert "**Roll of the night:** Kess's dodge against Hob, which was not enough." in text_of(page)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Ilse faced two dogs", 'Ilse faced two dogs: "Nice."'),
        ("Ilse and Bo saw dogs", 'Ilse and Bo saw dogs. Ilse: "Nice."'),
    ],
)
def test_quote_belongs_to_a_sentence_of_its_speaker_alone(text: str, told: str) -> None:
    said = Passage(kind="quote", entry="1.2", by="Ilse", text="Nice.")
    story = (Passage(kind="", sentences=(Sentence(entries=("1.1",), text=text, weight=9),)), said)
    assert told in text_of(page_of(*story))
