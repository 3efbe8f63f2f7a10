"""What is kept of a state is what would be worked out anew: in each sample, and in fights that are played on."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from pathlib import Path
from typing import Any, TypeVar

import pytest

from cli.forecast.fight import Fight
from cli.forecast.policies import new_policy
from ledger.facts import EntryId, parse_entry_id
from ledger.ledger_state import load_state
from ledger.replay import Replay
from projections import derived as derived_values
from projections.checkpoint import new_checkpoint, return_to
from projections.derived import OWN_PARTS, OwnValues, derived, derived_of_being
from projections.projection import StateProjection
from projections.state import PARTS, Being, Condition, State, Wound
from tests.cli.forecast.fights import OPENINGS, opened
from tests.golden import samples

T = TypeVar("T")


class CheckedValues(dict[Hashable, Any]):
    """Values of a function that are worked out each time, from no other parts of the state than it says."""

    def __init__(self, reads: list[tuple[Hashable, set[str]]]) -> None:
        super().__init__()
        self.parts: tuple[str, ...] = ()
        self.reads = reads  # for each value that is being worked out the parts that were read so far

    def __getitem__(self, key: Hashable) -> Any:
        """Have the value worked out, and note from now on what it is worked out from."""
        self.reads.append(((id(self), key), set()))
        raise KeyError(key)

    def setdefault(self, key: Hashable, value: Any) -> Any:
        """Keep a value, and compare it with the one that was kept."""
        while True:
            whose, read = self.reads.pop()  # what has raised a refusal was not kept
            if whose == (id(self), key):
                break
        assert read <= {*self.parts}, f"{key} is worked out from {read - {*self.parts}} too: say so in its @derived"
        kept = super().setdefault(key, value)
        assert kept == value
        return kept


class CheckedFunctions(dict[Callable[..., Any], dict[Hashable, Any]]):
    """The checked values of each function."""

    def __init__(self, reads: list[tuple[Hashable, set[str]]]) -> None:
        super().__init__()
        self.reads = reads

    def __missing__(self, function: Callable[..., Any]) -> CheckedValues:
        """Return values of which none is known."""
        values = self[function] = CheckedValues(self.reads)
        return values


class CheckedBeing(OwnValues):
    """The checked values of one being."""

    def __init__(self, reads: list[tuple[Hashable, set[str]]]) -> None:
        super().__init__()
        self.reads = reads
        self.kept = values = CheckedValues(reads)
        values.parts = tuple(OWN_PARTS)

    def new(self) -> OwnValues:
        """Return checked values of a being."""
        return CheckedBeing(self.reads)


class CheckedOwn(dict[str, OwnValues]):
    """The checked values of each being."""

    def __init__(self, reads: list[tuple[Hashable, set[str]]]) -> None:
        super().__init__()
        self.reads = reads

    def __missing__(self, who: str) -> CheckedBeing:
        """Return values of which none is known."""
        values = self[who] = CheckedBeing(self.reads)
        return values


class CheckedState(State):
    """A state in which nothing that is kept is used unchecked."""

    __slots__ = ("reads",)

    def __init__(self) -> None:
        self.reads = list[tuple[Hashable, set[str]]]()
        super().__init__()
        self.kept = CheckedFunctions(self.reads)
        self.own = CheckedOwn(self.reads)

    def __getattribute__(self, name: str) -> Any:
        """Return a part, and note that it is read."""
        part = {"encounter": "encounters", "named": "conditions"}.get(name, name)
        if part in PARTS:
            for _, read in self.reads:
                read.add(part)
        return super().__getattribute__(name)

    def values_of(self, function: Callable[..., Any], parts: tuple[str, ...]) -> dict[Hashable, Any]:
        """Return what is kept of a function, to be compared."""
        values = self.kept[function]
        assert isinstance(values, CheckedValues)
        values.parts = parts
        for part in parts:
            self.dependents.setdefault(part, set()).add(function)
        return values

    def keep_for_return(self, who: Iterable[str]) -> dict[str, OwnValues]:
        """Have the values of these beings checked, also where the state comes back to them."""
        names = list(who)
        for name in names:
            assert isinstance(self.own[name], CheckedBeing)
        return super().keep_for_return(names)

    def keep_own(self, who: str, what: Hashable, value: T) -> T:
        """Compare a value of a being, and return it."""
        kept: T = self.own[who].kept.setdefault(what, value)
        return kept


class CheckedProjection(StateProjection):
    """The projection of checked states."""

    def empty(self) -> State:
        """Return the state before the first fact."""
        return CheckedState()

    def unpack(self, body: bytes) -> State:
        """Return the state that was packed."""
        packed, state = super().unpack(body), CheckedState()
        for part, items in state.parts.items():
            items.update(packed.parts[part])
        state.look_up_again()
        return state


@pytest.mark.quick_rows(1)
@pytest.mark.parametrize("sample", samples())
def test_kept_values_are_right_in_a_replay(sample: str, played_samples: dict[str, Path]) -> None:
    """Each declaration of the samples is decided with checked values."""
    store, game = opened(played_samples[sample])
    assert not Replay(store, game, CheckedProjection()).run().differences
    store.close()


@pytest.mark.quick_rows(1)
@pytest.mark.parametrize("sample", OPENINGS)
def test_kept_values_are_right_in_a_fight(sample: str, played_samples: dict[str, Path]) -> None:
    """Whoever forecasts a fight asks more than the rules, and rolls a state back."""
    store, game = opened(played_samples[sample])
    state = load_state(store, CheckedProjection(), at=parse_entry_id(OPENINGS[sample]))
    store.close()
    assert state.state.encounter is not None
    fight = Fight(game, state, {who: new_policy("cautious", 9) for who in state.state.encounter.members})
    assert [fight.play(bytes([run]) * 32).entries > 1 for run in range(2)] == [True, True]


def test_values_are_kept_until_their_part_is_written() -> None:
    """By arguments; writing and rolling back forget them, what another part says does not."""
    asked = list[str]()

    @derived("counts", "scene")
    def about(who: str, state: State) -> int:
        """Return how often it was worked out."""
        asked.append(who)
        return len(asked)

    state = State()
    assert (about("Ash", state), about("Bryn", state), about("Ash", state)) == (1, 2, 1)
    state.put("clock", "seconds", 6)
    assert about("Ash", state) == 1
    state.put("scene", "began", "1.1")
    assert (about("Ash", state), about("Ash", state)) == (3, 3)
    state.roll_back(1)
    assert about("Ash", state) == 4
    assert (about("Ash", State()), asked) == (5, ["Ash", "Bryn", "Ash", "Ash", "Ash"])


def test_values_of_a_being_are_kept_until_it_changes() -> None:
    """A condition of somebody else forgets nothing; an option forgets what follows for all, and so does a roll-back."""
    asked = list[str]()

    @derived_of_being
    def name_of(who: str, what: str, state: State) -> int:
        """Return how often it was worked out."""
        asked.append(who)
        return len(asked)

    state = State()
    assert (name_of("Ash", "arm", state), name_of("Bryn", "arm", state), name_of("Ash", "leg", state)) == (1, 2, 3)
    state.put("conditions", "prone Bryn", condition("Bryn", "prone"))
    assert (name_of("Ash", "arm", state), name_of("Bryn", "arm", state)) == (1, 4)
    state.put("conditions", "prone Bryn", None)
    state.put("wounds", ("Ash", "1"), Wound(kind="", value=1, in_force=True, at="", encounter="", taken=1))
    assert (name_of("Bryn", "arm", state), name_of("Ash", "arm", state), name_of("Ash", "leg", state)) == (5, 6, 7)
    state.put("options", "luck", "on")
    assert (name_of("Ash", "arm", state), name_of("Bryn", "arm", state)) == (8, 9)
    state.put("clock", "seconds", 6)
    state.roll_back(len(state.journal) - 1)
    assert name_of("Ash", "arm", state) == 8
    state.roll_back(0)
    assert (name_of("Ash", "arm", state), name_of("Bryn", "arm", state)) == (10, 11)


def test_values_of_a_being_are_found_again_after_the_same_writes() -> None:
    """Behind a checkpoint the same writes lead to the same values: not others, and not in another order of two."""
    asked = list[tuple[str, ...]]()

    @derived_of_being
    def wounds_of(who: str, state: State) -> tuple[str, ...]:
        """Return what somebody has now, and note that it was worked out."""
        asked.append((who, *[condition.name for condition in state.conditions.values() if condition.who == who]))
        return asked[-1]

    def condition_of_both(name: str) -> None:
        state.put("conditions", "1", condition("Ash", name))
        assert wounds_of("Ash", state) == ("Ash", name)
        state.put("conditions", "1", condition("Bryn", name))
        assert (wounds_of("Ash", state), wounds_of("Bryn", state)) == (("Ash",), ("Bryn", name))

    state = State()
    state.put("beings", "ash", being("Ash"))
    state.put("beings", "bryn", being("Bryn"))
    for names, worked_out in (("prone", 3), ("prone", 0), ("blind", 3), ("prone", 0), ("blind", 0)):
        asked.clear()
        checkpoint = new_checkpoint(state)
        condition_of_both(names)
        return_to(checkpoint, state)
        assert len(asked) == worked_out
    assert (wounds_of("Ash", state), wounds_of("Bryn", state)) == (("Ash",), ("Bryn",))
    checkpoint = new_checkpoint(state)
    state.put("options", "luck", "on")
    condition_of_both("prone")
    return_to(checkpoint, state)
    asked.clear()
    assert (wounds_of("Ash", state), asked) == (("Ash",), [])


def test_conditions_are_found_by_name_after_every_write() -> None:
    """Also after a roll-back and in an unpacked state; not those whose id is another than their name and being."""

    def names(state: State) -> dict[str, list[str]]:
        found = {who: sorted(own) for who, own in state.named.items() if own}
        assert all(own[name] is state.conditions[f"{name} {who}"] for who, own in state.named.items() for name in own)
        return found

    state, projection = State(), StateProjection()
    state.put("conditions", "prone Ash Oak", condition("Ash Oak", "prone"))
    state.put("conditions", "prone Ash Oak", condition("Ash Oak", "prone"))
    state.put("conditions", "watched Bryn by Ash Oak", condition("Bryn", "watched"))
    state.put("conditions", "dark ", condition("", "dark"))
    begun = {"Ash Oak": ["prone"], "": ["dark"]}
    assert names(state) == names(projection.unpack(projection.pack(state))) == begun
    mark, checkpoint = len(state.journal), new_checkpoint(state)
    state.put("conditions", "prone Ash Oak", condition("Bryn", "prone"))
    state.put("conditions", "blind Bryn", condition("Bryn", "blind"))
    state.put("conditions", "dark ", None)
    assert names(state) == {"Bryn": ["blind"]}
    state.roll_back(mark)
    assert names(state) == begun
    state.put("conditions", "blind Bryn", condition("Bryn", "blind"))
    return_to(checkpoint, state)
    assert names(state) == begun


def test_what_is_known_of_later_writes_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """The memory of a long forecast stays flat."""
    monkeypatch.setattr(derived_values, "WRITES_MOST", 10)

    @derived_of_being
    def name_of(who: str, state: State) -> str:
        """Return a value to be kept."""
        return who

    state = State()
    state.put("beings", "ash", being("Ash"))
    for run in range(30):
        checkpoint = new_checkpoint(state)
        assert state.writes <= 10
        name_of("Ash", state)
        state.put("conditions", "1", condition("Ash", f"prone {run}"))
        return_to(checkpoint, state)


def being(name: str) -> Being:
    """Return somebody in play."""
    return Being(name=name, kind="pc", side="", seen="table", joined=1)


def condition(who: str, name: str) -> Condition:
    """Return a condition of somebody without anything more."""
    return Condition(who=who, name=name, degree=1, of=None, effects=(), about="", ends=(), data="", since=EntryId(1, 1))
