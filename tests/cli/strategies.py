"""Random declarations that a line can say."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from cli.notation.tokens import faces_at_end
from ledger import names
from ledger.builtin import AddWords, Claim, Reveal, SetCorrectionPolicy, Tell
from ledger.declarations import Ruling, Setting
from ledger.errors import Unreadable
from ledger.facts import GM
from rulebooks.common.adjustments import Adjust
from rulebooks.common.options import SetOption
from rulebooks.dusk_bastards.declarations.combat import AreaAttack, Attack
from rulebooks.dusk_bastards.declarations.harm import SetCondition
from rulebooks.dusk_bastards.declarations.parts import Asset, Change, Cost, Denied, Effect, Modifier, Spot, Use
from rulebooks.dusk_bastards.declarations.tasks import Attempt, Close, ForbidRetry, Retry, SpendDestiny, SpendDoom
from rulebooks.dusk_bastards.declarations.world import SetDistance
from tests.cli.scopes import BEINGS, VALUES, Aim, Strike, Wait


def normal(text: str) -> bool:
    try:
        return names.normalize(text, most=60) == text
    except Unreadable:
        return False


TEXTS = st.one_of(
    st.sampled_from(["sneak", "doom", "-", "4", "close", "+a", "Kess", "1.4", "might", "v5", 'a"b\\', "="]),
    st.text(st.characters(exclude_categories=["C", "Zl", "Zp"]), max_size=12).filter(normal),
)
TOLD = TEXTS.filter(lambda text: text != "" and text == text.strip() and not faces_at_end(text))
WHOLE = st.integers(-(10**9), 10**9)
ENTRIES = st.builds("{}.{}{}".format, st.integers(1, 999), st.integers(0, 999), st.sampled_from(["", "+1", "+9"]))
PEOPLE = st.sampled_from([*BEINGS, "ana", "Undo", "undo", "Zoë d’Or", "close", "gm"])
SOMEBODY = st.sampled_from(BEINGS)
CHANGES = st.lists(st.builds(Change, st.sampled_from(VALUES), WHOLE), max_size=3).map(tuple)
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
    st.builds(Adjust, by=SOMEBODY, value=TEXTS, change=WHOLE, reason=TEXTS),
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
    st.builds(Reveal, by=st.just(GM), entry=MAYBE_ENTRIES, being=st.just("") | SOMEBODY),
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
