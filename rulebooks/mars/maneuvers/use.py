"""The use of a maneuver: its row, its weapon and skill, its price, and what is recorded of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec

from ledger.facts import Counted, Fact, Judged, Ruled
from projections.state import State
from rulebooks.mars.combat import weapons
from rulebooks.mars.declarations.maneuvers import Maneuver
from rulebooks.mars.maneuvers.slots import learned_maneuvers
from rulebooks.mars.maneuvers.table import SKILL, Row
from rulebooks.mars.tasks.stat_values import skill_rank, value_of
from rulebooks.mars.texts import option, refusal, value_refusal
from rulebooks.mars.turns.actions import Price, pay, price

RULE: Final = "GR-OUT-17"
MASTERY: Final = 5  # the rank of r12
USED: Final = "maneuver "
KNOCK_DOWN: Final = "knock-down"
BOTH: Final = "both"
STRIKES: Final = ("strike", "shots")
PROJECTILE: Final = "projectile"
TRIP: Final = "trip"


class Use(msgspec.Struct, frozen=True, kw_only=True):
    """A maneuver as somebody uses it.

    `weapon` is what it attacks with, if it does and not with the shield. `stamina` and `speed` are with everything that
    is added. `improvise` is `none` for one that is learned. `reaction`: it takes no action points, because it is one
    or was readied.
    """

    said: Maneuver
    row: Row
    weapon: weapons.Weapon | None
    skill: str
    improvise: str
    stamina: int
    speed: int
    reaction: bool
    readied: bool

    @property
    def who(self) -> str:
        """Return who uses it."""
        return self.said.by

    @property
    def target(self) -> str:
        """Return its target; empty if it has none."""
        return self.said.target

    @property
    def targets(self) -> tuple[str, ...]:
        """Return all of its targets."""
        return targets_of(self.said)

    @property
    def times(self) -> int:
        """GR-OUT-17: how many times over it adds what it adds: twice, where 1 more stamina doubles that."""
        return 2 if self.said.boost and self.row.boost == "doubles" else 1

    @property
    def metres(self) -> int:
        """Return the metres of a run or a leap, or to the target; the least of a run or leap, if none are said."""
        return self.said.metres or self.row.run or self.row.reach or int(self.row.leap)

    @property
    def moves(self) -> int:
        """Return the metres that its maker moves with it."""
        return self.metres if self.row.run or self.row.leap else 0


def targets_of(said: Maneuver) -> tuple[str, ...]:
    """Return all targets of a line."""
    return (*((said.target,) if said.target else ()), *said.also)


def skill_of(said: Maneuver, row: Row, weapon: weapons.Weapon | None, state: State) -> str:
    """GR-MAN-3: return the skill that is said, that of the weapon, or the best; refuse one that is not trained."""
    skill = said.skill or usual_skill(said, row, weapon, state)
    if skill not in row.skills:
        raise refusal("SKILL", name=said.by, maneuver=row.name, skill=skill, skills=", ".join(row.skills))
    if not skill_rank(said.by, skill, state):
        case = "untrained"
        raise refusal("SKILL", case, name=said.by, maneuver=row.name, skill=skill, skills=", ".join(row.skills))
    return skill


def usual_skill(said: Maneuver, row: Row, weapon: weapons.Weapon | None, state: State) -> str:
    """Return the skill of the weapon that a maneuver attacks with, else the skill with the highest rank."""
    if weapon is not None:
        return weapon.skill
    return max(row.skills, key=lambda skill: skill_rank(said.by, skill, state))


def chosen_weapon(said: Maneuver, row: Row, state: State) -> weapons.Weapon:
    """Return the weapon that is said; else the first in hand that suits the mode and a skill of the maneuver."""
    if said.weapon:
        return weapons.wielded_weapon(said.by, said.weapon, state)
    held = [weapons.wielded_weapon(said.by, item, state) for item in weapons_in_hand(said.by, state)]
    fitting = [weapon for weapon in held if row.mode in ("", weapon.mode)]
    suited = [weapon for weapon in fitting if not missing_feature(row, weapon)]
    armed = [
        weapon for weapon in suited if weapon.name != weapons.BARE_HANDS or skill_rank(said.by, weapon.skill, state)
    ]
    skilled = [weapon for weapon in armed or fitting if weapon.skill in row.skills]
    return next(iter(skilled or armed or fitting or held))


def missing_feature(row: Row, weapon: weapons.Weapon) -> str:
    """GR-OUT-17: return what a maneuver needs and this weapon is not, in words; empty if it suits."""
    if PROJECTILE in row.needs and (weapon.mode != weapons.RANGED or "thrown" in weapon.features):
        return "a weapon that shoots"
    if TRIP in row.needs and TRIP not in weapon.features and weapon.name != weapons.BARE_HANDS:
        return "a weapon that trips"
    if row.mode not in ("", weapon.mode):
        return "a ranged weapon" if row.mode == weapons.RANGED else "a weapon for melee"
    return ""


def weapons_in_hand(who: str, state: State) -> tuple[str, ...]:
    """Return the names of the weapons in hand, bare hands last."""
    return (
        *(item for item in weapons.held_items(who, state) if weapons.item_text(who, item, "damage", state)),
        weapons.BARE_HANDS,
    )


def is_master(who: str, skill: str, state: State) -> bool:
    """GR-OUT-17: tell whether somebody has a skill at r12 or better."""
    return skill_rank(who, skill, state) >= MASTERY


def checked_skill(use: Use, state: State) -> str:
    """GR-OUT-17: return the skill of the roll besides the attack: the one said, or the best of several.

    Raises the refusal of one that the row does not have, and of a complex skill that is not trained.
    """
    names = tuple(use.skill if name == SKILL else name for name in use.row.check)
    if use.said.check and use.said.check not in names:
        raise value_refusal(f"the check of {use.row.name}", " or ".join(names) or "none", use.said.check)
    named = (use.said.check,) if use.said.check else names
    return max(named, key=lambda name: (value_of(use.who, name, state).roll.passive, -names.index(name)))


def price_of(use: Use, state: State) -> Price:
    """GR-MAN-2, GR-ACT-6: its speed and its stamina; a reaction takes no action points.

    GR-RDY-2: the reaction of one that was readied is taken by its trigger.
    """
    if use.readied:
        return Price(stamina=use.stamina)
    return price(use.who, use.speed, state, stamina=use.stamina, reaction=use.reaction)


def pay_use(use: Use, state: State) -> Iterator[Fact]:
    """GR-MAN-2: announce the maneuver, pay for it, and note that it is used; what is left to the table is a ruling."""
    yield judge_use(use, state)
    yield from pay(use.who, price_of(use, state), use.row.name, state, "GR-MAN-2", "GR-ACT-6")
    if state.encounter is not None:
        rules = ("GR-MAN-2", *(("GR-GAP-41",) if option(state, "maneuver_limit") == "one_total" else ()))
        yield Counted(rules=rules, who=use.who, name=USED + use.row.name, change=1, now=1, until="round")
    if use.row.left:
        yield left_to_the_table(use, use.row.left)


def judge_use(use: Use, state: State) -> Judged:
    """GR-MAN-3, GR-MAN-7: return the maneuver with its skill, and how it is improvised."""
    learned = learned_maneuvers(use.who, state).get(use.row.name, "")
    other = ("GR-MAN-3",) if learned and learned != use.skill else ()
    improvised = ("GR-MAN-7",) if use.improvise != "none" else ()
    how = f", improvised with {use.improvise}" if improvised else ""
    return Judged(
        rules=(RULE, "GR-MAN-4", *other, *improvised),
        what="maneuver",
        who=use.who,
        against=use.target,
        result=f"{use.row.name} ({use.row.type}, {use.skill}{how})",
        final=True,
    )


def left_to_the_table(use: Use, text: str, **words: object) -> Ruled:
    """GR-OUT-17: return what the table settles itself, in words."""
    words |= {"who": use.who, "target": use.target, "metres": use.metres, "difficulty": use.said.difficulty}
    return Ruled(rules=(RULE,), name="maneuver", text=text.format(**words), because=use.row.name, about=use.who)
