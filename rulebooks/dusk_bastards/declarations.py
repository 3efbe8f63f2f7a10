"""What can be said in Dusk Bastards, and how it is written in a line.

A field's type says what may stand there, `say` how it is typed. Ranges that the book names are checked where the
book is read, so that the refusal carries the book's own code. None means: what the sheet or the state knows.
"""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

import msgspec

from ledger.facts import Scalar
from ledger.game import Declaration, say

Band = Literal["immediate", "short", "long", "extreme"]
Far = Literal["immediate", "short", "long", "extreme", "beyond"]
BANDS: tuple[Far, ...] = ("immediate", "short", "long", "extreme", "beyond")
Stat = Literal["might", "speed", "intellect"]
STATS: tuple[Stat, ...] = ("might", "speed", "intellect")


class Asset(msgspec.Struct, frozen=True):
    """Something that helps with the task at hand."""

    steps: int = 1
    name: str = ""


class Modifier(msgspec.Struct, frozen=True):
    """A circumstance that eases or hinders, and why."""

    steps: int = 1
    reason: str = ""


class Denied(msgspec.Struct, frozen=True):
    """Something that is known to hold, and why it does not bear on this roll."""

    name: str
    reason: str


class Cost(msgspec.Struct, frozen=True):
    """Points of one stat."""

    stat: Stat
    points: int


class Use(msgspec.Struct, frozen=True):
    """What one point of Destiny is spent on, and which stat or ability."""

    use: Literal["reroll", "regain", "activate", "change-target"]
    of: str = ""


class Change(msgspec.Struct, frozen=True):
    """A number that is set: of a being, as `kess.health`."""

    value: str
    to: int


class Effect(msgspec.Struct, frozen=True):
    """A condition that something brings, how long it lasts, and the steps that it carries: + eases, - hinders.

    Besides steps it may give armor of an ability or of magic, free levels of Effort, and a skill.

    Without a duration it lasts as long as such conditions do: dazed for a round, others until the game master ends it.
    """

    name: str
    rounds: int | None = None
    tasks: int = 0
    attacks: int = 0
    defence: int = 0
    lasts: Annotated[int | None, say(seconds=True)] = None
    until: Literal["encounter", "ruled"] | None = None
    armor: int = 0
    magic: int = 0
    effort: int = 0
    trained: str = ""
    specialized: str = ""


