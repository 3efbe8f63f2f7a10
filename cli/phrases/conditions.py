"""Conditions in sentences: each that begins, changes its degree or ends has one, unless the book leaves it out.

`[wording.conditions]` and `[wording.ends]` of words.toml have the sentences. Without one, somebody `is` what the
condition is called, and what begins as `{who} is prone` ends as `{who} is no longer prone`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from cli.phrases.joins import joined_sentences
from cli.phrases.patterns import Names, fill, fill_but_verbs, find_pattern, join_marked
from ledger.facts import ConditionBegan, ConditionEnded, Fact
from ledger.names import escape
from projections.state import Condition
from rulebooks.common.texts import ENDS, Wording

PLAIN: Final = "{who} <be> {name}[ ({detail})]"
BE: Final = "<be>"
WHO: Final = "{who} "
PART: Final = re.compile(r" at (.+?) [0-9]+(?: of .*)?")  # of the body, in the id of a condition


def begin_template(fact: ConditionBegan, wording: Wording, names: Names = escape, was: int | None = None) -> str:
    """Return the sentence of a condition that begins, with marks for its verbs; empty if the book leaves it out.

    Args:
        fact: the beginning.
        wording: the words of the book.
        names: how somebody is called in a sentence.
        was: the degree before, where it is known and was another.
    """
    found = find_pattern(wording.conditions, fact.name, fact.degree)
    if found is None and fact.data:
        return ""
    pattern, which = found or (PLAIN, "")
    if was and "{now}" not in pattern:
        pattern = with_word(pattern, "now")
    return fill_but_verbs(pattern, begin_fields(fact, which, known_names(names, wording), was))


def known_names(names: Names, wording: Wording) -> Names:
    """Return how somebody is called in a sentence, or what the book itself calls it."""
    return lambda name: wording.called.get(name) or names(name)


def begin_fields(fact: ConditionBegan, which: str, names: Names, was: int | None = None) -> dict[str, object]:
    """Return the fields of the sentence of a condition that begins."""
    now = f"{fact.degree or ''}" if not was else f"{fact.degree}, before {was}"  # 0: the players do not know it
    degree = f"degree {now}" if fact.degree > 1 or was else ""
    return {
        "who": names(fact.who),
        "name": condition_name(fact.name),
        "about": names(fact.about),
        "now": now,
        "of": fact.of,
        "which": which,
        "change": f"{fact.effects[0][1]:+}" if fact.effects else "",
        "detail": join_marked([text for text in (degree, names(fact.about)) if text]),
    }


def end_template(fact: ConditionEnded, wording: Wording, names: Names = escape) -> str:
    """Return the sentence of a condition that ends, with marks for its verbs; empty if the book leaves it out."""
    pattern, which = find_pattern({**ENDS, **wording.ends}, fact.name, fact.because) or end_pattern(fact.name, wording)
    return fill_but_verbs(pattern, end_fields(fact, which, known_names(names, wording)))


def end_fields(fact: ConditionEnded, which: str, names: Names) -> dict[str, object]:
    """Return the fields of the sentence of a condition that ends; a part of the body stands in its id."""
    part = PART.fullmatch(fact.id.removeprefix(f"{fact.name} {fact.who}"))
    about = part[1] if part else ""
    return {
        "who": names(fact.who),
        "name": condition_name(fact.name),
        "about": about,
        "which": which,
        "because": fact.because,
    }


def end_pattern(name: str, wording: Wording) -> tuple[str, str]:
    """Return the sentence for the end of a condition, made of that for its beginning."""
    pattern, which = find_pattern(wording.conditions, name, 1) or (PLAIN, "")
    return with_word(pattern, "no longer"), which


def with_word(pattern: str, word: str) -> str:
    """Return a pattern with a word where it belongs: `{who} is now prone`, `{who} no longer has cover`."""
    verbs = (f"{WHO}{BE} ", WHO)
    parts = pattern.split("|")
    for index, part in enumerate(parts):
        verb = next((verb for verb in verbs if part.startswith(verb)), "")
        parts[index] = f"{verb}{word} {part.removeprefix(verb)}" if verb else part
    return "|".join(parts)


def state_text(fact: ConditionBegan, wording: Wording) -> str:
    """Return a condition in a few words, as they stand behind a name: `dying (DC 4)`, `has light cover`."""
    found = find_pattern(wording.conditions, fact.name, fact.degree)
    pattern, which = found if found and found[0].startswith((f"{WHO}{BE} ", f"{WHO}<have> ")) else (PLAIN, "")
    short = "|".join(part.removeprefix(f"{WHO}{BE} ").removeprefix(WHO) for part in pattern.split("|"))
    return fill(short, begin_fields(fact, which, escape))


def as_fact(condition: Condition) -> ConditionBegan:
    """Return a condition as the fact that it begins."""
    return ConditionBegan(
        id="",
        who=condition.who,
        name=condition.name,
        degree=condition.degree,
        of=condition.of,
        effects=condition.effects,
        about=condition.about,
    )


def influence_texts(effects: Sequence[tuple[str, int]], wording: Wording) -> Iterator[str]:
    """Yield what a condition changes, in the words of the book."""
    for name, number in effects:
        found = find_pattern(wording.influences, name, f"{number:+}")
        pattern, which = found or ("{name} {now}", "")
        text = fill(pattern, {"name": condition_name(name), "now": f"{number:+}", "which": which})
        if text:
            yield text


def condition_name(name: str) -> str:
    """Return the name of a condition in words: `take_cover` is `take cover`."""
    return name.replace("_", " ")


def condition_texts(facts: Sequence[Fact], wording: Wording) -> list[str]:
    """Return what conditions did in these facts, in their order; what several or somebody is comes in one."""
    return joined_sentences(dict.fromkeys(_sentences(facts, wording)))


def _sentences(facts: Sequence[Fact], wording: Wording) -> Iterator[str]:
    """Yield the sentences of all conditions that begin and end, but for what the dead no longer are."""
    begun = [fact for fact in facts if isinstance(fact, ConditionBegan)]
    gone = {fact.who for fact in begun if fact.name in wording.gone}
    covered = {(fact.who, name) for fact in begun for name in wording.covers.get(fact.name, ())}
    for index, fact in enumerate(facts):
        if isinstance(fact, ConditionBegan) and (
            (fact.who, fact.name) in covered or not wording.carried.isdisjoint(fact.rules[:1])
        ):
            continue
        if isinstance(fact, ConditionBegan) and not is_completed(fact, facts[index:]):
            yield begin_template(fact, wording)
        elif (
            isinstance(fact, ConditionEnded) and fact.who not in gone and not begins_again(fact, facts[index:], wording)
        ):
            yield end_template(fact, wording)


def is_completed(began: ConditionBegan, later: Sequence[Fact]) -> bool:
    """Return whether a condition has reached all its steps and ends at once, so that only its end has a sentence."""
    return began.degree == began.of and any(isinstance(fact, ConditionEnded) and fact.id == began.id for fact in later)


def begins_again(ended: ConditionEnded, later: Sequence[Fact], wording: Wording) -> bool:
    """Return whether a condition that ended begins again at once, so that only its beginning has a sentence.

    An end has a sentence all the same where the book has one for its very cause.
    """
    has_own_text = find_pattern(wording.ends, ended.name, ended.because) != find_pattern(wording.ends, ended.name)
    return not has_own_text and any(isinstance(fact, ConditionBegan) and fact.id == ended.id for fact in later)
