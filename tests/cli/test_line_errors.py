"""Errors of wrong lines: the error, its column and its hint."""

from __future__ import annotations

import pickle
import re
from typing import Annotated, ClassVar

import pytest
from msgspec.structs import replace

from cli.notation.known_words import nearest_words
from cli.notation.line_parser import parse_line
from ledger.declarations import Declaration, syntax
from ledger.errors import Unreadable
from tests.cli.conftest import one_error
from tests.cli.scopes import MADE_UP, SCOPE

WRONG = [
    # Who and what
    ("x sneak", "'x' is nobody in play", 1),
    ("k attack dovel +covr", "'+covr' is unknown here. Did you mean '+cover' or '+full_cover'?", 16),
    ("k attack dovel -pron", "'-pron' lacks its reason. Write it as in -pron\"...\"", 16),
    ('k attack dovel -prome "he is up"', "'-prome' is unknown here. Did you mean '-prone'?", 16),
    ("k attack dovel +moved", "'+moved' may be '+moved=immediate' or '+moved=short'", 16),
    ("k attack dovel +cover=short", "'+cover=short' has too many parts", 16),
    ("k attack dovel -prone2", "'-prone2' has too many parts", 16),
    ("k blast dovel:cover:at=near", "'near' is not a value of at", 9),
    ("k attack dovel on_hit=rattled:1:2:3:4:5m:ruled:1:2:3:x:y:z", "has too many parts", 16),
    ("Kes5 sneak", "Did you mean 'Kess'?", 1),
    ("  kesk sneak", "Did you mean 'Kess'?", 3),
    ("k", "no verb after Kess. For example: k sneak v5 e1", 1),
    ("/7.6", "no speaker", 1),
    ("k s v5", "'s' may be 'share', 'sneak' or 'sense motive'", 3),
    ("undo", "'undo' is a line of its own", 1),
    ("k undo", "'undo' is a line of its own", 3),
    ("k doom 1", "Start with !", 3),
    ("doom 1", "Start with !", 1),
    ("! retry e1", "'retry' needs a speaker in play", 3),
    ("! dom 1", "Did you mean 'doom'?", 3),
    ('! "doom" 1', "'doom' is not a verb here", 3),
    ("!", "no verb", 1),
    ('5 words "x"', "does not begin with a letter", 1),
    ("ana words", "'words' lacks its words", 5),
    ('k "" v5', "the text is empty. For example: k sneak v5 e1", 3),
    ('k attempt "" v5', "the text is empty. For example: k sneak v5 e1", 11),
    ('k ""jump the gap"" v5', "a quotation mark stands twice. Write it once", 3),
    ("! damage kess intellect 3", "'intellect' needs the name of its field. Write damage_type=intellect.", 15),
    ("! forbid 1.1", "'forbid' lacks its reason. For example: ! forbid 1.1 \"no more talk\".", 3),
    # Values that are to change
    ("k might -3", 'the change lacks its reason. Write why: Kess might -3 "as we agreed"', 3),
    ("! doom +3", 'the change lacks its reason. Write why: ! doom +3 "as we agreed"', 3),
    (
        '! kess.wound +2 "a fall"',
        'Kess has no value \'wound\' that +2 could change. Type ! ruling "what" "why" kess.wound=2 to set a new one.',
        3,
    ),
    ("! kess.migth +2", "Did you mean 'kess.might'? Type ! ruling", 3),
    ('! dovel."deep wound" +2', '! ruling "what" "why" sergeant-dovel."deep wound"=2 to set', 3),
    ('! kess."skill.open lock" +2', "Did you mean 'kess.skill.\"open locks\"'?", 3),
    ("! x.wound +2", "'x' is nobody in play", 3),
    # Fields
    ("k rest", "'rest' lacks its kind. There is: one_action, one_hour, ten_hours, ten_minutes. For example: k rest", 3),
    ("k move cover_near=yes", "'cover_near' is not part of 'move', but of 'cover'. For example: k take cover", 8),
    ("k sneak v5 v6", "difficulty is given twice", 12),
    ("k sneak m s", "stat is given twice", 11),
    ("k sneak hidden hidden", "hidden is given twice", 16),
    ("k sneak 5", "the number 5 fits several fields. Write one of: v5 (difficulty), e5 (effort), f5", 9),
    ("k sneak v4 90", "c90 (initial_cost), duration=90m (minutes).", 12),
    ("k retry of=x", "'x' is not an entry id", 9),
    ("k sneak hiden", "Did you mean 'hidden'?", 9),
    ("! hazard kess lava", "'lava' does not fit here. There is: acid_bath, acid_splash, cold", 15),
    ('! light +1"rain"', "'+1rain' does not fit here. For example: ! light dim.", 9),
    ("! light clear", "'clear' does not fit here. There is: bright, dark, dim, very_dim.", 9),
    ("k dodge cover", "'cover' lacks its sign. Did you mean '+cover'?", 9),
    ('k sneak "a"', '"a" is one text too many', 9),
    ("k sneak e=", "effort has no value", 9),
    ("k sneak =5", "'' is not part of 'attempt'", 9),
    ("k sneak difficlty=3", "Did you mean 'difficulty'?", 9),
    ("k sneak free=x", "'x' is not a whole number", 9),
    ("k sneak initial=1", "'initial' may be 'initial_cost' or 'initial_stat'", 9),
    ("k sneak stat=x", "'x' is not a value of stat", 9),
    ("k sneak hidden=maybe", "'maybe' is neither yes nor no", 9),
    ("k sneak v9999999999", "beyond 10^9", 9),
    ("k sneak v٣", "'v٣' does not fit here", 9),
    ("k sneak 100000d", "beyond 10^9", 9),
    ("k sneak duration=1w", "'1w' is not a time", 9),
    ("k sneak refund=might", "'might' lacks its points", 9),
    ("k sneak refund=might:1:2", "'might:1:2' has too many parts", 9),
    ("k D r", "'r' may be", 5),
    ("! forbid 1.x", "'1.x' does not fit here", 10),
    ('! forbid of=1.x "no"', "'1.x' is not an entry id", 10),
    ('! forbid "no"', "'forbid' lacks its of. For example: ! forbid 1.4", 3),
    ("! option l 4", "'l' may be 'name=light_wound_cost' or 'name=lasting'", 10),
    ('! ruling "a" "b" x.might=1', "'x' is nobody in play", 18),
    ('! ruling "a" "b" doo=1', "'doo' is not part of 'ruling'", 18),
    # Signs
    ("k sneak +cover", "'+cover' is unknown here", 9),
    ("k sneak +hlp=o", "Did you mean '+help'?", 9),
    ("k sneak +t5", "'+t5' has too many parts", 9),
    ("k sneak +help", "'+help' lacks its value", 9),
    ("k sneak +help=x", "'x' is nobody in play", 9),
    ('k sneak +a1"x"y', "cannot be read", 9),
    ("k sneak +", "cannot be read", 9),
    # Faces and quotation marks
    ("k sneak /", "'/' are not faces", 9),
    ("k sneak /x", "'/x' are not faces", 9),
    ("k sneak /7.", "'/7.' are not faces", 9),
    ("k sneak /-7", "'/-7' are not faces", 9),
    ("k sneak /7 v5 /6", "faces are given twice", 15),
    ('k "sneak', "a quotation mark is not closed", 3),
    ('k sneak +1"rain', "a quotation mark is not closed", 11),
    # Scenes, fiction and quotes and claims
    ("#", "no text", 1),
    ("# The lamp room /7", "'/7' is a face, and this line throws no dice. Leave it out", 17),
    ("> Glass /7.6", "'/7.6' is a face", 9),
    ('" k: Run! /7', "'/7' is a face", 11),
    ("= k M9 /7", "'/7' is a face", 8),
    ('" I was never here', "no speaker", 3),
    ('" x: I was never here', "'x' is nobody in play", 3),
    ('" k:', "no text", 4),
    ("=", "the claim is empty", 1),
    ("= k", "the claim is empty", 1),
    ("= k hp", "'hp' has no number after it", 5),
    ("= k hp M13", "'hp' has no number after it", 5),
    ("= k hp 9 hea 9", "kess.health is claimed twice", 10),
    ("= k migth 3", "Did you mean 'might'", 5),
    ("= zork 3", "neither a being nor a value", 3),
    ("= k hp= 3", "'hp=' has no number after it", 5),
    # Letters that are not allowed in a line
    ("k sne\tak", "invisible or control character", 6),
    ("k sneak \u202e", "invisible or control character", 9),
    ("; \x00", "invisible or control character", 3),
    ("k " + "x" * 2000, "2002 characters are too many", 2001),
]


