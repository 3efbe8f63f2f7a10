"""Facts: what has happened, past tense, immutable; one closed vocabulary for all games.

Every fact carries `rules`: the ids that made it so, the main one first. A fact says in finished numbers what
changed; the fold checks `now` against its own sum, so that a fact which does not add up is found at that line.
Integers only, tuples only, tags typed out (they are the storage format). A kind is coded when its first user
comes; the table below is the whole plan, walked through the "Terms" and "Effects" of all five catalogues, and
counts from here on. Kinds in [brackets] wait for their first user.

What the walk changed against the first sketch, and why:
- `Founded` opens a ledger: its id, which every hash of dice needs, stands inside the chain.
- The delta is `change` everywhere (`by` is a person); points and tokens say `on` or `how`; points that found no
  room are `over`.
- `Judged` has `target`: a margin does not give it for roll-under, routine and automatic results. Prices, caps
  and die sizes are sums as well: `what` says which. `rolls` are purposes of this entry.
- `PoolSet` moves value and bounds in one fact, else a lower maximum would leave the pool out of bounds between.
- `TokensMoved.most` is a cap for the close, not for the fold: it may be exceeded while a window is open.
- `WindowChanged` is new: a reroll, a changed target and a refund alter an open roll.
- `ConditionChanged` is not: a condition that begins anew under its id says all that it now is.
- A failed attempt that may be tried again is a condition (`failed`): its `data` is what a retry inherits.
- `ConditionBegan.ends` is a tuple: the first end to come counts. `effects` are steps that it carries.
- `CountsCleared` is new: a turn, round or day clears every count that lasts until then.
- A grade of cover, hidden from whom, flat-footed against whom: conditions with `degree` and `about`, not ties.
- Lengths and speeds are millimetres; means are two counts; dice in words (`r12+2`) are text of the sheet.
- `Lapsed` is new: an entry that a correction makes impossible keeps what was said, and says why nothing came of it;
  a later correction may make it possible again. Only what was taken back has no facts.
- Ids of conditions, windows and wounds are made of words, never running numbers, so that no correction shifts them.

    Keys: DB Dusk Bastards, MO Momentum, MARS, SA Semiautomagic, ML Monolith. `x=` is a field value.

    CampaignCreated(ledger, name, game, rulebook)   all: the first record
    Declared(by, said, line, faces, claims)   all: first fact of every entry; what was said, faces typed and used
    SessionOpened(number, title, rulebook, commitment, fixed)   WordsAdded(who, words)   SessionClosed(seed)
    Joined(who, kind, side, sheet, seen)
      DB: create_character kind=pc; create_npc kind=npc, sheet grade=minion|elite, difficulty, damage,
          wound_limit, initiative, armor.<kind>; create_object kind=object; then PoolSet/TokensMoved
      MO: combatant pc|npc; zone kind=place; thrown weapon kind=item   MARS: shield kind=item; pc|npc
      SA: creature, mount; worn/held thing kind=item; cover kind=object; lit area kind=place
      ML: pc|npc; morale group kind=group, sheet resolve
    Left(who, because)   all: gone from the campaign; flight within a fight is condition `fled`
    SheetChanged(who, key, was, now, because)
      DB: stat maximum, level, effort_limit, skill.<task>, armor.<kind>; MO: Defense, score, weapon,
          tags, shield; MARS: acquire_maneuver, brandish key=in_hand, permanent stat; SA: location row,
          item T/Target, cover T/durability/matters; ML: armor, score, weapon, group resolve
    Rolled(who, purpose, source, dice)   Die(ordinal, sides, face, kept, why, of)
      DB: task|initiative|wound d12 Dawn, d12 Dusk in this order; recovery d6; reroll = new entry
      MO: check 2d12 (two pairs with dis/advantage); damage: why=extra|precise|help, of=parent ordinal
      MARS: attack, defence, damage, resist, initiative, fortitude; why=advantage|disadvantage, of=die
      SA: attack, defence, damage, stealth, perception, fortitude, dying, stabilise d10
      ML: save d20; damage per weapon (and target if blast), dual: one kept; `damage brute wolf`
    Judged(what, who, against, sums, total, target, result, margin, rolls, window, final, seen)
    Sum(name, start, steps, total)   Step(op, value, rule, reason, now, counted)
      DB: task result=success|failure|routine|automatic failure with the sums cost, difficulty, target
          number, total; destined effect result=dawn|dusk|eclipse; initiative; wound; armor; recovery
      MO: check target=20-score; allowance (caps); attack (entry, distance); hit target=Defense,
          total=hits after -1 Defend
      MARS: initiative; attack against=deflection total, result=fail|graze|hit|critical; damage; block;
          resist full|half|none; dying; check; price (AP); recovery; speed
      SA: target (base, stance|cover, invisible, concealment, speed, location); attack hit|missed|
          hit_cover|missed_both|wrong_square|jammed; cover; defence negated; toughness wound|dying
      ML: dice d4|d12|weapon; damage (highest, armor, new this Round); save (total=face<=target=score)
    PoolSet(who, pool, was, now, least, most, because)   opens a pool, or moves its bounds
      DB: might|speed|intellect 0..max; health 0..effective maximum (severe, critical; cut in `now`);
          object state 0 broken 1 damaged 2 whole   MO: hp   ML: hp, body   MARS: health least=None,
          endurance, stamina, focus, shield durability   SA: none (T = sheet - wounds)
    PointsSpent(who, pool, points, now, because)
      DB: on=initial cost|Effort n|ability|spell; MARS: stamina on=block|evade|parry|move|<maneuver>; focus
    PointsRegained(who, pool, points, now, because, over)
      DB: how=refund (Eclipse), destiny, rest, encounter, rising (1 health), ruling; MARS: rest, treat,
          restore, repair (durability); ML, MO: ruling
    PointsLost(who, pool, points, now, because, by, over)
      DB: health how=damage|hazard, object state; MO: hp how=hits, over=surplus; MARS: endurance then
          health, durability, how=damage|nonlethal|dying|sickness; ML: hp, then body how=direct
    TokensMoved(who, token, change, now, most, because)
      DB: destiny most=level how=dawn|eclipse|reroll|regain|activate|change_target|overflow; doom who=gm
          most=None how=dusk|eclipse|change_target|<purpose>; others have none
    Counted(who, name, change, now, of, until, because)   who="" is the campaign
      DB: rest.<slot> of=1 until=day; lasting; moved (band) until=round; melee_round until=encounter;
          day   MO: attacks until=turn; reactions (since own turn) until=encounter
      MARS: attacks (MAP), moves, zero_actions, maneuver.<m> until=turn;
          dying.successes|failures of=3; short_rests of=2, long_rests of=1 until=day; sick days of=7
      SA: squares, speed_mm until=turn; dying_dc; dying_checks until=round   ML: feet, dealt
          (highest net) until=round; start, morale.first|half until=encounter
    CountsCleared(until, who)
      DB: day (own ten-hour rest), round; MO: turn, round; MARS: turn, encounter, rest, day; ML: round
    Allowed(who, actions, until)   ActionSpent(who, action, cost, left, how)
      DB: move, standard, bonus, reaction 1 each until=round; how=used|lost|given_up|passed
      MO: action 0..2 until=turn, reaction 1 (pc) until=round; how=unused at end_turn
      MARS: ap 3, reaction 1; how=stun pays AP; long action pays ap    SA: seconds 6 (mount control 2)
      ML: move 1, action 1 (second move spends the action)
    Wounded(who, wound, kind, value, in_force, at, encounter, by)
    WoundChanged(who, wound, kind, value, in_force, because)
      DB: kind=winded|light|moderate|severe|critical value=1|2|4|6|8; into force; heals to 0 = gone
      SA: creature, item, cover value=1 each (T-1), at=<location row>; heal = value 0
    ConditionBegan(id, who, name, degree, of, effects, about, ends, data)   Ends(at, whose, phase, due)
    ConditionEnded(id, who, name, because)   (one that begins anew under its id has changed)
      DB: dazed stunned prone paralysed poisoned diseased blind deaf cover full_cover hidden invisible
          incapacitated dead; charge (about=target), take_cover (next attack), defending, rising,
          guarded (Intercept, about=interceptor), casting, delayed, no_standard, failed (for retry),
          exposed (hazard per round); effects=(("tasks"|"attacks"|"defence", steps))
      MO: momentum, wounded, down, dead, fled   ML: intent until=round, critical ends=seconds, treated,
          stable, unconscious, dead, fled
      MARS: blind burning(n) debilitation enhancement dying en/overencumbered prone sickness(n)
          stunned(k) unconscious dead; stat change effects=(("strength",2)); surprised; in_cover
          about=object; readied data=action; long action degree=paid of=need; concentration
          about=effect; rest_interrupted data=rest left; treated; injured
      SA: crouching|prone (stance), cover degree=grade about=cover object, hiding degree=perception DC,
          concealed, unseen about=observer, located about=attacker, flat_footed about=attacker, flanked,
          dying, dead, stable, staggered, jammed, destroyed; arm|hand|leg, grounded about=wound;
          crawling, hazy|darkness on a place, controlled (mount)
    Placed(who, place, square)   Linked(one, tie, other, on, degree)   on=False: tied no longer
      DB: distance degree=band 0..4; near (charge)   MO: Placed in zone; neighbour zone-zone; holds
      MARS: holds shield; member of team when not a side   SA: square; rides, holds, wears
      ML: member, leader of group
    EncounterBegan(encounter, kind, scale, sides, because)   OrderSet(slots, because)   Slot(slot, score, who)
    Reached(point, round, phase, who)   EncounterEnded(encounter, because, out)
      DB: scale combat|exploration|downtime; one slot per being, score=initiative; phases movement
          (reverse), action; interrupt = point handed, then resumed   MO: slots pc, foe; phases momentum, pc, foe
      MARS: kind opposed|danger|challenge; slots = teams; round 0 = surprise   SA: turns, mount in the
          rider's slot   ML: slots and phases first, opponents, others; else phases
          declaring, acting; end_part = point phase_end; awaited = who is to declare
    TimePassed(seconds, because)   Rested(who, rest, whole)
      DB: 4 rests, take20 label; advance_time; MARS: short|long whole=False: broken off; challenge
          turn (mean as numerator, denominator Counted); end_day   ML: 10 s a Round, pass_time, rest
    WindowOpened(window, kind, who, awaits, data)   WindowChanged(window, awaits, data)
    WindowClosed(window, how)
      DB: roll (task|initiative|wound, spent, refunded, tokens of this task, shift), wound due
      MO: announced attack, opening check due   MARS: tie, concentration check due, announced
      SA: fortitude due, announced   ML: order (who may still save to act first)
    OptionSet(name, was, now, because, agreed)   all toggles/options of the five tables
    Ruled(name, text, because, about, cites, scope, agreed, repeals, sets)
      DB: forbid_retry about=<entry>, two actions, doom purpose, activate, two-mover cancel; MO: help,
          bypass_momentum, flee; MARS: ruling, initiative tie, wake; SA: cover grade; ML: area, order
    Amended(entry, outcome, because, agreed)   Invalidated(code, what)
    Claimed(value, claimed, actual)   [Revealed(what)]
    Told(kind, by, text, seen)   kind scene|fiction|quote|deed|telegraph|notice (MARS notices)
"""