class SheetSkill(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A skill on a sheet: the task it covers, how well, and the stat it is usually rolled with."""

    task: str
    level: Literal["trained", "specialized"]
    stat: Stat | None = None


class Armor(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A source of armor."""

    kind: Literal["physical", "ability", "magic"]
    value: int


class Task(Declaration, frozen=True, kw_only=True):
    """What every attempt may say about itself: the six steps, and the costs."""

    task: str = ""
    stat: Annotated[Stat | None, say(word=True)] = None
    difficulty: Annotated[int | None, say("v")] = None
    trained: Annotated[tuple[str, ...], say(plus="t")] = ()
    specialized: Annotated[tuple[str, ...], say(plus="s")] = ()
    unskilled: Annotated[bool, say(word=True)] = False
    assets: Annotated[tuple[Asset, ...], say(plus="a")] = ()
    helpers: Annotated[tuple[str, ...], say(plus="help", being=True)] = ()
    ease: Annotated[tuple[Modifier, ...], say(plus="")] = ()
    hinder: Annotated[tuple[Modifier, ...], say(minus="")] = ()
    denied: Annotated[tuple[Denied, ...], say(minus="")] = ()
    effort: Annotated[int, say("e")] = 0
    effort_pool: Stat | None = None
    free_effort: Annotated[int, say("f")] = 0
    initial_cost: Annotated[int, say("c")] = 0
    initial_stat: Stat | None = None
    ability_cost: tuple[Cost, ...] = ()
    destiny_first: tuple[Use, ...] = ()
    refund: tuple[Cost, ...] = ()
    take20: Annotated[bool, say(word=True)] = False
    duration: Annotated[int | None, say(seconds=True)] = None
    hidden: Annotated[bool, say(word=True)] = False
    physical: bool | None = None  # None: a task of Might or Speed is, one of Intellect is not
    slot: Literal["standard", "bonus", "none"] | None = None


class Directed(Task, frozen=True, kw_only=True):
    """What a roll directed at somebody may say besides: from how far, and in which situation (`+cover`, `+dim`)."""

    at: Far | None = None
    feet: int | None = None
    situations: Annotated[tuple[str, ...], say(plus="")] = ()


class Search(Directed, frozen=True, kw_only=True):
    """A task that may be directed at somebody (`toward`), or find somebody who is hidden or unseen (`locates`)."""

    toward: Annotated[str, say(being=True)] = ""
    locates: Annotated[str, say(being=True)] = ""


class Attempt(Search, frozen=True, kw_only=True, tag="attempt"):
    """Try something: `k sneak v5 e1`, `o "force the door" m v5 c3 +a1"crowbar"`."""

    verbs: ClassVar[tuple[str, ...]] = ("attempt",)
    free: ClassVar[str] = "task"


class Retry(Search, frozen=True, kw_only=True, tag="retry"):
    """Try again what failed, with at least one level of Effort: `k retry e1`."""

    verbs: ClassVar[tuple[str, ...]] = ("retry", "again")

    of: Annotated[str | None, say(entry=True)] = None


class ForbidRetry(Declaration, frozen=True, kw_only=True, tag="forbid-retry"):
    """The game master rules that a failed attempt cannot be tried again: `! forbid 1.4 "no more talk"`."""

    verbs: ClassVar[tuple[str, ...]] = ("forbid",)
    aside: ClassVar[bool] = True

    of: Annotated[str, say(entry=True)]
    reason: str


class SpendDestiny(Declaration, frozen=True, kw_only=True, tag="spend-destiny"):
    """Spend Destiny on one's own open roll: `k destiny reroll`, `k D regain:speed`."""

    verbs: ClassVar[tuple[str, ...]] = ("destiny", "D")

    uses: Annotated[tuple[Use, ...], say(word=True)]
    refund: tuple[Cost, ...] = ()
    effect: str = ""


class SpendDoom(Declaration, frozen=True, kw_only=True, tag="spend-doom"):
    """The game master spends Doom: `! doom 1 change-target`, `! doom 2 "reinforcements" because="too quiet"`."""

    verbs: ClassVar[tuple[str, ...]] = ("doom",)
    aside: ClassVar[bool] = True

    points: Annotated[int, say(word=True)] = 1
    use: Annotated[Literal["change-target", "other"], say(word=True)] = "other"
    purpose: str = ""
    effect: str = ""
    because: str = ""


class Close(Declaration, frozen=True, kw_only=True, tag="close"):
    """Close the open roll: what it says is final: `close`."""

    verbs: ClassVar[tuple[str, ...]] = ("close",)
    alone: ClassVar[bool] = True


class SetOption(Declaration, frozen=True, kw_only=True, tag="set-option"):
    """The table chooses a reading: `! option light_wound_cost per_use "table vote"`."""

    verbs: ClassVar[tuple[str, ...]] = ("option",)
    aside: ClassVar[bool] = True

    name: Annotated[str, say(word=True)]
    value: Annotated[Scalar, say(word=True)]
    reason: str
    agreed: tuple[str, ...] = ()


class Adjust(Declaration, frozen=True, kw_only=True, tag="adjust"):
    """What the table settled without the program: `k hp -3 "the stairs"`, `! doom +1 "an old debt"`."""

    verbs: ClassVar[tuple[str, ...]] = ("adjust",)
    alone: ClassVar[bool] = True
    adjusts: ClassVar[bool] = True

    value: Annotated[str, say(word=True)]
    change: Annotated[int, say(word=True)]
    reason: str


class Character(Declaration, frozen=True, kw_only=True):
    """What stands on a character's sheet; with `now`, `wounds` and `rests` a running campaign moves in."""

    name: str
    level: int = 1
    might: int
    speed: int
    intellect: int
    effort_limit: int = 1
    skills: tuple[SheetSkill, ...] = ()
    armor: tuple[Armor, ...] = ()
    destiny: int = 0
    aquatic: bool = False
    player: str = ""
    now: tuple[tuple[str, int], ...] = ()
    wounds: tuple[int, ...] = ()
    rests: tuple[Literal["one_action", "ten_minutes", "one_hour", "ten_hours"], ...] = ()


class CreateCharacter(Character, frozen=True, kw_only=True, tag="create-character"):
    """A player's character joins, with a sheet."""


class ChangeSheet(Character, frozen=True, kw_only=True, tag="change-sheet"):
    """A sheet that was edited: a new level, new gear. What differs is appended, with the reason."""

    because: str


class CreateNpc(Declaration, frozen=True, kw_only=True, tag="create-npc"):
    """A minion or an elite joins the game master's side. Give a difficulty or a target number."""

    name: str
    kind: Literal["minion", "elite"]
    difficulty: int | None = None
    target_number: int | None = None
    health: int
    armor: tuple[Armor, ...] = ()
    damage: int = 0
    initiative: int | None = None
    wound_limit: int | None = None
    aquatic: bool = False


class CreateObject(Declaration, frozen=True, kw_only=True, tag="create-object"):
    """A thing that can be broken."""

    name: str
    state: Literal["whole", "damaged", "broken"] = "whole"


class Strike(Directed, frozen=True, kw_only=True):
    """What every attack may say about itself: how it is made, with what, and what it does when it hits."""

    mode: Annotated[Literal["melee", "ranged"], say(word=True, whole=True)] = "melee"
    range: Band = "short"
    max_range: Band = "extreme"
    weapon: Annotated[Literal["stabbing", "slashing", "bashing"] | None, say(word=True, whole=True)] = None
    works_underwater: Annotated[bool, say(word=True, whole=True)] = False
    damage: Annotated[int, say("d")] = 0
    damage_type: Literal["normal", "speed", "intellect"] = "normal"
    ambient: bool = False
    deals_wound: bool = False
    on_hit: tuple[Effect, ...] = ()


class Attack(Strike, frozen=True, kw_only=True, tag="attack"):
    """Attack a foe or a thing: `k attack brute s d4 e1`, `o attack door m v4`."""

    verbs: ClassVar[tuple[str, ...]] = ("attack",)

    target: Annotated[str, say(being=True, word=True)]


class Spot(msgspec.Struct, frozen=True):
    """One target of an area: in which situation, and how far away, where it is not as for all of them."""

    target: Annotated[str, say(being=True)]
    situations: tuple[str, ...] = ()
    at: Far | None = None
    feet: int | None = None


class AreaAttack(Strike, frozen=True, kw_only=True, tag="area-attack"):
    """Attack everybody in an area with one roll: `k blast brute thug:cover i d4 e1`."""

    verbs: ClassVar[tuple[str, ...]] = ("blast",)

    targets: Annotated[tuple[Spot, ...], say(being=True, word=True)]
    mode: Annotated[Literal["melee", "ranged"], say(word=True, whole=True)] = "ranged"


class Defence(Directed, frozen=True, kw_only=True, tag="defence"):
    """Defend against a foe's attack, or against anything with a difficulty: `k dodge brute`, `k dodge v5 d3`."""

    verbs: ClassVar[tuple[str, ...]] = ("dodge", "resist")

    source: Annotated[str, say(being=True, word=True)] = ""
    mode: Annotated[Literal["melee", "ranged"] | None, say(word=True, whole=True)] = None
    range: Band | None = None
    weapon: Annotated[Literal["stabbing", "slashing", "bashing"] | None, say(word=True, whole=True)] = None
    damage: Annotated[int | None, say("d")] = None
    damage_type: Literal["normal", "speed", "intellect"] = "normal"
    ambient: bool = False
    wound: bool = False
    cause: Annotated[Literal["poison", "disease"] | None, say(word=True)] = None
    lasting: Annotated[bool, say(word=True)] = False
    lose_action: Annotated[bool, say(word=True)] = False
    on_fail: tuple[Effect, ...] = ()
    npc_slot: Literal["standard", "reaction", "none"] = "standard"
    area: Annotated[bool, say(word=True)] = False


class TakeCover(Declaration, frozen=True, kw_only=True, tag="take-cover"):
    """Take cover, at any time: `k take cover`, which is prone without some near; `k take cover yes`, or `full`."""

    verbs: ClassVar[tuple[str, ...]] = ("cover", "take")

    what: Annotated[Literal["cover"], say(word=True)] = "cover"
    cover_near: Annotated[Literal["no", "yes", "full"], say(word=True)] = "no"


class Intercept(Strike, frozen=True, kw_only=True, tag="intercept"):
    """Stop somebody who moves away, or protect an ally: `k intercept brute m`, `o intercept brute protect=kess m e1`.

    A foe does not roll: `! brute intercept kess` is the defence of Kess, with whatever eases it.
    """

    verbs: ClassVar[tuple[str, ...]] = ("intercept",)

    target: Annotated[str, say(being=True, word=True)]
    protect: Annotated[str, say(being=True)] = ""


class Spell(Strike, frozen=True, kw_only=True):
    """A spell that is cast: with a target it is an attack, with a difficulty a task, else it simply happens.

    Its name is the text of the task.
    """

    target: Annotated[str, say(being=True, word=True)] = ""


class CastSpell(Spell, frozen=True, kw_only=True, tag="cast-spell"):
    """Cast a spell at once: `k cast "fog" intellect:3`, `k cast "spark" bonus`, `o cast "ward" reaction speed:1`."""

    verbs: ClassVar[tuple[str, ...]] = ("cast",)

    time: Annotated[Literal["standard", "bonus", "reaction"], say(word=True)] = "standard"
    cost: Annotated[tuple[Cost, ...], say(word=True)] = ()


class StartLongSpell(Declaration, frozen=True, kw_only=True, tag="start-long-spell"):
    """Begin a long spell, as the move action: `k begin "ward" intellect:4`."""

    verbs: ClassVar[tuple[str, ...]] = ("begin",)

    spell: str
    cost: Annotated[tuple[Cost, ...], say(word=True)] = ()
    physical: bool = False


class FinishLongSpell(Spell, frozen=True, kw_only=True, tag="finish-long-spell"):
    """Finish the long spell of this round, as the standard action: `k finish "ward" i v5`."""

    verbs: ClassVar[tuple[str, ...]] = ("finish",)


class StartEncounter(Declaration, frozen=True, kw_only=True, tag="start-encounter"):
    """A scene with turns begins: `! encounter "the lamp room"`, `! encounter exploration "the cellars"`."""

    verbs: ClassVar[tuple[str, ...]] = ("encounter",)
    aside: ClassVar[bool] = True

    kind: str = ""
    scale: Annotated[Literal["combat", "exploration", "downtime"], say(word=True)] = "combat"
    participants: Annotated[tuple[str, ...], say(being=True)] = ()


class Initiative(Task, frozen=True, kw_only=True, tag="initiative"):
    """Roll for the order of a combat: `k initiative e1`."""

    verbs: ClassVar[tuple[str, ...]] = ("initiative",)


class NewInitiative(Declaration, frozen=True, kw_only=True, tag="new-initiative"):
    """Everybody rolls anew, at the beginning of a round: `! reorder "the lamp goes out"`."""

    verbs: ClassVar[tuple[str, ...]] = ("reorder",)
    aside: ClassVar[bool] = True

    reason: str


class JoinEncounter(Declaration, frozen=True, kw_only=True, tag="join-encounter"):
    """Somebody joins a running encounter: `! join brute`."""

    verbs: ClassVar[tuple[str, ...]] = ("join",)
    aside: ClassVar[bool] = True

    who: Annotated[str, say(being=True, word=True)]
    initiative: int | None = None


class LeaveEncounter(Declaration, frozen=True, kw_only=True, tag="leave-encounter"):
    """Somebody leaves a running encounter: `! leave brute`."""

    verbs: ClassVar[tuple[str, ...]] = ("leave",)
    aside: ClassVar[bool] = True

    who: Annotated[str, say(being=True, word=True)]


class EndEncounter(Declaration, frozen=True, kw_only=True, tag="end-encounter"):
    """The encounter is over: `! end`, or with less health than is due: `! end kess.health=2`."""

    verbs: ClassVar[tuple[str, ...]] = ("end",)
    aside: ClassVar[bool] = True

    regained: Annotated[tuple[Change, ...], say(sets=True)] = ()


class Move(Task, frozen=True, kw_only=True, tag="move"):
    """Move an immediate or a short distance: `k move`, `k move short e1`."""

    verbs: ClassVar[tuple[str, ...]] = ("move",)

    distance: Annotated[Literal["immediate", "short", "long", "extreme"], say(word=True)] = "immediate"


class Charge(Declaration, frozen=True, kw_only=True, tag="charge"):
    """Run at somebody: `o charge brute`."""

    verbs: ClassVar[tuple[str, ...]] = ("charge",)

    target: Annotated[str, say(being=True, word=True)]
    distance: Annotated[Literal["immediate", "short", "long", "extreme"], say(word=True)] = "short"


class FullDefence(Declaration, frozen=True, kw_only=True, tag="full-defence"):
    """Do nothing but defend: `k defend`."""

    verbs: ClassVar[tuple[str, ...]] = ("defend",)


class Interrupt(Declaration, frozen=True, kw_only=True, tag="interrupt"):
    """Move before somebody who is moving: `k interrupt`."""

    verbs: ClassVar[tuple[str, ...]] = ("interrupt",)


class Pass(Declaration, frozen=True, kw_only=True, tag="pass"):
    """Let an action go, or all that is left of one's slot: `k pass`, `k pass bonus`."""

    verbs: ClassVar[tuple[str, ...]] = ("pass",)

    what: Annotated[Literal["move", "standard", "bonus", "rest"], say(word=True)] = "rest"


class Delay(Declaration, frozen=True, kw_only=True, tag="delay"):
    """Keep the standard action for later in this round: `k delay`."""

    verbs: ClassVar[tuple[str, ...]] = ("delay",)


class Deed(Declaration, frozen=True, kw_only=True, tag="deed"):
    """Something else that needs no roll, as the standard action: `k does "search the pack"`."""

    verbs: ClassVar[tuple[str, ...]] = ("does",)

    text: str = ""
    cost: Annotated[tuple[Cost, ...], say(word=True)] = ()


class QuickDeed(Declaration, frozen=True, kw_only=True, tag="quick-deed"):
    """Something quick, of a second or two, as the bonus action: `k quick "kick the door shut"`."""

    verbs: ClassVar[tuple[str, ...]] = ("quick",)

    text: str = ""
    cost: Annotated[tuple[Cost, ...], say(word=True)] = ()


class UseAbility(Declaration, frozen=True, kw_only=True, tag="use-ability"):
    """An ability that is no attack, a bonus action: `k use "Stone Skin" speed:2 effect="stone skin":rounds=3:armor=2`.

    Its `effect` comes to the `target`, or to whoever uses it.
    """

    verbs: ClassVar[tuple[str, ...]] = ("use",)

    text: str
    cost: Annotated[tuple[Cost, ...], say(word=True)] = ()
    is_attack: bool = False
    target: Annotated[str, say(being=True)] = ""
    effect: Effect | None = None


class Damage(Declaration, frozen=True, kw_only=True, tag="damage"):
    """The game master deals damage: `! damage kess 3 "a falling slate"`; `lasting`: rests do not restore it."""

    verbs: ClassVar[tuple[str, ...]] = ("damage",)
    aside: ClassVar[bool] = True

    target: Annotated[str, say(being=True, word=True)]
    amount: Annotated[int, say(word=True)]
    damage_type: Literal["normal", "speed", "intellect"] = "normal"
    ambient: Annotated[bool, say(word=True)] = False
    lasting: Annotated[bool, say(word=True)] = False
    source: str = ""


Row = Literal[
    "falling",
    "minor_fire",
    "major_fire",
    "acid_splash",
    "acid_bath",
    "cold",
    "severe_cold",
    "shock",
    "electrocution",
    "crush",
    "huge_crush",
    "collision",
]


class Hazard(Declaration, frozen=True, kw_only=True, tag="hazard"):
    """A hazard of the table: `! hazard kess falling feet=30`, `! hazard kess minor_fire rounds=3`.

    In a combat the later rounds of an exposure come when they come; anywhere else all of them at once.
    """

    verbs: ClassVar[tuple[str, ...]] = ("hazard",)
    aside: ClassVar[bool] = True

    target: Annotated[str, say(being=True, word=True)]
    row: Annotated[Row, say(word=True)]
    rounds: int = 1
    feet: int | None = None
    lose_action: Annotated[bool, say(word=True)] = False


class InflictWound(Declaration, frozen=True, kw_only=True, tag="inflict-wound"):
    """Something deals a wound directly: `! wounds kess "poison"`."""

    verbs: ClassVar[tuple[str, ...]] = ("wounds",)
    aside: ClassVar[bool] = True

    target: Annotated[str, say(being=True, word=True)]
    source: str = ""


class SetLight(Declaration, frozen=True, kw_only=True, tag="light"):
    """How bright it is, until it is said otherwise: `! light dim`."""

    verbs: ClassVar[tuple[str, ...]] = ("light",)
    aside: ClassVar[bool] = True

    light: Annotated[Literal["bright", "dim", "very_dim", "dark"], say(word=True)]


class SetObscurity(Declaration, frozen=True, kw_only=True, tag="obscurity"):
    """Mist or fog that obscures everybody, until it is said otherwise: `! obscurity heavy`."""

    verbs: ClassVar[tuple[str, ...]] = ("obscurity",)
    aside: ClassVar[bool] = True

    obscurity: Annotated[Literal["none", "light", "heavy"], say(word=True)]


class SetDistance(Declaration, frozen=True, kw_only=True, tag="distance"):
    """How far apart two are, until one of them moves: `! distance kess brute short`, or in feet: `... 30`."""

    verbs: ClassVar[tuple[str, ...]] = ("distance",)
    aside: ClassVar[bool] = True

    between: Annotated[tuple[str, ...], say(being=True, word=True)]
    at: Annotated[Far | None, say(word=True)] = None
    feet: Annotated[int | None, say(word=True)] = None


class Ailment(Declaration, frozen=True, kw_only=True):
    """What a failed Might defence brings, said before the roll."""

    aside: ClassVar[bool] = True

    target: Annotated[str, say(being=True, word=True)]
    difficulty: Annotated[int, say("v")]
    damage: Annotated[int, say("d")] = 0
    damage_type: Literal["normal", "speed", "intellect"] = "normal"
    ambient: Annotated[bool, say(word=True)] = False
    lasting: Annotated[bool, say(word=True)] = False
    wound: Annotated[bool, say(word=True)] = False
    lose_action: Annotated[bool, say(word=True)] = False
    on_fail: tuple[Effect, ...] = ()
    source: str = ""


class Poison(Ailment, frozen=True, kw_only=True, tag="poison"):
    """Somebody is poisoned: `! poison kess v5 d3 "the wine"`; then `k resist poison e1`."""

    verbs: ClassVar[tuple[str, ...]] = ("poison",)


class Disease(Ailment, frozen=True, kw_only=True, tag="disease"):
    """Somebody falls ill: `! disease kess v4 d2 lasting "grey fever"`; then `k resist disease`, once a day.

    It goes on until the game master ends it: `! condition kess diseased off`.
    """

    verbs: ClassVar[tuple[str, ...]] = ("disease",)


class SetCondition(Declaration, frozen=True, kw_only=True, tag="condition"):
    """Something holds for somebody, or no longer: `! condition kess dazed`, `! condition brute rattled defence=-1 10m`.

    `whose` is the slot on which its rounds hang, if not the one that is running.
    """

    verbs: ClassVar[tuple[str, ...]] = ("condition",)
    aside: ClassVar[bool] = True

    target: Annotated[str, say(being=True, word=True)]
    name: Annotated[str, say(word=True)]
    off: Annotated[bool, say(word=True)] = False
    text: str = ""
    rounds: int | None = None
    lasts: Annotated[int | None, say(seconds=True)] = None
    until: Annotated[Literal["encounter", "ruled"] | None, say(word=True)] = None
    tasks: int = 0
    attacks: int = 0
    defence: int = 0
    armor: int = 0
    magic: int = 0
    effort: int = 0
    trained: str = ""
    specialized: str = ""
    whose: Annotated[str, say(being=True)] = ""


class WoundRoll(Declaration, frozen=True, kw_only=True, tag="wound-roll"):
    """Roll for a wound that is due, one's own or an elite's: `k wound`, `k wound captain`."""

    verbs: ClassVar[tuple[str, ...]] = ("wound",)
    alone: ClassVar[bool] = True  # the game master's side rolls for an elite that no character struck (DB-DMG-6)

    who: Annotated[str, say(being=True, word=True)] = ""


class Rest(Declaration, frozen=True, kw_only=True, tag="rest"):
    """Rest and recover: `k rest ten_minutes`, `k rest one_action split=might:4,speed:1`."""

    verbs: ClassVar[tuple[str, ...]] = ("rest",)

    kind: Annotated[Literal["one_action", "ten_minutes", "one_hour", "ten_hours"], say(word=True)]
    split: tuple[Cost, ...] = ()
    order: tuple[Stat, ...] = ()
    heal_health: bool = True
    heal_wound: bool = True


class HealWound(Declaration, frozen=True, kw_only=True, tag="heal-wound"):
    """Care or a power heals a wound faster: `! heal kess 1 wound="Kess w1" "Tamsin's needle"`."""

    verbs: ClassVar[tuple[str, ...]] = ("heal",)
    aside: ClassVar[bool] = True

    target: Annotated[str, say(being=True, word=True)]
    points: Annotated[int, say(word=True)] = 1
    reason: str
    wound: Annotated[str, say(word=True)]


class AdvanceTime(Declaration, frozen=True, kw_only=True, tag="advance-time"):
    """Time passes: `! time 2h "waiting for the tide"`."""

    verbs: ClassVar[tuple[str, ...]] = ("time",)
    aside: ClassVar[bool] = True

    seconds: Annotated[int, say(seconds=True)]
    label: str = ""
    rest_day: Annotated[tuple[str, ...], say(being=True)] = ()


DECLARATIONS: tuple[type[Declaration], ...] = (
    Attempt,
    Retry,
    ForbidRetry,
    SpendDestiny,
    SpendDoom,
    Close,
    SetOption,
    Adjust,
    CreateCharacter,
    ChangeSheet,
    CreateNpc,
    CreateObject,
    Attack,
    AreaAttack,
    Defence,
    TakeCover,
    Intercept,
    CastSpell,
    StartLongSpell,
    FinishLongSpell,
    StartEncounter,
    Initiative,
    NewInitiative,
    JoinEncounter,
    LeaveEncounter,
    EndEncounter,
    Move,
    Charge,
    FullDefence,
    Interrupt,
    Pass,
    Delay,
    Deed,
    QuickDeed,
    UseAbility,
    Damage,
    Hazard,
    Poison,
    Disease,
    InflictWound,
    SetLight,
    SetObscurity,
    SetDistance,
    SetCondition,
    WoundRoll,
    Rest,
    HealWound,
    AdvanceTime,
)
