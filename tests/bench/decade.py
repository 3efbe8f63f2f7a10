"""Ten years of use: a campaign of many sessions, said line by line to the real engine, always the same for a seed.

    python -m tests.bench.decade FOLDER [--sessions 300] [--game dusk-bastards] [--seed 1]

Characters gain levels, die and are followed by others; options are switched; lines are taken back and amended, some
of them long after; people quote and take notes; every session has a fight or two. What to say is drawn from the lines
of a game's `Script`: a line that the rules refuse is not said, and the next one is tried.
"""

from __future__ import annotations

import argparse
import random
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from time import perf_counter
from typing import Any

from cli.play.declare import CLOSE, declare_line
from cli.play.new_campaign import create_campaign
from ledger.dice import fixed_seed
from ledger.errors import LedgerError
from ledger.facts import EntryId
from ledger.records import Record
from ledger.service import Ledger
from projections.state import State
from rulebooks import load_game
from tests.bench.play import hasty

CAMPAIGNS = Path(__file__).parent.parent.parent / "campaigns"
BEGAN = datetime(2016, 9, 2, 19, 30)
WEEKS_BETWEEN = 1.74  # ten years in 300 sessions
NAMES = "Aveline Barnabas Corisande Drogo Elspeth Florian Griselda Hob Isolde Jocelyn Kestrel Lorcan Mirabel Nicodemus"
NAMES += " Osric Perpetua Quill Rosamund Saffron Tibalt Ursula Vesper Wystan Xanthe Yorick Zenobia"
SCENES = ("The ferry at dusk", "A house without stairs", "Under the market", "The long road", "Snow on the pass")
NOTES = (
    "> The lamps along the canal go out, one after the other.",
    "> Somebody has been here before them, and has taken the clock.",
    "> It rains until nobody believes in the other bank.",
)
QUOTES = (
    "That was not in the letter.",
    "I have a plan, and half of it is good.",
    "We never speak of the goat again.",
    "If the bell rings twice, run.",
)
DEADLY = 12  # times the damage of a foe of the samples
SAY_NOW = "Say it now: "
RARE_QUOTE = "Nobody feeds the heron but me."  # said once in ten years


@dataclass(frozen=True)
class Script:
    """What is said in one game. In lines `{who}` speaks, `{other}` is opposite, `{n}` is a small number."""

    sample: str
    foes: Sequence[str]
    quiet: Sequence[str]
    begin: str
    first: Sequence[str]
    fight: Sequence[str]
    foes_fight: Sequence[str]
    waits: Sequence[str]
    end: Sequence[str]
    rest: Sequence[str]
    growth: Sequence[str] = ()  # numbers of the sheet that rise with a level
    switches: Sequence[tuple[str, str]] = ()  # an option and its values
    gone: Sequence[str] = ("dead",)  # conditions of those whose players play somebody else from then on
    amendment: str = '+1"it was darker than we thought"'