from __future__ import annotations

import re
from typing import Annotated, Final, get_args

import msgspec

from ledger.errors import Unreadable
from ledger.names import NUMBER_MOST

Whole = Annotated[int, msgspec.Meta(ge=-NUMBER_MOST, le=NUMBER_MOST)]
Scalar = Whole | str
Sheet = tuple[tuple[str, Scalar], ...]
ENTRY = re.compile(r"([0-9]{1,6})\.([0-9]{1,6})(?:\+([0-9]{1,4}))?", re.ASCII)
RESERVED: Final = ("gm", "table", "book")  # speakers that are no beings
GM: Final = "gm"


class EntryId(msgspec.Struct, frozen=True, order=True, gc=False):
    """Which entry: `3.42`, or `3.42+1` for one that was put in later. Ids sort in the order of history."""

    session: int
    number: int
    insert: int = 0

    def __str__(self) -> str:
        return f"{self.session}.{self.number}" + (f"+{self.insert}" if self.insert else "")

    @property
    def before(self) -> EntryId:
        """Behind all entries that stand before this one, whether or not there is one of that number."""
        return EntryId(self.session, self.number, self.insert - 1)


def entry_id(text: str) -> EntryId:
    """The id that `text` names. Raises Unreadable when it names none."""
    found = ENTRY.fullmatch(text.strip())
    if found is None:
        raise Unreadable(f"'{text}' is no entry", hint="Entries are written 3.42 (session 3, entry 42).")
    session, number, insert = found.groups()
    return EntryId(int(session), int(number), int(insert or 0))


