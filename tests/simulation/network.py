"""The network of a simulated table: requests, answers and streams, of which some are lost, late, doubled or altered."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import msgspec

from cli.table.answers import LogPart
from cli.table.page_links import LinkWanted
from ledger.names import name_key
from tests.simulation.clock import Clock
from tests.simulation.phones import Effect, Phones
from tests.simulation.plan import SEATS, Plan
from tests.simulation.server import Killed, Server, Throw

SLOWEST: Final = 15_000  # milliseconds until a request counts as lost
BUSY: Final = 20  # milliseconds until the writer is asked again
FAULTS: Final = ((0.03, "kill"), (0.05, "kill before"), (0.07, "kill after"), (0.1, "error"), (0.12, "disk"))


@dataclass
class Stream:
    """What a phone listens to: with which token, up to which position it was sent, when its last event arrives."""

    phone: int
    token: str
    position: int
    heard_at: int = 0


class Network:
    """Carries what phones and server say to each other.

    Args:
        chance: decides what becomes of each message.
        clock: its time.
        plan: who lies.
        phones: the scripts of the page.
        server: answers.
        note: takes each body that somebody is shown.
    """

    def __init__(
        self,
        chance: random.Random,
        clock: Clock,
        plan: Plan,
        phones: Phones,
        server: Server,
        note: Callable[[Any], None],
    ) -> None:
        self.chance, self.clock, self.plan, self.phones, self.server = chance, clock, plan, phones, server
        self.is_up, self.is_kind = True, False
        self.tokens = [server.links.token(seat) for seat in SEATS]  # with which each phone comes
        self.sent: dict[str, str] = {}  # the request of a line by its key, as it stands in a record
        self.taken: dict[str, dict[str, Any]] = {}  # answers to them that a phone has seen
        self.unsure: set[str] = set()  # requests that nobody waits for any more: they may have been taken
        self.happened = Counter[str]()  # what went wrong, how often
        self.reports: dict[int, Effect] = {}
        self.given: dict[str, set[Throw]] = {}  # for which throws each link was given
        self._note = note
        self._asks: dict[str, Throw] = {}  # for which throw a link was asked, by id
        self._streams: dict[int, Stream] = {}
        self._inbox: list[tuple[Effect, bool]] = []
        self._answered: Any = None  # what a phone has just taken
        server.want = self._want

    # Phones

    def do(self, command: str, **given: object) -> None:
        """Give a command to the phones, and begin what follows from it."""
        for effect in self.phones.do(command, **given):
            getattr(self, f"_on_{effect['do']}")(effect)

    def open(self, phone: int) -> None:
        """Load the page of a phone with its link."""
        self.close(phone)
        self.do("open", phone=phone, link=self.tokens[phone])

    def close(self, phone: int) -> None:
        """Close the page of a phone."""
        self._streams = {id: stream for id, stream in self._streams.items() if stream.phone != phone}
        self.do("close", phone=phone)

    def look(self, phone: int) -> Effect:
        """Return what the page of a phone has."""
        self.do("look", phone=phone)
        return self.reports[phone]

    def _on_look(self, effect: Effect) -> None:
        self.reports[effect["phone"]] = effect

    _on_report = _on_look

    def _on_timer(self, effect: Effect) -> None:
        self.clock.later(effect["ms"], lambda: self.do("timer", id=effect["id"]))

    def _on_taken(self, effect: Effect) -> None:
        self._answered = effect["body"]

    # Requests

    def _on_send(self, effect: Effect) -> None:
        """Send a request: it may be lost, late or doubled, or come once more much later."""
        phone = effect["phone"]
        effect["token"] = self.tokens[phone]
        if effect["path"] == "/line":
            self.sent[effect["body"]["key"]] = f"page:{SEATS[phone].holder}:{effect['body']['key']}"
        if effect["path"] == "/link":
            self._alter(effect)
        fate = 1.0 if self.is_kind else self.chance.random()
        if fate < 0.05:
            self.happened["a request is lost"] += 1
            self.clock.later(SLOWEST, lambda: self.do("fail", id=effect["id"]))
            return
        self.clock.later(self._delay(), lambda: self._arrive(effect))
        if fate < 0.1:
            self.clock.later(self._delay() * 3, lambda: self._arrive(effect, answered=False))
        elif fate < 0.13:
            self.clock.later(self.chance.randrange(20_000), lambda: self._replay(effect))

    def _replay(self, effect: Effect) -> None:
        """Let a recorded request come again: what was refused may be taken now."""
        self.happened["a request is replayed"] += 1
        if effect["path"] == "/line":
            self.unsure.add(self.sent[effect["body"]["key"]])
        self._arrive(effect, answered=False)

    def _alter(self, effect: Effect) -> None:
        """Have a liar give another link, and note which links were given for what."""
        body = effect["body"]
        if effect["phone"] == self.plan.liar and self.chance.random() < 0.7:
            others = [*self.given, "f" * 64, body["link"].upper(), "no link", ""]
            body["link"] = self.chance.choice(others)
        self.given.setdefault(body["link"], set()).add(self._asks.get(body["id"], ("", 0)))

    def _arrive(self, effect: Effect, *, answered: bool = True) -> None:
        """Have the server answer a request, if it is there; lines wait for the one that writes."""
        if not self.is_up:
            self.clock.later(self._delay(), lambda: self.do("fail", id=effect["id"]))
            return
        seat = self.server.links.find(effect["token"])
        if seat is None:
            self.happened["a link is an old one"] += 1
            self._send_answer(effect, answered, 401, {"code": "L-TOKEN"})
        elif effect["path"] == "/line":
            if not self._inbox:
                self.clock.later(self.chance.randrange(60), self._write)
            self._inbox.append((effect, answered))
        elif effect["path"] == "/link":
            status, body = self.server.give(seat, effect["body"])
            self.happened[f"a part of the dice is {body['status']}"] += 1
            self._send_answer(effect, answered, status, body)
        else:
            self._send_answer(effect, answered, *self.server.read(seat, effect["path"]))

    def _write(self) -> None:
        """Have the server take the lines that wait."""
        if self.server.is_busy:
            self.clock.later(BUSY, self._write)
            return
        lines, self._inbox = self._inbox, []
        fate = 1.0 if self.is_kind else self.chance.random()
        fault = next((name for most, name in FAULTS if fate < most), "")
        try:
            if not self.is_up:
                raise Killed
            said = [(SEATS[effect["phone"]], effect["body"]) for effect, _ in lines]
            answers = self.server.say(said, fault)
        except Killed:
            self.happened[f"killed in a line: {fault or 'while it waits'}"] += 1
            self.down()
            for effect, _ in lines:
                self.clock.later(self._delay(), lambda id=effect["id"]: self.do("fail", id=id))
            return
        for (effect, answered), (status, body) in zip(lines, answers, strict=True):
            self.happened[f"a line is answered with {status}"] += 1
            self._send_answer(effect, answered, status, body)
        self.tell()

    def _send_answer(self, effect: Effect, answered: bool, status: int, body: Any) -> None:
        """Send an answer, which may be lost."""
        self._note(body)
        if answered and not self.is_kind and self.chance.random() < 0.06:
            self.clock.later(SLOWEST, lambda: self.do("fail", id=effect["id"]))
        elif answered:
            self.clock.later(self._delay(), lambda: self._answer(effect, status, body))

    def _answer(self, effect: Effect, status: int, body: Any) -> None:
        """Bring an answer to its phone, and note what was taken as it was told there."""
        self._answered = None
        self.do("answer", id=effect["id"], status=status, body=body, wait=1 if status == 503 else 0)
        if self._answered is not None:
            known = self.taken.setdefault(self.sent[effect["body"]["key"]], self._answered)
            assert (known["entry"], known["position"]) == (self._answered["entry"], self._answered["position"])

    def _delay(self) -> int:
        return 20 if self.is_kind else int(self.chance.expovariate(1 / 80)) + 5

    # Streams

    def _on_listen(self, effect: Effect) -> None:
        """Open a stream."""
        token = self.tokens[effect["phone"]]
        if not self.is_up:
            self.clock.later(self._delay(), lambda: self.do("fail", id=effect["id"]))
        elif self.server.links.find(token) is None:
            self.clock.later(self._delay(), lambda: self.do("refuse", id=effect["id"], status=401))
        else:
            self._streams[effect["id"]] = Stream(effect["phone"], token, effect["after"])
            self.server.page_links.hear(SEATS[effect["phone"]].holder)
            self.clock.later(self._delay(), self.tell)

    def tell(self) -> None:
        """Send what is new to all who listen: it is read once for each view and position."""
        if not self.is_up or not self._streams:
            return
        head, logs = self.server.position(), dict[tuple[str, int], LogPart | None]()
        for id, stream in list(self._streams.items()):
            seat, position = SEATS[stream.phone], stream.position
            if position == head:
                continue
            if (key := (seat.view, position)) not in logs:
                logs[key] = self.server.log(seat, position)
            log = logs[key]
            stream.position = log.position if log is not None else 0
            self._send_event(id, "message" if log else "reload", log)
            if log is None or log.more:
                self.clock.later(1, self.tell)

    def _want(self, who: str, wanted: LinkWanted) -> None:
        """Ask all pages that listen with the link of a player for a link."""
        self._asks[wanted.id] = wanted.purpose, wanted.throw
        pages = [id for id, stream in self._streams.items() if name_key(SEATS[stream.phone].holder) == name_key(who)]
        for id in pages:
            self._send_event(id, "link", wanted)
        if not pages:
            links = self.server.page_links
            self.clock.later(0, lambda: links.pass_over(wanted.id))

    def _send_event(self, id: int, name: str, content: LogPart | LinkWanted | None) -> None:
        """Send an event: a stream keeps its order, or is cut."""
        if not self.is_kind and self.chance.random() < 0.05:
            self._cut(id)
            return
        stream = self._streams[id]
        stream.heard_at = max(self.clock.now + self._delay(), stream.heard_at + 1)
        data = msgspec.to_builtins(content)
        self._note(data)
        self.clock.later(stream.heard_at - self.clock.now, lambda: self.do("event", id=id, name=name, data=data))

    def _cut(self, id: int) -> None:
        """End a stream."""
        del self._streams[id]
        self.clock.later(self._delay(), lambda: self.do("cut", id=id))

    def cut_all(self) -> None:
        """End all streams."""
        for id in list(self._streams):
            self._cut(id)

    # The server and its links

    def down(self) -> None:
        """Kill the server: all connections end, and it is back after a while."""
        if not self.is_up:
            return
        self.is_up = False
        self.server.kill()
        self.cut_all()
        self.clock.later(self.chance.randrange(200, 5000), self._up)

    def _up(self) -> None:
        self.is_up = True

    def renew(self, phone: int) -> None:
        """Replace the link of a phone: the old one ends, and so does what was opened with it."""
        self.server.renew(SEATS[phone])
        if self.is_up:
            for id, stream in list(self._streams.items()):
                if self.server.links.find(stream.token) is None:
                    self._cut(id)

    def forget(self, page: Effect) -> None:
        """Note that what a page has sent is not waited for any more."""
        self.unsure |= {self.sent[item["key"]] for item in page["queue"] if item["key"] in self.sent}

    def fetch_link(self, phone: int) -> None:
        """Give a phone the link that it has now. What was said with the old one is not waited for any more."""
        self.forget(self.look(phone))
        self.tokens[phone] = self.server.links.token(SEATS[phone])
        self.open(phone)