SCRIPTS = {
    "dusk-bastards": Script(
        sample="gutter-saints",
        foes=("dovel", "watchman"),
        quiet=(
            "{who} sneak v{n}",
            "{who} climb v{n} e1",
            '{who} read v{n} +a1"an old map"',
            "{who} bluff v{n} +1",
            '{who} search v{n} -1"rain"',
            "{who} force v{n} e1",
            '{who} swim v{n} +1"a rope"',
            "{who} destiny reroll",
            '! doom 1 change-target because="the wind turns"',
            '! doom 9 "the river rises" because="a wet year"',
        ),
        begin='! encounter "{place}" participants={all}',
        first=("{who} initiative", "{who} initiative e1"),
        fight=(
            "{who} attack {other} s d4",
            "{who} attack {other} m d6 e1",
            "{who} attack {other} s d4 ranged +cover",
            "{who} move short",
            "{who} charge {other}",
            "{who} dodge {other}",
        ),
        foes_fight=("{other} dodge {who}", "{other} dodge {who} +dark", "! {who} move short"),
        waits=("close", "{who} pass", "! {who} pass"),
        end=("! over",),
        rest=(
            "{who} rest one_action order=speed,might,intellect",
            "{who} rest ten_minutes order=speed,might,intellect",
            "{who} rest ten_hours order=speed,might,intellect",
        ),
        growth=("level", "might", "speed", "intellect"),
        switches=(("light_wound_cost", "per_use"), ("light_wound_cost", "per_level")),
    ),
    "momentum": Script(
        sample="broken-archway",
        foes=("spearman", "archer"),
        quiet=('{who} check agi "the wet ledge"', '{who} check str "the fallen gate"'),
        begin='! fight "{place}" zones=yard participants={all}',
        first=("{who} momentum",),
        fight=("{who} attack {other}", "{who} double {other}", "{who} end"),
        foes_fight=("! {who} attack {other}", "! {who} end"),
        waits=("close", "{who} end", "! {who} end", "! on"),
        end=('! over "they have had enough"', "! over"),
        rest=(),
        gone=("dead", "down"),
    ),
    "monolith": Script(
        sample="choir-of-glass",
        foes=("sexton", "verger"),
        quiet=(
            '{who} save reflex "a step gives way" "or a long way down"',
            '{who} does "cut a way through" "the door holds no longer"',
        ),
        begin='! encounter "{place}" participants={all}',
        first=("! round",),
        fight=('{who} declare "as it comes"', "{who} attack {other}", "{who} move 10"),
        foes_fight=("! {who} attack {other}", '! telegraph {who} "comes nearer"'),
        waits=('! order reflex "who sees it first"', "{who} save reflex", "! acted opponents", "! done", "! round"),
        end=('! over "the lights come back"', "! over"),
        rest=("{who} rest",),
    ),
    "mars": Script(
        sample="lantern-ferry",
        foes=("oarsman", "brannoc"),
        quiet=('{who} check perception v1{n} "there is a second light"', '{who} check athletics v{n} "a rope of nets"'),
        begin='! encounter "{place}" participants={all}',
        first=("{who} initiative", "! {who} initiative"),
        fight=("{who} attack {other}", "{who} move 2"),
        foes_fight=("! {who} attack {other}", "! {who} move 2"),
        waits=("close", "{who} end", "! {who} end", "! on"),
        end=('! over "they have had enough"', "! over"),
        rest=("{who} long", "{who} short 45"),
    ),
    "semiautomagic": Script(
        sample="powder-tithe",
        foes=("hob", "orsk"),
        quiet=("{who} hide", "{who} perceive {other}", "{who} locate {other} heard"),
        begin='! fight "{place}" {spaced}',
        first=(),
        fight=("{who} attack {other}", "{who} attack {other} ranged", "{who} move 3"),
        foes_fight=("! {who} attack {other}", "! {who} move 3", "! {who} attack {other} dodge"),
        waits=("close", "{who} end", "! {who} end", "! on"),
        end=('! over "they have had enough"', "! over"),
        rest=(),
    ),
}


