"""`rules`: the book by heading, one rule in full, a search; and what a rule says, for whoever cites one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

import click
import msgspec

from cli.commands.show import looked
from cli.context import CampaignContext, pass_campaign
from cli.errors import InputError
from cli.notation.tokens import nearest
from cli.output import aligned, paint, print_json, print_line, safe
from ledger.errors import LedgerError
from ledger.facts import Scalar
from ledger.records import counting
from rulebooks import GAMES, book
from rulebooks.common.texts import Option, Rule, Texts

SENTENCE = re.compile(r"(?<=[.!?]) (?=[A-Z])")
WORD = re.compile(r"[\w'-]{4,}")
INDENT = "  "


class Reading(msgspec.Struct, frozen=True, kw_only=True):
    """A question that the book leaves open, and how it is read now."""

    name: str
    value: Scalar
    default: Scalar
    takes: str
    gap: str
    rules: tuple[str, ...]
    text: str


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """A rule as the book has it, with the readings that bear on it."""

    id: str
    heading: str
    cite: str
    text: str
    kind: str
    gap: tuple[str, ...]
    codes: tuple[str, ...]
    options: tuple[Reading, ...]


@click.command()
@click.argument("what", nargs=-1)
@click.option("--game", type=click.Choice(list(GAMES)), help="The book of this game, in its own readings.")
@click.option("--coverage", is_flag=True, help="Which rules this campaign has used, how often, and where first.")
@click.option("--json", "plain", is_flag=True, help="The rules as JSON.")
@pass_campaign
def rules_command(
    context: CampaignContext, what: tuple[str, ...], game: str | None, coverage: bool, plain: bool
) -> None:
    """The book by heading; or one rule in full, the rules of a heading, or all that speak of some words.

    Examples: campaign rules   campaign rules DB-ROLL-1   campaign rules wounds   campaign rules stunned turn
    """
    texts, chosen = open_book(context, game)
    asked = " ".join(what)
    found = wanted(texts, asked)
    if coverage:
        used(context, found, game, plain=plain)
        return
    entries = [entry(texts, rule, chosen) for rule in found]
    if plain:
        print_json({"game": texts.content.name, "version": texts.content.version, "rules": entries})
        return
    only = len(entries) == 1 and asked != ""
    for line in in_full(texts, entries[0]) if only else by_heading(entries, asked):
        print_line(line)


def used(context: CampaignContext, rules: Iterable[Rule], game: str | None, *, plain: bool) -> None:
    """Print which of these rules the ledger here has used."""
    from cli.queries.coverage import covered, uses

    if game is not None:
        raise click.UsageError("--coverage is about the ledger here, --game about any book.")
    found = uses(rules, counting(context.store(write=False).takes()))
    if plain:
        print_json(found)
        return
    for line in covered(found):
        print_line(line)


def open_book(context: CampaignContext, game: str | None) -> tuple[Texts, Mapping[str, Scalar]]:
    """The texts of the game that is named, or of the ledger here with the readings that its table chose."""
    if game is not None:
        return book(game).texts(), {}
    try:
        context.folder  # noqa: B018 - only to name the other way in the error
    except LedgerError as error:
        hint = f"Name a game (--game {next(iter(GAMES))}), or a ledger's folder with -C."
        raise error.with_hint(hint) from error
    return context.book().texts(), looked(context.store(write=False), None, None).state.options


def wanted(texts: Texts, asked: str) -> list[Rule]:
    """The rules that are meant: all, one by its id, those of a heading, or those that speak of all these words.

    Raises InputError with the nearest words when there are none.
    """
    rules = texts.content.rules
    if not asked.strip():
        return list(rules)
    word = " ".join(asked.casefold().split())
    for same in (
        [rule for rule in rules if rule.id.casefold() == word],
        [rule for rule in rules if rule.heading.casefold() == word],
        [rule for rule in rules if word in about(texts, rule)],
        [rule for rule in rules if all(part in spoken(texts, rule) for part in word.split())],
    ):
        if same:
            return same
    near = nearest(asked, vocabulary(texts))
    hint = f"The nearest: {', '.join(near)}." if near else "See all headings: campaign rules."
    raise InputError(f"no rule speaks of '{safe(asked)}'", hint=hint)


def about(texts: Texts, rule: Rule) -> set[str]:
    """Other names under which a rule is found whole: its codes, its gaps, the options about it."""
    options = [name for option in options_of(texts, rule) for name in (option.name, option.gap)]
    return {name.casefold() for name in (*rule.codes, *rule.gap, *options)}


def spoken(texts: Texts, rule: Rule) -> str:
    """All that a rule says, to search in."""
    options = [f"{option.name} {option.text}" for option in options_of(texts, rule)]
    return " ".join((rule.id, rule.heading, rule.cite, rule.text, *rule.codes, *options)).casefold()


def vocabulary(texts: Texts) -> list[str]:
    """Words that would find something."""
    headings = dict.fromkeys(rule.heading for rule in texts.content.rules)
    known = {word.casefold() for rule in texts.content.rules for word in WORD.findall(f"{rule.heading} {rule.text}")}
    return [*sorted(known), *texts.options, *headings, *texts.rules]  # of the same in two spellings the last is named


def options_of(texts: Texts, rule: Rule) -> list[Option]:
    """The options that say of themselves that they bear on this rule."""
    return [option for option in texts.content.options if rule.id in option.rules]


def reading(option: Option, chosen: Mapping[str, Scalar]) -> Reading:
    """How a question is read: as the table chose, or as the book does by default."""
    return Reading(
        name=option.name,
        value=chosen.get(option.name, option.default),
        default=option.default,
        takes=option.domain,
        gap=option.gap,
        rules=option.rules,
        text=option.text,
    )


def entry(texts: Texts, rule: Rule, chosen: Mapping[str, Scalar]) -> Entry:
    """A rule with the readings in force."""
    return Entry(
        id=rule.id,
        heading=rule.heading,
        cite=rule.cite,
        text=rule.text,
        kind=rule.kind,
        gap=rule.gap,
        codes=rule.codes,
        options=tuple(reading(option, chosen) for option in options_of(texts, rule)),
    )


def by_heading(entries: Iterable[Entry], asked: str) -> Iterator[str]:
    """Headings, and under each its rules: the first sentence, or those that speak of what was asked."""
    heading = ""
    width = max(len(found.id) for found in entries)
    for found in entries:
        if found.heading != heading:
            heading = found.heading
            yield paint(heading, bold=True)
        yield f"{INDENT}{found.id.ljust(width)}  {sentence(found.text, asked)}"


def sentence(text: str, asked: str) -> str:
    """The sentence that speaks of what was asked, or else the first."""
    sentences = SENTENCE.split(text)
    parts = asked.casefold().split()
    telling = (found for found in sentences if parts and all(part in found.casefold() for part in parts))
    return next(telling, sentences[0])


def in_full(texts: Texts, found: Entry) -> Iterator[str]:
    """One rule with everything about it."""
    yield f"{paint(found.id, bold=True)}  {found.heading}"
    yield f"{INDENT}{found.text}"
    refusals = {refusal.code: refusal.text for refusal in texts.content.errors}
    rows = [["from", found.cite], ["kind", found.kind]]
    rows += [["open in the text", gap] for gap in found.gap]
    rows += [["refused with", f"{code}: {refusals.get(code, '')}"] for code in found.codes]
    rows += [["option", f"{option.name} = {in_force(option)} ({option.text})"] for option in found.options]
    yield from (INDENT + line for line in aligned(rows))


def in_force(option: Reading) -> str:
    """The reading in force, and the book's own where the table chose another."""
    return safe(str(option.value)) + ("" if option.value == option.default else f", by default {option.default}")


def says(texts: Texts, id: str) -> str:
    """What a rule says, whole; a gap says what it asks, and which rules settle it."""
    if id in texts.rules:
        return texts.rules[id].text
    asked = [option.text for option in texts.content.options if option.gap == id]
    settled = [rule.id for rule in texts.content.rules if id in rule.gap]
    told = " ".join([*asked, *([f"The text leaves this open; see {', '.join(settled)}."] if settled else [])])
    return told or "not in the installed book"