@pytest.mark.quick_rows(40)
@pytest.mark.parametrize(("line", "sentence", "column"), WRONG, ids=[line[:30] for line, *_ in WRONG])
def test_wrong_line_names_column_and_hint(line: str, sentence: str, column: int) -> None:
    with pytest.raises(Unreadable) as refused:
        parse_line(line, SCOPE)
    assert refused.value.where == f"column {column}"
    assert sentence in str(refused.value)
    assert refused.value.hint


@pytest.mark.parametrize(
    ("line", "sentence", "column"),
    [
        ("k strike he", "'he' may be 'manner=head', 'manner=heavy' or 'aims=head'", 10),
        ("k strike o cover", "'cover' lacks its sign", 12),
        ("k strike o +cov,er", "cannot be read", 12),
        ("k wait 1m", "'1m' may be 'first=1m' or 'then=1m'", 8),
        ("k wait first=1 2.4", "'2.4' may be 'since=2.4' or 'until=2.4'", 16),
        ("k wait first=1 la", "'la' may be 'item=lantern' or 'item=lamp oil'", 16),
        ("wait first=1", "'wait' needs a speaker before it", 1),
    ],
)
def test_ambiguous_word_is_unreadable(line: str, sentence: str, column: int) -> None:
    with pytest.raises(Unreadable, match=re.escape(sentence)) as refused:
        parse_line(line, MADE_UP)
    assert refused.value.where == f"column {column}"


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ("k attack brute s d4", "column 10: 'brute' is nobody in play. There is: Kess, Orrin."),
        ("k attack orin s d4", "column 10: 'orin' is nobody in play. Did you mean 'Orrin'?"),
        ('! damage nobody 3 "x"', "column 10: 'nobody' is nobody in play. There is: Kess, Orrin."),
    ],
)
def test_unknown_target_is_named_as_nobody(folder, line, error):
    assert one_error(folder.invoke("do", line), 2) == error


