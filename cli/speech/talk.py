"""Talk around the table: questions about the game, and corrections of the last line, as lines of the shell."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import islice, product
from typing import Final

import msgspec

from cli.notation.formatter import format_declaration
from cli.notation.schema import fields_of
from cli.notation.tokens import AMEND_MARK, UNDO, is_text
from cli.speech import word_order
from cli.speech.doubts import SAID, denied_error, is_about_what_was_said, without_leads
from cli.speech.earlier_lines import Earlier, given_fields, is_of_another_verb, tokens_of
from cli.speech.english import ENGLISH
from cli.speech.frames import SPEECH, FrameIndex, FrameMatch, frames_of, read_speech, shared_speech
from cli.speech.inquiry import SHOW
from cli.speech.odds_asked import ODDS, is_line, odds_question
from cli.speech.open_questions import any_question, likely_question, sight_question, value_question
from cli.speech.quotes import spoken_in
from cli.speech.readings import Reader
from cli.speech.rules_asked import rule_question
from cli.speech.sentences import last_questions, without_ends
from cli.speech.slots import in_line
from cli.speech.spoken_dice import dice_from
from cli.speech.tail import TailReader
from cli.speech.words import WORDS_MOST, Word, amount_at, sentence_of, split_words, without_last_question
from ledger.declarations import Declaration
from rulebooks.common.announcements import find_window
from rulebooks.common.game import Game

CHANGE: Final = "{change}"
LINE: Final = "{line}"
OTHER: Final = "{other}"
ANNOUNCED: Final = "announced: "  # before what changes a line that waits for its dice, and no other
NUMBERS_MOST: Final = 3
TEXT: Final = "{text}"
BEING: Final = "{being}"
WORD: Final = "{word}"
RULED_MOST: Final = 7  # words with which a sentence begins that denies a word of the rules
NAME_MOST: Final = 5  # words of a thing that somebody had
FACE: Final = "/"
TOTAL: Final = "total"  # the field of what dice made together
SLIP: Final = Word("no", "no", 0)
DIE: Final = re.compile(r"d[0-9]+")  # `three on the d6`
NUMBERED: Final = re.compile(r"^/|=-?[0-9]+$")  # a face, or a field with a number


def is_asked(text: str) -> bool:
    """Return whether a sentence is a question: by its mark, or by its first word. What somebody says aloud is none."""
    if is_text(text) or spoken_in(split_words(text)):
        return False
    asked, text = without_leads(split_words(text)), without_last_question(text)
    return text.rstrip().endswith("?") or bool(asked and asked[0].text in ENGLISH.asking | ENGLISH.odds)


def question_in_words(
    text: str,
    reader: Reader,
    recent: Sequence[Earlier],
    line_of: Callable[[str], str],
    *,
    is_last: bool = False,
) -> str:
    """Return the question of the shell that a sentence asks: `who hit bram`; empty if it asks none.

    `recent`: the last lines, the last first, of which a change may be asked. `line_of`: the
    line of the grammar that a sentence means, of which the odds may be asked; empty if it means none.
    `is_last`: the sentence is nothing else, so that its mark alone makes it a question.
    """
    whole = without_leads(split_words(text.rstrip("? ")))
    if not whole or len(whole) > WORDS_MOST:  # `on` only leads into something
        return ""
    words, *shorter = without_ends(whole)
    for asked in (words, *shorter, *([whole] if len(whole) > len(words) else []), *last_questions(words)):
        value = value_question(asked, reader)
        if question := _framed_question(asked, reader, recent, line_of, is_value=bool(value)) or value:
            return question
    if sight := sight_question(words, reader):
        return sight
    if is_asked(text) and (odds := odds_question(words, reader, line_of)):
        return odds
    is_marked = text.rstrip().endswith("?")
    likely = likely_question(words, reader, is_marked=is_marked)
    likely = likely or (rule_question(words, reader) if is_asked(text) else "")
    is_open = is_marked or (is_last and is_asked(text))
    return likely or (any_question(words, reader, is_last=is_last) if is_open else "")


def _framed_question(
    words: Sequence[Word],
    reader: Reader,
    recent: Sequence[Earlier],
    line_of: Callable[[str], str],
    *,
    is_value: bool,
) -> str:
    """Return the question that a phrase of the book or of every table asks; empty if none does.

    `is_value`: it asks for values alone, so that a phrase with a place for any words does not say what it asks.
    """
    for match in _find_whole_frames(_questions(reader.book), words, reader):
        question = SHOW if _is_of_several(match) else match.line
        if is_value and TEXT in match.slots:
            continue
        if match.slots.get(OTHER) == match.slots.get(BEING, ""):
            continue  # a pronoun is somebody else
        if LINE in match.frame.parts:
            line = line_of(match.slots[LINE])
            if not line:
                continue
            question = match.frame.template.replace(LINE, line)
        elif CHANGE in match.frame.parts:
            asked = (
                f"{earlier.entry} {change}"
                for earlier in recent
                for change in changes_in_words(match.slots[CHANGE], reader, earlier.said)
            )
            change = next(asked, "")
            if not change:
                continue
            question = match.frame.template.replace(CHANGE, change)
        if question.startswith(f"{ODDS} ") and not is_line(question.removeprefix(f"{ODDS} "), reader):
            continue  # `what does she need on Finesse`, by a name that no line has
        return question
    return ""


def _is_of_several(match: FrameMatch) -> bool:
    """Return whether a question about one is about several, who are shown together: `do we have any rope`."""
    return match.frame.template.startswith(SHOW) and "," in match.slots.get(BEING, "")


def corrections_in_words(text: str, reader: Reader, last: Declaration | None) -> list[str]:
    """Return the lines that correct the last line as a sentence says: `make that a five` is `~ v5`."""
    said = _denial_last(split_words(text))
    is_of_rules = any(word.text in reader.in_play.rules for word in said[:RULED_MOST])  # `no effort on that`
    is_about = is_about_what_was_said(said) or said[0].text in SAID or said != split_words(text)
    is_denied = denied_error(said, reader.in_play.beings) is not None and not (is_of_rules or is_about)
    words = without_slips(_behind_undone(without_slips(word_order.without_ruling(said))))
    words = [word for word in words if word.text not in ENGLISH.stressing]
    is_slip = len(words) < len(said) or any(word.text in ENGLISH.instead for word in words[1:])
    lines: list[str] = []
    matches = _correcting_phrases(words, reader, last)
    matches = matches or (_correcting_phrases(said, reader, last) if is_of_rules else [])
    matches = [each for each in matches if _names_thing(each, text, reader)]
    if is_denied:  # `they never heard us coming` changes a line only by a phrase that denies
        matches = [each for each in matches if _denies(each)]
    if not words or (is_denied and not matches):
        return []

    def by_another(match: FrameMatch) -> bool:
        return last is not None and match.slots.get(BEING, "").strip('"') not in ("", last.by)

    for match in sorted(matches, key=lambda each: CHANGE not in each.frame.parts):
        if CHANGE in match.frame.parts:
            changes = changes_in_words(match.slots[CHANGE], reader, last)
            changes = [each for each in changes if not (by_another(match) and NUMBERED.search(each))]
            if any(part in ENGLISH.threw for part in match.frame.parts):
                changes = [*_rolled_changes(changes, last)]
            lines += [f"{AMEND_MARK} {change}" for change in changes]
        else:
            is_of_another = TEXT in match.slots and by_another(match)
            line = match.line.removeprefix(ANNOUNCED)
            lines += [] if is_of_another else [line if line == UNDO else f"{AMEND_MARK} {line}"]
    is_denied = denied_error(words, reader.in_play.beings) is not None  # `oops, Kess never took that`
    if is_slip and not lines and not is_denied:  # `no, five` and `sorry, with the knife`
        lines = [f"{AMEND_MARK} {change}" for change in changes_in_words(sentence_of(words), reader, last)]
    if not lines and not is_denied:
        lines = [f"{AMEND_MARK} {change}" for change in _changed_lines(words, reader, last, is_slip=is_slip)]
    if not lines and said[0].text in ENGLISH.undoing:  # `scratch that, Kess never moved`
        lines = [match.line for match in _find_whole_frames(_corrections(reader.book), said, reader)][:1]
    known = tokens_of(last) if last else ()
    return [line for line in dict.fromkeys(lines) if line.partition(" ")[2].replace('"', "").casefold() not in known]


def _correcting_phrases(words: Sequence[Word], reader: Reader, last: Declaration | None) -> list[FrameMatch]:
    """Return the phrases with which a sentence corrects a line, but those of another verb, or of what is not open."""
    matches = _find_whole_frames(_corrections(reader.book), words, reader) if words else []
    if find_window(reader.ledger_state.state) is None:
        matches = [each for each in matches if not each.frame.template.startswith(ANNOUNCED)]
    return [each for each in matches if not (last and is_of_another_verb(each.slots.get(WORD, ""), last, reader))]


def _denies(match: FrameMatch) -> bool:
    """Return whether the words of a phrase itself deny something."""
    return any(not ENGLISH.denying.isdisjoint(part.split("/")) for part in match.frame.fixed_parts)


def _denial_last(words: Sequence[Word]) -> Sequence[Word]:
    """Return a sentence with what it denies behind what is meant: `the pistol not the knife`; any other as it is."""
    end = next((at for at, word in enumerate(words, 1) if word.mark == ","), 0) if words[0].text == "not" else 0
    if not 1 < end < len(words):
        return words
    moved = [*words[end:], *words[: end - 1], words[end - 1]._replace(mark="")]
    return [*([SLIP] if amount_at(words, end) is None else []), *moved]


def _rolled_changes(changes: Sequence[str], last: Declaration | None) -> Iterator[str]:
    """Yield those of some changes that have a number; in place of a field, the line with that as what the dice made.

    `Bram rolls initiative` is no number, and who rolled a seven did not meet a difficulty of seven.
    """
    fields = fields_of(type(last)) if last else ()
    begins = {field.notes.get("short") or f"{field.name}=" for field in fields if field.shape == "whole"}
    for each in changes:
        begin = each.rstrip("0123456789")
        if last and begin in begins - {f"{TOTAL}="} and any(field.name == TOTAL for field in fields):
            yield format_declaration(msgspec.structs.replace(last, **{TOTAL: int(each.removeprefix(begin))}))
        elif any(letter.isdecimal() for letter in each):
            yield each


def without_slips(words: Sequence[Word]) -> Sequence[Word]:
    """Return a sentence without the words at its beginning and end that say that it corrects another."""
    while words and words[-1].text in ENGLISH.laughs:
        words = words[:-1]
    texts = [word.text for word in words]
    for said in sorted((*([slip] for slip in ENGLISH.slips), *map(str.split, ENGLISH.afterthoughts)), key=len):
        if texts[: len(said)] == said:
            return without_slips(words[len(said) :])
        if texts[len(texts) - len(said) :] == said:
            return without_slips(words[: -len(said)])
    return words


def _behind_undone(words: Sequence[Word]) -> Sequence[Word]:
    """Return what a sentence says in place of what it takes back: `scratch the knife, Ada used her fists`."""
    if not words or words[0].text not in ENGLISH.undoing:
        return words
    return words[next((at for at, word in enumerate(words) if word.mark), -1) + 1 :] or words


def _names_thing(match: FrameMatch, text: str, reader: Reader) -> bool:
    """Return whether the text of a correction is a thing that somebody had, or the phrase has a word of the rules.

    `the pebble down the alley helped, call it an asset`.
    """
    is_of_rules = not reader.in_play.rules.isdisjoint(match.frame.fixed_parts)
    return TEXT not in match.slots or is_of_rules or _is_name(match.slots[TEXT], text)


def _is_name(said: str, text: str) -> bool:
    """Return whether a text of a sentence names a thing: `a rope`, not `another go with one level of effort`."""
    words = split_words(said)
    is_one = len(words) <= NAME_MOST and not any(word.mark for word in words[:-1])
    return is_one and not is_asked(text) and not any(amount_at(words, at) for at in range(len(words)))


def changes_in_words(text: str, reader: Reader, last: Declaration | None) -> list[str]:
    """Return the changes of a declaration that a phrase may mean, as tokens of a line: `cover`, `a five`, `thug 3`."""
    words = split_words(text)
    if last is None:
        return []
    words = words[: _end_of_change(words, reader, last.by)]
    while words and words[-1].text in ENGLISH.little:  # `two levels of effort on that`
        words = words[:-1]
    if not words:
        return []
    kind = type(last)
    bare = [word for word in words if word.text not in ENGLISH.little]
    amount = amount_at(bare, 0) if bare else None
    if faces := _faces(bare) or _faces(words):
        return [faces]
    if amount is not None and _is_unit(bare[amount.size :], reader):
        fields = [f"{start}{sign}{amount.number}" for start, sign in _numbered_fields(last)][:NUMBERS_MOST]
        return [*fields, f"{FACE}{amount.number}"]  # or it is of the die that was thrown
    tail_reader = TailReader(kind, last.by, reader.scope, reader.in_play, reader.tail)
    known = [
        f"+{tail_reader.situations[form]}"
        for form in ["-".join(word.text for word in bare)]
        if form in tail_reader.situations
    ]
    if known:
        return known
    tail = tail_reader.read(words, 0)
    if tail.left or not tail.tokens or (tail.beings and not _names_somebody(last)):
        return []
    if tail.beings and any(token.strip('"') in reader.scope.things for tokens in tail.tokens for token in tokens):
        return []  # `on his arm` is no arming sword
    return [" ".join(_replacing(tokens, last, tail_reader)) for tokens in islice(product(*tail.tokens), 4)]


def _faces(words: Sequence[Word]) -> str:
    """Return numbers as the faces of dice, `a nine and a four`; empty if the words are anything else."""
    end, faces = next(dice_from(words, 0), (0, ""))
    return f"{FACE}{faces}" if faces and end == len(words) else ""


def _end_of_change(words: Sequence[Word], reader: Reader, by: str) -> int:
    """Return where the words of a change end: before `not` and what it was, or before who did it, `guard 1 she hit`."""
    for index, word in enumerate(words):
        if word.text in ENGLISH.instead or (index and word.text in ENGLISH.subjects | ENGLISH.relating):
            return index
        if index and word.text in ENGLISH.parting - {"and"}:  # `3 on the d6 so it is 6 damage`
            return index
        if index and words[index - 1].mark and word.text in ENGLISH.slips:  # `a four, sorry, I misread it`
            return index
        named = reader.in_play.beings.at(words, index) if index else None
        if named and named.readings == ((by,),):
            return index
    return len(words)


def _changed_lines(words: Sequence[Word], reader: Reader, last: Declaration | None, *, is_slip: bool) -> list[str]:
    """Return the change that makes the last line what these words say: `Kess stabbed guard 1, not guard 2`."""
    whole = len(words) if is_slip else 0
    cut = next((index for index, word in enumerate(words) if word.text in ENGLISH.instead), whole)
    if last is None or cut < 2:
        return []
    is_doer = words[0].text in ENGLISH.subjects and words[1].text not in ENGLISH.passive  # `it is guard 2's turn`
    subject = [words[0]._replace(raw=in_line(last.by))] if is_doer else words[:1]
    readings = reader.read(sentence_of([*subject, *words[1:cut]]))
    said = [each.declaration for reading in readings if not reading.left for each in reading.parsed]
    same = [each for each in said if type(each) is type(last)]
    if same and all(each.by != last.by and not given_fields(each) for each in same):
        return list(dict.fromkeys(format_declaration(each) for each in same))  # it was somebody else
    alike = [given_fields(each) for each in same if each.by == last.by]
    fewest = min(map(len, alike), default=0)  # without what a reading adds, as the weapons that may be meant
    meant = [msgspec.structs.replace(last, **given) for given in alike if len(given) == fewest]
    return list(dict.fromkeys(format_declaration(each) for each in meant if each != last))


def _replacing(tokens: Sequence[str], last: Declaration, reader: TailReader) -> Sequence[str]:
    """Return the tokens of a change, with those that replace what was said: another weapon, not one more."""
    for field in reader.syntax.introduced.values():
        if field.shape == "list" and getattr(last, field.name):
            known = {in_line(word) for word in reader.values.understood_words(field)}
            tokens = [f"{field.name}={each}" if in_line(each.strip('"')) in known else each for each in tokens]
    return [each for each in tokens if each not in reader.syntax.introduced or not any("=" in one for one in tokens)]


def _names_somebody(last: Declaration) -> bool:
    """Return whether a declaration names somebody but who says it: `! encounter` is of all in play."""
    return any(field.has("being") and getattr(last, field.name) != field.default for field in fields_of(type(last)))


def _is_unit(words: Sequence[Word], reader: Reader) -> bool:
    """Return whether these words behind an amount only say of what it is: nothing, `hit points`, `points of damage`."""
    said = " ".join(word.text for word in words)
    return said in reader.in_play.values() or all(
        word.text in ENGLISH.counted or DIE.fullmatch(word.text) for word in words
    )


def _numbered_fields(last: Declaration) -> Iterator[tuple[str, str]]:
    """Yield how the numbers of a declaration are written, those that were said first: `v`, `feet=`; with their sign."""
    fields = [field for field in fields_of(type(last)) if field.shape == "whole"]
    said = [field for field in fields if getattr(last, field.name) != field.default]
    for field in said or [field for field in fields if field.required]:
        is_loss = (getattr(last, field.name) or 0) < 0
        yield field.notes.get("short") or f"{field.name}=", "-" if is_loss else ""


def _find_whole_frames(index: FrameIndex, words: Sequence[Word], reader: Reader) -> list[FrameMatch]:
    """Return the frames that a sentence, or its first clause, meets but for little words at its beginning and end."""
    found: list[FrameMatch] = []
    for start in range(min(3, len(words))):
        found += [match for match in index.at(words, start, reader.in_play) if _ends_clause(words, match.end)]
        if words[start].text not in ENGLISH.little:
            break
    return sorted(found, key=lambda match: -match.frame.literals)


def _ends_clause(words: Sequence[Word], end: int) -> bool:
    """Return whether only little words stand behind this place up to a stop: `what do I need here, with all that`."""
    while end < len(words) and not words[end - 1].mark and words[end].text in ENGLISH.little:
        end += 1
    return end == len(words) or bool(words[end - 1].mark)


@cache
def _questions(book: Game) -> FrameIndex:
    own, shared = read_speech(book.texts().folder / SPEECH), shared_speech()
    return FrameIndex(frames_of([shared.questions, own.questions]))


@cache
def _corrections(book: Game) -> FrameIndex:
    own, shared = read_speech(book.texts().folder / SPEECH), shared_speech()
    return FrameIndex(frames_of([own.corrections, shared.corrections]))
