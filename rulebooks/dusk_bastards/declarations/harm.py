"""Damage, hazards, ailments, conditions, wounds and rests."""

from typing import Annotated, ClassVar, Literal

from ledger.declarations import Declaration, GameMasterDeclaration, syntax
from rulebooks.dusk_bastards.declarations.parts import Cost, Effect, Row, Stat


class Damage(GameMasterDeclaration, frozen=True, kw_only=True, tag="damage"):
    """Deal damage: `! damage kess 3 "a falling slate"`; `lasting`: rests do not restore it."""

    verbs: ClassVar[tuple[str, ...]] = ("damage",)

    target: Annotated[str, syntax(being=True, word=True)]
    amount: Annotated[int, syntax(word=True)]
    damage_type: Literal["normal", "speed", "intellect"] = "normal"
    ambient: Annotated[bool, syntax(word=True)] = False
    lasting: Annotated[bool, syntax(word=True)] = False
    source: str = ""


class Hazard(GameMasterDeclaration, frozen=True, kw_only=True, tag="hazard"):
    """Expose somebody to a hazard of the table: `! hazard kess falling feet=30`, `! hazard kess minor_fire rounds=3`.

    In a combat each round of an exposure deals its damage in that round; elsewhere all deal it at once.
    """

    verbs: ClassVar[tuple[str, ...]] = ("hazard",)

    target: Annotated[str, syntax(being=True, word=True)]
    row: Annotated[Row, syntax(word=True)]
    rounds: int = 1
    feet: Annotated[int | None, syntax(word=True)] = None
    lose_action: Annotated[bool, syntax(word=True)] = False


class InflictWound(GameMasterDeclaration, frozen=True, kw_only=True, tag="inflict-wound"):
    """Deal a wound directly: `! wounds kess "poison"`."""

    verbs: ClassVar[tuple[str, ...]] = ("wounds",)

    target: Annotated[str, syntax(being=True, word=True)]
    source: str = ""


class Ailment(GameMasterDeclaration, frozen=True, kw_only=True):
    """The fields of poisons and diseases: the effects of a failed Might defence, declared before the roll."""

    target: Annotated[str, syntax(being=True, word=True)]
    difficulty: Annotated[int | None, syntax("v")] = None
    damage: Annotated[int, syntax("d")] = 0
    damage_type: Literal["normal", "speed", "intellect"] = "normal"
    ambient: Annotated[bool, syntax(word=True)] = False
    lasting: Annotated[bool, syntax(word=True)] = False
    wound: Annotated[bool, syntax(word=True)] = False
    lose_action: Annotated[bool, syntax(word=True)] = False
    on_fail: tuple[Effect, ...] = ()
    source: str = ""


class Poison(Ailment, frozen=True, kw_only=True, tag="poison"):
    """Poison somebody: `! poison kess v5 d3 "the wine"`; then `k resist poison e1`."""

    verbs: ClassVar[tuple[str, ...]] = ("poison",)


class Disease(Ailment, frozen=True, kw_only=True, tag="disease"):
    """Make somebody ill: `! disease kess v4 d2 lasting "grey fever"`; then `k resist disease`, once a day.

    It goes on until the game master ends it: `! condition kess diseased off`.
    """

    verbs: ClassVar[tuple[str, ...]] = ("disease",)


class SetCondition(GameMasterDeclaration, frozen=True, kw_only=True, tag="condition"):
    """Begin or end a condition: `! condition kess dazed`, `! condition brute rattled defence=-1 10m`.

    `whose` is the slot at which its rounds end, if not the running one.
    """

    verbs: ClassVar[tuple[str, ...]] = ("condition",)

    target: Annotated[str, syntax(being=True, word=True)]
    name: Annotated[str, syntax(word=True)]
    off: Annotated[bool, syntax(word=True)] = False
    text: str = ""
    rounds: int | None = None
    lasts: Annotated[int | None, syntax(seconds=True)] = None
    until: Annotated[Literal["encounter", "ruled"] | None, syntax(word=True)] = None
    tasks: int = 0
    attacks: int = 0
    defence: int = 0
    armor: int = 0
    magic: int = 0
    effort: int = 0
    trained: str = ""
    specialized: str = ""
    whose: Annotated[str, syntax(being=True)] = ""


class WoundRoll(Declaration, frozen=True, kw_only=True, tag="wound-roll"):
    """Roll for a wound that is due, one's own or an elite's: `k wound`, `k wound captain`."""

    verbs: ClassVar[tuple[str, ...]] = ("wound",)
    alone: ClassVar[bool] = True  # the game master's side rolls for an elite that no character struck (DB-DMG-6)

    who: Annotated[str, syntax(being=True, word=True)] = ""


class Shares(Declaration, frozen=True, kw_only=True):
    """The fields that divide the points of a recovery roll: shares, an order for the others, `lose` to give them up."""

    split: Annotated[tuple[Cost, ...], syntax(word=True)] = ()
    order: tuple[Stat, ...] = ()
    lose: Annotated[bool, syntax(word=True)] = False


class Rest(Shares, frozen=True, kw_only=True, tag="rest"):
    """Rest and recover: `k rest ten_minutes`, `k rest one_action split=might:4,speed:1`.

    Rests of one kind, said one behind the other, are one rest; so is one line: `k rest ten_hours +with=orrin`.
    """

    verbs: ClassVar[tuple[str, ...]] = ("rest",)

    kind: Annotated[Literal["one_action", "ten_minutes", "one_hour", "ten_hours"], syntax(word=True)]
    others: Annotated[tuple[str, ...], syntax(plus="with", being=True, joins=True)] = ()
    heal_health: bool = True
    heal_wound: bool = True


class Share(Shares, frozen=True, kw_only=True, tag="share"):
    """Divide the points of the rest just rolled: `k share speed 4 might 1`, `k share order=speed`."""

    verbs: ClassVar[tuple[str, ...]] = ("share",)


class HealWound(GameMasterDeclaration, frozen=True, kw_only=True, tag="heal-wound"):
    """Heal a wound faster, by care or a power: `! heal kess 1 wound="Kess w1" "Tamsin's needle"`.

    The only wound need not be named. Health is changed with `kess hp +4 "a draught"`.
    """

    verbs: ClassVar[tuple[str, ...]] = ("heal",)

    target: Annotated[str, syntax(being=True, word=True)]
    points: Annotated[int, syntax(word=True)] = 1
    reason: str
    wound: Annotated[str, syntax(word=True)] = ""
