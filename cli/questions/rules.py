"""The rule book: find rules, and the texts of rules and options."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

import msgspec

from cli.notation.known_words import nearest_words
from ledger.errors import InputError
from ledger.facts import Scalar
from ledger.names import escape
from rulebooks.common.option_texts import Option
from rulebooks.common.rulings import rules_of_code
from rulebooks.common.texts import Rule, Texts

WORD = re.compile(r"[\w'-]{4,}")
GAP_HEADING: Final = "Open in the text"


class Reading(msgspec.Struct, frozen=True, kw_only=True):
    """A question that the book leaves open, and its reading: `value`, by default `default`."""

    name: str
    value: Scalar
    default: Scalar
    takes: str
    gap: str
    rules: tuple[str, ...]
    text: str


class RuleEntry(Rule, frozen=True, kw_only=True):
    """A rule of the book with the readings that concern it."""

    options: tuple[Reading, ...]


def find_rules(texts: Texts, query: str) -> list[Rule]:
    """Return all rules for an empty query; else one by its id, those of a heading, or those with all its words.

    Raises InputError with the nearest words when there are none.
    """
    rules = texts.content.rules
    if not query.strip():
        return list(rules)
    key = " ".join(query.casefold().split())
    for matches in (
        [rule for rule in rules if rule.id.casefold() == key],
        [rule for rule in rules if rule.heading.casefold() == key],
        [rule for rule in rules if key in _aliases(texts, rule)],
        [rule for rule in rules if rule.id in (rules_of_code(key, texts) if "-" in key else ())],
        [rule for rule in rules if all(word in _searched_text(texts, rule) for word in key.split())],
    ):
        if matches:
            return matches
    near = nearest_words(query, _known_words(texts))
    hint = f"The nearest: {', '.join(near)}." if near else "See all headings: campaign rules."
    raise InputError(f"no rule contains '{escape(query)}'", hint=hint)


def _aliases(texts: Texts, rule: Rule) -> set[str]:
    """Return the other names of a rule: its refusal codes, its gaps, the options that concern it."""
    options = [name for option in _options_of(texts, rule) for name in (option.name, option.gap)]
    return {name.casefold() for name in (*rule.codes, *rule.gap, *options)}


def _searched_text(texts: Texts, rule: Rule) -> str:
    """Return everything about a rule, to search in."""
    options = [f"{option.name} {option.text}" for option in _options_of(texts, rule)]
    return " ".join((rule.id, rule.heading, rule.cite, rule.text, *rule.codes, *options)).casefold()


def _known_words(texts: Texts) -> list[str]:
    """Return words that a search would find. The last of two spellings is suggested."""
    headings = dict.fromkeys(rule.heading for rule in texts.content.rules)
    words = {word.casefold() for rule in texts.content.rules for word in WORD.findall(f"{rule.heading} {rule.text}")}
    return [*sorted(words), *texts.options, *headings, *texts.rules]


def rule_entry(texts: Texts, rule: Rule, chosen: Mapping[str, Scalar]) -> RuleEntry:
    """Return a rule with the readings in force; `chosen`: the table's options."""
    options = tuple(_reading(option, chosen) for option in _options_of(texts, rule))
    return RuleEntry(**msgspec.structs.asdict(rule), options=options)


def _options_of(texts: Texts, rule: Rule) -> list[Option]:
    """Return the options that name this rule."""
    return [option for option in texts.content.options if rule.id in option.rules]


def chosen_readings(texts: Texts, chosen: Mapping[str, Scalar]) -> Iterator[Reading]:
    """Yield the readings in force that are not the book's default."""
    for option in texts.content.options:
        if chosen.get(option.name, option.default) != option.default:
            yield _reading(option, chosen)


def _reading(option: Option, chosen: Mapping[str, Scalar]) -> Reading:
    """Return the reading of an option that is in force."""
    return Reading(
        name=option.name,
        value=chosen.get(option.name, option.default),
        default=option.default,
        takes=option.domain,
        gap=option.gap,
        rules=option.rules,
        text=option.text,
    )


def rule_heading(texts: Texts, id: str) -> str:
    """Return the heading under which a rule stands; `Open in the text` for a gap."""
    return texts.rules[id].heading if id in texts.rules else GAP_HEADING


def rule_text(texts: Texts, id: str) -> str:
    """Return the text of a rule, or the question of a gap and the rules that settle it."""
    if id in texts.rules:
        return texts.rules[id].text
    questions = [option.text for option in texts.content.options if option.gap == id]
    settled = [rule.id for rule in texts.content.rules if id in rule.gap]
    gap = [f"The text leaves this open; see {', '.join(settled)}."] if settled else []
    return " ".join([*questions, *gap]) or "not in the installed book"
