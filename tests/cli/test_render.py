"""Facts as text: short, and from the facts alone."""

from __future__ import annotations

import msgspec
import pytest

from cli.phrases.durations import duration, until
from cli.phrases.entries import fact_lines
from cli.phrases.patterns import find_pattern
from cli.phrases.results import step_text
from ledger.facts import (
    ActionSpent,
    Allowed,
    ConditionBegan,
    ConditionEnded,
    Counted,
    CountsCleared,
    Die,
    EncounterBegan,
    EncounterEnded,
    Ends,
    Joined,
    Judged,
    Linked,
    OrderSet,
    PointsLost,
    PointsRegained,
    PointsSpent,
    PoolSet,
    Reached,
    Rested,
    Rolled,
    SheetChanged,
    Slot,
    Step,
    Sum,
    TimePassed,
    TokensMoved,
    WindowClosed,
    WindowOpened,
    WoundChanged,
    Wounded,
)
from rulebooks import load_game
from rulebooks.common.texts import Wording

WORDING = Wording(unsaid=("rolled",), windows={"roll": "open for {awaits}"})


def slots(*places: tuple[str, int | None], empty: str = "") -> tuple[Slot, ...]:
    return tuple(Slot(slot=who, score=score, who=() if who == empty else (who,)) for who, score in places)


def reached(*points: str, round: int = 2, phase: str = "action", who: str = "Ash") -> tuple[Reached, ...]:
    bare = ("round", "round_end", "phase_end", "phase")
    return tuple(
        Reached(
            point=point, round=round, phase="" if point.startswith("round") else phase, who="" if point in bare else who
        )
        for point in points
    )


def lost(who: str = "Ash", **more) -> PointsLost:
    return PointsLost(**({"who": who, "pool": "health", "points": 5, "now": 5, "because": "attack"} | more))


def spent(who: str, action: str, outcome: str) -> ActionSpent:
    return ActionSpent(who=who, action=action, cost=1, left=0, outcome=outcome)


def wound(value: int = 1, *, in_force: bool = True, because: str = "a night's rest", name: str = "Ash w1"):
    return WoundChanged(who="Ash", wound=name, kind="winded", value=value, in_force=in_force, because=because)


DAMAGE = Judged(
    what="damage",
    who="thug",
    against="Ash",
    sums=(Sum(name="damage", start=5, steps=(), total=5),),
    total=5,
    result="hurt",
    final=True,
)
STOPPED = Judged(
    what="damage",
    who="thug",
    against="Ash",
    sums=(Sum(name="damage", start=1, steps=(Step(op="-", value=1, rule="R", because="mail", now=0),), total=0),),
    total=0,
    result="stopped",
    final=True,
)
INITIATIVE = Judged(
    what="initiative",
    who="Ash",
    sums=(Sum(name="steps", start=0, steps=(), total=0), Sum(name="total", start=6, steps=(), total=11)),
    total=11,
    result="rolled",
    rolls=("initiative Ash",),
    window="open roll",
    final=False,
)
FINAL = Judged(
    what="initiative", who="Ash", total=11, result="rolled", rolls=("initiative Ash",), window="open roll", final=True
)
DICE = Rolled(
    who="Ash",
    purpose="initiative Ash",
    source="seed",
    dice=(Die(ordinal=0, sides=12, face=6, label="Dawn"), Die(ordinal=1, sides=12, face=5, label="Dusk")),
)


