"""The texts of a book: `rulebook.toml` and `words.toml` beside its code, read on first use.

They are the only files that a game reads, with tables of the book beside them. No decision depends on a text but
refusals and defaults of options.
"""

import re
from collections.abc import Iterable
from functools import cached_property
from os.path import dirname, join
from typing import TYPE_CHECKING, Final, Literal, TypeVar

import msgspec

from ledger.dice import LEAVE_OUT
from ledger.errors import Refused, Unreadable
from ledger.facts import Scalar
from projections.state import State
from rulebooks.common.beings import name_in_line
from rulebooks.common.narration import Narration
from rulebooks.common.option_texts import TABLE_OPTIONS, Option

if TYPE_CHECKING:
    from pathlib import Path


T = TypeVar("T")
NARRATION: Final = "[narration"
TABLES: Final = r"(?m)^(?=\[)"  # where the tables of a file begin


class Rule(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One rule in our words. `kind`: computed, recorded or ruling; `codes`: its refusals."""

    id: str
    heading: str
    cite: str
    text: str
    kind: str
    gap: tuple[str, ...] = ()
    codes: tuple[str, ...] = ()


class Mend(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A mend of rules that changes what follows from a line, and the revision since which it holds."""

    since: int
    rules: tuple[str, ...]
    text: str


ENDS: Final = {"absent": "{who} is back", "dead": "{who} is not dead after all"}  # of conditions of every game
SHARED_EXAMPLES: Final = {"pc": ("kess", "arlo"), "npc": ("brute",)}  # names in the examples of every game, by kind
NOBODY: Final = {"pc": "NAME", "npc": "FOE"}  # what stands for them where nobody of that kind is in play


class SituationText(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Something that may affect a roll, and the words for it in a line, its name first.

    `of`: whose it is. `text` has {target} and {attacker} in it. Of a `group` only the last that holds counts.
    """

    name: str
    words: tuple[str, ...]
    of: Literal["target", "attacker", "attack", "scene"]
    rules: tuple[str, ...]
    text: str
    group: str = ""

    @property
    def word(self) -> str:
        """Return its word without a value: `moved` for `moved=short`."""
        return self.words[0].partition("=")[0]


class RefusalText(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The sentence of an error code, and its hint. The order in the file is the order of precedence.

    `cases` has sentences, and `hints` hints, for the single cases of a code that covers several.
    """

    code: str
    text: str
    hint: str
    rules: tuple[str, ...]
    cases: dict[str, str] = {}
    hints: dict[str, str] = {}


class RulebookHead(msgspec.Struct, frozen=True, kw_only=True):
    """What stands before the tables of `rulebook.toml`: `of` is what the book is, and by whom behind a semicolon."""

    name: str
    title: str
    version: str
    of: str
    licence: str


class RulebookFile(RulebookHead, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The content of `rulebook.toml`."""

    rules: tuple[Rule, ...]
    options: tuple[Option, ...]
    situations: tuple[SituationText, ...] = ()
    errors: tuple[RefusalText, ...]
    mends: tuple[Mend, ...] = ()


class RulebookTables(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Some tables of `rulebook.toml`, read alone."""

    options: tuple[Option, ...] = ()
    situations: tuple[SituationText, ...] = ()
    errors: tuple[RefusalText, ...] = ()
    mends: tuple[Mend, ...] = ()


class Wording(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How the log prints this book's facts: the words of the game that a renderer has to know.

    A verb of a sentence stands in angle brackets, `{who} <be> in cover`: it agrees with the field before it, and the
    reader of the fact chooses its tense. `cli/phrases/verbs.py` has its forms.

    Attributes:
        colours: the colours of results.
        glyphs: signs that stand before results at a terminal that can show them, each one cell wide.
        unsaid: judgements and results that go without saying.
        measures: judgements whose result says enough, without numbers: `5 m`.
        leads_to: judgements that a roll leads to, whose chances stand behind its own.
        effects: judgements that are printed behind the roll that they belong to.
        dice: steps of a sum that are faces of the dice beside it.
        dice_counts: sums that count dice and add nothing to them.
        conditions: sentences for conditions that begin, by name or by name and degree, with {who}, {about}, {now} (the
            degree), {change} (a number), {which} for the `*` of their name; else {who} is what it is called.
        carried: rules by which a condition goes on with another end, and nothing is said.
        ends: sentences for conditions that end, by name or by name and reason; else what `conditions` says is no longer
            so. {about} is the part of the body, {because} the reason.
        anchors: when conditions end, by the kind of their ends, with {whose}, {phase} and {due}.
        influences: what conditions change, by name, with {now}.
        sheets: sentences for entries of a sheet that change, by their key, with {who}, {was} and {now}.
        called: what beings are called in a sentence that the book itself brings into play.
        covers: conditions that go without saying where the condition of this name begins behind them.
        counts: sentences for counts by number, with {now} and {of}, by name or first words of it; none: not shown.
        moves: sentences for counts of the distance that {who} has moved, for {change} of one and for more.
        ties: sentences for ties of {who} with {other}, by name, by name and degree, or by name and `ended`; one that
            does not begin with {who} has several in it.
        rests: sentences for kinds of rests of {who}.
        lines: what a line says, by kind of declaration, with {by} and its fields; empty: what came of it says enough.
        named: the field of a declaration that says what was judged: `attempt` names itself by its `task`.
        gone: conditions of those who are left out of the party unless all are asked for.
        unused: conditions of things that are of no use now, and left out of the party in the same way.
        sized: whether tokens stand with the most that somebody may have: `tide 1/4`.
        amounts: what is spent like an action and is an amount, for one and for more of it, with {} for the number.
        windows: sentences for kinds of windows that are open, with {who} and {awaits}.
        closed: sentences for windows that end, by the first word of their name and their outcome; else nothing.
        health: what the players see of a foe instead of its vital value: at its maximum, below it, and with
            `bloodied` hundredths of it or less.
        beings: the names of those who are in the ledger, for the names of their values; no file has them.
    """

    colours: dict[str, str] = {}
    glyphs: dict[str, str] = {}
    unsaid: tuple[str, ...] = ()
    measures: tuple[str, ...] = ()
    leads_to: tuple[str, ...] = ()
    effects: tuple[str, ...] = ()
    dice: tuple[str, ...] = ()
    dice_counts: tuple[str, ...] = ()
    conditions: dict[str, str] = {}
    carried: frozenset[str] = frozenset()
    ends: dict[str, str] = {}
    anchors: dict[str, str] = {}
    influences: dict[str, str] = {}
    called: dict[str, str] = {}
    covers: dict[str, tuple[str, ...]] = {}
    sheets: dict[str, str] = {}
    amounts: dict[str, tuple[str, str]] = {}
    counts: dict[str, tuple[str, ...]] = {}
    moves: dict[str, tuple[str, str]] = {}
    ties: dict[str, str] = {}
    rests: dict[str, str] = {}
    lines: dict[str, str] = {}
    named: dict[str, str] = {}
    gone: tuple[str, ...] = ("absent",)
    unused: tuple[str, ...] = ()
    sized: bool = False
    windows: dict[str, str] = {}
    closed: dict[str, str] = {}
    health: tuple[str, str, str] = ("fresh", "hurt", "bloodied")
    bloodied: int = 50
    beings: tuple[str, ...] = ()

    def health_word(self, points: int, most: int | None) -> str:
        """Return how somebody is with so many points left of so many, in a word; `hurt` without a maximum."""
        fresh, hurt, bloodied = self.health
        if most is None or points < most:
            return hurt if most is None or points * 100 > most * self.bloodied else bloodied
        return fresh


class Lexicon(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`words.toml`: short names of values in the book's order, words for tasks by stat, wording, sentences of a recap.

    `vital` is the value meant by a name and a number alone, and `vital_words` what people call it: none where it counts
    harm, so that hit points are no number of the game. `examples` has the names in the book's examples, by kind of
    being: those in play stand for them. `unused` are fields of verbs that every game shares and this one has no use
    for: help and completion leave them out.
    """

    vital: str
    vital_words: tuple[str, ...] = ("hit points", "hit point", "hp", "life")
    short: dict[str, str]
    words: dict[str, tuple[str, ...]]
    wording: Wording = Wording()
    examples: dict[str, tuple[str, ...]] = {}
    unused: dict[str, tuple[str, ...]] = {}

    def unused_fields(self, verbs: Iterable[str]) -> set[str]:
        """Return the fields of a declaration with these verbs that this game has no use for."""
        return {name for verb in verbs for name in self.unused.get(verb, ())}

    @property
    def vital_value(self) -> str:
        """The name of the value that is meant by a name and a number alone."""
        return self.short.get(self.vital, self.vital)

    @property
    def pool_order(self) -> tuple[str, ...]:
        """The values that have a short name, in the order of the file."""
        return tuple(self.short.values())


class NarrationTables(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The tables of words that a recap needs."""

    narration: Narration = Narration()


class Filling(str):
    """A value in a refusal: `{name:line}` is a name as it stands in a line, `{value:given}` also an empty text."""

    def __format__(self, spec: str) -> str:
        """Return the text; in quotes where a name has a space, or `an empty text`, if the field asks for it."""
        if spec == "line":
            return name_in_line(self)
        return str(self) or ("an empty text" if spec == "given" else "")


class Texts:
    """The texts of a book, its readings in force, and its refusals."""

    def __init__(self, module: str, codes: str = "", *rules: str) -> None:
        """Take the file of a module beside the texts, how error codes begin, and rules that every refusal cites."""
        self._folder: Final = dirname(module)
        self.codes: Final = codes
        self.refusal_rules: Final = rules

    @cached_property
    def content(self) -> RulebookFile:
        """Return the whole book. Raises Unreadable for a file of another form, and for rules with unknown codes."""
        book = self.read("rulebook.toml", RulebookFile)
        codes = {refusal.code for refusal in book.errors}
        for rule in book.rules:
            if unknown := sorted(set(rule.codes) - codes):
                raise self._missing(unknown[0], f"the rule {rule.id}")
        return book

    @cached_property
    def head(self) -> RulebookHead:
        """Return what stands before the tables of the book. The whole book takes a hundred times as long to read."""
        return self.read("rulebook.toml", RulebookHead, but="[")

    def _missing(self, code: str, where: str) -> Unreadable:
        """Return the error for a code without a sentence."""
        path = join(self._folder, "rulebook.toml")
        return Unreadable(f"{where} has the code {code}", where=path, hint="Give it a sentence in [[errors]].")

    @cached_property
    def lexicon(self) -> Lexicon:
        """Return short names and words for tasks. Raises Unreadable for a file of another form."""
        return self.read("words.toml", Lexicon, but=NARRATION)

    @cached_property
    def narration(self) -> Narration:
        """Return how a recap tells the facts of this book: more than half of the words, which no line needs."""
        return self.read("words.toml", NarrationTables, only=NARRATION).narration

    @property
    def folder(self) -> "Path":
        """The folder of the book."""
        from pathlib import Path  # imported here to start faster

        return Path(self._folder)

    @property
    def help_page(self) -> "Path":
        """The page that explains how lines of this game are said."""
        return self.folder / "help.md"

    @property
    def sheet_templates(self) -> dict[str, "Path"]:
        """The template of each kind of sheet, by the kind."""
        return {path.stem: path for path in sorted((self.folder / "templates").glob("*.toml"))}

    def read(self, name: str, kind: type[T], only: str | tuple[str, ...] = "", but: str | None = None) -> T:
        """Return a file beside the code of the book.

        Its tables that do not begin with `only`, or one of them, are left out, as are those that begin with `but`.
        Raises Unreadable for a file that is missing or has another form.
        """
        import tomllib  # imported here to start faster

        path = join(self._folder, name)
        try:
            with open(path, encoding="utf-8") as file:
                text = file.read()
            tables = [table for table in re.split(TABLES, text) if table.startswith(only)]
            tables = [table for table in tables if but is None or not table.startswith(but)]
            return msgspec.convert(tomllib.loads("".join(tables)), kind)
        except (tomllib.TOMLDecodeError, msgspec.ValidationError, UnicodeDecodeError) as error:
            raise Unreadable(str(error), where=path) from error
        except OSError as error:
            hint = "Install the game again: its package has no such file."
            raise Unreadable(f"it cannot be read: {error.strerror}", where=path, hint=hint) from error

    @cached_property
    def options(self) -> dict[str, Option]:
        """Return the options by name: those of the book, and those of every table.

        A declaration often asks for them, and the rest of the book would take ten times as long to read.
        """
        own = self.read("rulebook.toml", RulebookTables, only="[[options]]").options
        return {option.name: option for option in (*own, *TABLE_OPTIONS)}

    @cached_property
    def situations(self) -> tuple[SituationText, ...]:
        """Return the situations of the book, read alone like the options."""
        return self.read("rulebook.toml", RulebookTables, only="[[situations]]").situations

    @cached_property
    def refusals(self) -> dict[str, RefusalText]:
        """Return the refusals by code, read alone like the options: a line that is refused needs no rule."""
        every = self.read("rulebook.toml", RulebookTables, only=("[[errors]]", "[errors.")).errors
        return {refusal.code: refusal for refusal in every}

    @cached_property
    def mends(self) -> tuple[Mend, ...]:
        """Return the mends of the rules, read alone like the options."""
        return self.read("rulebook.toml", RulebookTables, only="[[mends]]").mends

    @cached_property
    def rules(self) -> dict[str, Rule]:
        """Return the rules by id."""
        return {rule.id: rule for rule in self.content.rules}

    def option(self, state: State, name: str) -> Scalar:
        """Return the reading that the table has chosen, or the default of the book."""
        chosen = state.options.get(name)
        return self.options[name].default if chosen is None else chosen

    def refusal(self, code: str, case: str = "", **values: object) -> Refused:
        """Return the refusal with this code, its sentence, or that of one of its cases, filled in."""
        code = self.codes + code
        refusal = self.refusals.get(code)
        if refusal is None:
            raise self._missing(code, "a refusal")
        text = refusal.cases[case] if case else refusal.text
        hint = refusal.hints.get(case, refusal.hint)
        filled = {name: Filling(value) for name, value in values.items()}
        rules = (*refusal.rules, *self.refusal_rules)
        return Refused(code, text.format_map(filled), hint=hint.format_map(filled), rules=rules)

    def left_over(self, wrong: str) -> Refused:
        """Return the refusal of faces that are left over."""
        return self.refusal("DICE", expected=f"no more: {wrong}").with_hint(LEAVE_OUT)