@dataclass
class Decade:
    """A campaign while it is played, and how often each thing was done."""

    ledger: Ledger[State]
    script: Script
    chance: random.Random
    day: datetime = BEGAN
    sheets: dict[str, dict[str, Any]] = field(default_factory=dict)  # of the characters in play
    foes: list[str] = field(default_factory=list)  # of the fight
    done: dict[str, int] = field(default_factory=dict)
    hint: str = ""  # of the last refusal

    @property
    def at(self) -> str:
        """The time of the next line."""
        return self.day.strftime("%Y-%m-%dT%H:%M:%SZ")

    def note(self, what: str) -> None:
        """Count something that was done."""
        self.done[what] = self.done.get(what, 0) + 1

    def say(self, line: str) -> Record | None:
        """Say a line; None if it is refused or says nothing."""
        if line == CLOSE and not self.ledger.state.state.windows:
            return None
        self.day += timedelta(seconds=40)
        try:
            record = declare_line(self.ledger, self.ledger.game, line, at=self.at)
        except LedgerError as error:
            self.hint = error.hint
            return None
        self.hint = ""
        self.note("lines")
        return record

    def say_first(self, lines: Sequence[str], who: str = "", other: str = "") -> Record | None:
        """Say the first of these lines, in random order, that is not refused, or what a refusal asks for first."""
        for line in self.chance.sample(lines, len(lines)):
            text = line.format(who=said(who), other=said(other), n=self.chance.randint(2, 6))
            if record := self.say(text):
                return record
            due = self.hint.removeprefix(SAY_NOW).removesuffix(".")
            if self.hint.startswith(SAY_NOW) and (record := self.say(due)):
                return record
        return None

    # Who there is

    def join(self, content: dict[str, Any], name: str) -> None:
        """Cast a being from its sheet under this name."""
        self.ledger.declare(self.ledger.game.sheet({**content, "name": name}, f"{name}.toml"), at=self.at)

    def is_gone(self, who: str) -> bool:
        """Return whether somebody is dead, or does not come back for other reasons."""
        conditions = self.ledger.state.state.conditions.values()
        return any(each.who == who and each.name in self.script.gone for each in conditions)

    def standing(self, names: Sequence[str]) -> list[str]:
        """Return those who are not dead."""
        return [name for name in names if not self.is_gone(name)]

    def replace_the_dead(self) -> None:
        """Let the player of each dead character play another one."""
        for name in [name for name in self.sheets if self.is_gone(name)]:
            content, used = self.sheets.pop(name), {being.name for being in self.ledger.state.state.beings.values()}
            free = next(new for new in fresh_names(self.chance) if new not in used)
            self.join(content, free)
            self.sheets[free] = content
            self.note("deaths")

    def grow(self, name: str) -> None:
        """Raise the level and one number of a sheet."""
        if not self.script.growth:
            return
        before, game = self.sheets[name], self.ledger.game
        rising = {"level", self.chance.choice(self.script.growth)}
        after = {**before, **{key: before[key] + 1 for key in rising if isinstance(before.get(key), int)}}
        if after.get("level", 0) > 6:
            return
        old, new = (game.sheet({**each, "name": name}, "sheet") for each in (before, after))
        change = game.sheet_edits(new, "a new level", old)
        if change is not None:
            self.ledger.declare(change, at=self.at)
            self.sheets[name] = after
            self.note("levels")

    # What happens

    def play(self, number: int, sessions: int) -> None:
        """Play one session."""
        self.day = BEGAN + timedelta(weeks=WEEKS_BETWEEN * number)
        self.replace_the_dead()
        if number % 12 == 11:
            for name in list(self.sheets):
                self.grow(name)
        scene = self.chance.choice(SCENES)
        self.ledger.open_session(scene, at=self.at, seed=fixed_seed(f"decade {number}"))
        self.say(f"# {scene}")
        if number == sessions // 3:
            self.say(f'" {next(iter(self.sheets)).casefold()}: {RARE_QUOTE}')
        if self.script.switches and number % 25 == 10:
            option, value = self.script.switches[number // 25 % len(self.script.switches)]
            if self.say(f'! option {option} {value} "we try it this way"'):
                self.note("options")
        self.talk(12)
        for _ in range(1 + (number % 3 == 0)):
            self.fight(scene, deadly=number % 10 == 4)
            self.talk(4)
        self.end_fight()  # an undo may have begun it again
        for who in self.standing([*self.sheets]):
            self.say_first(self.script.rest, who)
        self.say('! time 14h "the days between"')
        if number % 10 == 9:
            self.correct_old(number)
        self.say("close")
        self.ledger.close_session(at=self.at)

    def talk(self, lines: int) -> None:
        """Say some lines outside fights, with notes, quotes and corrections of what was said just now."""
        for _ in range(lines):
            people = self.standing([*self.sheets])
            if not people:
                return
            who, roll = self.chance.choice(people), self.chance.random()
            if roll < 0.12:
                self.say(self.chance.choice(NOTES))
            elif roll < 0.24:
                self.say(f'" {said(who)}: {self.chance.choice(QUOTES)}')
            else:
                if self.say_first(self.script.quiet, who):
                    self.correct()

    def correct(self) -> None:
        """Take back or amend the last line, now and then."""
        roll = self.chance.random()
        if roll < 0.02 and self.say("undo"):
            self.note("undone")
        elif roll < 0.04 and self.say(f"~ {self.ledger.state.last.number} {self.script.amendment}"):
            self.note("amended")

    def correct_old(self, number: int) -> None:
        """Amend an entry of an earlier session: usually the last one, at times one of long ago."""
        back = 10 if number % 100 == 99 else 1
        session = max(1, self.ledger.state.session.number - back)
        for entry in self.chance.sample(range(2, 20), 12):
            if self.say(f'~ {EntryId(session, entry)} {self.script.amendment} because="a note was found"'):
                self.note("amended later")
                return

    def fight(self, place: str, *, deadly: bool = False) -> None:
        """Fight some foes until one side is gone, or everybody has had enough."""
        people = self.standing([*self.sheets])
        if not people:
            return
        used = {being.name for being in self.ledger.state.state.beings.values()}
        self.foes = []
        for foe in self.script.foes:
            content = read(self.script.sample, "foes", foe)
            name = next(new for new in numbered(content["name"]) if new not in used)
            if deadly and "damage" in content:
                content["damage"] *= DEADLY
            self.join(content, name)
            self.foes.append(name)
        everybody = [*map(said, (*people, *self.foes))]
        begin = self.script.begin.format(place=place, all=",".join(everybody), spaced=" ".join(everybody))
        if not self.say(begin):
            return
        self.note("fights")
        for who in (*people, *self.foes):
            self.say_first(self.script.first, who)
        for turn in range(30):
            if self.ledger.state.state.encounter is None:
                return
            self.act(turn)
        self.end_fight()

    def end_fight(self) -> None:
        """End the fight, once what is due is done."""
        for _ in range(20):
            if self.ledger.state.state.encounter is None or self.say_first(self.script.end):
                return
            self.say_first(("close", "! on"))

    def act(self, turn: int) -> None:
        """Let who is in turn act, or pass."""
        state, game = self.ledger.state.state, self.ledger.game
        who = next(iter(game.guide.next_up(state)), "")
        people, foes = self.standing([*self.sheets]), self.standing(self.foes)
        if not people or not foes:
            self.end_fight()
            return
        if who in self.foes or (not who and turn % 2):
            who, mine, other = who or self.chance.choice(foes), self.script.foes_fight, self.chance.choice(people)
        else:
            who, mine, other = who or self.chance.choice(people), self.script.fight, self.chance.choice(foes)
        if not self.say_first(mine, who, other):
            self.say_first(self.script.waits, who, other)
        else:
            self.correct()
        if self.chance.random() < 0.05:
            self.say(f'" {said(self.chance.choice(people))}: {self.chance.choice(QUOTES)}')


def said(name: str) -> str:
    """Return a name as it is said in a line."""
    return f'"{name}"' if " " in name else name


def numbered(name: str) -> Iterator[str]:
    """Yield a name with each number."""
    yield from (f"{name} {number}" for number in range(1, 10**6))


def fresh_names(chance: random.Random) -> Iterator[str]:
    """Yield names in random order, then with numbers."""
    names = NAMES.split()
    yield from chance.sample(names, len(names))
    yield from (f"{name} {number}" for number in range(2, 100) for name in names)


def read(sample: str, folder: str, name: str) -> dict[str, Any]:
    """Return a sheet of a sample campaign, for one being."""
    content = tomllib.loads((CAMPAIGNS / sample / folder / f"{name}.toml").read_text(encoding="utf-8"))
    content.pop("copies", None)
    return content


def play_decade(folder: Path, game: str, sessions: int, seed: int, *, report: bool = False) -> Decade:
    """Play a campaign of so many sessions into a new folder; its ledger is left open."""
    script = SCRIPTS[game]
    start = BEGAN.strftime("%Y-%m-%dT%H:%M:%SZ")
    ledger = create_campaign(folder, "Ten Years", load_game(game), at=start, ledger_id=f"{seed:032x}")
    hasty(ledger.store)
    decade = Decade(ledger, script, random.Random(seed))
    for path in sorted((CAMPAIGNS / script.sample / "cast").glob("*.toml")):
        content = tomllib.loads(path.read_text(encoding="utf-8"))
        decade.join(content, content["name"])
        if ledger.state.state.kind(content["name"]) == "pc":
            decade.sheets[content["name"]] = content
    for number in range(sessions):
        decade.play(number, sessions)
        if report and (number + 1) % 20 == 0:
            print(f"{number + 1} sessions, {ledger.state.position:,} entries", flush=True)
    return decade


def main() -> None:
    """Play a campaign and say what is in it."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.decade", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--sessions", type=int, default=300)
    parser.add_argument("--game", choices=SCRIPTS, default="dusk-bastards")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    start = perf_counter()
    decade = play_decade(options.folder, options.game, options.sessions, options.seed, report=True)
    print(", ".join(f"{number:,} {what}" for what, number in decade.done.items()))
    print(f"{decade.ledger.state.position:,} entries in {perf_counter() - start:.0f} s")
    decade.ledger.store.close()


if __name__ == "__main__":
    main()
