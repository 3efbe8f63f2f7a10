"""One evening of a simulated table: who does what and when, until everybody is answered."""

from __future__ import annotations

import random
import shutil
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from tests.simulation.checks import check_evening, check_quiet, check_shown, is_quiet
from tests.simulation.clock import Clock
from tests.simulation.network import Network
from tests.simulation.phones import Effect, Phones
from tests.simulation.plan import PLAYERS, SEATS, draw_plan
from tests.simulation.server import Server, Shell

LINES: Final = (  # of each seat
    ("k sneak v4", "k leap v5 e1", "k destiny reroll", '" k: The slates.', "= k M9", "k pass", "o climb v3"),
    ("o climb v4", "o force v6 m", "I try to swim, difficulty five", '" o: Boots.', "o rest ten_minutes", "undo"),
    ("t read v5", "t bluff v3", "t read v2 e1", "? turn", "t destiny regain:speed", "t pick v4 s"),
    ("# The canal", "> Rain.", "close", "undo", "! doom 1 change-target", '~ +1"rain"', "! time 10m", "redo"),
    ("k sneak v4",),
)
SHELL_LINES: Final = ("# A door", "close", "undo", "k sneak v3", '~ -1"fog"', "> The lamp goes out.", "o climb v2")
CHANGES: Final = ("drop", '+1"fog"', "v3")  # of an earlier entry
STRANGE_CHAIN: Final = f'chain "{"f" * 64}" 7'  # whose links nobody has
AWAY_MOST: Final = 8_000  # milliseconds
GRACE: Final = 30_000  # in which all that was lost comes again
PAUSE: Final = 3000  # until people look again in the quiet
NIGHT: Final = 300_000  # behind the day: by then everything has to be answered


