"""Checks of what people read of a book: its sentences now and then, their fields, its examples and its help page."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

from cli.notation.schema import EXAMPLE
from cli.phrases.fact_phrases import phrase_of
from cli.phrases.patterns import FIELD, fill
from cli.phrases.phrase import clause, sentence
from cli.speech.frames import SPEECH, read_speech
from ledger.facts import BaseFact, ConditionBegan, ConditionEnded, Linked, Rested
from rulebooks.common.absence import ABSENT
from rulebooks.common.texts import Wording
from rulebooks.testing.game_files import GameFiles

OF_WORDING: Final = ("conditions", "ends", "ties", "sheets", "moves", "windows", "closed", "rests")
OF_NARRATION: Final = ("results", "variants", "felled", "out", "ends", "lines", "rulings", "told")
SINGULAR: Final = re.compile(r"Kess and Sable (?:no longer |partly )?(?:is|has|was|\w+[^s]s)\b")
RAW: Final = re.compile(r"[_<>{}\x02\x03]|\bnot \w+s no\b|  |\bno longer (?:is|are)\b|\bfails to \w+s\b")
IN_WORDS: Final = re.compile(r"_(?:ing|to|did|said|thing|foe|while|word|rest|vain|risked|came|told)$")
FIELDS: Final = {
    "rulings": {"text", "because", "because_by", "because_how", "by", "about"},
    "told": {"by", "text"},
    "costs": {"because", "who"},
    "out": {"who"},
}
RESULT: Final = frozenset([  # fields of the sentence of a result, beside those of the line
    "who", "against", "what", "result", "total", "which", "weapon", "foe_weapon", "allies", "times", "ally", "task",
    "took", "gave", "aimed",
])  # fmt: skip


def patterns(files: GameFiles) -> Iterator[str]:
    """Yield every alternative of every sentence of a book."""
    for source, tables in ((files.texts.lexicon.wording, OF_WORDING), (files.texts.narration, OF_NARRATION)):
        for table in tables:
            for text in getattr(source, table).values():
                for pattern in (text,) if isinstance(text, str) else text:
                    yield from pattern.split("|")


def states(wording: Wording) -> Iterator[BaseFact]:
    """Yield every condition of a book as it begins, changes and ends, every tie of it, and every rest."""
    for key in {*wording.conditions, *wording.ends, *wording.gone, "prone"}:
        name = re.sub(r" \d$", "", key).replace("*", "might")
        began = partial(ConditionBegan, id=f"{name} Kess", who="Kess", name=name, effects=(("might", 2),))
        yield from (began(), began(degree=2), began(about="Sable"))
        yield ConditionEnded(id=f"{name} Kess", who="Kess", name=name, because="used")
    for key in wording.ties:
        name, _, more = key.partition(" ")
        yield Linked(one="Kess", tie=name, other="Sable", degree=2 if more == "2" else 1, on=more != "ended")
    yield from (Rested(who="Kess", rest=rest) for rest in wording.rests)


def check_verbs_agree_with_several(files: GameFiles) -> None:
    """Check that each sentence is right for two, now and then: its verbs stand in angle brackets."""
    for pattern in patterns(files):
        for past in (False, True):
            text = fill(pattern, dict.fromkeys(FIELD.findall(pattern), "Kess and Sable"), past=past)
            assert not RAW.search(text), text
            assert not SINGULAR.match(text), f"{text}: write the verb as <take>"


def check_states_are_sentences_now_and_then(files: GameFiles) -> None:
    """Check the sentences of conditions, ties and rests as they begin, change and end."""
    for fact in states(files.texts.lexicon.wording):
        phrase = phrase_of(fact, files.texts.lexicon.wording)
        now, then = sentence(phrase), clause(phrase, past=True)
        assert not RAW.search(now + then), (now, then)
        assert ("Kess" in now) == ("Kess" in then), now
        if not phrase.is_silent and "\x02" in phrase.text:
            assert now != then or " hit" in now or " cast" in now, now


def fields_of(pattern: str) -> set[str]:
    """Return the fields of a sentence, without the form in which it has their words."""
    return {IN_WORDS.sub("", field) for field in re.findall(r"\{(\w+)\}", pattern)}


def declaration_fields(files: GameFiles) -> dict[str, set[str]]:
    """Return the fields of every declaration by its kind."""
    return {str(kind.__struct_config__.tag): {*kind.__struct_fields__} for kind in files.game.declarations}


def check_lines_are_of_declarations(files: GameFiles) -> None:
    """Check that a story tells lines of declarations that there are, with their fields."""
    known = declaration_fields(files)
    for kind, pattern in files.texts.narration.lines.items():
        assert fields_of(pattern) <= known[kind.partition(" ")[0]] | {"by"}, kind


def check_results_have_fields_of_results_and_lines(files: GameFiles) -> None:
    """Check the sentences of a story for results."""
    known, words = RESULT.union(*declaration_fields(files).values()), files.texts.narration
    for table in (words.results, words.variants, words.felled):
        for name, own in table.items():
            assert fields_of(own if isinstance(own, str) else "|".join(own)) <= known, name


def check_other_sentences_have_known_fields(files: GameFiles) -> None:
    """Check the sentences of a story for rulings, what is said, costs and ends."""
    for table, known in FIELDS.items():
        for name, pattern in getattr(files.texts.narration, table).items():
            assert fields_of(pattern) <= known, (table, name)
            assert pattern.count("[") == pattern.count("]"), (table, name)


def check_story_says_who_is_lost(files: GameFiles) -> None:
    """Check that whoever is lost has a sentence and weighs most, and that it says who left a fight."""
    words = files.texts.narration
    assert words.lost or not any(files.calls("EncounterBegan")), "in a game with fights somebody can be lost"
    assert {*words.lost} <= {*words.grave}
    assert {*words.lost}.isdisjoint(words.untold)
    assert ABSENT not in words.untold, "a story that never says that a foe is gone has it still standing there"


def check_declarations_show_an_example_line(files: GameFiles) -> None:
    """Check that help has an example of each verb: a line in backquotes in the docstring of its declaration."""
    for kind in files.game.declarations:
        assert not kind.verbs or EXAMPLE.search(kind.__doc__ or ""), f"{kind.__name__} shows no line, as `ana flip`"


def check_files_for_people_are_read(files: GameFiles) -> None:
    """Check the words of the book, its frames of speech and its help page, where it has them."""
    assert files.texts.lexicon.vital_value
    assert read_speech(files.folder / SPEECH)
    page = files.texts.help_page
    assert not page.exists() or page.read_text(encoding="utf-8").startswith("# "), f"{page} begins with its title"


SENTENCE_CHECKS: Final[tuple[Callable[[GameFiles], None], ...]] = (
    check_verbs_agree_with_several,
    check_states_are_sentences_now_and_then,
    check_lines_are_of_declarations,
    check_results_have_fields_of_results_and_lines,
    check_other_sentences_have_known_fields,
    check_story_says_who_is_lost,
    check_declarations_show_an_example_line,
    check_files_for_people_are_read,
)
