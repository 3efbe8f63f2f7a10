"""A state machine of writers that are stopped, go on, die and are overtaken, over all three stores.

The model is a sheet of paper: for each line whether it was acknowledged, refused, or nobody knows. What nobody knows
may be there once or not at all; all else is certain.
"""

from __future__ import annotations

import tempfile
from contextlib import closing
from itertools import count
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

from ledger import sqlite_store as sqlite
from ledger.campaign_source import open_campaign
from ledger.memory_store import MemoryStore
from ledger.postgres_address import DatabaseAddress, parse_address
from ledger.records import GENESIS, record_hash
from ledger.store import Store
from projections.projection import StateProjection
from tests.faults.hands import OwnWriter, ProcessWriter, Step
from tests.ledger.strategies import record
from tests.postgres import Server, missing_postgres, new_name, running_server

pytestmark = pytest.mark.slow
WHO = st.integers(0, 2)
LINES = st.integers(0, 5)  # which of the lines that are still to be said


class Writers(RuleBasedStateMachine):
    """Three writers of one campaign."""

    can_hold = True

    def __init__(self) -> None:
        super().__init__()
        self.numbers = count()
        self.lines: dict[str, str] = {}  # what is known of each, by its request key
        self.busy: dict[int, str] = {}  # the line that a writer who was stopped is about
        self.holding: dict[int, str] = {}
        self.writers: dict[int, ProcessWriter | OwnWriter] = {}

    def found(self) -> None:
        """Make the campaign."""
        raise NotImplementedError

    def writer(self, name: str) -> ProcessWriter | OwnWriter:
        """Return a new writer of the campaign."""
        raise NotImplementedError

    def opened(self) -> Store:
        """Return the store of the campaign, to be read."""
        raise NotImplementedError

    @initialize()
    def begin(self) -> None:
        self.found()
        for who in range(3):
            self.writers[who] = self.writer(f"w{who}")

    def key(self, line: int) -> str:
        """Return the key of a line that is not acknowledged, or of a new one."""
        left = [key for key, known in self.lines.items() if known != "taken"]
        return left[line] if line < len(left) else f"line {next(self.numbers)}"

    def note(self, key: str, answer: str) -> None:
        """Note what became of a line. What was once unknown is not known because somebody else was refused."""
        before = self.lines.get(key)
        if before != "taken" and not (before == "unknown" and answer == "refused"):
            self.lines[key] = answer

    def finish(self, who: int) -> None:
        """Wait for the answer of a writer about its line."""
        key = self.busy.pop(who)
        answer = self.writers[who].answer()
        if answer == "held":
            self.holding[who] = key
        self.note(key, "unknown" if answer == "held" else answer)

    def tell(self, who: int, step: Step, line: int) -> None:
        """Tell a writer something about a line; one that holds a batch open ends it."""
        key = self.holding.pop(who, None) or self.key(line)
        self.lines.setdefault(key, "refused")
        self.writers[who].begin(step, key)
        self.busy[who] = key

    @rule(who=WHO)
    def look(self, who: int) -> None:
        """Somebody sees the head; who does not is overtaken."""
        if who not in self.busy and who not in self.holding:
            self.writers[who].begin("look", "")
            assert self.writers[who].answer() in ("seen", "refused", "unknown")

    @rule(who=WHO, line=LINES, step=st.sampled_from(["append", "append", "hold", "commit"]))
    def say(self, who: int, line: int, step: Step) -> None:
        """Somebody says a line and waits for the answer, holds a transaction open, or ends one."""
        if who in self.busy or (step == "hold" and not self.can_hold) or (step == "commit" and who not in self.holding):
            return
        self.tell(who, step, line)
        self.finish(who)

    @rule(line=LINES, is_same=st.booleans())
    def all_say_at_once(self, line: int, is_same: bool) -> None:
        """Who can, says a line at the same moment: each a line of their own, or all the same one."""
        free = [who for who in self.writers if who not in self.busy]
        for who in free:
            self.tell(who, "append", line if is_same else 99)
        for who in free:
            self.finish(who)

    @rule(who=WHO, line=LINES)
    def stop(self, who: int, line: int) -> None:
        """Somebody stands still in the middle of a line."""
        if who not in self.busy:
            self.tell(who, "append", line)
            self.writers[who].stop()

    @rule(who=WHO)
    def go_on(self, who: int) -> None:
        if who in self.busy:
            self.writers[who].go_on()
            self.finish(who)

    @rule(who=WHO, line=LINES)
    def die(self, who: int, line: int) -> None:
        """Somebody dies in the middle of a line, and another one comes."""
        if who not in self.busy:
            self.tell(who, "append", line)
        self.writers[who].kill()
        self.note(self.busy.pop(who), "unknown")
        self.writers[who] = self.writer(f"w{who}")

    @invariant()
    def all_is_as_it_was_said(self) -> None:
        """Nothing acknowledged is lost, nothing refused is kept, nothing is there twice, and there is no gap."""
        if self.busy or not self.writers:
            return
        before, keys = GENESIS, list[str]()
        with closing(self.opened()) as store:
            for position, (stored, said) in enumerate(zip(store.read(), store.records(), strict=True), start=1):
                assert stored.position == position
                assert stored.hash == record_hash(before, stored.leaf)
                before = stored.hash
                keys += [said.request] if said.request else []
        assert len(keys) == len(set(keys))
        for key, known in self.lines.items():
            assert known == "unknown" or (key in keys) == (known == "taken"), (key, known)

    def teardown(self) -> None:
        for who in list(self.busy):
            self.writers[who].go_on()
            self.finish(who)
        self.all_is_as_it_was_said()
        for writer in self.writers.values():
            writer.kill()


