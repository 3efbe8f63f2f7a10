"""What a ledger knows of a session, for a text to be compared with: words, numbers, dice, entries, and who is dead."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any, Final

import msgspec

from cli.phrases.fact_phrases import phrase_of
from cli.phrases.phrase import sentence
from cli.questions.name_table import NO_NAMES, NameTable
from cli.story.book_words import fall_words
from cli.story.check.measures import measures_of
from cli.story.check.number_words import WORDS as NUMBER_WORDS
from cli.story.check.number_words import numbers_in_words, ordinal_word
from cli.story.check.text import WORD
from cli.story.page import Page
from cli.story.persons import Persons
from cli.story.plain_words import plural_noun
from cli.story.span import SessionSpan
from cli.story.tense import in_past
from ledger import facts
from ledger.facts import GM
from ledger.store import ReadableStore
from projections.recap.falls import Fall
from projections.state import Being, State
from rulebooks.common.game import Game

NUMBERED: Final = re.compile(r"(.+?)[ -]?([0-9]{1,4})$")
DICE: Final = re.compile(r"(?<![\w])([0-9]{0,3})[dD]([0-9]{1,4})(?![\w])")
INTEGER: Final = re.compile(r"(?<![\w.])[0-9]{1,12}(?![\w])")
HOURS: Final = re.compile(r"\b(\d{1,6}|[a-z]+) hours?,? (?:and )?(\d{1,6}|[a-z]+) minutes?\b", re.IGNORECASE)
TEXTS: Final = (facts.Told, facts.Ruled, facts.EncounterBegan, facts.SessionOpened)
ARTICLES: Final = ("the", "a", "an")


class SessionKnowledge:
    """What is known of a session, as somebody sees it.

    Args:
        store: what they see of the ledger.
        span: the session.
        page: its recap.
        book: the game.
        names: the campaign's own table of names.
    """

    def __init__(
        self, store: ReadableStore, span: SessionSpan, page: Page, book: Game, names: NameTable = NO_NAMES
    ) -> None:
        self.state: State = span.after.state
        self.falls: tuple[Fall, ...] = page.falls
        self._span, self.page, self._book, self._names = span, page, book, names
        self._persons = Persons(self.state, names)
        self._records = [fact for entry in span.entries for fact in entry.facts]
        self._earlier = [
            fact
            for extract in store.extracts(frozenset[Any](TEXTS))
            if extract.counts
            for fact in extract.facts
            if isinstance(fact, TEXTS)
        ]

    @property
    def beings(self) -> list[Being]:
        """Return everybody and everything in play."""
        return list(self.state.beings_in_order())

    @cached_property
    def own_words(self) -> list[str]:
        """Return people's own words, of all sessions: fiction, quotes, scenes, rulings, and the reasons in lines."""
        told = [fact.text for fact in self._earlier if isinstance(fact, facts.Told | facts.Ruled)]
        reasons = [str(getattr(fact, "because", "")) for fact in [*self._records, *self._earlier]]
        said = [*told, *filter(None, reasons)]
        return [*said, *(done for each in said if (done := in_past(each)) and done != each)]

    @cached_property
    def called(self) -> dict[str, list[str]]:
        """Return who may be meant by each way to call somebody, in small letters: `the Widow`, `first digger`."""
        called = dict[str, list[str]]()

        def add(text: str, who: str) -> None:
            key = without_article(text.casefold())
            if key and who not in called.setdefault(key, []):
                called[key].append(who)

        for being in self.beings:
            add(being.name, being.name)
            person = self._names.get(key_of(being.name))
            for text in (person.short, person.epithet) if person else ():
                add(text, being.name)
            if numbered := NUMBERED.fullmatch(being.name):
                number = int(numbered[2])
                for kind in self._short_kinds(numbered[1].casefold()):
                    for text in (kind, plural_noun(kind), f"{ordinal_word(number)} {kind}", f"{kind} {number}"):
                        add(text, being.name)
            else:
                first, *more = being.name.split()
                if more and first.casefold() not in ARTICLES:
                    add(first, being.name)
                    add(more[-1], being.name)
        return called

    @cached_property
    def kinds(self) -> dict[str, set[int]]:
        """Return the numbers of those of each kind, in small letters: `bridge guard`, and `guard`, with 1, 2 and 3."""
        kinds = dict[str, set[int]]()
        for being in self.beings:
            if numbered := NUMBERED.fullmatch(being.name):
                for kind in self._short_kinds(numbered[1].casefold()):
                    kinds.setdefault(kind, set()).add(int(numbered[2]))
        return {kind: numbers for kind, numbers in kinds.items() if len(numbers) > 1}

    def _short_kinds(self, kind: str) -> tuple[str, ...]:
        """Return a kind and its last word, unless that is in another name: `ash hound`, `hound`."""
        head = kind.rpartition(" ")[2]
        return (kind, head) if self._words_of_names[head] == 1 else (kind,)

    @cached_property
    def _words_of_names(self) -> Counter[str]:
        """Return how many names, without their numbers, have each word, in small letters."""
        names = {NUMBERED.sub(r"\1", being.name).casefold() for being in self.beings}
        return Counter(word for name in names for word in set(name.split()))

    @cached_property
    def wounds(self) -> dict[str, int]:
        """Return how many wounds each being had or took, by name."""
        before = [who for who, _ in self._span.before.state.wounds]
        taken = [fact.who for fact in self._records if isinstance(fact, facts.Wounded)]
        return dict(Counter([*before, *taken]))

    @cached_property
    def levels_of(self) -> dict[str, set[int]]:
        """Return every number that the values of somebody had, or a token, by each way to call them."""
        return self._by_call(self.values)

    @cached_property
    def levels_at_end(self) -> dict[str, set[int]]:
        """Return the same of the values at the end."""
        pools = {key: {pool.points} for key, pool in self.state.pools.items()}
        return self._by_call(pools | {key: {token.count} for key, token in self.state.tokens.items()})

    def _by_call(self, values: Mapping[tuple[str, str], set[int]]) -> dict[str, set[int]]:
        """Return values of pools and tokens by each way to call their owner or the token."""
        levels = dict[str, set[int]]()
        for (who, name), numbers in values.items():
            calls = [call for call, meant in self.called.items() if who in meant]
            for call in [*calls, *([name.casefold()] if (who, name) in self.state.tokens else [])]:
                levels.setdefault(call, set()).update(numbers)
        return levels

    def pronoun(self, who: str) -> str:
        """Return the pronoun that stands for somebody as a subject; empty for one of whom nothing says it."""
        return self._persons.pronouns(who).subject if self._persons.has_pronouns(who) else ""

    @cached_property
    def vocabulary(self) -> set[str]:
        """Return every word that the ledger's own recap has, in small letters, and the parts of all names."""
        return {
            part.casefold() for text in self._texts() for word in WORD.findall(text) for part in (word, *parts_of(word))
        }

    @cached_property
    def capitals(self) -> list[str]:
        """Return the names that a writer may have meant."""
        people = [being.name for being in self.beings]
        return [*people, *(part for name in people for part in name.split() if part[:1].isupper())]

    @cached_property
    def surnames(self) -> set[str]:
        """Return the last words of names of several words that have capitals: `Oddley` of Wim Oddley."""
        names = (being.name.split() for being in self.beings)
        return {
            words[-1]
            for words in names
            if len(words) > 1 and words[0].casefold() not in ARTICLES and words[-1].istitle()
        }

    @cached_property
    def numbers(self) -> set[int]:
        """Return every number of the session, as in its recap, its facts, and the states before and after it."""
        values: list[Any] = [plain(self.page), *map(plain, self._records)]
        states = [self._span.before.state, self.state]
        values += [plain([*state.pools.values(), *state.tokens.values()]) for state in states]
        values += [list(state.sheets.values()) for state in states]
        found = {abs(number) for value in values for number in integers(value)}
        hours = {minutes for text in strings(plain(self.page)) for minutes in minutes_in(text)}
        return found | {self._count_most} | self._changes | self._sums | hours

    @cached_property
    def values(self) -> dict[tuple[str, str], set[int]]:
        """Return every number that each pool and token had in the session, by owner and name."""
        values = dict[tuple[str, str], set[int]]()
        for state in (self._span.before.state, self.state):
            for key, pool in state.pools.items():
                values.setdefault(key, set()).add(pool.points)
            for key, token in state.tokens.items():
                values.setdefault(key, set()).add(token.count)
        for fact in self._records:
            match fact:
                case facts.PointsLost() | facts.PointsSpent():
                    values.setdefault((fact.who, fact.pool), set()).update((fact.now + fact.points, fact.now))
                case facts.PointsRegained():
                    values.setdefault((fact.who, fact.pool), set()).update((fact.now - fact.points, fact.now))
                case facts.PoolSet():
                    values.setdefault((fact.who, fact.pool), set()).add(fact.now)
                case facts.TokensMoved():
                    values.setdefault((fact.who, fact.token), set()).update((fact.now - fact.change, fact.now))
        return values

    @cached_property
    def levels(self) -> set[tuple[int, int]]:
        """Return the values of pools with the most that each could have: `5 of 8`."""
        states = (self._span.before.state, self.state)
        mosts = {(key, pool.most) for state in states for key, pool in state.pools.items() if pool.most is not None}
        return {(value, most) for key, most in mosts for value in self.values[key]}

    @cached_property
    def rolls(self) -> list[set[int]]:
        """Return the totals and targets of the results of each entry."""
        judged = ([fact for fact in entry.facts if isinstance(fact, facts.Judged)] for entry in self._span.entries)
        return [
            {number for fact in each for number in (fact.total, fact.target) if number is not None} for each in judged
        ]

    @cached_property
    def unmeasured(self) -> set[int]:
        """Return the totals of results of which nobody sees what was needed."""
        judged = (fact for fact in self._records if isinstance(fact, facts.Judged) and fact.target is None)
        return {fact.total for fact in judged if fact.total is not None}

    @property
    def _sums(self) -> set[int]:
        """Return what was spent, lost, regained and set of each value in all, as a table of them has it."""
        parts = [part for flow in self.page.resources for part in (flow.spent, flow.lost, flow.regained, flow.set)]
        return {abs(sum(points for _, points in part)) for part in parts}

    @property
    def _changes(self) -> set[int]:
        """Return the points that were lost between any two moments, since a story tells several losses as one."""
        values = dict[tuple[str, str], set[int]]()
        for fact in self._records:
            if isinstance(fact, facts.PointsLost):
                values.setdefault((fact.who, fact.pool), set()).update((fact.now + fact.points, fact.now))
        return {abs(one - other) for known in values.values() for one in known for other in known}

    @property
    def _count_most(self) -> int:
        return max(self.counts, default=0)

    @cached_property
    def counts(self) -> range:
        """Return the numbers that may be counts of somebody or something: up to the beings and the rounds."""
        rounds = (fact.round for fact in self._records if isinstance(fact, facts.Reached))
        return range(1, max(len(self.beings), self.page.session, *rounds, 3) + 1)

    @cached_property
    def dice(self) -> set[int]:
        """Return the sides of the dice that were thrown, or that a sheet or a result names."""
        thrown = {die.sides for fact in self._records if isinstance(fact, facts.Rolled) for die in fact.dice}
        results = (fact.result for fact in self._records if isinstance(fact, facts.Judged))
        texts = (*results, *map(str, self.state.sheets.values()))
        written = {int(found[1]) for text in texts for found in DICE.findall(text)}
        return thrown | written

    @property
    def sessions(self) -> range:
        """Return the numbers of the sessions up to this one."""
        return range(self.page.session + 1)

    @cached_property
    def entries(self) -> set[str]:
        """Return the entries of the session, also those that a correction took back."""
        changed = (entry for each in self.page.corrections for entry in (each.of, *each.changed))
        return {*(str(record.id) for record in self._span.records), *changed}

    @property
    def last_entry(self) -> str:
        """Return the last entry of the session."""
        return str(self._span.after.last)

    @property
    def dates(self) -> tuple[str, ...]:
        """Return the days of the session."""
        return self.page.dates

    @cached_property
    def dead(self) -> dict[str, Fall | None]:
        """Return those who are dead at the end of the session, with how they died in it, if they did."""
        lost = fall_words(self._book.texts().narration).lost
        gone = {each.who for each in self.state.conditions.values() if each.name in lost}
        return {
            who: next((fall for fall in self.falls if fall.who == who and fall.kind == "died"), None) for who in gone
        }

    def known_of(self, who: str) -> str:
        """Return how somebody is at the end of the session: `Oda went down (1.49)`, `Oda: hp 1/8`."""
        pools = [
            f"{name} {pool.points}" + (f"/{pool.most}" if pool.most is not None else "")
            for (owner, name), pool in sorted(self.state.pools.items())
            if owner == who
        ]
        conditions = [condition.name for _, condition in self.state.conditions_of(who) if not condition.data]
        own = [f"{fall.name} since {fall.entry}" for fall in self.falls if fall.who == who and fall.lasting]
        known = own or conditions or pools or ["in play"]
        return f"{who}: {', '.join(known)}"

    @cached_property
    def measures(self) -> dict[str, set[int]]:
        """Return how many of each measure the ledger names: `crowns` with 12."""
        measures = dict[str, set[int]]()
        for unit, number in measures_of([*self._texts(), plain(self.page), *map(plain, self._records)]):
            measures.setdefault(unit, set()).add(number)
        return measures

    def is_hidden(self, who: str) -> bool:
        """Return whether somebody is the game master's, and no value of theirs is seen."""
        masters = any(being.name == who and being.seen == GM for being in self.beings)
        return masters and all(owner != who for owner, _ in self.state.pools)

    def _texts(self) -> Iterator[str]:
        """Yield every text that is known."""
        texts = self._book.texts()
        yield texts.content.title
        yield from strings(plain(self.page))
        for fact in (*self._records, *self._earlier):
            yield from strings(plain(fact))
            yield sentence(phrase_of(fact, texts.lexicon.wording), past=True)
        yield from (being.name for being in self.beings)
        yield from (str(value) for value in self.state.sheets.values())
        yield from (name for _, name in self.state.sheets)
        for person in self._names.values():
            yield from (person.epithet, person.short)


