"""DB-PLAY-7: rulings for the session or the campaign apply without being said again.

A ruling may set, under these names:

- `task.climb.cost`, `task.climb.hinder`, `task.climb.ease`: every attempt at that task has that initial cost, or
  is so many steps harder or easier; `task.climb.retry` no: it cannot be tried again;
- `doom.reinforcements`: the price of that use of Doom; without a reason in the line, the ruling is its reason;
- `poison.the-wine.difficulty`, `.damage`, `.wound` yes, `.lasting` yes (and so for `disease`): its effects, so that
  `! poison kess "the wine"` says enough.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from ledger.declarations import Declaration, Setting
from ledger.facts import Scalar, Sheet
from ledger.names import fold_case
from projections.state import State
from rulebooks.common.rulings import ruling_words
from rulebooks.dusk_bastards.declarations.harm import Ailment, Disease
from rulebooks.dusk_bastards.declarations.parts import Modifier
from rulebooks.dusk_bastards.declarations.tasks import SpendDoom, Task
from rulebooks.dusk_bastards.texts import check_whole, value_refusal

TASK: Final = "task"
DOOM: Final = "doom"
POISON: Final = "poison"
DISEASE: Final = "disease"
SUBJECTS: Final = (TASK, DOOM, POISON, DISEASE)
NUMBERS: Final = {TASK: ("cost", "hinder", "ease"), POISON: ("difficulty", "damage"), DISEASE: ("difficulty", "damage")}
DOES: Final = {"wound": "yes", "lasting": "yes"}
WORDS: Final = {TASK: {"retry": "no"}, POISON: DOES, DISEASE: DOES}
MOST: Final = 20


def split_changes(changes: tuple[Setting, ...]) -> tuple[tuple[Setting, ...], Sheet]:
    """Split the settings of a ruling: for now and for later. Refuse a name or a number outside its domain."""
    now, laws = list[Setting](), dict[str, Scalar]()
    for change in changes:
        subject, dot, name = change.value.partition(".")
        if subject not in SUBJECTS or not dot:
            now.append(change)
            continue
        law = _law_name(subject, name, change.to)
        if law in laws:
            raise value_refusal(law, "said once", f"{laws[law]} and {change.to}")
        laws[law] = change.to
    return tuple(now), tuple(laws.items())


def _law_name(subject: str, name: str, to: int | str) -> str:
    """Return the full name of a law. Refuse a value that is neither its number nor the one word that it takes."""
    what, _, field = (name, "", "") if subject == DOOM else name.rpartition(".")
    words = WORDS.get(subject, {})
    known = [*NUMBERS.get(subject, ()), *words]
    if not what or (known and field not in known):
        domain = f"{subject}.NAME.{' or '.join(known)}" if known else f"{subject}.PURPOSE"
        raise value_refusal("the name of a law", domain, f"{subject}.{name}")
    if field in words:
        if to != words[field]:
            raise value_refusal(f"{subject}.{name}", words[field], to)
    elif isinstance(to, str):
        raise value_refusal(f"{subject}.{name}", "a number", to)
    else:
        check_whole(f"{subject}.{name}", to, 1, MOST)
    return f"{subject}.{fold_case(name)}"


def with_law(said: Declaration, tasks: Sequence[str], state: State) -> Declaration:
    """DB-PLAY-7: the declaration, changed by the rulings in force; `tasks` are its names, also of a retry."""
    for entry, name, value in applicable_laws(said, tasks, state):
        said = _with_one_law(said, name.rpartition(".")[2], value, ruling_words(entry, state))
    return said


def _with_one_law(said: Declaration, field: str, value: Scalar, words: str) -> Declaration:
    """Return the declaration changed by one ruling: the field that it sets, the value, and the words of the ruling."""
    if isinstance(said, Ailment):
        return msgspec.structs.replace(said, **{field: value == "yes" or value})
    if isinstance(said, SpendDoom):
        return msgspec.structs.replace(said, because=said.because or words)
    if not isinstance(said, Task) or not isinstance(value, int):
        return said
    if field == "cost":
        return msgspec.structs.replace(said, initial_cost=said.initial_cost + value)
    return msgspec.structs.replace(said, **{field: (*getattr(said, field), Modifier(value, words))})


def applicable_laws(said: Declaration, tasks: Sequence[str], state: State) -> Iterator[tuple[str, str, Scalar]]:
    """DB-PLAY-7: the rulings that change this declaration: the entry of each, the name and the value that it sets."""
    unsaid: tuple[str, ...] = ()
    if isinstance(said, Task):
        named = ([f"{TASK}.{fold_case(task)}.{field}" for task in tasks] for field in NUMBERS[TASK])
        laws = (next((name for name in names if state.ruling_value(name) is not None), "") for names in named)
        unsaid = tuple(filter(None, laws))
    elif isinstance(said, Ailment) and said.source:
        subject = DISEASE if isinstance(said, Disease) else POISON
        fields = (field for field in (*NUMBERS[subject], *WORDS[subject]) if not getattr(said, field))
        unsaid = tuple(f"{subject}.{fold_case(said.source)}.{field}" for field in fields)
    elif isinstance(said, SpendDoom) and said.purpose:
        unsaid = (f"{DOOM}.{fold_case(said.purpose)}",)
    for name in unsaid:
        if (law := state.ruling_value(name)) is not None:
            yield law[0], name, law[1]


def doom_cost(said: SpendDoom, state: State) -> int | None:
    """DB-DEST-11: the ruled cost of this use of Doom, if there is one."""
    law = state.ruling_value(f"{DOOM}.{fold_case(said.purpose)}")
    return law[1] if law is not None and isinstance(law[1], int) else None