def test_number_that_fits_one_field_only_needs_its_letter() -> None:
    class Push(Declaration, frozen=True, kw_only=True, tag="push"):
        """Push: `k push p2`."""

        verbs: ClassVar[tuple[str, ...]] = ("push",)

        force: Annotated[int, syntax("p")] = 0

    with pytest.raises(Unreadable, match=re.escape("the number +2 needs the letter of its field. Write p2 (force).")):
        parse_line("k push +2", replace(MADE_UP, declarations=(Push,)))


def test_being_of_a_field_that_must_be_named_is_told_how() -> None:
    class Guard(Declaration, frozen=True, kw_only=True, tag="guard"):
        """Guard somebody: `k guard target=orrin`."""

        verbs: ClassVar[tuple[str, ...]] = ("guard",)

        target: Annotated[str, syntax(being=True)] = ""

    with pytest.raises(Unreadable, match=re.escape("'orrin' needs the name of its field. Write target=orrin.")):
        parse_line("k guard orrin", replace(MADE_UP, declarations=(Guard,)))


def test_long_list_ends_in_three_dots() -> None:
    with pytest.raises(Unreadable) as error:
        parse_line("! xyzzy 1", SCOPE)
    assert str(error.value).endswith(", ...")


def test_verb_of_the_game_master_may_be_a_task_in_quotes(demo):
    error = one_error(demo.invoke("do", "t heal orrin v3"), 2)
    assert "'heal' belongs to the game master's side. Start with !, or write a task in quotation marks." in error
    assert "quotation marks. For example: ! heal" in error


@pytest.mark.parametrize(
    ("line", "near"), [("kesk sneak", ("Kess",)), ("! kess.migth +2", ("kess.might",)), ("x sneak", ())]
)
def test_error_names_the_words_that_may_be_meant(line: str, near: tuple[str, ...]) -> None:
    """Also a copy of it, and one that comes from another process."""
    with pytest.raises(Unreadable) as raised:
        parse_line(line, SCOPE)
    error = raised.value.at("line 3")
    copy = pickle.loads(pickle.dumps(error))
    assert (copy.near, copy.hint) == (raised.value.near, raised.value.hint) == (error.near, error.hint)
    assert error.near[:1] == near
    assert ("Did you mean" in error.hint) is bool(near)


def test_far_fetched_word_is_not_the_nearest() -> None:
    assert nearest_words("wait", ["weir", "mill"]) == []
    assert nearest_words("opens", ["end", "attack"]) == []
    assert nearest_words("attak", ["end", "attack"]) == ["attack"]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("! brute attack kess with the harpoon", "'harpoon' is not understood here. Meant? Kess dodge Brute."),
        ("k attack dovel with the sword", "'sword' is not understood here."),
    ],
)
def test_article_is_not_the_word_that_is_unknown(folder, line, said):
    for name in ("Brute", "Dovel"):
        sheet = f'sheet = "npc"\nname = "{name}"\ndifficulty = 4\nhealth = 8\ndamage = 3\n'
        folder.run("cast", str(folder.file(f"{name}.toml", sheet)))
    assert said in folder.invoke("do", line).stderr


def test_article_before_a_name_is_passed_over(folder):
    folder.run("cast", str(folder.file("d.toml", 'sheet = "npc"\nname = "The Ox"\ndifficulty = 4\nhealth = 8\n')))
    assert "attack: Dawn 7" in folder.run("do", "k attack the ox m /7.6")
    folder.run("verify")