class Die(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One die as it lay: its ordinal is the one that its face is keyed by, 0 for the first of a purpose.

    `why` says what it is (Dawn), or why it came; `of` is the ordinal of the die that caused it.
    """

    ordinal: Whole
    sides: Whole
    face: Whole
    kept: bool = True
    why: str = ""
    of: Whole | None = None


class Step(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One line of arithmetic: the operation, its operand, whose rule, why, and the value so far.

    `op` is one of + - * /up /down min max set. A step that is not `counted` was left out (a cap, the worse of two).
    """

    op: str
    value: Whole
    rule: str
    reason: str
    now: Whole
    counted: bool = True


class Sum(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A named sum with its steps, finished: `why` prints it, nobody works it out twice."""

    name: str
    start: Whole
    steps: tuple[Step, ...]
    total: Whole


class Ends(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """When something ends: at a slot, turn, phase, round, encounter, rest, day, seconds, use, move or ruling.

    `whose` is the anchor; `due` the absolute round, day or second, or the uses left, else 0.
    """

    at: str
    whose: str = ""
    phase: str = ""
    due: Whole = 0


class Slot(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A place in the order: its name, its score where there is one, and who acts in it (nobody any more: empty)."""

    slot: str
    score: int | None
    who: tuple[str, ...]


class BaseFact(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="fact", gc=False):
    """Something that happened at the table. Never edited, only added to."""

    rules: tuple[str, ...] = ()  # ids of the rules that made it so, the main one first


class CampaignCreated(BaseFact, frozen=True, kw_only=True, tag="campaign-created", gc=False):
    """A campaign began. `ledger` is its id for ever: 32 hex digits, part of every hash of dice."""

    ledger: str
    name: str
    game: str
    rulebook: str


class Declared(BaseFact, frozen=True, kw_only=True, tag="declared", gc=False):
    """The first fact of every entry: who said what. `faces` are those typed in and used, or None.

    `claims` are what the table remembers or a print says of the outcome, as pairs of a name and what it should be.
    """

    by: str
    said: msgspec.Raw
    line: str
    faces: tuple[Whole, ...] | None
    claims: tuple[tuple[str, Scalar], ...] = ()


class SessionOpened(BaseFact, frozen=True, kw_only=True, tag="session-opened", gc=False):
    """An evening began, under the installed rulebook, with a commitment to its seed. `fixed`: not a secret one."""

    number: Whole
    title: str
    rulebook: str
    commitment: str
    fixed: bool


class WordsAdded(BaseFact, frozen=True, kw_only=True, tag="words-added", gc=False):
    """A player's words went into the key, before the first face."""

    who: str
    words: str


class SessionClosed(BaseFact, frozen=True, kw_only=True, tag="session-closed", gc=False):
    """The evening ended and its seed (64 hex digits) is open to all."""

    seed: str


class Joined(BaseFact, frozen=True, kw_only=True, tag="joined", gc=False):
    """A being came into play with its sheet. `kind`: pc, npc, object, item, group or place."""

    who: str
    kind: str
    side: str
    sheet: Sheet
    seen: str


class Left(BaseFact, frozen=True, kw_only=True, tag="left", gc=False):
    """A being is gone from the campaign."""

    who: str
    because: str


class SheetChanged(BaseFact, frozen=True, kw_only=True, tag="sheet-changed", gc=False):
    """An entry of a sheet is not what it was; None: it does not stand there."""

    who: str
    key: str
    was: Scalar | None
    now: Scalar | None
    because: str


class Rolled(BaseFact, frozen=True, kw_only=True, tag="rolled", gc=False):
    """Dice were thrown. All that ever lay on the table stays, kept or not."""

    who: str
    purpose: str
    source: str
    dice: tuple[Die, ...]


class Judged(BaseFact, frozen=True, kw_only=True, tag="judged", gc=False):
    """A result, with all the arithmetic that led to it. It counts when `final`."""

    what: str
    who: str
    against: str = ""
    sums: tuple[Sum, ...] = ()
    total: Whole | None = None
    target: Whole | None = None
    result: str
    margin: Whole | None = None
    rolls: tuple[str, ...] = ()
    window: str = ""
    final: bool
    seen: str = "table"


class PoolSet(BaseFact, frozen=True, kw_only=True, tag="pool-set", gc=False):
    """A pool was opened, or its value or bounds were set at once. `most` None: no upper bound."""

    who: str
    pool: str
    was: Whole
    now: Whole
    least: Whole | None
    most: Whole | None
    because: str = ""


class PointsSpent(BaseFact, frozen=True, kw_only=True, tag="points-spent", gc=False):
    """Points left a pool by choice. `on` what they were spent; what that bought is another fact."""

    who: str
    pool: str
    points: Whole
    now: Whole
    because: str


class PointsRegained(BaseFact, frozen=True, kw_only=True, tag="points-regained", gc=False):
    """Points came back to a pool. `over` found no room in it."""

    who: str
    pool: str
    points: Whole
    now: Whole
    because: str
    over: Whole = 0


class PointsLost(BaseFact, frozen=True, kw_only=True, tag="points-lost", gc=False):
    """Points were taken from a pool. `over` found nothing left to take; `by` is who took them, if anybody."""

    who: str
    pool: str
    points: int
    now: int
    because: str
    by: str = ""
    over: int = 0


class TokensMoved(BaseFact, frozen=True, kw_only=True, tag="tokens-moved", gc=False):
    """Tokens came or went. `most` is what may be held when no window is open; None: no cap."""

    who: str
    token: str
    change: Whole
    now: Whole
    most: Whole | None
    because: str


class Counted(BaseFact, frozen=True, kw_only=True, tag="counted", gc=False):
    """A count went up or down: `of` so many, kept until the next turn, round, day, encounter, or for good."""

    who: str
    name: str
    change: int
    now: int
    of: int | None = None
    until: str = ""
    because: str = ""


class CountsCleared(BaseFact, frozen=True, kw_only=True, tag="counts-cleared", gc=False):
    """All counts that were kept until then start anew, of one being or of all (empty)."""

    until: str
    who: str = ""


class Allowed(BaseFact, frozen=True, kw_only=True, tag="allowed", gc=False):
    """So many of each action may be taken from here on."""

    who: tuple[str, ...]
    actions: tuple[tuple[str, int], ...]
    until: str


class ActionSpent(BaseFact, frozen=True, kw_only=True, tag="action-spent", gc=False):
    """An action was used, passed, given up or lost."""

    who: str
    action: str
    cost: int
    left: int
    how: str


class Wounded(BaseFact, frozen=True, kw_only=True, tag="wounded", gc=False):
    """A wound was taken: its kind and value, where, in which encounter, by whom, and whether it bears yet."""

    who: str
    wound: str
    kind: str
    value: Whole
    in_force: bool
    at: str = ""
    encounter: str = ""
    by: str = ""


class WoundChanged(BaseFact, frozen=True, kw_only=True, tag="wound-changed", gc=False):
    """A wound healed, came into force, or became another kind. Value 0: it is gone."""

    who: str
    wound: str
    kind: str
    value: int
    in_force: bool
    because: str


class ConditionBegan(BaseFact, frozen=True, kw_only=True, tag="condition-began", gc=False):
    """Something holds for somebody until the first of its `ends` comes. `data` is the game's own note (JSON)."""

    id: str
    who: str
    name: str
    degree: Whole = 1
    of: Whole | None = None
    effects: tuple[tuple[str, Whole], ...] = ()
    about: str = ""
    ends: tuple[Ends, ...] = ()
    data: str = ""


class ConditionEnded(BaseFact, frozen=True, kw_only=True, tag="condition-ended", gc=False):
    """It holds no longer: due, used, removed or replaced."""

    id: str
    who: str
    name: str
    because: str


class Placed(BaseFact, frozen=True, kw_only=True, tag="placed", gc=False):
    """Somebody or something is in a place now: a zone, a room; on a `square` of it where it has squares."""

    who: str
    place: str
    square: tuple[Whole, Whole] | None = None


class Linked(BaseFact, frozen=True, kw_only=True, tag="linked", gc=False):
    """A tie from one being to another (neighbour, holds, member), or its end. One that holds both ways is two facts."""

    one: str
    tie: str
    other: str
    on: bool = True
    degree: Whole = 1


class EncounterBegan(BaseFact, frozen=True, kw_only=True, tag="encounter-began", gc=False):
    """A scene with turns began; who is in it, by side, in order of joining."""

    encounter: str
    kind: str
    scale: str
    sides: tuple[tuple[str, tuple[str, ...]], ...]
    because: str = ""


class OrderSet(BaseFact, frozen=True, kw_only=True, tag="order-set", gc=False):
    """The order of the turns, first to last. It stays until it is set again."""

    slots: tuple[Slot, ...]
    because: str = ""


class Reached(BaseFact, frozen=True, kw_only=True, tag="reached", gc=False):
    """A point of the cycle, once each: round, round_end, phase, phase_end, slot, slot_end, skipped; and a slot
    reordered by new initiative, or handed to another and resumed, which may happen again. `awaited`: somebody's word.
    """

    point: str
    round: int
    phase: str = ""
    who: str = ""


class EncounterEnded(BaseFact, frozen=True, kw_only=True, tag="encounter-ended", gc=False):
    """The scene with turns is over."""

    encounter: str
    because: str = ""
    out: tuple[str, ...] = ()


class TimePassed(BaseFact, frozen=True, kw_only=True, tag="time-passed", gc=False):
    """The clock of the story went on by so many seconds."""

    seconds: Whole
    because: str


class Rested(BaseFact, frozen=True, kw_only=True, tag="rested", gc=False):
    """Somebody rested; `whole` unless the rest was broken off."""

    who: str
    rest: str
    whole: bool = True


class WindowOpened(BaseFact, frozen=True, kw_only=True, tag="window-opened", gc=False):
    """Something waits for an answer: an open roll, an announced attack, a check that is due."""

    window: str
    kind: str
    who: str
    awaits: tuple[str, ...]
    data: str


class WindowChanged(BaseFact, frozen=True, kw_only=True, tag="window-changed", gc=False):
    """What waits is not what it was: rerolled, shifted, refunded, redirected."""

    window: str
    awaits: tuple[str, ...]
    data: str


class WindowClosed(BaseFact, frozen=True, kw_only=True, tag="window-closed", gc=False):
    """Nothing waits any more: done, closed by the next declaration (auto), or void."""

    window: str
    how: str


class OptionSet(BaseFact, frozen=True, kw_only=True, tag="option-set", gc=False):
    """The table chose a reading. It holds for what is declared after it."""

    name: str
    was: Scalar | None
    now: Scalar
    because: str
    agreed: tuple[str, ...] = ()


class Ruled(BaseFact, frozen=True, kw_only=True, tag="ruled", gc=False):
    """A decision of the game master. Numbers that follow from it are further facts of the same entry.

    `scope`: once, or law for what comes after it: for the session, or for the campaign. `about` is an entry or a value
    that it decides, `repeals` the entry of an earlier ruling that is law no longer. `sets` are numbers and words that
    hold with it, under names that the game looks up.
    """

    name: str
    text: str
    because: str
    about: str = ""
    cites: tuple[str, ...] = ()
    scope: str = "once"
    agreed: tuple[str, ...] = ()
    repeals: str = ""
    sets: Sheet = ()


class Amended(BaseFact, frozen=True, kw_only=True, tag="amended", gc=False):
    """What was said at an earlier entry is corrected: one fact for each entry of which the correction says so itself.

    `entry` is the take that counted until then (`1.4@1`), or a new entry (`1.4+1`). `outcome`: undo (a line is taken
    back), drop, retcon, insert, answer (faces or a place that the table was asked for), revoke (a correction is taken
    back), restore (what was said before it counts again), stand (the error is noted), compensate (an adjustment).
    The takes that follow from it are written in the same transaction, with this entry as their cause.
    """

    entry: str
    outcome: str
    because: str
    agreed: tuple[str, ...] = ()


class Invalidated(BaseFact, frozen=True, kw_only=True, tag="invalidated", gc=False):
    """What was said is no longer possible after a correction: the refusal. Nothing else of the entry has happened."""

    code: str
    what: str


class Told(BaseFact, frozen=True, kw_only=True, tag="told", gc=False):
    """A scene, fiction, a quote or a deed, kept for the recap."""

    kind: str
    by: str
    text: str
    seen: str = "table"


class Claimed(BaseFact, frozen=True, kw_only=True, tag="claimed", gc=False):
    """The table read a value aloud. Compared with the ledger's own, and sets nothing."""

    value: str
    claimed: Scalar
    actual: Scalar | None


Fact = (
    CampaignCreated
    | Declared
    | SessionOpened
    | WordsAdded
    | SessionClosed
    | Joined
    | Left
    | SheetChanged
    | Rolled
    | Judged
    | PoolSet
    | PointsSpent
    | PointsRegained
    | PointsLost
    | TokensMoved
    | Counted
    | CountsCleared
    | Allowed
    | ActionSpent
    | Wounded
    | WoundChanged
    | ConditionBegan
    | ConditionEnded
    | Placed
    | Linked
    | EncounterBegan
    | OrderSet
    | Reached
    | EncounterEnded
    | TimePassed
    | Rested
    | WindowOpened
    | WindowChanged
    | WindowClosed
    | OptionSet
    | Ruled
    | Amended
    | Invalidated
    | Told
    | Claimed
)
KINDS: Final[tuple[type[BaseFact], ...]] = get_args(Fact)
UNFOLDED: Final[tuple[type[BaseFact], ...]] = (Declared, Rolled, Judged, Rested, Amended, Invalidated, Told, Claimed)
"""Kinds that are told and kept, and move no state of the tally."""


def tag(kind: type[BaseFact]) -> str:
    """The kind's name in storage, as in `points-spent`."""
    return str(kind.__struct_config__.tag)
