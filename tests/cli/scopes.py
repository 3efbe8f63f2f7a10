"""Two scopes to parse lines in: one of Dusk Bastards, one of a made-up game with every kind of field."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any, ClassVar, Literal

import msgspec

from cli.notation.line_parser import parse_line
from cli.notation.scope import Scope
from ledger.builtin import BUILTIN_WITH_VERBS
from ledger.declarations import Declaration, syntax
from rulebooks import load_game
from rulebooks.common.options import SetOption
from rulebooks.dusk_bastards.declarations.combat import AreaAttack, Attack, Defence
from rulebooks.dusk_bastards.declarations.harm import Rest, SetCondition
from rulebooks.dusk_bastards.declarations.tasks import Attempt

BEINGS = ("Kess", "Orrin", "Sergeant Dovel")
VALUES = (
    "doom",
    "kess.destiny",
    "kess.health",
    "kess.health.most",
    "kess.might",
    "kess.skill.open locks",
    "option.light_wound_cost",
    "orrin.health",
    "sergeant-dovel.might",
)
SITUATIONS = ("cover", "full_cover", "high", "surprise", "moved=immediate", "moved=short")
KNOWN = {
    (Attack, "situations"): SITUATIONS,
    (Attack, "denied"): ("prone", "dazed", "charge"),
    (Defence, "situations"): SITUATIONS,
    (AreaAttack, "situations"): SITUATIONS,
    (SetCondition, "name"): ("dazed", "prone", "full_cover"),
    (Attempt, "task"): ("sneak", "sense motive", "force"),
    (SetOption, "name"): ("light_wound_cost", "lasting", "2d12"),
}


def known_words(declaration: type[Declaration], field: str, by: str) -> Iterable[str]:
    return KNOWN.get((declaration, field), ())


SCOPE = Scope(
    beings=BEINGS,
    declarations=(*load_game("dusk-bastards").declarations, *BUILTIN_WITH_VERBS),
    words=known_words,
    values=lambda: VALUES,
    short_names=lambda: {"hp": "health", "M": "might", "D": "destiny", "m": "morale"},
    vital_value=lambda: "health",
)


# A game made up to hold what Dusk Bastards does not: beings as words, situations, several numbers, pairs.


class Aim(msgspec.Struct, frozen=True):
    where: Literal["head", "legs"]
    at: str | None = None
    steps: int = 2


class Strike(Declaration, frozen=True, kw_only=True, tag="strike"):
    """Strike somebody: `k strike o might`."""

    verbs: ClassVar[tuple[str, ...]] = ("strike",)

    targets: Annotated[tuple[str, ...], syntax(word=True, being=True)]
    manner: Annotated[Literal["head", "heavy", "2x"], syntax(word=True)] = "head"
    aims: Annotated[tuple[Aim, ...], syntax(word=True)] = ()
    times: Annotated[int, syntax(word=True)] = 1
    careful: bool = True
    allies: Annotated[tuple[str, ...], syntax(being=True)] = ()
    watches: Annotated[tuple[int, ...], syntax(plus="w")] = ()
    situations: Annotated[tuple[str, ...], syntax(plus="")] = ()
    without: Annotated[tuple[str, ...], syntax(minus="")] = ()
    pairs: tuple[tuple[str, int | str], ...] = (("a", 1),)
    note: str | None = "plain"
    cry: Annotated[str, syntax("x")] = ""


class Wait(Declaration, frozen=True, kw_only=True, tag="wait"):
    """Wait: `k wait 10m`."""

    verbs: ClassVar[tuple[str, ...]] = ("wait",)

    first: Annotated[int, syntax(seconds=True)]
    then: Annotated[int | None, syntax(seconds=True)] = None
    count: Annotated[int, syntax(word=True)] = 0
    since: Annotated[str | None, syntax(entry=True)] = None
    until: Annotated[str, syntax(entry=True)] = "1.1"
    item: Annotated[str, syntax(word=True)] = "rope"
    degree: Annotated[int | str, syntax("g")] = 0
    bearer: Annotated[str | None, syntax(being=True, word=True)] = None
    reason: str = ""


def made_up_words(declaration: type[Declaration], field: str, by: str) -> Iterable[str]:
    return {"situations": ("cover", "high ground"), "without": ("prone",), "item": ("lantern", "lamp oil")}.get(
        field, ()
    )


MADE_UP = Scope(
    beings=BEINGS,
    declarations=(Strike, Wait),
    words=made_up_words,
    values=lambda: VALUES,
    short_names=dict,
    vital_value=str,
)


def parse(line: str, scope: Scope = SCOPE) -> Declaration:
    parsed = parse_line(line, scope)
    assert parsed is not None
    return parsed.declaration


def rest(**more: Any) -> Rest:
    return Rest(by="Kess", kind="one_hour", **more)


def attempt(**given: Any) -> Attempt:
    return Attempt(by="Kess", **given)
