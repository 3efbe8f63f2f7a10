"""Lamplight: an act is a die for the dark and one for each oil; a shade hides its dread."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping
from typing import Annotated, Any, ClassVar, Final

from ledger.declarations import Declaration, syntax
from ledger.dice import Dice
from ledger.facts import GM, Die, Fact, Joined, Judged, PointsSpent, Rolled
from projections.state import State
from rulebooks.common.beings import check_free, find_being, speaker
from rulebooks.common.conditions import new_condition
from rulebooks.common.decisions import decides
from rulebooks.common.game import Game
from rulebooks.common.rulebook import Rulebook
from rulebooks.common.sheets import read_sheet
from rulebooks.common.texts import Texts
from rulebooks.common.values import check_whole, new_pool, point_gain, point_loss

TEXTS: Final = Texts(__file__, "LL-E-")
OIL_MOST: Final = 9
LEAST_DRIVEN: Final = 4


class Join(Declaration, frozen=True, kw_only=True, tag="join"):
    """Somebody explores, from a sheet file."""

    name: str
    oil: int = 3


class JoinShade(Declaration, frozen=True, kw_only=True, tag="join-shade"):
    """A shade is there, from a sheet file."""

    name: str
    dread: int = 2


class Search(Declaration, frozen=True, kw_only=True, tag="search"):
    """Search a place in the light of a lamp: `ana search o1 "the crypt"`."""

    verbs: ClassVar[tuple[str, ...]] = ("search",)

    oil: Annotated[int, syntax("o")] = 0
    place: Annotated[str, syntax()] = ""


class Face(Declaration, frozen=True, kw_only=True, tag="face"):
    """Face a shade: `ana face shade o1`."""

    verbs: ClassVar[tuple[str, ...]] = ("face",)

    target: Annotated[str, syntax(being=True, word=True)]
    oil: Annotated[int, syntax("o")] = 0


class Rest(Declaration, frozen=True, kw_only=True, tag="rest"):
    """Rest, and fill the lamp: `ana rest`."""

    verbs: ClassVar[tuple[str, ...]] = ("rest",)


@decides(Join)
def join(said: Join, state: State) -> Iterator[Fact]:
    """LL-JOIN-1: whoever explores has a lamp full of oil."""
    check_free(said.name, state)
    check_whole("oil", said.oil, 0, OIL_MOST)
    yield Joined(rules=("LL-JOIN-1",), who=said.name, kind="pc", side="players", sheet=(), seen="table")
    yield new_pool(said.name, "oil", said.oil, said.oil, "LL-JOIN-1")


@decides(JoinShade)
def join_shade(said: JoinShade, state: State) -> Iterator[Fact]:
    """LL-JOIN-1: the players do not see how much dread a shade has."""
    check_free(said.name, state)
    check_whole("dread", said.dread, 1, OIL_MOST)
    yield Joined(rules=("LL-JOIN-1",), who=said.name, kind="npc", side=GM, sheet=(), seen="gm")
    yield new_pool(said.name, "dread", said.dread, said.dread, "LL-JOIN-1")


def throw(who: str, oil: int, purpose: str, state: State, dice: Dice) -> Generator[Fact, None, int]:
    """LL-LIGHT-1: throw a die, and one more for each oil. Return the highest face."""
    check_whole("oil", oil, 0, OIL_MOST)
    left = state.points(who, "oil")
    if oil > left:
        raise TEXTS.refusal("OIL", name=who, left=left, asked=oil, speaker=speaker(who, state))
    sides = (6,) * (1 + oil)
    dice.expect(*sides)
    rules = ("LL-LIGHT-1",)
    if oil:
        yield PointsSpent(rules=rules, who=who, pool="oil", points=oil, now=left - oil, because=purpose)
    faces = dice.throw(purpose, *sides)
    best = faces.index(max(faces))
    thrown = tuple(Die(ordinal=place, sides=6, face=face, kept=place == best) for place, face in enumerate(faces))
    yield Rolled(rules=rules, who=who, purpose=purpose, source=dice.source, dice=thrown)
    return faces[best]


@decides(Search)
def search(said: Search, state: State, dice: Dice) -> Iterator[Fact]:
    """LL-SEARCH-1: the least face that finds is the table's."""
    who, purpose = find_being("by", said.by, state, ("pc",)).name, f"search {said.by}"
    least = int(TEXTS.option(state, "least_find"))
    face = yield from throw(who, said.oil, purpose, state, dice)
    result = "found" if face >= least else "nothing"
    yield Judged(
        rules=("LL-SEARCH-1",), what="search", who=who, total=face, target=least, margin=face - least, result=result,
        rolls=(purpose,), final=True,
    )  # fmt: skip


@decides(Face)
def face_shade(said: Face, state: State, dice: Dice) -> Iterator[Fact]:
    """LL-FACE-1: a 4 takes dread, and a shade without dread is gone."""
    who = find_being("by", said.by, state, ("pc",)).name
    shade = find_being("target", said.target, state)
    if shade.kind != "npc":
        raise TEXTS.refusal("TARGET", target=shade.name, speaker=speaker(who, state))
    if not state.points(shade.name, "dread"):
        raise TEXTS.refusal("TARGET", "gone", target=shade.name, speaker=speaker(who, state))
    purpose, rules = f"face {who}", ("LL-FACE-1",)
    face = yield from throw(who, said.oil, purpose, state, dice)
    driven = face >= LEAST_DRIVEN
    yield Judged(
        rules=rules, what="face", who=who, against=shade.name, total=face, target=LEAST_DRIVEN,
        margin=face - LEAST_DRIVEN, result="driven" if driven else "held", rolls=(purpose,), final=True,
    )  # fmt: skip
    if driven:
        yield point_loss(shade.name, "dread", 1, "light", state, *rules, by=who)
        if not state.points(shade.name, "dread"):
            yield new_condition(shade.name, "gone", *rules)


@decides(Rest)
def rest(said: Rest, state: State) -> Iterator[Fact]:
    """LL-REST-1: a rest fills the lamp."""
    who = find_being("by", said.by, state, ("pc",)).name
    pool = state.pools[who, "oil"]
    missing = (pool.most or 0) - pool.points
    if missing <= 0:
        raise TEXTS.refusal("FULL", name=who)
    yield point_gain(who, "oil", missing, "a rest", state, "LL-REST-1")


class Lamplight(Game):
    """The game."""

    name = "lamplight"
    version = "1"
    rulebook = Rulebook(texts=TEXTS)

    def sheet(self, content: Mapping[str, Any], where: str) -> Declaration:
        """Return the declaration of a sheet file; that of a shade says `sheet = "npc"`."""
        return read_sheet(content, {"pc": Join, "npc": JoinShade}, {}, where)


GAME: Final = Lamplight()
