"""Lines in, declarations out: tables of both, a round trip for whatever can be typed, and no surprise for any text."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Annotated, Any, ClassVar, Literal

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cli.notation.formatter import speak
from cli.notation.line_parser import COMMANDS, Around, Said, read
from cli.notation.tokens import nearest
from ledger import names
from ledger.builtin import BUILTIN_WITH_VERBS, AddWords, Claim, SetCorrectionPolicy, Tell
from ledger.declarations import Declaration, Ruling, Setting, syntax
from ledger.errors import Unreadable
from ledger.facts import GM
from rulebooks.dusk_bastards.declarations import (
    DECLARATIONS,
    Adjust,
    AdvanceTime,
    AreaAttack,
    Asset,
    Attack,
    Attempt,
    Change,
    Close,
    Cost,
    CreateObject,
    Defence,
    Denied,
    Effect,
    ForbidRetry,
    Modifier,
    Move,
    Pass,
    Rest,
    Retry,
    SetCondition,
    SetDistance,
    SetLight,
    SetObscurity,
    SetOption,
    SpendDestiny,
    SpendDoom,
    Spot,
    Use,
)

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


def words(declaration: type[Declaration], field: str, by: str) -> Iterable[str]:
    return KNOWN.get((declaration, field), ())


AROUND = Around(
    names=BEINGS,
    kinds=(*DECLARATIONS, *BUILTIN_WITH_VERBS),
    words=words,
    values=lambda: VALUES,
    short=lambda: {"hp": "health", "M": "might", "D": "destiny", "m": "morale"},
    vital=lambda: "health",
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


MADE_UP = Around(names=BEINGS, kinds=(Strike, Wait), words=made_up_words, values=lambda: VALUES, short=dict, vital=str)


def said(line: str, around: Around = AROUND) -> Declaration:
    found = read(line, around)
    assert found is not None
    return found.said


def rest(**more: Any) -> Rest:
    return Rest(by="Kess", kind="one_hour", **more)


def k(**given: Any) -> Attempt:
    return Attempt(by="Kess", **given)


SAID: list[tuple[str, Declaration]] = [
    # Somebody tries something
    ("k sneak v5 e1", k(task="sneak", difficulty=5, effort=1)),
    ("  Kess  sn  e1 v5 ", k(task="sneak", difficulty=5, effort=1)),
    ("KES SNEAK V5", k(task="sneak", difficulty=5)),
    ("k sense-motive v5", k(task="sense motive", difficulty=5)),
    ("k swim v13", k(task="swim", difficulty=13)),  # unknown work, unknown difficulty: the book's to judge
    ('k "jump the gap" s v5', k(task="jump the gap", stat="speed", difficulty=5)),
    ('k "re" v5', k(task="re", difficulty=5)),  # quoted words begin nothing
    ('k "destiny"', k(task="destiny")),
    ('k "undo"', k(task="undo")),
    ("k v5 e1", k(difficulty=5, effort=1)),
    ("k +t", k(trained=("",))),
    ('k attempt "sneak" v5', k(task="sneak", difficulty=5)),
    (
        'o "force the door" m v5 c3 +a1"crowbar"',
        Attempt(
            by="Orrin", task="force the door", stat="might", difficulty=5, initial_cost=3, assets=(Asset(1, "crowbar"),)
        ),
    ),
    ("dov sneak", Attempt(by="Sergeant Dovel", task="sneak")),
    ("serg sneak", Attempt(by="Sergeant Dovel", task="sneak")),
    ('"Sergeant Dovel" sneak', Attempt(by="Sergeant Dovel", task="sneak")),
    ("sergeant-dovel sneak", Attempt(by="Sergeant Dovel", task="sneak")),
    # Lists behind a sign
    (
        'k sneak +a +a2 +a"rope" +a1"fine picks"',
        k(task="sneak", assets=(Asset(), Asset(2), Asset(1, "rope"), Asset(1, "fine picks"))),
    ),
    (
        "k sneak +a=rope +a2:rope +a:3:oil",
        k(task="sneak", assets=(Asset(1, "rope"), Asset(2, "rope"), Asset(3, "oil"))),
    ),
    ('k sneak +t +s"climbing" +t""', k(task="sneak", trained=("sneak", ""), specialized=("climbing",))),
    ('k attempt +t "sneak"', k(task="sneak", trained=("sneak",))),
    (
        'k sneak +1"rain helps" -1"ice" -2',
        k(task="sneak", ease=(Modifier(1, "rain helps"),), hinder=(Modifier(1, "ice"), Modifier(2))),
    ),
    ("k sneak +help=orrin +help:dov", k(task="sneak", helpers=("Orrin", "Sergeant Dovel"))),
    ("k sneak +h=o", k(task="sneak", helpers=("Orrin",))),
    # Words and names of fields
    ("k sneak sp uns take20 hid", k(task="sneak", stat="speed", unskilled=True, take20=True, hidden=True)),
    ("k sneak take", k(task="sneak", take20=True)),
    ("k sneak unskilled=no hidden=y", k(task="sneak", hidden=True)),
    ("k sneak stat=- difficulty=3", k(task="sneak", difficulty=3)),
    ("k sneak v=3 effort=-1", k(task="sneak", difficulty=3, effort=-1)),
    ("k sneak effort-pool=int initial_stat=m", k(task="sneak", effort_pool="intellect", initial_stat="might")),
    ("k sneak f1 c-3", k(task="sneak", free_effort=1, initial_cost=-3)),
    ("k sneak ability_cost=intellect:4,m:1", k(task="sneak", ability_cost=(Cost("intellect", 4), Cost("might", 1)))),
    ("k sneak destiny_first=regain:might refund=-", k(task="sneak", destiny_first=(Use("regain", "might"),))),
    ("k sneak duration=90", k(task="sneak", duration=90)),
    ("k sneak 10m", k(task="sneak", duration=600)),
    ("k sneak 1h", k(task="sneak", duration=3600)),
    ("k sneak duration=2d", k(task="sneak", duration=172800)),
    ("k sneak 10s", k(task="sneak", duration=10)),
    ("k retry e1", Retry(by="Kess", effort=1)),
    ("k ret e1", Retry(by="Kess", effort=1)),
    ("k retry 1.4 e1", Retry(by="Kess", of="1.4", effort=1)),
    ("k retry e1 01.04+1 10m", Retry(by="Kess", of="1.4+1", effort=1, duration=600)),
    ('k again "sneak" of="1.4"', Retry(by="Kess", task="sneak", of="1.4")),
    ("k attack dov m d6 e1", Attack(by="Kess", target="Sergeant Dovel", stat="might", damage=6, effort=1)),
    ("k attack dov s d4 ranged", Attack(by="Kess", target="Sergeant Dovel", stat="speed", damage=4, mode="ranged")),
    ("k dodge dov", Defence(by="Kess", source="Sergeant Dovel")),
    ("! dov pass", Pass(by="Sergeant Dovel")),  # a being of the game master's side
    ("! dov move short", Move(by="Sergeant Dovel", distance="short")),
    ("k rest one_hour split=might:4,speed:1", rest(split=(Cost("might", 4), Cost("speed", 1)))),
    ('k hp -3 "the stairs"', Adjust(by="Kess", value="kess.health", change=-3, reason="the stairs")),
    ('k M +2 "a gift"', Adjust(by="Kess", value="kess.might", change=2, reason="a gift")),
    ('! doom +1 "an old debt"', Adjust(by="gm", value="doom", change=1, reason="an old debt")),
    ('k adjust coin 12 "the fence"', Adjust(by="Kess", value="coin", change=12, reason="the fence")),
    ('! time 8h "the tide"', AdvanceTime(by="gm", seconds=28800, label="the tide")),
    ("k destiny reroll", SpendDestiny(by="Kess", uses=(Use("reroll"),))),
    ("k d chan", SpendDestiny(by="Kess", uses=(Use("change-target"),))),
    ("k D regain:speed rer", SpendDestiny(by="Kess", uses=(Use("regain", "speed"), Use("reroll")))),
    ("k D regain:speed,rer", SpendDestiny(by="Kess", uses=(Use("regain", "speed"), Use("reroll")))),
    (
        'k D activate:"Second Wind" "he \\"rises\\", \\\\o/"',
        SpendDestiny(by="Kess", uses=(Use("activate", "Second Wind"),), effect='he "rises", \\o/'),
    ),
    # The game master's side
    ("! doom 1 change-target", SpendDoom(by=GM, use="change-target")),
    ("!doom 3", SpendDoom(by=GM, points=3)),
    (
        '! doom 2 "reinforcements" because="too quiet"',
        SpendDoom(by=GM, points=2, purpose="reinforcements", because="too quiet"),
    ),
    (
        '! doom because="too quiet" "more" "of it"',
        SpendDoom(by=GM, purpose="more", effect="of it", because="too quiet"),
    ),
    ('! forbid 1.4 "no more talk"', ForbidRetry(by=GM, of="1.4", reason="no more talk")),
    ('! f "no" of=01.04+1', ForbidRetry(by=GM, of="1.4+1", reason="no")),
    (
        '! option light_wound_cost per_use "table vote"',
        SetOption(by=GM, name="light_wound_cost", value="per_use", reason="table vote"),
    ),
    (
        '! option light 4 "x" agreed=Ana,"Ben Ox"',
        SetOption(by=GM, name="light_wound_cost", value=4, reason="x", agreed=("Ana", "Ben Ox")),
    ),
    ('! option "light" "4" "x"', SetOption(by=GM, name="light", value="4", reason="x")),
    ('! option lasting lasting "x"', SetOption(by=GM, name="lasting", value="lasting", reason="x")),
    (
        '! ruling "a gift" "agreed" kess.destiny=1 k.hp=3 doom=2 scope=sess',
        Ruling(
            by=GM,
            text="a gift",
            reason="agreed",
            scope="session",
            changes=(Setting("kess.destiny", 1), Setting("kess.health", 3), Setting("doom", 2)),
        ),
    ),
    ('! ruling "a" "b" dov.luck=1', Ruling(by=GM, text="a", reason="b", changes=(Setting("sergeant-dovel.luck", 1),))),
    (
        '! rule DB-PLAY-7 "crates are cover" "a vote" campaign about=1.4 repeals=1.2 option.light_wound_cost=per_use',
        Ruling(
            by=GM,
            text="crates are cover",
            reason="a vote",
            cites=("DB-PLAY-7",),
            scope="campaign",
            about="1.4",
            repeals="1.2",
            changes=(Setting("option.light_wound_cost", "per_use"),),
        ),
    ),
    (
        '! corrections same_s stand "we never look back" agreed=Ana',
        SetCorrectionPolicy(by=GM, when="same_session", outcome="stand", reason="we never look back", agreed=("Ana",)),
    ),
    ("! close", Close(by=GM)),
    ("close", Close(by=GM)),
    ("k close", Close(by="Kess")),
    # What every game has
    ("# The cellar door", Tell(by=GM, kind="scene", who=GM, text="The cellar door")),
    ('> It is "dark"; really', Tell(by=GM, kind="fiction", who=GM, text='It is "dark"; really')),
    ('" k: I was: never here', Tell(by="Kess", kind="quote", who="Kess", text="I was: never here")),
    ('" sergeant dovel: Hm', Tell(by="Sergeant Dovel", kind="quote", who="Sergeant Dovel", text="Hm")),
    ("= k hp 9 M13 D=1", Claim(by=GM, values=(("kess.health", 9), ("kess.might", 13), ("kess.destiny", 1)))),
    ("= k hp9 might=13", Claim(by=GM, values=(("kess.health", 9), ("kess.might", 13)))),
    ("= k m13 hea.m 4", Claim(by=GM, values=(("kess.might", 13), ("kess.health.most", 4)))),
    ("= doom 4", Claim(by=GM, values=(("doom", 4),))),
    ("= o hp 3 k hp -1 doom 0", Claim(by=GM, values=(("orrin.health", 3), ("kess.health", -1), ("doom", 0)))),
    ("= kess.might=3 orrin.hp 2", Claim(by=GM, values=(("kess.might", 3), ("orrin.health", 2)))),
    ('= k "skill.open locks"=trained', Claim(by=GM, values=(("kess.skill.open locks", "trained"),))),
    # Situations: said, denied with a reason, and each target's own
    (
        "k attack dovel d4 +cover +high +surprise",
        Attack(by="Kess", target="Sergeant Dovel", damage=4, situations=("cover", "high", "surprise")),
    ),
    ("k dodge dovel +full-cover", Defence(by="Kess", source="Sergeant Dovel", situations=("full_cover",))),
    (
        "k attack dovel ranged +moved=short at=short -1 +1",
        Attack(
            by="Kess",
            target="Sergeant Dovel",
            mode="ranged",
            at="short",
            situations=("moved=short",),
            ease=(Modifier(),),
            hinder=(Modifier(),),
        ),
    ),
    (
        'k attack dovel +moved:i -prone "he is up on the table" m "swing"',
        Attack(
            by="Kess",
            target="Sergeant Dovel",
            stat="might",
            task="swing",
            situations=("moved=immediate",),
            denied=(Denied("prone", "he is up on the table"),),
        ),
    ),
    (
        'k attack dovel -dazed"rage" -"ice"',
        Attack(by="Kess", target="Sergeant Dovel", denied=(Denied("dazed", "rage"),), hinder=(Modifier(reason="ice"),)),
    ),
    (
        "k attack dovel on_hit=rattled:2:defence=-1:lasts=1m",
        Attack(
            by="Kess",
            target="Sergeant Dovel",
            on_hit=(Effect("rattled", rounds=2, defence=-1, lasts=60),),
        ),
    ),
    (
        "k blast dovel orrin:cover:high:at=long d4 e1 +surprise",
        AreaAttack(
            by="Kess",
            targets=(Spot("Sergeant Dovel"), Spot("Orrin", ("cover", "high"), at="long")),
            damage=4,
            effort=1,
            situations=("surprise",),
        ),
    ),
    ("! condition k dazed", SetCondition(by=GM, target="Kess", name="dazed")),
    ("! condition dovel full-cover off", SetCondition(by=GM, target="Sergeant Dovel", name="full_cover", off=True)),
    (
        '! condition dovel rattled defence=-1 10m "his knees shake"',
        SetCondition(by=GM, target="Sergeant Dovel", name="rattled", defence=-1, lasts=600, text="his knees shake"),
    ),
    ("! light v", SetLight(by=GM, light="very_dim")),
    ("! obscurity heavy", SetObscurity(by=GM, obscurity="heavy")),
    ("! distance k dovel 30", SetDistance(by=GM, between=("Kess", "Sergeant Dovel"), feet=30)),
    ("! distance k dovel long", SetDistance(by=GM, between=("Kess", "Sergeant Dovel"), at="long")),
    ('ana words "brass kettle"', AddWords(by="ana", words="brass kettle")),
    ('k words "brass kettle"', AddWords(by="k", words="brass kettle")),
]
SAID_MADE_UP: list[tuple[str, Declaration]] = [
    ("k strike o", Strike(by="Kess", targets=("Orrin",))),
    ('k str "Sergeant Dovel" Orrin heavy 3', Strike(
        by="Kess", targets=("Sergeant Dovel", "Orrin"), manner="heavy", times=3
    )),
    ('k strike o legs:"the knee" head:-:4 -prone', Strike(
        by="Kess", targets=("Orrin",), aims=(Aim("legs", "the knee"), Aim("head", None, 4)), without=("prone",)
    )),
    ("k strike o +cover +high-ground +w3 +w=4", Strike(
        by="Kess", targets=("Orrin",), situations=("cover", "high ground"), watches=(3, 4)
    )),
    ('k strike o pairs=b:2,c:"3" note=- x"Ha!" careful=n', Strike(
        by="Kess", targets=("Orrin",), pairs=(("b", 2), ("c", "3")), note=None, cry="Ha!", careful=False
    )),
    ("k strike targets=- pairs=- allies=o,k", Strike(by="Kess", targets=(), pairs=(), allies=("Orrin", "Kess"))),
    ("k wait first=1m 3 since=1.2 lan o g7", Wait(
        by="Kess", first=60, count=3, since="1.2", item="lantern", bearer="Orrin", degree=7
    )),
    ('k wait first=1 then=2h until=2.3+1 ladder "Orrin" "Kess"', Wait(
        by="Kess", first=1, then=7200, until="2.3+1", item="ladder", bearer="Orrin", reason="Kess"
    )),
]  # fmt: skip
SILENT = ["", "   ", "; k sneak v5", ";", "  ; x", "\r", "\n"]


@pytest.mark.parametrize(("line", "expected"), SAID, ids=[line for line, _ in SAID])
def test_a_line_says_this(line: str, expected: Declaration) -> None:
    assert said(line) == expected
    assert said(speak(expected)) == expected
    assert speak(said(speak(expected))) == speak(expected)


@pytest.mark.parametrize(("line", "expected"), SAID_MADE_UP, ids=[line for line, _ in SAID_MADE_UP])
def test_a_line_of_a_game_made_up_says_this(line: str, expected: Declaration) -> None:
    assert said(line, MADE_UP) == expected
    assert said(speak(expected), MADE_UP) == expected


@pytest.mark.parametrize("line", SILENT)
def test_some_lines_say_nothing(line: str) -> None:
    assert read(line, AROUND) is None


@pytest.mark.parametrize(
    ("line", "faces"),
    [
        ("k sneak v5 e1 /7.6", (7, 6)),
        ("k sneak /7.6/4 v5", (7, 6, 4)),
        ("k sneak v5 /7", (7,)),
        ("/12.1 close", (12, 1)),
        ("! close /3", (3,)),
        ("k sneak v5", None),
        ('k sneak +1"a/7.6"', None),
    ],
)
def test_faces_may_be_typed(line: str, faces: tuple[int, ...] | None) -> None:
    found = read(line, AROUND)
    assert isinstance(found, Said)
    assert found.faces == faces


def test_the_line_is_kept_as_typed() -> None:
    found = read("  k  sneak v5 \r", AROUND)
    assert found is not None
    assert found.line == "k  sneak v5"


@pytest.mark.parametrize(
    ("expected", "line"),
    [
        (k(task="sneak", difficulty=5, effort=1), 'Kess "sneak" v5 e1'),
        (k(difficulty=5), "Kess attempt v5"),
        (k(task="x", stat="might", hidden=True, duration=600), 'Kess "x" might 10m hidden'),
        (
            k(task="x", assets=(Asset(2, "a"),), helpers=BEINGS[1:]),
            'Kess "x" +a2"a" +help:Orrin +help:"Sergeant Dovel"',
        ),
        (Retry(by="Kess", of="1.4", duration=90), "Kess retry 90s 1.4"),
        (SpendDoom(by=GM, points=2, effect="x"), '! doom 2 effect="x"'),
        (Ruling(by=GM, text="a", reason="b", changes=(Setting("doom", 1),)), '! ruling "a" "b" doom=1'),
        (Close(by=GM), "! close"),
        (Claim(by=GM, values=(("kess.health", 9), ("doom", 4))), "= kess.health=9 doom=4"),
        (AddWords(by="Ana Lu", words='"'), '"Ana Lu" words "\\""'),
        (Strike(by="Kess", targets=("Orrin",), aims=(Aim("legs"),)), "Kess strike Orrin legs"),
        (Strike(by="Kess", targets=("Orrin",), aims=(Aim("head"),)), "Kess strike Orrin aims=head"),
    ],
)
def test_the_canonical_line_is_this(expected: Declaration, line: str) -> None:
    assert speak(expected) == line


@pytest.mark.parametrize(
    "unsayable",
    [
        CreateObject(by=GM, name="Door"),
        Tell(by="Kess", kind="deed", who="Kess", text="x"),
        Tell(by=GM, kind="scene", who=GM, text="x", seen="gm"),
        SpendDoom(by="Kess"),
        Attempt(by=GM, task="sneak"),
        Claim(by=GM, values=()),
    ],
)
def test_what_no_line_says_is_refused(unsayable: Declaration) -> None:
    with pytest.raises(Unreadable, match="no line says this"):
        speak(unsayable)


WRONG = [
    # Who and what
    ("x sneak", "'x' is nobody in play", 1),
    ("k attack dovel +covr", "nobody knows '+covr' here. Did you mean '+cover' or '+full_cover'?", 16),
    ("k attack dovel -pron", "'-pron' lacks its reason. Write it as in -pron\"...\"", 16),
    ('k attack dovel -prome "he is up"', "nobody knows '-prome' here. Did you mean '-prone'?", 16),
    ("k attack dovel +moved", "'+moved' may be '+moved=immediate' or '+moved=short'", 16),
    ("k attack dovel +cover=short", "'+cover=short' says too much", 16),
    ("k attack dovel -prone2", "'-prone2' says too much", 16),
    ("k blast dovel:cover:at=near", "'near' is no at", 9),
    ("k attack dovel on_hit=rattled:1:2:3:4:5m:ruled:1:2:3:x:y:z", "says too much", 16),
    ("Kes5 sneak", "Did you mean 'Kess'?", 1),
    ("  kesk sneak", "Did you mean 'Kess'?", 3),
    ("k", "Kess says nothing. For example: k sneak v5 e1", 1),
    ("/7.6", "nobody says anything", 1),
    ("k s v5", "'s' may be 'sneak' or 'sense motive'", 3),
    ("undo", "'undo' is a line of its own", 1),
    ("k undo", "'undo' is a line of its own", 3),
    ("k doom 1", "Say it with !", 3),
    ("doom 1", "Say it with !", 1),
    ("! retry e1", "'retry' is said by somebody in play", 3),
    ("! dom 1", "Did you mean 'doom'?", 3),
    ('! "doom" 1', "'doom' is no verb here", 3),
    ("!", "the game master says nothing", 1),
    ('5 words "x"', "does not begin with a letter", 1),
    ("ana words", "'words' lacks its words", 5),
    # Fields
    ("k sneak v5 v6", "difficulty is said twice", 12),
    ("k sneak m s", "stat is said twice", 11),
    ("k sneak hidden hidden", "hidden is said twice", 16),
    ("k sneak 5", "the number 5 says nothing by itself. Write one of: v5 (difficulty), e5 (effort), f5", 9),
    ("k sneak v4 90", "c90 (initial_cost), duration=90m.", 12),
    ("k retry of=x", "'x' is no entry", 9),
    ("k sneak hiden", "Did you mean 'hidden'?", 9),
    ("k sneak zork", "'zork' says nothing here. For example: k sneak v5 e1", 9),
    ("! hazard kess lava", "'lava' says nothing here. There is: acid_bath, acid_splash, cold", 15),
    ('! light +1"rain"', "'+1rain' says nothing here. For example: ! light dim.", 9),
    ("! light clear", "'clear' says nothing here. There is: bright, dark, dim, very_dim.", 9),
    ("k dodge cover", "'cover' lacks its sign. Did you mean '+cover'?", 9),
    ('k sneak "a"', '"a" is one text too many', 9),
    ("k sneak e=", "effort has no value", 9),
    ("k sneak =5", "'' is no part of 'attempt'", 9),
    ("k sneak difficlty=3", "Did you mean 'difficulty'?", 9),
    ("k sneak free=x", "'x' is not a whole number", 9),
    ("k sneak initial=1", "'initial' may be 'initial_cost' or 'initial_stat'", 9),
    ("k sneak stat=x", "'x' is no stat", 9),
    ("k sneak hidden=maybe", "'maybe' is neither yes nor no", 9),
    ("k sneak v9999999999", "beyond 10^9", 9),
    ("k sneak v٣", "'v٣' says nothing here", 9),
    ("k sneak 100000d", "beyond 10^9", 9),
    ("k sneak duration=1w", "'1w' is no time", 9),
    ("k sneak refund=might", "'might' lacks its points", 9),
    ("k sneak refund=might:1:2", "'might:1:2' says too much", 9),
    ("k D r", "'r' may be", 5),
    ("! forbid 1.x", "'1.x' says nothing here", 10),
    ('! forbid of=1.x "no"', "'1.x' is no entry", 10),
    ('! forbid "no"', "'forbid' lacks its of. For example: ! forbid 1.4", 3),
    ("! option l 4", "'l' may be 'name=light_wound_cost' or 'name=lasting'", 10),
    ('! ruling "a" "b" x.might=1', "'x' is nobody in play", 18),
    ('! ruling "a" "b" doo=1', "'doo' is no part of 'ruling'", 18),
    # Signs
    ("k sneak +cover", "nobody knows '+cover' here", 9),
    ("k sneak +hlp=o", "Did you mean '+help'?", 9),
    ("k sneak +t5", "'+t5' says too much", 9),
    ("k sneak +help", "'+help' says too little", 9),
    ("k sneak +help=x", "'x' is nobody in play", 9),
    ('k sneak +a1"x"y', "cannot be read", 9),
    ("k sneak +", "cannot be read", 9),
    # Faces and quotation marks
    ("k sneak /", "'/' are no faces", 9),
    ("k sneak /x", "'/x' are no faces", 9),
    ("k sneak /7.", "'/7.' are no faces", 9),
    ("k sneak /-7", "'/-7' are no faces", 9),
    ("k sneak /7 v5 /6", "faces stand here twice", 15),
    ('k "sneak', "a quotation mark is not closed", 3),
    ('k sneak +1"rain', "a quotation mark is not closed", 11),
    # Telling and claims
    ("#", "nothing is told", 1),
    ('" I was never here', "nobody is quoted", 3),
    ('" x: I was never here', "'x' is nobody in play", 3),
    ('" k:', "nothing is told", 4),
    ("=", "nothing is claimed", 1),
    ("= k", "nothing is claimed", 1),
    ("= k hp", "'hp' has no number behind it", 5),
    ("= k hp M13", "'hp' has no number behind it", 5),
    ("= k hp 9 hea 9", "kess.health is claimed twice", 10),
    ("= k migth 3", "Did you mean 'might'", 5),
    ("= zork 3", "neither a being nor a value", 3),
    ("= k hp= 3", "'hp=' has no number behind it", 5),
    # Letters that cannot stand in a line
    ("k sne\tak", "invisible or control character", 6),
    ("k sneak \u202e", "invisible or control character", 9),
    ("; \x00", "invisible or control character", 3),
    ("k " + "x" * 2000, "2002 characters are too many", 2001),
]


@pytest.mark.parametrize(("line", "sentence", "column"), WRONG, ids=[line[:30] for line, *_ in WRONG])
def test_a_wrong_line_says_what_where_and_the_mend(line: str, sentence: str, column: int) -> None:
    with pytest.raises(Unreadable) as refused:
        read(line, AROUND)
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
        ("wait first=1", "'wait' is nobody in play", 1),
    ],
)
def test_a_word_that_fits_twice_is_refused(line: str, sentence: str, column: int) -> None:
    with pytest.raises(Unreadable, match=re.escape(sentence)) as refused:
        read(line, MADE_UP)
    assert refused.value.where == f"column {column}"


@pytest.mark.parametrize(
    ("beings", "line", "sentence"),
    [
        (("Kess", "Kessandra"), "kess sneak", "Kess"),  # in full before the beginning of another
        (("Dov", "Sergeant Dovel"), "dov sneak", "Dov"),
        (("Dovel Ran", "Sergeant Dovel-Ash", "Dovelin"), "ran sneak", "Dovel Ran"),
        (("Close", "Kess"), "close sneak", "Close"),
        (("Élodie",), "e\u0301lo sneak", "Élodie"),
        (("Undo",), '"undo" sneak', "Undo"),
    ],
)
def test_the_shortest_beginning_names_a_being(beings: tuple[str, ...], line: str, sentence: str) -> None:
    assert said(line, msgspec.structs.replace(AROUND, names=beings)).by == sentence


@pytest.mark.parametrize(
    ("beings", "line"),
    [(("Kess", "Kit"), "k sneak"), (("Ana Lu", "Lupo"), "l sneak"), (("Kess", "Kessandra"), "ke sneak")],
)
def test_a_beginning_of_two_beings_names_both(beings: tuple[str, ...], line: str) -> None:
    with pytest.raises(Unreadable, match=f"may be '{beings[0]}' or '{beings[1]}'"):
        read(line, msgspec.structs.replace(AROUND, names=beings))


def test_an_ordinary_roll_takes_few_keystrokes() -> None:
    assert len("k sneak v5 e1\n") <= 15


def test_the_nearest_words_come_best_first() -> None:
    assert nearest("migth", ["speed", "might", "Midnight"])[0] == "might"
    assert nearest("zork", ["speed", "might"]) == []


def test_commands_are_no_lines_of_the_grammar() -> None:
    for command in COMMANDS:
        with pytest.raises(Unreadable):
            read(command, AROUND)


# Whatever can be typed


def normal(text: str) -> bool:
    try:
        return names.normalized(text, most=60) == text
    except Unreadable:
        return False


TEXTS = st.one_of(
    st.sampled_from(["sneak", "doom", "-", "4", "close", "+a", "Kess", "1.4", "might", "v5", 'a"b\\', "="]),
    st.text(max_size=12).filter(normal),
)
TOLD = TEXTS.filter(lambda text: text != "" and text == text.strip())
WHOLE = st.integers(-(10**9), 10**9)
ENTRIES = st.from_regex(r"[1-9][0-9]{0,2}\.(0|[1-9][0-9]{0,2})(\+[1-9])?", fullmatch=True)
PEOPLE = st.sampled_from([*BEINGS, "ana", "Undo", "undo", "Zoë d’Or", "close", "gm"])
SOMEBODY = st.sampled_from(BEINGS)
EDITED = st.lists(st.builds(Change, st.sampled_from(VALUES), WHOLE), max_size=3).map(tuple)
SETTINGS = st.lists(st.builds(Setting, st.sampled_from(VALUES), WHOLE | TEXTS), max_size=2).map(tuple)
MAYBE_ENTRIES = st.just("") | st.sampled_from(["1.4", "12.3+1"])
TASK: dict[str, st.SearchStrategy[Any]] = {
    "by": SOMEBODY,
    "task": TEXTS,
    "trained": st.lists(TEXTS, max_size=2).map(tuple),
    "assets": st.lists(st.builds(Asset, WHOLE, TEXTS), max_size=2).map(tuple),
    "helpers": st.lists(SOMEBODY, max_size=2).map(tuple),
    "ease": st.lists(st.builds(Modifier, WHOLE, TEXTS), max_size=2).map(tuple),
    "hinder": st.lists(st.builds(Modifier, WHOLE, TEXTS), max_size=2).map(tuple),
    "effort": WHOLE,
    "difficulty": st.none() | WHOLE,
    "duration": st.none() | WHOLE,
    "ability_cost": st.lists(st.builds(Cost, st.sampled_from(["might", "speed"]), WHOLE), max_size=2).map(tuple),
    "destiny_first": st.lists(st.builds(Use, st.sampled_from(["regain", "reroll"]), TEXTS), max_size=2).map(tuple),
}
REST: dict[str, st.SearchStrategy[Any]] = {
    "stat": st.sampled_from([None, "might", "speed", "intellect"]),
    "unskilled": st.booleans(),
    "take20": st.booleans(),
    "hidden": st.booleans(),
    "effort_pool": st.sampled_from([None, "might"]),
    "initial_cost": st.integers(0, 9),
}
PEOPLE_LIST = st.lists(TEXTS, max_size=2).map(tuple)
SAYABLE = st.one_of(
    st.builds(Attempt, **TASK, **REST),
    st.builds(
        Attack,
        **TASK,
        target=SOMEBODY,
        situations=PEOPLE_LIST,
        denied=st.lists(st.builds(Denied, TEXTS, TEXTS), max_size=2).map(tuple),
        on_hit=st.lists(st.builds(Effect, TEXTS, st.none() | WHOLE, WHOLE, WHOLE, WHOLE), max_size=1).map(tuple),
    ),
    st.builds(
        AreaAttack,
        **TASK,
        targets=st.lists(
            st.builds(Spot, SOMEBODY, PEOPLE_LIST, st.sampled_from([None, "long"]), st.none() | WHOLE), max_size=2
        ).map(tuple),
        situations=PEOPLE_LIST,
    ),
    st.builds(
        SetCondition,
        by=st.just(GM),
        target=SOMEBODY,
        name=TEXTS,
        off=st.booleans(),
        rounds=st.none() | WHOLE,
        lasts=st.none() | WHOLE,
        until=st.sampled_from([None, "ruled"]),
        defence=WHOLE,
        text=TEXTS,
    ),
    st.builds(SetDistance, by=st.just(GM), between=st.lists(SOMEBODY, max_size=3).map(tuple), feet=st.none() | WHOLE),
    st.builds(Retry, **TASK, **REST, of=st.none() | ENTRIES),
    st.builds(ForbidRetry, by=st.just(GM), of=ENTRIES, reason=TEXTS),
    st.builds(
        SpendDestiny,
        by=SOMEBODY,
        uses=st.lists(st.builds(Use, st.sampled_from(["reroll", "activate", "change-target"]), TEXTS)).map(tuple),
        refund=st.lists(st.builds(Cost, st.sampled_from(["might", "speed"]), WHOLE), max_size=2).map(tuple),
        effect=TEXTS,
    ),
    st.builds(
        SpendDoom,
        by=st.just(GM),
        points=WHOLE,
        use=st.sampled_from(["change-target", "other"]),
        purpose=TEXTS,
        effect=TEXTS,
        because=TEXTS,
    ),
    st.builds(Close, by=st.just(GM) | SOMEBODY),
    st.builds(SetOption, by=st.just(GM), name=TEXTS, value=WHOLE | TEXTS, reason=TEXTS, agreed=PEOPLE_LIST),
    st.builds(
        Ruling,
        by=st.just(GM),
        text=TEXTS,
        reason=TEXTS,
        cites=PEOPLE_LIST,
        scope=st.sampled_from(["once", "session", "campaign"]),
        agreed=PEOPLE_LIST,
        about=MAYBE_ENTRIES,
        repeals=MAYBE_ENTRIES,
        result=st.sampled_from(["", "success"]) | TEXTS,
        changes=SETTINGS,
    ),
    st.builds(
        SetCorrectionPolicy,
        by=st.just(GM),
        when=st.sampled_from(["same_round", "same_session", "earlier_session"]),
        outcome=st.sampled_from(["retcon", "stand", "compensate", "ask"]),
        reason=TEXTS,
        agreed=PEOPLE_LIST,
    ),
    st.builds(Tell, by=st.just(GM), kind=st.sampled_from(["scene", "fiction"]), who=st.just(GM), text=TOLD),
    st.builds(lambda who, text: Tell(by=who, kind="quote", who=who, text=text), SOMEBODY, TOLD),
    st.builds(
        lambda values: Claim(by=GM, values=tuple(values.items())),
        st.dictionaries(st.sampled_from(VALUES), WHOLE | TEXTS, min_size=1),
    ),
    st.builds(AddWords, by=PEOPLE, words=TEXTS),
)
AIMS = st.lists(st.builds(Aim, st.sampled_from(["head", "legs"]), st.none() | TEXTS, WHOLE), max_size=2).map(tuple)
SAYABLE_MADE_UP = st.one_of(
    st.builds(
        Strike,
        by=SOMEBODY,
        targets=st.lists(SOMEBODY, max_size=3).map(tuple),
        manner=st.sampled_from(["head", "heavy", "2x"]),
        aims=AIMS,
        times=WHOLE,
        careful=st.booleans(),
        allies=st.lists(SOMEBODY, max_size=3).map(tuple),
        watches=st.lists(WHOLE, max_size=3).map(tuple),
        situations=PEOPLE_LIST,
        without=PEOPLE_LIST,
        pairs=st.lists(st.tuples(TEXTS, WHOLE | TEXTS), max_size=2).map(tuple),
        note=st.none() | TEXTS,
        cry=TEXTS,
    ),
    st.builds(
        Wait,
        by=SOMEBODY,
        first=WHOLE,
        then=st.none() | WHOLE,
        count=WHOLE,
        since=st.none() | ENTRIES,
        until=ENTRIES,
        item=TEXTS,
        degree=WHOLE | TEXTS,
        bearer=st.none() | SOMEBODY,
        reason=TEXTS,
    ),
)


KNOWN_WORDS = st.lists(TEXTS | st.sampled_from(["Orrin", "legs", "hidden", "kess.might", "2x", "7"]), max_size=4)
OTHERS = st.lists(
    st.sampled_from(["Might", "Kessandra", "Legs", "Attempt", "Orr", "E5", "Hidden", "Doom"]), unique=True
)


def with_strangers(around: Around, known: list[str], others: list[str]) -> Around:
    """The same table, with other people at it and other words known."""
    return msgspec.structs.replace(around, names=(*BEINGS, *others), words=lambda *_: known)


@given(SAYABLE, KNOWN_WORDS, OTHERS)
def test_what_is_spoken_reads_as_it_was_at_any_table(said_: Declaration, known: list[str], others: list[str]) -> None:
    line = speak(said_)
    assert said(line, with_strangers(AROUND, known, others)) == said_
    assert speak(said(line)) == line


@given(SAYABLE_MADE_UP, KNOWN_WORDS, OTHERS)
def test_so_it_is_in_a_game_made_up(said_: Declaration, known: list[str], others: list[str]) -> None:
    assert said(speak(said_), with_strangers(MADE_UP, known, others)) == said_


PIECES = st.sampled_from(
    [line[start:end] for line, _ in (*SAID, *SAID_MADE_UP) for start in range(0, len(line), 3) for end in (start + 4,)]
)
LINES = st.one_of(
    st.text(max_size=60),
    st.lists(st.one_of(PIECES, st.sampled_from(list(' "=:+-/.,!#>\\0k')), st.text(max_size=2)), max_size=12).map(
        "".join
    ),
    st.lists(st.sampled_from([token for line, _ in SAID for token in line.split()]), max_size=8).map(" ".join),
)


@given(LINES, st.sampled_from([AROUND, MADE_UP]))
def test_any_text_is_read_or_refused_and_twice_the_same(text: str, around: Around) -> None:
    def outcome() -> object:
        try:
            return read(text, around)
        except Unreadable as refused:
            return refused

    first, second = outcome(), outcome()
    assert str(first) == str(second)
    assert not isinstance(first, Unreadable) or first.where.startswith("column ")