@pytest.mark.parametrize(
    ("facts", "lines"),
    [
        # numbers: the speaker's own have no name, anybody else's do
        ([lost()], ["health 10>5 (attack)"]),
        ([lost(by="captain")], ["health 10>5 (attack, by captain)"]),
        ([lost(by="captain", now=0, over=3)], ["health 5>0 (attack, by captain, 3 over)"]),
        ([lost("thug", by="Ash")], ["thug health 10>5 (attack)"]),
        ([PointsSpent(who="Bryn", pool="speed", points=3, now=9, because="Effort 1")], ["Bryn speed 12>9 (Effort 1)"]),
        (
            [PointsRegained(who="Ash", pool="health", points=4, now=10, because="ten_hours rest")],
            ["health 6>10 (ten hours rest)"],
        ),
        (
            [TokensMoved(who="Bryn", token="destiny", change=1, now=1, most=2, because="Dawn")],
            ["Bryn destiny 0>1 (Dawn)"],
        ),
        ([TokensMoved(who="gm", token="doom", change=2, now=4, most=None, because="Dusk")], ["doom 2>4 (Dusk)"]),
        ([TokensMoved(who="gm", token="doom", change=0, now=4, most=None, because="joined")], []),
        (
            [PoolSet(who="Ash", pool="health", was=8, now=5, least=0, most=5, because="effective maximum")],
            ["health 8>5"],
        ),
        (
            [PoolSet(who="Bryn", pool="health", was=4, now=4, least=0, most=5, because="effective maximum")],
            ["Bryn health 4 of 5"],
        ),
        ([PoolSet(who="Ash", pool="might", was=0, now=12, least=0, most=12)], ["might 12"]),
        (
            [
                Joined(who="Cem", kind="pc", side="players", sheet=(), seen="table"),
                PoolSet(who="Cem", pool="might", was=0, now=12, least=0, most=12),
            ],
            ["might 12"],  # the newcomer's own
        ),
        # what is counted for a while is bookkeeping, what is counted for good is told
        ([Counted(who="Ash", name="moved", change=1, now=1, until="round")], []),
        ([Counted(who="Ash", name="melee", change=1, now=1, until="encounter")], []),
        ([Counted(who="Ash", name="day", change=1, now=2)], ["day 1>2"]),
        ([Counted(who="", name="coin", change=-3, now=2, because="bribes")], ["coin 5>2 (bribes)"]),
        ([CountsCleared(until="round")], []),
        ([Allowed(who=("Ash",), actions=(("move", 1),), until="round")], []),
        # actions in short; the line names those of the speaker
        ([spent("thug", "standard", "used")], ["thug uses the standard action"]),
        ([spent("Ash", "standard", "used")], []),
        (
            [spent("Ash", "standard", "passed"), spent("Ash", "bonus", "passed")],
            ["Ash passes the standard and bonus actions"],
        ),
        ([spent("Leader", "action", "unused")], ["Leader leaves the action unused"]),
        ([spent("Leader", "reaction", "used")], ["Leader uses the reaction"]),
        ([spent("Ash", "bonus", "lost")], ["Ash loses the bonus action"]),
        ([spent("Ash", "bonus", "given up")], ["Ash gives up the bonus action"]),
        ([spent("Ash", "standard", "delayed")], ["Ash delays the standard action"]),
        ([spent("Ash", "ap", "burnt")], ["Ash burnt the ap action"]),  # a word of another game stays what it is
        ([WindowClosed(window="announced", outcome="withdrawn")], ["what was announced is taken back"]),
        # wounds
        (
            [Wounded(who="Ash", wound="Ash w1", kind="light", value=2, in_force=False)],
            ["Ash takes a light wound of 2 (not in force yet)"],
        ),
        ([Wounded(who="Ash", wound="Ash w1", kind="light", value=2, in_force=True)], ["Ash takes a light wound of 2"]),
        ([wound(because="the encounter ended")], ['wound "Ash w1" is winded 1, in force (the encounter ended)']),
        ([wound(in_force=False)], ['wound "Ash w1" is winded 1, not in force yet (a night\'s rest)']),
        ([wound(0)], ['wound "Ash w1" has healed (a night\'s rest)']),
        ([wound(0, name="left arm")], ["Ash's wound \"left arm\" has healed (a night's rest)"]),
        # conditions begun and ended; those with a note of the game are not printed
        (
            [ConditionBegan(id="a", who="Ash", name="stunned"), ConditionBegan(id="b", who="Ash", name="take_cover")],
            ["Ash is stunned and take cover"],
        ),
        ([ConditionBegan(id="a", who="Ash", name="burning", degree=3)], ["Ash is burning (degree 3)"]),
        ([ConditionBegan(id="a", who="Ash", name="charging", about="thug")], ["Ash is charging (thug)"]),
        ([ConditionBegan(id="a", who="Ash", name="failed", data="{}")], []),
        (
            [
                ConditionEnded(id="a", who="Ash", name="stunned", because="due"),
                ConditionEnded(id="b", who="Ash", name="rising", because="due"),
            ],
            ["Ash is no longer stunned or rising"],
        ),
        ([ConditionEnded(id="a", who="Ash", name="charging", because="used")], ["Ash is no longer charging"]),
        # sheets, comings and goings, rests
        (
            [
                SheetChanged(who="Ash", key="level", was=2, now=3, because="level 3"),
                SheetChanged(who="Ash", key="armor.physical", was=None, now=1, because="level 3"),
            ],
            ["level 2>3, armor physical 1 (level 3)"],
        ),
        ([SheetChanged(who="Bryn", key="level", was=2, now=3, because="")], ["Bryn level 2>3"]),
        ([TimePassed(seconds=600, because="")], ["10 minutes pass"]),
        ([TimePassed(seconds=3600, because="")], ["1 hour passes"]),
        ([TimePassed(seconds=5400, because="")], ["1 hour 30 minutes pass"]),
        ([TimePassed(seconds=600, because="the tide")], ["10 minutes pass (the tide)"]),
        ([Rested(who="Ash", rest="ten_hours")], ["Ash rests (ten hours)"]),
        ([Rested(who="Ash", rest="short", whole=False)], ["Ash rests (short, broken off)"]),
        # results without a target print none
        ([DICE, INITIATIVE], ["initiative: Dawn 6, Dusk 5 = 11"]),
        ([FINAL], ["Ash's initiative is final (11)"]),
        ([DAMAGE], ["damage 5: hurt (Ash)"]),
        ([DAMAGE, lost(by="thug")], ["health 10>5 (attack, by thug)"]),  # no step of arithmetic: only numbers
        ([STOPPED], ["damage 1, mail -1 = 0: stopped (Ash)"]),
        # encounters: the final order, and the point of the cycle
        (
            [
                EncounterBegan(
                    encounter="fight",
                    kind="fight",
                    scale="combat",
                    sides=(("players", ("Ash", "Bryn")), ("foes", ("captain",))),
                ),
                OrderSet(slots=slots(("captain", 18))),
            ],
            ["fight begins (combat): players Ash, Bryn; foes captain", "order: captain 18"],
        ),
        (
            [EncounterBegan(encounter="downtime", kind="", scale="downtime", sides=(("", ("Ash",)),))],
            ["downtime begins: Ash"],
        ),
        (
            [OrderSet(slots=()), OrderSet(slots=slots(("captain", 18), ("Ash", 11), empty="Ash"), because="smoke")],
            ["order: captain 18 (smoke)"],
        ),
        ([OrderSet(slots=())], ["order: nobody yet"]),
        ([OrderSet(slots=slots(("brute 2", 9)))], ["order: brute 2: 9"]),
        ([OrderSet(slots=(Slot(slot="pc", score=None, who=("Ash", "Bryn")),))], ["order: pc (Ash, Bryn)"]),
        (reached("slot"), ["action phase: Ash's turn"]),
        (reached("slot_end", "phase_end", "phase"), ["action phase"]),
        (reached("slot_end", "round_end", "round"), ["round 2"]),
        (
            (*reached("slot_end", "phase_end", "round_end", "round"), *reached("phase", "slot", phase="movement")),
            ["round 2, movement phase: Ash's turn"],
        ),
        ((*reached("skipped", who="thug"), *reached("slot")), ["action phase: Ash's turn (thug skipped)"]),
        (reached("skipped", who="thug"), ["thug skipped"]),
        (reached("slot_end"), []),
        (reached("handed", phase="movement", who="Bryn"), ["movement phase: Bryn's turn"]),
        (
            [*reached("slot"), EncounterEnded(encounter="fight", because="they yield", out=(("thug", "fled"),))],
            ["fight is over (they yield); out: thug (fled)"],
        ),
        # what waits
        (
            [WindowOpened(window="open roll", kind="roll", who="Ash", awaits=("Ash", "gm"), data="")],
            ["open for Ash and gm"],
        ),
        (
            [WindowOpened(window="wound due Ash", kind="wound due", who="Ash", awaits=("Ash",), data="")],
            ["wound due for Ash"],
        ),
        (
            [WindowOpened(window="wound due captain", kind="wound due", who="captain", awaits=("Bryn",), data="")],
            ["wound due for captain, waits for Bryn"],
        ),
    ],
)
def test_fact_lines(facts, lines):
    """Ash speaks."""
    assert fact_lines(facts, WORDING, "Ash") == lines


