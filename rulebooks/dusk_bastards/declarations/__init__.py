"""The declarations of Dusk Bastards, and how each is written in a line.

A field's type says which values it takes, `syntax` how they are typed. Ranges that the book names are checked where the
book is read, so that the refusal carries the book's own code. None means: what the sheet or the state knows.
"""

from __future__ import annotations

from rulebooks.common.adjustments import Adjust as Adjust
from rulebooks.common.options import SetOption as SetOption
from rulebooks.dusk_bastards.declarations.combat import AreaAttack as AreaAttack
from rulebooks.dusk_bastards.declarations.combat import Attack as Attack
from rulebooks.dusk_bastards.declarations.combat import CastSpell as CastSpell
from rulebooks.dusk_bastards.declarations.combat import Defence as Defence
from rulebooks.dusk_bastards.declarations.combat import FinishLongSpell as FinishLongSpell
from rulebooks.dusk_bastards.declarations.combat import Intercept as Intercept
from rulebooks.dusk_bastards.declarations.combat import Spell as Spell
from rulebooks.dusk_bastards.declarations.combat import StartLongSpell as StartLongSpell
from rulebooks.dusk_bastards.declarations.combat import Strike as Strike
from rulebooks.dusk_bastards.declarations.combat import TakeCover as TakeCover
from rulebooks.dusk_bastards.declarations.harm import Ailment as Ailment
from rulebooks.dusk_bastards.declarations.harm import Damage as Damage
from rulebooks.dusk_bastards.declarations.harm import Disease as Disease
from rulebooks.dusk_bastards.declarations.harm import Hazard as Hazard
from rulebooks.dusk_bastards.declarations.harm import HealWound as HealWound
from rulebooks.dusk_bastards.declarations.harm import InflictWound as InflictWound
from rulebooks.dusk_bastards.declarations.harm import Poison as Poison
from rulebooks.dusk_bastards.declarations.harm import Rest as Rest
from rulebooks.dusk_bastards.declarations.harm import SetCondition as SetCondition
from rulebooks.dusk_bastards.declarations.harm import WoundRoll as WoundRoll
from rulebooks.dusk_bastards.declarations.parts import BANDS as BANDS
from rulebooks.dusk_bastards.declarations.parts import STATS as STATS
from rulebooks.dusk_bastards.declarations.parts import Armor as Armor
from rulebooks.dusk_bastards.declarations.parts import Asset as Asset
from rulebooks.dusk_bastards.declarations.parts import Band as Band
from rulebooks.dusk_bastards.declarations.parts import Change as Change
from rulebooks.dusk_bastards.declarations.parts import Cost as Cost
from rulebooks.dusk_bastards.declarations.parts import Denied as Denied
from rulebooks.dusk_bastards.declarations.parts import Effect as Effect
from rulebooks.dusk_bastards.declarations.parts import Far as Far
from rulebooks.dusk_bastards.declarations.parts import Modifier as Modifier
from rulebooks.dusk_bastards.declarations.parts import Row as Row
from rulebooks.dusk_bastards.declarations.parts import SheetSkill as SheetSkill
from rulebooks.dusk_bastards.declarations.parts import Spot as Spot
from rulebooks.dusk_bastards.declarations.parts import Stat as Stat
from rulebooks.dusk_bastards.declarations.parts import Use as Use
from rulebooks.dusk_bastards.declarations.sheets import ChangeSheet as ChangeSheet
from rulebooks.dusk_bastards.declarations.sheets import Character as Character
from rulebooks.dusk_bastards.declarations.sheets import CreateCharacter as CreateCharacter
from rulebooks.dusk_bastards.declarations.sheets import CreateNpc as CreateNpc
from rulebooks.dusk_bastards.declarations.sheets import CreateObject as CreateObject
from rulebooks.dusk_bastards.declarations.tasks import Attempt as Attempt
from rulebooks.dusk_bastards.declarations.tasks import Close as Close
from rulebooks.dusk_bastards.declarations.tasks import Directed as Directed
from rulebooks.dusk_bastards.declarations.tasks import ForbidRetry as ForbidRetry
from rulebooks.dusk_bastards.declarations.tasks import Retry as Retry
from rulebooks.dusk_bastards.declarations.tasks import Search as Search
from rulebooks.dusk_bastards.declarations.tasks import SpendDestiny as SpendDestiny
from rulebooks.dusk_bastards.declarations.tasks import SpendDoom as SpendDoom
from rulebooks.dusk_bastards.declarations.tasks import Task as Task
from rulebooks.dusk_bastards.declarations.turns import Charge as Charge
from rulebooks.dusk_bastards.declarations.turns import Deed as Deed
from rulebooks.dusk_bastards.declarations.turns import Delay as Delay
from rulebooks.dusk_bastards.declarations.turns import EndEncounter as EndEncounter
from rulebooks.dusk_bastards.declarations.turns import FullDefence as FullDefence
from rulebooks.dusk_bastards.declarations.turns import Initiative as Initiative
from rulebooks.dusk_bastards.declarations.turns import Interrupt as Interrupt
from rulebooks.dusk_bastards.declarations.turns import JoinEncounter as JoinEncounter
from rulebooks.dusk_bastards.declarations.turns import LeaveEncounter as LeaveEncounter
from rulebooks.dusk_bastards.declarations.turns import Move as Move
from rulebooks.dusk_bastards.declarations.turns import NewInitiative as NewInitiative
from rulebooks.dusk_bastards.declarations.turns import Pass as Pass
from rulebooks.dusk_bastards.declarations.turns import QuickDeed as QuickDeed
from rulebooks.dusk_bastards.declarations.turns import StartEncounter as StartEncounter
from rulebooks.dusk_bastards.declarations.turns import UseAbility as UseAbility
from rulebooks.dusk_bastards.declarations.world import AdvanceTime as AdvanceTime
from rulebooks.dusk_bastards.declarations.world import SetDistance as SetDistance
from rulebooks.dusk_bastards.declarations.world import SetLight as SetLight
from rulebooks.dusk_bastards.declarations.world import SetObscurity as SetObscurity
