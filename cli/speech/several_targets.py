"""An act on several where a line is about one: `Kess shoots thug 1 and thug 2` is said of each, one after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from cli.notation.line_parser import ParsedLine, parse_each
from cli.notation.tokens import GM_MARK
from cli.speech.answerable import as_typed
from cli.speech.english import ENGLISH
from cli.speech.evocation import evoked_lines
from cli.speech.heard import Heard, Unclear, is_doubtful, unclear
from cli.speech.levels import ALREADY
from cli.speech.meanings import Meaning
from cli.speech.readings import Reader
from cli.speech.slots import in_line
from cli.speech.speakers import Mention, mentions_in
from cli.speech.word_order import ENDING, PARTED_MOST, with_whole_subject
from cli.speech.words import Word, is_passed_over, sentence_of, split_words
from ledger.errors import LedgerError, Unreadable
from ledger.facts import GM
from ledger.number_words import NUMBERS
from rulebooks.common.adjustments import Adjust
from rulebooks.common.sides import is_foe

Interpret = Callable[[str, Sequence[ParsedLine] | Unreadable], Heard]
PRONOUNS: Final = ENGLISH.subjects | ENGLISH.objects
ARE, IS = "are", "is"
ASIDE: Final = (GM_MARK, "verb")  # of a line about nobody
PAUSE: Final = " ..."  # ends a line that is announced


def of_each_target(
    typed: str,
    words: Sequence[Word],
    legal: Sequence[Meaning],
    reader: Reader,
    lines_meant: Callable[[str, Reader], Sequence[str]],
) -> Unclear | None:
    """Return the question whether an act on the first of several is meant, with the others left to say behind it.

    None for a sentence about one, and where a line is certain. `legal`: the readings that are allowed; `lines_meant`
    returns the lines that another sentence may mean.
    """
    if len(words) > PARTED_MOST or any(each.weight and (_is_of_nobody(each) or not each.is_unsure) for each in legal):
        return None
    words = _without_order(words)
    for mention in _several(words, reader):
        if any(each.weight and _is_about_all(each.line, words, mention) for each in legal):
            return None
        first, *others = mention.names
        said = _about(words, mention, [first])
        is_subject = all(is_passed_over(word) or word.text in NUMBERS for word in words[: mention.start])
        meant = lines_meant(said, reader)
        lines = [each for each in meant if _is_about_one(each, mention.names, reader, is_subject=is_subject)]
        if lines:
            rest = _about(words, mention, others)
            at_once = [each for each in evoked_lines(words, reader) if _is_about_all(each, words, mention)]
            return unclear(typed, [*lines, *at_once], then=dict.fromkeys(lines, rest))
    return None


def each_changed(
    typed: str, words: Sequence[Word], legal: Sequence[Meaning], reader: Reader, interpret: Interpret
) -> Heard | None:
    """Return how a value of the first of several changes, with the others left to say: each is `back to full`.

    None where a line is about all of them, or it is not certain how each one's changes. Who has lost nothing is left
    out.
    """
    mention = _subject(words, reader) if len(words) <= PARTED_MOST else None
    if mention is None or any(each.weight and _is_about_all(each.line, words, mention) for each in legal):
        return None
    changes = dict[str, Heard]()
    for name in mention.names:
        said = _of_subject(words, mention, [name])
        try:
            changes[name] = interpret(said, Unreadable(said))
        except LedgerError as error:
            if not error.what.endswith(ALREADY):
                return None
    parsed = [each for heard in changes.values() for each in heard.parsed]
    if not parsed or not all(isinstance(each.declaration, Adjust) for each in parsed):
        return None
    first, *others = changes
    heard, rest = changes[first], _of_subject(words, mention, others) if others else ""
    return Heard(tuple(as_typed(each, typed) for each in heard.parsed), heard.line, rest)


def _several(words: Sequence[Word], reader: Reader) -> Iterator[Mention]:
    """Yield several of one side who are named together, `both thugs`, or behind the other's comma: `thug 1, thug 2`."""
    if subject := _subject(words, reader):
        yield subject
    state, last = reader.ledger_state.state, Mention((), 0, 0)
    for mention in mentions_in(words, reader.in_play):
        if last.names and last.end == mention.start and words[mention.start - 1].mark == ",":
            mention = Mention((*last.names, *mention.names), last.start, mention.end)
        named = reader.in_play.beings.at(words, mention.start)
        is_certain = named is not None and len(named.readings) == 1 and words[mention.start].text not in PRONOUNS
        is_owner = [word.text for word in words[mention.end : mention.end + 1]] == ["'s"]  # `the guards' pockets`
        is_one_side = len({is_foe(name, state) for name in mention.names}) == 1
        if len(mention.names) > 1 and is_certain and is_one_side and not is_owner:
            yield mention
        last = mention


