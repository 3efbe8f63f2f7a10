"""Lines and the declarations that they say."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cli.notation.formatter import format_declaration
from cli.notation.known_words import nearest_words
from cli.notation.line_parser import LINE_COMMANDS, ParsedLine, parse_each, parse_line
from cli.notation.scope import Scope
from ledger.builtin import AddWords, Claim, SetCorrectionPolicy, Tell
from ledger.declarations import Declaration, Ruling, Setting
from ledger.errors import Unreadable
from ledger.facts import GM
from rulebooks.common.adjustments import Adjust
from rulebooks.common.options import SetOption
from rulebooks.dusk_bastards.declarations.combat import AreaAttack, Attack, Defence
from rulebooks.dusk_bastards.declarations.harm import SetCondition, Share
from rulebooks.dusk_bastards.declarations.parts import Asset, Cost, Denied, Effect, Modifier, Spot, Use
from rulebooks.dusk_bastards.declarations.tasks import Attempt, Close, ForbidRetry, Retry, SpendDestiny, SpendDoom
from rulebooks.dusk_bastards.declarations.turns import Move, Pass
from rulebooks.dusk_bastards.declarations.world import AdvanceTime, SetDistance, SetLight, SetObscurity
from tests.cli.scopes import MADE_UP, SCOPE, Aim, Strike, Wait, attempt, parse, rest

SAID: list[tuple[str, Declaration]] = [
    # Somebody tries something
    ("k sneak v5 e1", attempt(task="sneak", difficulty=5, effort=1)),
    ("  Kess  sn  e1 v5 ", attempt(task="sneak", difficulty=5, effort=1)),
    ("KES SNEAK V5", attempt(task="sneak", difficulty=5)),
    ("k sense-motive v5", attempt(task="sense motive", difficulty=5)),
    ("k swim v13", attempt(task="swim", difficulty=13)),  # unknown work, unknown difficulty: the book's to judge
    ('k "jump the gap" s v5', attempt(task="jump the gap", stat="speed", difficulty=5)),
    ('k "re" v5', attempt(task="re", difficulty=5)),  # quoted words begin nothing
    ('k "destiny"', attempt(task="destiny")),
    ('k "undo"', attempt(task="undo")),
    ("k v5 e1", attempt(difficulty=5, effort=1)),
    ("k +t", attempt(trained=("",))),
    ('k attempt "sneak" v5', attempt(task="sneak", difficulty=5)),
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
    # A word and its number
    ("k share might 3 speed 2", Share(by="Kess", split=(Cost("might", 3), Cost("speed", 2)))),
    ("k share m 3 speed:2", Share(by="Kess", split=(Cost("might", 3), Cost("speed", 2)))),
    ("k rest one_hour might 1", rest(split=(Cost("might", 1),))),
    # Lists behind a sign
    (
        'k sneak +a +a2 +a"rope" +a1"fine picks"',
        attempt(task="sneak", assets=(Asset(), Asset(2), Asset(1, "rope"), Asset(1, "fine picks"))),
    ),
    (
        "k sneak +a=rope +a2:rope +a:3:oil",
        attempt(task="sneak", assets=(Asset(1, "rope"), Asset(2, "rope"), Asset(3, "oil"))),
    ),
    ('k sneak +t +s"climbing" +t""', attempt(task="sneak", trained=("sneak", ""), specialized=("climbing",))),
    ('k attempt +t "sneak"', attempt(task="sneak", trained=("sneak",))),
    (
        'k sneak +1"rain helps" -1"ice" -2',
        attempt(task="sneak", ease=(Modifier(1, "rain helps"),), hinder=(Modifier(1, "ice"), Modifier(2))),
    ),
    ("k sneak +help=orrin +help:dov", attempt(task="sneak", helpers=("Orrin", "Sergeant Dovel"))),
    ("k sneak +h=o", attempt(task="sneak", helpers=("Orrin",))),
    # Words and names of fields
    ("k sneak sp uns take20 hid", attempt(task="sneak", stat="speed", unskilled=True, take20=True, hidden=True)),
    ("k sneak take", attempt(task="sneak", take20=True)),
    ("k sneak unskilled=no hidden=y", attempt(task="sneak", hidden=True)),
    ("k sneak stat=- difficulty=3", attempt(task="sneak", difficulty=3)),
    ("k sneak v=3 effort=-1", attempt(task="sneak", difficulty=3, effort=-1)),
    ("k sneak effort-pool=int initial_stat=m", attempt(task="sneak", effort_pool="intellect", initial_stat="might")),
    ("k sneak f1 c-3", attempt(task="sneak", free_effort=1, initial_cost=-3)),
    (
        "k sneak ability_cost=intellect:4,m:1",
        attempt(task="sneak", ability_cost=(Cost("intellect", 4), Cost("might", 1))),
    ),
    ("k sneak destiny_first=regain:might refund=-", attempt(task="sneak", destiny_first=(Use("regain", "might"),))),
    ("k sneak duration=90", attempt(task="sneak", duration=90)),
    ("k sneak 10m", attempt(task="sneak", duration=600)),
    ("k sneak 1h", attempt(task="sneak", duration=3600)),
    ("k sneak duration=2d", attempt(task="sneak", duration=172800)),
    ("k sneak 10s", attempt(task="sneak", duration=10)),
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
        Attack(by="Kess", target="Sergeant Dovel", on_hit=(Effect("rattled", rounds=2, defence=-1, lasts=60),)),
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


@pytest.mark.quick_rows(40)
@pytest.mark.parametrize(("line", "expected"), SAID, ids=[line for line, _ in SAID])
def test_line_parses_to_its_declaration(line: str, expected: Declaration) -> None:
    assert parse(line) == expected
    assert parse(format_declaration(expected)) == expected
    assert format_declaration(parse(format_declaration(expected))) == format_declaration(expected)


@pytest.mark.parametrize(("line", "expected"), SAID_MADE_UP, ids=[line for line, _ in SAID_MADE_UP])
def test_line_of_made_up_game_parses_to_its_declaration(line: str, expected: Declaration) -> None:
    assert parse(line, MADE_UP) == expected
    assert parse(format_declaration(expected), MADE_UP) == expected


@pytest.mark.parametrize("line", SILENT)
def test_empty_line_and_comment_parse_to_none(line: str) -> None:
    assert parse_line(line, SCOPE) is None


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
def test_typed_faces_are_parsed(line: str, faces: tuple[int, ...] | None) -> None:
    parsed = parse_line(line, SCOPE)
    assert isinstance(parsed, ParsedLine)
    assert parsed.faces == faces


def test_line_is_kept_as_typed() -> None:
    parsed = parse_line("  k  sneak v5 \r", SCOPE)
    assert parsed is not None
    assert parsed.line == "k  sneak v5"


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
def test_short_name_finds_the_being(beings: tuple[str, ...], line: str, sentence: str) -> None:
    assert parse(line, msgspec.structs.replace(SCOPE, beings=beings)).by == sentence


@pytest.mark.parametrize(
    ("beings", "line"),
    [(("Kess", "Kit"), "k sneak"), (("Ana Lu", "Bo Lund"), "l sneak"), (("Kess", "Kessandra"), "ke sneak")],
)
def test_short_name_of_two_beings_is_ambiguous(beings: tuple[str, ...], line: str) -> None:
    with pytest.raises(Unreadable, match=f"may be '{beings[0]}' or '{beings[1]}'"):
        parse_line(line, msgspec.structs.replace(SCOPE, beings=beings))


@pytest.mark.parametrize(
    ("word", "beings", "meant"),
    [
        ("t", ("Tobin Reed", "The Salt Widow"), "Tobin Reed"),
        ("o", ("Bram Okonjo", "Ode"), "Ode"),
        ("s", ("Marta Sable", "The Salt Widow"), "The Salt Widow"),
        ("l", ("Lady Brine", "Old Lund"), "Old Lund"),
        ("lady", ("Lady Brine", "Old Lund"), "Lady Brine"),
    ],
)
def test_first_name_comes_before_article_and_surname(word: str, beings: tuple[str, ...], meant: str) -> None:
    assert parse(f"{word} sneak", msgspec.structs.replace(SCOPE, beings=beings)).by == meant


def test_article_names_nobody() -> None:
    with pytest.raises(Unreadable, match="'the' is nobody in play"):
        parse_line("the sneak", msgspec.structs.replace(SCOPE, beings=("The Salt Widow",)))


def test_name_of_numbered_beings_is_all_of_them() -> None:
    scope = msgspec.structs.replace(SCOPE, beings=("Kess", "Drowned 1", "Drowned 2", "Drowned 3"), dead={"Drowned 2"})
    said = [each.declaration.by for each in parse_each("drowned sneak", scope)]
    assert said == ["Drowned 1", "Drowned 3"]
    with pytest.raises(Unreadable, match="may be 'target=Drowned 1' or 'target=Drowned 3'"):
        parse_line("k attack drowned", scope)


@pytest.mark.parametrize(
    ("line", "source", "damage"),
    [("k dodge d2", "Drowned 2", None), ("k dodge d2 e1", "Drowned 2", None), ("k dodge d2 d3", "Drowned 2", 3),
     ("k dodge v5 d2", "", 2), ("k dodge d2 orrin", "Orrin", 2)],
)  # fmt: skip
def test_letter_and_number_behind_dodge_is_a_being(line: str, source: str, damage: int | None) -> None:
    scope = msgspec.structs.replace(SCOPE, beings=("Kess", "Orrin", "Drowned 1", "Drowned 2"))
    said = parse(line, scope)
    assert (said.source, said.damage) == (source, damage)


def test_ordinary_roll_takes_few_keystrokes() -> None:
    assert len("k sneak v5 e1\n") <= 15


def test_nearest_words_come_best_first() -> None:
    assert nearest_words("migth", ["speed", "might", "Midnight"])[0] == "might"
    assert nearest_words("zork", ["speed", "might"]) == []


def test_line_commands_are_refused_by_the_parser() -> None:
    for command in LINE_COMMANDS:
        with pytest.raises(Unreadable):
            parse_line(command, SCOPE)


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


@given(LINES, st.sampled_from([SCOPE, MADE_UP]))
def test_any_text_parses_or_is_unreadable(text: str, scope: Scope) -> None:
    def outcome() -> object:
        try:
            return parse_line(text, scope)
        except Unreadable as refused:
            return refused

    first, second = outcome(), outcome()
    assert str(first) == str(second)
    assert not isinstance(first, Unreadable) or first.where.startswith("column ")


@pytest.mark.parametrize("kind", ["ten minutes", "one hour", "one-hour", "one_h", "1h", "10m"])
def test_words_of_a_choice_may_stand_apart(kind):
    choice = {"ten minutes": "ten_minutes", "10m": "ten_minutes"}.get(kind, "one_hour")
    assert parse(f"k rest {kind} order=speed") == parse(f"k rest {choice} order=speed")


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("? odds k sneak v5", "column 1: a question is not declared. Ask it in the shell"),
        ("?", "column 1: a question is not declared. Ask it in the shell"),
        ("^ k dodge", "column 1: nothing can be answered here. Leave the ^ out"),
        ("^", "column 1: nothing can be answered here. Leave the ^ out"),
    ],
)
def test_mark_of_another_kind_of_line_is_explained(line: str, sentence: str) -> None:
    with pytest.raises(Unreadable) as raised:
        parse_line(line, SCOPE)
    assert str(raised.value).startswith(sentence)
