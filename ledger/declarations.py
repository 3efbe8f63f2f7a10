"""Declarations: the only input of a ledger; and the marks for writing them as a line."""

from collections.abc import Mapping
from typing import Annotated, ClassVar, Literal, TypeVar

import msgspec


class Declaration(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="say"):
    """An act declared by a being, a person or `gm` (`by`).

    `verbs`: the words that begin it in a line, its name first.
    `aside`: only the game master's side says it (`! ...`).
    `alone`: it may be said without a speaker.
    `by_anyone`: people may say it who are not in play.
    `answers`: it reacts to something announced (`^ ...`).
    `lets_go`: it only lets something go: a pass, the end of a turn or of a fight, the close of a roll.
    `on_own_roll`: it is about the open roll of its speaker.
    `fallbacks`: what fields that are None mean where nothing else gives a value; earlier records say it in their place.
    `free`: the field that takes any words in place of a verb.
    `free_as`: the field for the known word in that text, which says what it is rolled as; the vocabulary of `verb` has
    the words in common use at its beginning.
    `verb_field`: the field whose known words, in full, may stand in place of the verb.
    `secret`: the field that keeps its numbers from the players.
    """

    verbs: ClassVar[tuple[str, ...]] = ()
    aside: ClassVar[bool] = False
    alone: ClassVar[bool] = False
    by_anyone: ClassVar[bool] = False
    answers: ClassVar[bool] = False
    lets_go: ClassVar[bool] = False
    on_own_roll: ClassVar[bool] = False
    fallbacks: ClassVar[Mapping[str, object]] = {}
    free: ClassVar[str] = ""
    free_as: ClassVar[str] = ""
    verb_field: ClassVar[str] = ""
    secret: ClassVar[str] = ""

    by: str


D = TypeVar("D", bound=Declaration)


def with_fallbacks(said: D) -> D:
    """Return the declaration with its fallbacks in place of None."""
    unsaid = {field: value for field, value in said.fallbacks.items() if getattr(said, field) is None}
    return msgspec.structs.replace(said, **unsaid) if unsaid else said


def without_fallbacks(said: D) -> D:
    """Return the declaration with None in place of each value that is its fallback."""
    unsaid = {field: None for field, value in said.fallbacks.items() if getattr(said, field) == value}
    return msgspec.structs.replace(said, **unsaid) if unsaid else said


class GameMasterDeclaration(Declaration, frozen=True, kw_only=True):
    """A declaration that only the game master's side makes."""

    aside: ClassVar[bool] = True


def syntax(
    short: str | None = None,
    *,
    plus: str | None = None,
    minus: str | None = None,
    word: bool = False,
    whole: bool = False,
    being: bool = False,
    entry: bool = False,
    seconds: bool = False,
    sets: bool = False,
    answers: bool = False,
    joins: bool = False,
    named: bool = False,
    after: str | None = None,
    no: str | None = None,
    dice: bool = False,
    numbers: bool = False,
    place: bool = False,
) -> msgspec.Meta:
    """Return the mark of a field that says how it is written in a line. `name=value` is always possible.

    A text field whose mark sets nothing takes the next quoted string.

    Args:
        short: letters before the value (`v5`).
        plus: a list; one item is written `+a1"rope"`, with these letters.
        minus: a list; one item is written `-1"rain"`, with these letters (here none).
        word: a bare word or number is enough.
        whole: a bare word is enough, but only in full, because a prefix belongs to another field.
        being: the name of a being in play.
        entry: the id of an entry (`1.4`).
        seconds: a duration (`10m`).
        sets: pairs such as `kess.might=3`.
        answers: a list; one item is written `^sira:interpose`.
        joins: those whom it names act in this line too.
        named: a text that is written as `name="..."` only.
        after: a text that takes the word behind this one (`with pistol`), and a bare word that is known in full.
        no: yes or no, as a part of an item: this word means no (`^sira:block:behind`).
        dice: a text that takes a bare word with dice in it (`2d6+3`).
        numbers: a text with `after` that takes a number as well as a known word (`vs 10`).
        place: a text that names one place, known or new, and is no word for everywhere.
    """
    marks = locals()  # all that is given
    return msgspec.Meta(extra={name: mark for name, mark in marks.items() if mark not in (None, False)})


class Setting(msgspec.Struct, frozen=True):
    """A setting of a ruling: a value (`kess.might`, `doom`), or an option (`option.NAME`)."""

    value: str
    to: int | str


class Ruling(GameMasterDeclaration, frozen=True, kw_only=True, tag="ruling"):
    """The game master decides, and may set values: `! ruling "a gift of the tide" "agreed" kess.vital=3`.

    With a scope it holds for the session or the campaign: `! rule "crates are cover" "a vote" campaign`.
    `result` is the result of the open roll. The game decides what a ruling may set and which rules it may cite.
    """

    verbs: ClassVar[tuple[str, ...]] = ("ruling", "rule")

    text: str
    reason: str
    cites: Annotated[tuple[str, ...], syntax(word=True)] = ()
    scope: Annotated[Literal["once", "session", "campaign"], syntax(word=True)] = "once"
    agreed: tuple[str, ...] = ()
    about: Annotated[str, syntax(entry=True)] = ""
    repeals: Annotated[str, syntax(entry=True)] = ""
    result: Annotated[str, syntax()] = ""
    changes: Annotated[tuple[Setting, ...], syntax(sets=True)] = ()