@pytest.mark.parametrize(
    ("step", "line"),
    [
        (Step(op="-", value=1, rule="R", because="mail", now=4), "mail -1"),
        (Step(op="+", value=1, rule="R", because="dim light", now=4, counted=False), "(dim light +1)"),
        (Step(op="max", value=20, rule="R", because="taking 20", now=20), "taking 20"),
        (Step(op="max", value=3, rule="R", because="the least", now=3), "the least at least 3"),
        (Step(op="min", value=6, rule="R", because="the cap", now=6), "the cap at most 6"),
    ],
)
def test_step_text(step, line):
    assert step_text(step) == line


def test_sum_of_the_number_to_reach_is_not_added_to_the_faces():
    def added(name, start, value):
        step = Step(op="+", value=value, rule="X", because=f"{name} bonus", now=start + value)
        return Sum(name=name, start=start, steps=(step,), total=start + value)

    roll = Rolled(who="Ise", purpose="shot", source="table", dice=(Die(ordinal=0, sides=6, face=5),))
    sums = (added("attack", 5, 4), added("target", 6, 3))
    judged = Judged(what="attack", who="Ise", sums=sums, total=9, target=9, result="hit", rolls=("shot",), final=True)
    line = "attack: d6 5 [table dice], attack bonus +4 = 9 against 9: hit"
    assert list(fact_lines((roll, judged), Wording()))[-1] == line