def plain(value: Any) -> Any:
    """Return a value as tables, lists, texts and numbers."""
    return msgspec.json.decode(msgspec.json.encode(value))


def parts_of(word: str) -> Iterator[str]:
    """Yield the parts of a word with hyphens, and the word without the ending of a possessive or a plural."""
    yield from word.split("-")
    if word.endswith(("'s", "s'")):
        yield word[:-2] if word.endswith("'s") else word[:-1]


def minutes_in(text: str) -> Iterator[int]:
    """Yield the minutes of each time of hours and minutes in a text: 70 for `one hour 10 minutes`."""
    for found in HOURS.finditer(text):
        hours, minutes = (
            int(each) if each.isdigit() else NUMBER_WORDS.get(each.casefold(), 0) for each in found.groups()
        )
        yield 60 * hours + minutes


def key_of(name: str) -> str:
    """Return the key of a name in the table of names."""
    from ledger.names import name_key

    return name_key(name)


def without_article(text: str) -> str:
    """Return a text without the article before it."""
    first, _, rest = text.partition(" ")
    return rest if first in ARTICLES and rest else text


def strings(value: Any) -> Iterator[str]:
    """Yield every text in a value, at any depth, and the keys of tables."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, inside in value.items():
            yield from strings(key)
            yield from strings(inside)
    elif isinstance(value, list | tuple):
        for inside in value:
            yield from strings(inside)


def integers(value: Any) -> Iterator[int]:
    """Yield every number in a value, at any depth, and in its texts."""
    if isinstance(value, int) and not isinstance(value, bool):
        yield value
    elif isinstance(value, str):
        yield from (int(found) for found in INTEGER.findall(value))
        yield from (each.number for each in numbers_in_words(value))
    elif isinstance(value, Mapping):
        yield from (number for inside in value.values() for number in integers(inside))
    elif isinstance(value, list | tuple):
        yield from (number for inside in value for number in integers(inside))
