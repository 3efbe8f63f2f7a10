"""The voice of a story, and deeds that become one sentence."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cli.phrases.patterns import Marked, fill_but_verbs
from cli.questions.name_table import NamedPerson
from cli.story.being_names import BeingNames
from cli.story.clauses import Clause, Stroke, TextEffect
from cli.story.deeds import Paragraph, StoryDeed
from cli.story.forms import shape_of
from cli.story.persons import Persons
from cli.story.plain_words import cardinal, ordinal, plural_noun
from cli.story.results import Results
from cli.story.voice import Voice
from projections.state import State
from rulebooks.common.narration import Narration
from rulebooks.common.texts import Wording

TABLE = {
    "ash": NamedPerson(pronouns="she/her"),
    "mara": NamedPerson(pronouns="she/her", epithet="the widow", short="the Widow"),
    "bryn": NamedPerson(pronouns="he/him"),
    "tor": NamedPerson(pronouns="they/them"),
}
KINDS = {"Ash": "pc", "Bryn": "pc", "Tor": "pc", "Mara": "pc", "Guard 1": "npc", "Guard 2": "npc", "Rat": "npc"}
HIT, MISS = "{who} <hit> {against}[ {times}][ with the {weapon}]", "{who} <miss>[ {against}][ {times}]"
BITE = "{who} <bite> {against}"
SNEAK = "{who} <manage> to {task}"


def beings() -> BeingNames:
    names = BeingNames(Narration(), State(), Persons(State(), TABLE))
    names.kinds |= KINDS
    names.characters = frozenset(name for name, kind in KINDS.items() if kind == "pc")
    return names


def marked(pattern: str) -> str:
    """Return a pattern with marks, in which the names stand in braces."""
    names = beings()
    return fill_but_verbs(pattern.replace(" 1}", "_1}").replace(" 2}", "_2}"), fields(names))


def fields(names: BeingNames) -> dict[str, object]:
    return {name.replace(" ", "_"): names(name) for name in KINDS}


@pytest.mark.parametrize(
    ("texts", "said"),
    [
        (["{Ash} <hit> {Bryn}", "{Ash} <be> tired"], ["Ash hit Bryn", "She was tired"]),
        (["{Ash} <hit> {Bryn} and <hurt> {Bryn}"], ["Ash hit Bryn and hurt him"]),
        (["{Ash} <hit> {Bryn}", "{Bryn} <be> tired"], ["Ash hit Bryn", "Bryn was tired"]),
        (["{Bryn} <hit> {Rat}", "{Ash} <help> {Bryn}"], ["Bryn hit the rat", "Ash helped Bryn"]),
        (["{Tor} <be> tired", "{Tor} <fall>"], ["Tor was tired", "They fell"]),
        (["{Tor} <be> tired", "{Tor} <be> gone"], ["Tor was tired", "They were gone"]),
        (["{Ash} and {Mara} <fall>", "{Mara} <be> gone"], ["Ash and Mara fell", "The Widow was gone"]),
        (["{Ash} <lose> {Ash}'s way"], ["Ash lost her way"]),
        (["{Ash} <hit> {Ash}"], ["Ash hit herself"]),
        (
            ["{Bryn} <step> in for {Ash}, and {Rat}'s claw <find> {Bryn} and <hurt> {Bryn}"],
            ["Bryn stepped in for Ash, and the rat's claw found Bryn and hurt him"],
        ),
        (["{Mara} <come>", "{Ash} <see> {Mara}"], ["Mara, the widow, came", "Ash saw her"]),
        (["{Mara} <come>", "{Bryn} <see> {Ash} and {Mara}"], ["Mara, the widow, came", "Bryn saw Ash and the Widow"]),
        (["{Guard 1} and {Guard 2} <flee>"], ["Both guards fled"]),
        (["{Ash} <hit> {Guard 2}"], ["Ash hit the second guard"]),
        (["{Ash} <hit> {Bryn}, and {Bryn} <fall>"], ["Ash hit Bryn, and he fell"]),
        (["{Ash} <hit> {Mara}, and {Mara} <fall>"], ["Ash hit Mara, the widow, and the Widow fell"]),
        (["{Ash} <hit> {Tor}", "{Rat} <hit> {Tor}"], ["Ash hit Tor", "The rat hit Tor"]),
    ],
)
def test_pronoun_stands_where_it_is_clear(texts: list[str], said: list[str]) -> None:
    assert Voice(beings()).paragraph([marked(text) for text in texts]) == said


def test_sentence_alone_needs_none_before_it() -> None:
    voice = Voice(beings())
    texts = [marked("{Mara} <come>"), marked("{Mara} <go>")]
    assert voice.paragraph(texts)[1] == "She went"
    assert [voice.alone(text) for text in texts] == ["The Widow came", "The Widow went"]


Blow = tuple[str, str, str, str]  # who, pattern, against or the task, and the state after it


def deed(number: int, blow: Blow) -> StoryDeed:
    """Return a deed of one clause."""
    who, pattern, against, how = blow
    names = beings()
    own = {"who": names(who), "against": names(against), "task": against}
    aims = () if pattern == SNEAK else (against,)
    stroke = Stroke(
        what={SNEAK: "sneak", BITE: "bite"}.get(pattern, "hit"), pattern=pattern, fields=own, who=who, against=aims
    )
    effects = [TextEffect(f"{names(against)} is {how}", whose=against, how=how)] if how else []
    clause = Clause(fill_but_verbs(pattern, own), blow=stroke, effects=effects)
    return StoryDeed(entries=(f"1.{number}",), clauses=[clause], weight=4)


@pytest.mark.parametrize(
    ("blows", "said"),
    [
        ([("Ash", HIT, "Rat", ""), ("Ash", HIT, "Rat", "")], ["Ash hit the rat twice"]),
        ([("Ash", MISS, "Rat", ""), ("Ash", HIT, "Rat", "hurt")], ["Ash missed the rat, then hit them and hurt them"]),
        ([("Ash", HIT, "Rat", "hurt"), ("Ash", MISS, "Rat", "")], ["Ash hit the rat and hurt them, then missed"]),
        ([("Ash", HIT, "Rat", ""), ("Ash", HIT, "Rat", "down")], ["Ash hit the rat twice and brought them down"]),
        ([("Ash", MISS, "Rat", ""), ("Bryn", MISS, "Rat", "")], ["Ash and Bryn missed the rat"]),
        ([("Ash", HIT, "Guard 1", ""), ("Ash", HIT, "Guard 2", "")], ["Ash hit both guards"]),
        ([("Ash", HIT, "Rat", ""), ("Rat", HIT, "Ash", "")], ["Ash hit the rat", "In return the rat hit her"]),
        ([("Ash", HIT, "Rat", ""), ("Bryn", HIT, "Guard 1", "")], ["Ash hit the rat, while Bryn hit the first guard"]),
        (
            [("Ash", HIT, "Rat", ""), ("Bryn", BITE, "Rat", ""), ("Tor", HIT, "Guard 1", "")],
            ["Ash hit the rat", "Bryn bit the rat", "Then Tor hit the first guard"],
        ),
        ([("Ash", SNEAK, "sneak", ""), ("Ash", SNEAK, "climb", "")], ["Ash managed to sneak, and to climb"]),
        ([("Ash", SNEAK, "sneak", ""), ("Bryn", SNEAK, "climb", "")], ["Ash managed to sneak and Bryn to climb"]),
        ([("Ash", SNEAK, "sneak", ""), ("Bryn", SNEAK, "sneak", "")], ["Ash and Bryn managed to sneak"]),
    ],
)  # fmt: skip
def test_deeds_are_one_sentence(blows: list[Blow], said: list[str]) -> None:
    names = beings()
    paragraph = Paragraph(Results(Narration(), Wording(), names))
    deeds = paragraph.merge([deed(number, blow) for number, blow in enumerate(blows)])
    assert Voice(names).paragraph(map(paragraph.text, deeds)) == said
    assert sorted(entry for each in deeds for entry in each.entries) == [f"1.{n}" for n in range(len(blows))]


OTHERS = ("{who}'s claw <find> {against}", "{against} <be> hit by {who}")
BLOWS = [(who, what, against, how) for who in ("Ash", "Bryn", "Rat") for what in (HIT, MISS, BITE)
         for against in ("Guard 1", "Mara") for how in ("", "hurt")]  # fmt: skip


@given(st.lists(st.lists(st.sampled_from(BLOWS), min_size=1, max_size=6), min_size=1, max_size=5))
def test_no_form_comes_three_times_over_rounds(rounds: list[list[Blow]]) -> None:
    paragraph, shapes = Paragraph(Results(Narration(), Wording(), beings())), list[str]()
    for blows in rounds:
        deeds = [deed(number, blow) for number, blow in enumerate(blows)]
        for each in deeds:
            each.clauses[0].blow = msgspec.structs.replace(each.clauses[0].blow, others=OTHERS)  # type: ignore[type-var]  # a blow is a Struct
        shapes += [shape_of(paragraph.text(each)) for each in paragraph.merge(deeds)]
    assert [three for three in zip(shapes, shapes[1:], shapes[2:], strict=False) if len({*three}) == 1] == []


def test_blow_that_wounds_both_says_both() -> None:
    names = beings()
    both = ("Guard 1", "Guard 2")
    own = {"who": names("Ash"), "against": Marked(f"{names(both[0])} and {names(both[1])}")}
    stroke = Stroke(what="hit", pattern=HIT, fields=own, who="Ash", against=both)
    effects = [TextEffect("", whose=who, how=how, minor=minor) for who, how, minor in (
        ("Guard 1", "still hurt", True), ("Guard 2", "hurt", False)
    )]  # fmt: skip
    clause = Clause(fill_but_verbs(HIT, own), blow=stroke, effects=effects)
    assert Voice(names).paragraph([clause.parts()[0]]) == ["Ash hit both guards and hurt them"]


@pytest.mark.parametrize(("number", "words"), [(2, "two"), (20, "twenty"), (21, "twenty-one"), (120, "120")])
def test_number_is_written_out_as_people_do(number: int, words: str) -> None:
    assert cardinal(number) == words


def test_ordinals_and_plurals_are_english() -> None:
    assert [ordinal(number) for number in (1, 12, 13, 21, 112)] == [
        "first",
        "twelfth",
        "13th",
        "21st",
        "112th",
    ]
    nouns = ["watchman", "wolf", "sentry", "witch", "monkey", "guard"]
    assert [*map(plural_noun, nouns)] == ["watchmen", "wolves", "sentries", "witches", "monkeys", "guards"]