def _subject(words: Sequence[Word], reader: Reader) -> Mention | None:
    """Return several who do something, by their names or by `they`; None if one does, or it is not certain who."""
    end, words = 0, with_whole_subject(words)
    if words and words[0].text in ENGLISH.plural:
        end = 1 + (len(words) > 1 and words[1].text in ENGLISH.both)
        meant = [each.names for each in reader.subjects(words[:1]) or () if len(each.names) > 1]
    elif said_by := reader.speaker_of(words):
        end, meant = len(words) - len(said_by[1]), [said_by[0]]
    return Mention(meant[0], 0, end) if end and meant and len(meant[0]) > 1 else None


def _about(words: Sequence[Word], mention: Mention, names: Sequence[str]) -> str:
    """Return a sentence with these names in place of all who are named together."""
    said = " and ".join(name if name.replace(" ", "").isalnum() else in_line(name) for name in names)
    named = [word._replace(column=0) for word in split_words(said)]
    named[-1] = named[-1]._replace(mark=words[mention.end - 1].mark)
    return sentence_of([*words[: mention.start], *named, *words[mention.end :]])


def _is_of_nobody(meaning: Meaning) -> bool:
    """Return whether a phrase explains a sentence as a line about nobody, whoever is named in it: `! on`."""
    return all(each.declaration.by == GM for each in meaning.parsed) and len(meaning.line.split()) == len(ASIDE)


def _of_subject(words: Sequence[Word], mention: Mention, names: Sequence[str]) -> str:
    """Return a sentence with these names as its subject: `Ada is hurt` of `they're all hurt`."""
    words = with_whole_subject(words)
    behind = words[mention.end : mention.end + 1]
    verb = IS if len(names) == 1 else ARE
    said = [word._replace(raw=verb, text=verb, column=0) for word in behind if word.text in (ARE, IS, ENDING)]
    return _about([*words[: mention.end], *(said or behind), *words[mention.end + 1 :]], mention, names)


def _without_order(words: Sequence[Word]) -> Sequence[Word]:
    """Return a sentence without the words for an order at its end: `one after the other`."""
    texts = [word.text for word in words]
    for said in map(str.split, ENGLISH.in_order):
        if texts[-len(said) :] == said:
            return [*words[: -len(said) - 1], words[-len(said) - 1]._replace(mark="")]
    return words


def _is_about_one(line: str, names: Sequence[str], reader: Reader, *, is_subject: bool) -> bool:
    """Return whether a line is about the first of several, and said by none of them."""
    try:
        parsed = parse_each(line.removesuffix(PAUSE), reader.scope)
    except Unreadable:
        return False
    others = {*names, *([GM] if is_subject else [])}  # what they do is no ruling about each
    is_by_them = any(each.declaration.by in others or is_doubtful(each, reader.scope) for each in parsed)
    return bool(parsed) and not is_by_them and in_line(names[0]) in line


def _is_about_all(line: str, words: Sequence[Word], mention: Mention) -> bool:
    """Return whether a line is about all who are named together, or has the words that name them."""
    named = words[mention.start : mention.end]
    start = next((at for at, word in enumerate(named) if word.text not in ENGLISH.articles), 0)
    said = sentence_of(named[start:]).casefold()
    return said in line.casefold() or all(in_line(name) in line for name in mention.names)