def test_fact_lines_end_with_turn_cycle_and_windows():
    window = WindowOpened(window="open roll", kind="roll", who="Ash", awaits=("Ash",), data="")
    facts = (*reached("slot"), window, spent("thug", "standard", "used"), lost(), OrderSet(slots=slots(("Ash", 3))))
    assert fact_lines(facts, WORDING, "gm") == [
        "thug uses the standard action, Ash health 10>5 (attack)",
        "order: Ash 3",
        "action phase: Ash's turn",
        "open for Ash",
    ]


def closed_roll(who: str) -> tuple[Judged, PointsLost, WindowClosed]:
    judged = Judged(what="defence", who=who, total=8, target=12, result="failure", window="open roll", final=True)
    lost = PointsLost(who="Ash", pool="health", points=3, now=7, because="the wine")
    return judged, lost, WindowClosed(window="open roll", outcome="auto")


@pytest.mark.parametrize("roller", ["Ash", "Bryn"])
def test_closed_roll_is_told_before_the_line_that_closed_it(roller):
    spent = PointsSpent(who="Bryn", pool="speed", points=3, now=6, because="Effort 1")
    told = fact_lines((*closed_roll(roller), spent), WORDING, "Bryn")
    assert told[-2:] == ["Ash health 10>7 (the wine)", "speed 9>6 (Effort 1)"]


def test_speaker_is_named_in_what_a_roll_of_another_changes():
    assert fact_lines(closed_roll("Bryn"), WORDING, "Ash")[-1] == "Ash health 10>7 (the wine)"
    assert fact_lines(closed_roll("Ash"), WORDING, "Ash")[-1] == "health 10>7 (the wine)"


def test_action_lost_after_a_round_is_of_the_next_round():
    passing = [spent("Ash", action, "passed") for action in ("standard", "bonus")]
    facts = (*passing, *reached("round_end", "round", round=3), spent("Ash", "standard", "lost"))
    told = fact_lines(facts, WORDING, "gm")
    assert told[0] == "Ash passes the standard and bonus actions, Ash loses the standard action of round 3"


@pytest.mark.parametrize(
    ("end", "words"),
    [
        (Ends(at="slot", whose="Ash", phase="movement", due=3), "until Ash's place in the movement phase of round 3"),
        (Ends(at="turn", whose="Ash", due=2), "until the end of Ash's turn of round 2"),
        (Ends(at="round", due=2), "until the end of round 2"),
        (Ends(at="phase", phase="pc", due=2), "until the end of the pc phase of round 2"),
        (Ends(at="seconds", due=160), "for 1 minute more"),
        (Ends(at="seconds", due=10), "for no time more"),
        (Ends(at="use"), "until used"),
        (Ends(at="use", due=2), "until used (2 left)"),
        (Ends(at="encounter"), "until the end of the encounter"),
        (Ends(at="rest", whose="Ash"), "until Ash's rest"),
        (Ends(at="day", due=4), "until day 4"),
    ],
)
def test_ends_in_words(end, words):
    assert until(end, 100, load_game("dusk-bastards").texts().lexicon.wording) == words


@pytest.mark.parametrize(("seconds", "words"), [(0, "no time"), (1, "1 second"), (5400, "1 hour 30 minutes")])
def test_duration_in_largest_units(seconds, words):
    assert duration(seconds) == words


@pytest.mark.parametrize(
    ("cost", "outcome", "line"),
    [
        (1, "unused", "Rook leaves 1 second unused"),
        (4, "unused", "Rook leaves 4 seconds unused"),
        (2, "used", "Rook uses 2 seconds"),
    ],
)
def test_amounts_are_told_as_the_book_says_them(cost, outcome, line):
    wording = Wording(amounts={"seconds": ("{} second", "{} seconds")})
    fact = ActionSpent(who="Rook", action="seconds", cost=cost, left=0, outcome=outcome)
    assert fact_lines([fact], wording) == [line]


