"""One evening of a simulated table: who does what and when, what gets lost, and what has to be true at its end."""

from __future__ import annotations

import heapq
import itertools
import json
import random
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import msgspec

from cli.table.answers import LogPart
from cli.table.seats import GAME_MASTER, WATCHER, Seat
from tests.simulation.phones import Effect, Phones
from tests.simulation.server import Killed, Server, Shell

SEATS: Final = (Seat("player", "Ana"), Seat("player", "Bo"), Seat("player", "Cem"), GAME_MASTER, WATCHER)
LINES: Final = (  # of each seat
    ("k sneak v4", "k leap v5 e1", "k destiny reroll", '" k: The slates.', "= k M9", "k pass", "o climb v3"),
    ("o climb v4", "o force v6 m", "I try to swim, difficulty five", '" o: Boots.', "o rest ten_minutes", "undo"),
    ("t read v5", "t bluff v3", "t read v2 e1", "? turn", "t destiny regain:speed", "t pick v4 s"),
    ("# The canal", "> Rain.", "close", "undo", "! doom 1 change-target", "~ +1'rain'", "! time 10m", "redo"),
    ("k sneak v4",),
)
SHELL_LINES: Final = ("# A door", "close", "undo", "k sneak v3", "~ -1'fog'", "> The lamp goes out.", "o climb v2")
DAY: Final = 120_000  # milliseconds in which people act
NIGHT: Final = 400_000  # after which everything has to be answered
SLOWEST: Final = 15_000  # until a request counts as lost