class WritersInMemory(Writers):
    can_hold = False

    def found(self) -> None:
        self.store = MemoryStore()
        self.store.append([record(1)], after=self.store.head())

    def writer(self, name: str) -> OwnWriter:
        return OwnWriter(self.store, name)

    def opened(self) -> Store:
        return self.store


class WritersOfAFile(Writers):
    def found(self) -> None:
        self.folder = tempfile.TemporaryDirectory(prefix="writers-")
        self.path = Path(self.folder.name) / "ledger.db"
        with closing(sqlite.create_store(self.path, StateProjection.read_models)) as store:
            store.append([record(1)], after=store.head())

    def writer(self, name: str) -> ProcessWriter:
        return ProcessWriter(self.path, name)

    def opened(self) -> Store:
        return sqlite.open_store(self.path, write=False)

    def teardown(self) -> None:
        super().teardown()
        self.folder.cleanup()


class WritersOfAClub(Writers):
    server: Server
    address: DatabaseAddress
    has_crashed = False

    def found(self) -> None:
        from ledger.postgres_store import create_store  # psycopg may not be installed

        self.address = parse_address(self.server.uri("club", campaign=new_name()))
        with closing(create_store(self.address, StateProjection.read_models)) as store:
            store.append([record(1)], after=store.head())

    def writer(self, name: str) -> ProcessWriter:
        return ProcessWriter(self.address, name)

    def opened(self) -> Store:
        return open_campaign(self.address, write=False, models=None)

    @rule()
    def lose_all_connections(self) -> None:
        """The server ends the session of everybody."""
        from tests.faults.club import ask

        ask(self.server, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'campaign'")

    @rule()
    def crash(self) -> None:
        """The power of the server fails, once at most: it takes seconds to come back."""
        if not self.has_crashed:
            self.has_crashed = True
            self.server.stop("immediate")
            self.server.start()


EXAMPLES = {"memory": 60, "file": 6, "club": 3}


@pytest.mark.parametrize("where", EXAMPLES)
def test_writers_that_stop_and_die_lose_and_double_nothing(where: str) -> None:
    own = settings(max_examples=EXAMPLES[where], stateful_step_count=20)
    if where == "memory":
        run_state_machine_as_test(WritersInMemory, settings=own)
    elif where == "file":
        run_state_machine_as_test(WritersOfAFile, settings=own)
    elif missing_postgres():
        pytest.skip(missing_postgres())
    else:
        with running_server() as server:
            WritersOfAClub.server = server
            run_state_machine_as_test(WritersOfAClub, settings=own)


@pytest.mark.parametrize("known", ["taken", "refused"])
def test_the_machine_would_notice_a_line_that_is_otherwise(known: str) -> None:
    machine = WritersInMemory()
    machine.begin()
    machine.say(0, 99, "append")
    (key,) = machine.lines
    machine.lines["a line that is not there" if known == "taken" else key] = known
    with pytest.raises(AssertionError):
        machine.all_is_as_it_was_said()