class Evening:
    """Plays a seed.

    Args:
        seed: decides everything.
        starts: folders of the campaign with a session open, by whether its dice are shared.
        folder: a new one, for this evening alone.
        phones: the scripts of the players' page.
    """

    def __init__(self, seed: int, starts: Mapping[bool, Path], folder: Path, phones: Phones) -> None:
        self.chance, self.clock = random.Random(seed), Clock()
        self.plan = draw_plan(self.chance)
        shutil.copytree(starts[self.plan.is_shared], folder)
        phones.do("reset", seed=str(seed), length=self.plan.links)
        self.shown: dict[int, str] = {}  # the hash at each position that was ever shown
        self.server = Server(folder, self.chance, self.clock, has_taps=self.plan.has_taps)
        self.network = Network(self.chance, self.clock, self.plan, phones, self.server, self._note)
        self.shell = Shell(folder, self.server)
        self.server.between, self.server.is_up = self._write_between, lambda: self.network.is_up
        self.happened = Counter[str]()
        self._away = set[int]()  # phones in a pocket
        self._is_over = False

    def play(self) -> None:
        """Play until everybody is answered. Raises AssertionError for what is not true then."""
        for phone in range(len(SEATS)):
            self.network.open(phone)
            self._at_random(lambda phone=phone: self._act(phone))
        for act in (self._shell_line, self._kill, self._fill_disk, self.network.cut_all, self._renew):
            self._at_random(act)
        self.clock.later(self.plan.day, self._become_kind)
        self.clock.run(lambda: self._is_over, self.plan.day + NIGHT)
        self.happened = check_evening(self.network, self.plan)
        self.shell.close()
        self.server.kill()

    def _at_random(self, act: Any) -> None:
        self.clock.later(self.chance.randrange(self.plan.day), act)

    def _note(self, body: Any) -> None:
        check_shown(self.shown, body)

    # Players

    def _act(self, phone: int) -> None:
        """Have somebody say a line, deal with what waits, or load the page again; and again after a while."""
        if self.network.is_kind:
            return
        self.clock.later(self.chance.randrange(300, 5_000), lambda: self._act(phone))
        if phone in self._away:
            return
        kind, page = self.chance.random(), self.network.look(phone)
        if page["revoked"]:
            self.network.fetch_link(phone)
        elif kind < 0.12:
            self._load_again(phone, page)
        elif page["stranger"] and kind < 0.5:
            self.network.do("commit", phone=phone)
        elif not self._settle(phone, page):
            tapped = lines_of_taps(page["taps"] or {})
            self.network.do("say", phone=phone, line=self.chance.choice([*self._lines(phone), *tapped]))

    def _lines(self, phone: int) -> list[str]:
        """Return the lines that somebody may say."""
        lines = list(LINES[phone])
        if SEATS[phone].role == "gm":
            lines.append(self._correction())
        if self.plan.is_shared and SEATS[phone].role in ("gm", "player"):
            lines.append(f"Ana {STRANGE_CHAIN}")
        return lines

    def _correction(self) -> str:
        return f'~ {self.chance.randrange(1, 15)} {self.chance.choice(CHANGES)} because="a fog" retcon'

    def _load_again(self, phone: int, page: Effect) -> None:
        """Have a page closed and opened again, at once or after a while; some browsers have forgotten everything."""
        if self.chance.random() < 0.2:
            self.network.forget(page)
            self.network.close(phone)
            self.network.do("wipe", phone=phone)
        if self.chance.random() < 0.4:
            self.network.close(phone)
            self._away.add(phone)
            self.clock.later(self.chance.randrange(AWAY_MOST), lambda: self._come_back(phone))
        else:
            self.network.open(phone)

    def _come_back(self, phone: int) -> None:
        if phone in self._away:
            self._away.remove(phone)
            self.network.open(phone)

    def _settle(self, phone: int, page: Effect) -> bool:
        """Answer a question, or drop what was refused; return whether there was something."""
        for at, item in enumerate(page["queue"]):
            if item["status"] == "asked" and item["answer"].get("choices") and self.chance.random() < 0.7:
                line = self.chance.choice(item["answer"]["choices"])["line"]
                self.network.do("replace", phone=phone, at=at, line=line)
                return True
            if item["status"] in ("asked", "refused"):
                self.network.do("drop", phone=phone, at=at)
                return True
            if item["status"] == "held":
                self.network.do("release", phone=phone)
                return True
        return False

    # The game master's shell, and what goes wrong

    def _shell_line(self) -> None:
        """Say a line in the game master's shell."""
        if not self.network.is_kind:
            self._write_between()
            self.clock.later(self.chance.randrange(300), self.network.tell)  # the server looks a few times a second
            self.clock.later(self.chance.randrange(1000, 8_000), self._shell_line)

    def _write_between(self) -> None:
        self.shell.say(self.chance.choice([*SHELL_LINES, self._correction()]))

    def _kill(self) -> None:
        if not self.network.is_kind:
            self.network.down()
            self.clock.later(self.chance.randrange(2000, 20_000), self._kill)

    def _fill_disk(self) -> None:
        self.server.is_full = not self.server.is_full and not self.network.is_kind
        if not self.network.is_kind:
            self.clock.later(self.chance.randrange(500, 6_000), self._fill_disk)

    def _renew(self) -> None:
        """Replace somebody's link, now and then."""
        if self.chance.random() < 0.4 and not self.network.is_kind:
            self.network.renew(self.chance.randrange(len(SEATS)))

    # The end

    def _become_kind(self) -> None:
        """From now on nothing is lost and the server stays up; everybody says a last line."""
        self.network.is_kind, self.server.is_full = True, False
        for phone in list(self._away):
            self._come_back(phone)
        self.clock.later(1000, self._ask_all)
        self.clock.later(GRACE, self._say_last)

    def _say_last(self) -> None:
        """Have each player say a line in the quiet, where dice are shared: their pages give their part."""
        if self.clock.now < self.plan.day + 2 * GRACE and not is_quiet(self.network, self.plan):
            self.clock.later(PAUSE, self._say_last)
            return
        check_quiet(self.network, self.plan)
        self.server.page_links.unanswered.clear()
        for phone in PLAYERS if self.plan.is_shared else ():
            self.network.do("say", phone=phone, line=LINES[phone][0])
        self._end()

    def _ask_all(self) -> None:
        """Have everybody deal with what waits, and the owners of replaced links fetch the new ones."""
        self.network.do("report")
        for phone in range(len(SEATS)):
            page = self.network.reports[phone]
            if page["revoked"]:
                self.network.fetch_link(phone)
            while self._settle(phone, page):
                page = self.network.look(phone)
        self.clock.later(PAUSE, self._ask_all)

    def _end(self) -> None:
        self._is_over = is_quiet(self.network, self.plan)
        self.clock.later(PAUSE, self._end)


def lines_of_taps(taps: dict[str, Any]) -> list[str]:
    """Return the lines that a phone offers to be tapped."""
    return [line for being in taps.get("beings", []) for act in being["acts"] for line in lines_of(act)]


def lines_of(act: dict[str, Any]) -> Iterator[str]:
    """Yield the whole lines below a tap; those with something to fill in are none."""
    if act.get("line") and not act.get("blanks"):
        yield act["line"]
    for choice in act.get("choices", ()):
        yield from lines_of(choice)


def play(seed: int, starts: Mapping[bool, Path], folder: Path, phones: Phones) -> Evening:
    """Play a seed, and return the evening. Raises AssertionError with the seed in it."""
    try:
        evening = Evening(seed, starts, folder, phones)
        evening.play()
    except Exception as error:
        error.add_note(f"python -m tests.simulation {seed}")
        raise
    return evening