def test_wound_is_told_before_what_becomes_of_it():
    made = Wounded(who="Ash", wound="Ash w1", kind="winded", value=1, in_force=False)
    told = fact_lines((made, wound(because="the encounter ended")), WORDING, "gm")
    assert told == [
        "Ash takes a winded wound of 1 (not in force yet)",
        'wound "Ash w1" is winded 1, in force (the encounter ended)',
    ]
    assert fact_lines((made,), WORDING, "gm") == ["Ash takes a winded wound of 1 (not in force yet)"]


def test_condition_that_began_in_the_entry_ends_in_it():
    began = ConditionBegan(
        id="held Ash", who="Ash", name="held", degree=1, of=None, effects=(), about="", ends=(), data=""
    )
    ends = [ConditionEnded(id=f"{name} Ash", who="Ash", name=name, because="removed") for name in ("prone", "held")]
    told = fact_lines((began, *ends), WORDING, "gm")
    assert told == ["Ash is held", "Ash is no longer prone or held"]


@pytest.mark.parametrize(
    ("key", "more", "star"),
    [
        ("debilitation *", 1, "strength"),
        ("* strength", "", "debilitation"),
        ("* strength passed", "passed", "debilitation"),
    ],
)
def test_star_stands_for_no_more_than_the_name(key, more, star):
    assert find_pattern({key: "pattern"}, "debilitation strength", more) == ("pattern", star)


def test_condition_is_told_once():
    again = [
        ConditionBegan(id=id, who="Ash", name="fresh", degree=1, of=None, effects=(), about="", ends=(), data="")
        for id in ("Ash 1", "Ash 2")
    ]
    assert fact_lines(again, WORDING, "gm") == ["Ash is fresh"]


def test_condition_that_goes_on_with_another_end_is_not_told():
    began = ConditionBegan(id="fresh Ash", who="Ash", name="fresh", rules=("A-1",))
    later = msgspec.structs.replace(began, rules=("A-2", "A-1"), ends=(Ends(at="turn", whose="Ash"),))
    wording = Wording(carried=frozenset({"A-2"}))
    assert [fact_lines([fact], wording, "gm") for fact in (began, later)] == [["Ash is fresh"], []]


def test_conditions_are_told_in_the_words_of_the_book():
    """Also their end, where the book says what somebody is."""
    wording = Wording(
        conditions={"cover": "{who} <be> in cover", "aid": "{who} <have> aid", "worn": "{who} <have> lost {now}"},
        ends={"worn": "{who} <have> the {name} thing back"},
    )
    names = ("cover", "aid", "worn")
    began = [ConditionBegan(id=f"{name} Ash", who="Ash", name=name, degree=2) for name in names]
    ended = [ConditionEnded(id=f"{name} Ash", who="Ash", name=name, because="removed") for name in names]
    assert fact_lines(began, wording, "gm") == ["Ash is in cover", "Ash has aid", "Ash has lost 2"]
    assert fact_lines(ended, wording, "gm") == [
        "Ash is no longer in cover",
        "Ash no longer has aid",
        "Ash has the worn thing back",
    ]


TIED = Wording(
    ties={
        "held": "{other} <hold> {who}",
        "held 2": "{other} <hold> {who} in the second hand",
        "guard": "{who} <guard> {other}",
    }
)


@pytest.mark.parametrize(
    ("facts", "lines"),
    [
        ([Linked(one="Ash's knife", tie="held", other="Ash")], ["Ash holds the knife"]),
        ([Linked(one="Ash's knife", tie="held", other="Ash", degree=2)], ["Ash holds the knife in the second hand"]),
        (
            [Linked(one="Ash's knife", tie="held", other="Ash"), Linked(one="a lamp", tie="held", other="Ash")],
            ["Ash holds the knife and a lamp"],
        ),
        ([Linked(one="Ash's knife", tie="held", other="Ash", on=False)], ["Ash holds the knife no longer"]),
        (
            [Linked(one="Bo", tie="guard", other="Ash"), Linked(one="Cy", tie="guard", other="Ash")],
            ["Bo and Cy guard Ash"],
        ),
        ([Linked(one="Bo", tie="kin", other="Ash", degree=3)], ["kin of Ash: Bo 3"]),
    ],
)
def test_ties_are_told_in_the_words_of_the_book(facts, lines):
    assert fact_lines(facts, TIED) == lines


def test_wounds_of_one_kind_have_no_name_and_no_number():
    wound = Wounded(who="Ash", wound="w1", kind="", value=1, in_force=True)
    assert fact_lines([wound], WORDING) == ["Ash takes a wound"]
    assert fact_lines([msgspec.structs.replace(wound, value=2)], WORDING) == ["Ash takes 2 wounds"]