class Evening:
    """Plays a seed.

    Args:
        seed: decides everything.
        folder: of a campaign with a session open, for this evening alone.
        phones: the script of the players' page.
    """

    def __init__(self, seed: int, folder: Path, phones: Phones) -> None:
        self.chance, self.folder, self.phones = random.Random(seed), folder, phones
        self.shell = Shell(folder)
        self.server = Server(folder, self.chance, self._write_between)
        self.now, self.is_up, self.is_kind, self.is_over = 0, True, False, False
        self.acknowledged: dict[str, dict[str, Any]] = {}  # answers that a phone has seen, by request
        self.shown: dict[int, str] = {}  # the hash at each position that was ever shown
        self._reports: dict[int, Effect] = {}
        self._tapped: list[str] = []
        self._items: list[dict[str, Any]] = []
        self._taken_now: Any = None
        self._queue: list[tuple[int, int, Callable[[], object]]] = []
        self._numbers = itertools.count()
        self._streams: dict[int, tuple[int, int]] = {}  # each one's phone, and the position up to which it was sent
        self._heard_at: dict[int, int] = {}  # when the last event of a stream arrives
        self._inbox: list[tuple[Effect, bool]] = []
        self._keys: dict[int, tuple[int, str]] = {}  # of the requests under way: phone and key

    def play(self) -> None:
        """Play until everybody is answered. Raises AssertionError for what is not true then."""
        for phone in range(len(SEATS)):
            self._do("open", phone=phone)
            self._later(self.chance.randrange(DAY), lambda phone=phone: self._act(phone))
        for act in (self._shell_line, self._kill, self._fill_disk, self._cut_all):
            self._later(self.chance.randrange(DAY), act)
        self._later(DAY, self._become_kind)
        while self._queue and self.now < NIGHT and not self.is_over:
            self.now, _, happen = heapq.heappop(self._queue)
            happen()
        self._check()
        self.shell.close()
        self.server.stop()

    # Time

    def _later(self, milliseconds: int, happen: Callable[[], object]) -> None:
        heapq.heappush(self._queue, (self.now + milliseconds, next(self._numbers), happen))

    def _do(self, command: str, **given: object) -> None:
        """Give a command to the phones, and begin what follows from it."""
        for effect in self.phones.do(command, **given):
            getattr(self, f"_on_{effect['do']}")(effect)

    # What the phones do

    def _on_send(self, effect: Effect) -> None:
        """Send a request: it may be lost, late or doubled."""
        if effect["method"] == "POST":
            self._keys[effect["id"]] = effect["phone"], effect["body"]["key"]
        fate = 1.0 if self.is_kind else self.chance.random()
        if fate < 0.05:
            self._later(SLOWEST, lambda: self._do("fail", id=effect["id"]))
            return
        self._later(self._delay(), lambda: self._arrive(effect))
        if fate < 0.1:
            self._later(self._delay() * 3, lambda: self._arrive(effect, answered=False))

    def _on_listen(self, effect: Effect) -> None:
        """Open a stream."""
        if not self.is_up:
            self._later(self._delay(), lambda: self._do("fail", id=effect["id"]))
            return
        self._streams[effect["id"]] = effect["phone"], effect["after"]
        self._later(self._delay(), self._tell)

    def _on_timer(self, effect: Effect) -> None:
        self._later(effect["ms"], lambda: self._do("timer", id=effect["id"]))

    def _on_taken(self, effect: Effect) -> None:
        self._taken_now = effect["body"]

    def _on_look(self, effect: Effect) -> None:
        """Note the lines that a phone offers to be tapped."""
        beings = (effect["taps"] or {}).get("beings", [])
        self._tapped = [line for being in beings for act in being["acts"] for line in lines_of(act)]

    def _on_queue(self, effect: Effect) -> None:
        self._items = effect["items"]

    def _on_report(self, effect: Effect) -> None:
        self._reports[effect["phone"]] = effect

    # What people do

    def _act(self, phone: int) -> None:
        """Have somebody say a line, deal with what waits, or load the page again; and again after a while."""
        if self.is_kind:
            return
        kind = self.chance.random()
        self._do("look", phone=phone)
        if kind < 0.1:
            self._streams = {id: each for id, each in self._streams.items() if each[0] != phone}
            self._do("open", phone=phone)
        elif not self._settle(phone):
            self._do("say", phone=phone, line=self.chance.choice([*LINES[phone], *self._tapped]))
        self._later(self.chance.randrange(500, 12_000), lambda: self._act(phone))

    def _settle(self, phone: int) -> bool:
        """Answer a question, or drop what was refused; return whether there was something."""
        self._do("queue", phone=phone)
        for at, item in enumerate(self._items):
            if item["status"] == "asked" and item["answer"].get("choices") and self.chance.random() < 0.7:
                self._do("replace", phone=phone, at=at, line=self.chance.choice(item["answer"]["choices"])["line"])
                return True
            if item["status"] in ("asked", "refused"):
                self._do("drop", phone=phone, at=at)
                return True
            if item["status"] == "held":
                self._do("release", phone=phone)
                return True
        return False

    def _shell_line(self) -> None:
        """Say a line in the game master's shell."""
        if not self.is_kind:
            self._write_between()
            self._later(self.chance.randrange(300), self._tell)  # the server looks a few times a second
            self._later(self.chance.randrange(1000, 20_000), self._shell_line)

    def _write_between(self) -> None:
        self.shell.say(self.chance.choice(SHELL_LINES))

    # The network and the server

    def _delay(self) -> int:
        return 20 if self.is_kind else int(self.chance.expovariate(1 / 80)) + 5

    def _arrive(self, effect: Effect, *, answered: bool = True) -> None:
        """Have the server answer a request, if it is there; lines wait for the one that writes."""
        if not self.is_up:
            self._later(self._delay(), lambda: self._do("fail", id=effect["id"]))
        elif effect["method"] == "POST":
            if not self._inbox:
                self._later(self.chance.randrange(60), self._write)
            self._inbox.append((effect, answered))
        else:
            self._send_answer(effect, answered, *self.server.read(SEATS[effect["phone"]], effect["path"]))

    def _write(self) -> None:
        """Have the server take the lines that wait."""
        lines, self._inbox = self._inbox, []
        fate = 1.0 if self.is_kind else self.chance.random()
        disturbed = "kill" if fate < 0.04 else "error" if fate < 0.08 else ""
        try:
            if not self.is_up:
                raise Killed
            answers = self.server.say([(SEATS[each["phone"]], each["body"]) for each, _ in lines], disturbed)
        except Killed:
            self._down()
            for effect, _ in lines:
                self._later(self._delay(), lambda id=effect["id"]: self._do("fail", id=id))
            return
        for (effect, answered), (status, body) in zip(lines, answers, strict=True):
            self._send_answer(effect, answered, status, body)
        self._tell()

    def _send_answer(self, effect: Effect, answered: bool, status: int, body: Any) -> None:
        """Send an answer, which may be lost."""
        self._note_chain(body)
        if answered and not self.is_kind and self.chance.random() < 0.06:
            self._later(SLOWEST, lambda: self._do("fail", id=effect["id"]))
        elif answered:
            self._later(self._delay(), lambda: self._answer(effect, status, body))

    def _answer(self, effect: Effect, status: int, body: Any) -> None:
        """Bring an answer to its phone, and note what was acknowledged there."""
        self._taken_now = None
        self._do("answer", id=effect["id"], status=status, body=body, wait=1 if status == 503 else 0)
        if self._taken_now is not None:
            phone, key = self._keys[effect["id"]]
            known = self.acknowledged.setdefault(f"page:{SEATS[phone].holder}:{key}", self._taken_now)
            assert (known["entry"], known["position"]) == (self._taken_now["entry"], self._taken_now["position"])

    def _tell(self) -> None:
        """Send what is new to all who listen; a stream keeps its order."""
        if not self.is_up:
            return
        for id, (phone, position) in list(self._streams.items()):
            log = self.server.log(SEATS[phone], position)
            if log is None or log.position > position:
                self._streams[id] = phone, log.position if log is not None else 0
                self._send_event(id, log)
                self._later(1, self._tell)

    def _send_event(self, id: int, log: LogPart | None) -> None:
        if not self.is_kind and self.chance.random() < 0.05:
            del self._streams[id]
            self._later(self._delay(), lambda: self._do("cut", id=id))
            return
        at = max(self.now + self._delay(), self._heard_at.get(id, 0) + 1)
        self._heard_at[id] = at
        data = None if log is None else msgspec.to_builtins(log)
        self._note_chain(data)
        self._later(
            at - self.now, lambda: self._do("event", id=id, name="reload" if log is None else "message", data=data)
        )

    def _kill(self) -> None:
        if not self.is_kind:
            self.server.stop()
            self._down()
            self._later(self.chance.randrange(2000, 40_000), self._kill)

    def _down(self) -> None:
        """End all connections; the server is back after a while."""
        if not self.is_up:
            return
        self.is_up = False
        self._cut_all()
        self._later(self.chance.randrange(200, 5000), self._up)

    def _up(self) -> None:
        self.is_up = True

    def _cut_all(self) -> None:
        for id in list(self._streams):
            del self._streams[id]
            self._later(self._delay(), lambda id=id: self._do("cut", id=id))

    def _fill_disk(self) -> None:
        self.server.is_full = not self.server.is_full and not self.is_kind
        if not self.is_kind:
            self._later(self.chance.randrange(1000, 15_000), self._fill_disk)

    def _become_kind(self) -> None:
        """From now on nobody acts, nothing is lost and the server stays up."""
        self.is_kind, self.is_up, self.server.is_full = True, True, False
        self._later(100, self._ask_all)

    def _ask_all(self) -> None:
        """Deal with what waits for a person, until nothing does."""
        for phone in range(len(SEATS)):
            while self._settle(phone):
                pass
        self.is_over = self._is_quiet()
        self._later(1000, self._ask_all)

    def _is_quiet(self) -> bool:
        """Whether every phone has what there is."""
        self._do("report")
        head = self.server.view.ledger.store.head().position
        return all(
            not each["queue"]
            and each["position"] == head
            and (each["state"] or {}).get("position") == head
            and (not self.server.has_taps or (each["taps"] or {}).get("position") == head)
            for each in self._reports.values()
        )

    # What has to be true

    def _note_chain(self, body: Any) -> None:
        """Note the hashes that somebody is shown: nobody may ever be shown another past."""
        if isinstance(body, dict) and "chain" in body:
            for link in body["chain"]:
                assert self.shown.setdefault(link["position"], link["hash"]) == link["hash"], "two pasts were shown"

    def _check(self) -> None:
        """Check the ledger against what everybody was told, and what everybody sees against the ledger."""
        assert self._is_quiet(), [
            (each["phone"], each["position"], (each["state"] or {}).get("position"), each["queue"])
            for each in self._reports.values()
        ]
        store = self.server.view.ledger.store
        records = list(store.records())
        hashes = {stored.position: stored.hash for stored in store.read()}
        assert self.shown.items() <= hashes.items(), "somebody was shown what is not in the ledger"
        requests = [record.request for record in records if record.request]
        assert len(requests) == len(set(requests)), "a line counts twice"
        assert {each for each in requests if each.startswith("page:")} == self.acknowledged.keys()
        for request, answer in self.acknowledged.items():
            record = records[answer["position"] - 1]
            assert (record.request, str(record.id)) == (request, answer["entry"]), "an acknowledged line is lost"
        for phone, seat in enumerate(SEATS):
            report = self._reports[phone]
            assert report["state"] == json.loads(self.server.view.state_json(seat)), f"phone {phone} is behind"
            assert report["taps"] == self.server.read(seat, "/acts")[1], f"phone {phone} has old taps"
            shown = {line["entry"]: line for line in report["entries"]}
            assert shown == self._whole_log(seat), f"phone {phone} has another log"

    def _whole_log(self, seat: Seat) -> dict[str, Any]:
        lines: dict[str, Any] = {}
        after, more = 0, True
        while more:
            log = self.server.view.log(seat, after)
            lines |= {line.entry: msgspec.to_builtins(line) for line in log.lines}
            after, more = log.position, log.more
        return lines


def lines_of(act: dict[str, Any]) -> Iterator[str]:
    """Yield the whole lines below a tap; those with something to fill in are none."""
    if act.get("line") and not act.get("blanks"):
        yield act["line"]
    for choice in act.get("choices", ()):
        yield from lines_of(choice)


def play(seed: int, start: Path, folder: Path, phones: Phones) -> Evening:
    """Play a seed in a copy of a campaign, and return the evening. Raises AssertionError with the seed in it."""
    shutil.copytree(start, folder)
    evening = Evening(seed, folder, phones)
    try:
        evening.play()
    except AssertionError as error:
        error.add_note(f"python -m tests.simulation {seed}")
        raise
    return evening
