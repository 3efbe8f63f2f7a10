"""What a sentence says of an earlier line: `that climb was a five, not a four`, `her second die should be a six`.

Its subject has to fit the line: each of its words is one of the line, of the verb, or of who and what is in it. What
stands behind `was` or `should have been` is the new value, and behind `not` the old one, by which its field is found.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

import msgspec

from cli.notation.formatter import format_declaration
from cli.notation.schema import fields_of, syntax_of
from cli.notation.tokens import UNDO, tokenize
from cli.notation.value_parser import ValueParser
from cli.speech.english import ENGLISH
from cli.speech.harm_thrown import HarmThrown
from cli.speech.readings import Reader
from cli.speech.slots import in_line
from cli.speech.spoken_dice import die_names
from cli.speech.words import Word, amount_at, is_only_amount, is_passed_over, split_words
from ledger.declarations import Declaration
from ledger.facts import GM
from ledger.name_match import fold_name
from rulebooks.common.adjustments import Adjust
from rulebooks.common.announcements import find_window
from rulebooks.common.sides import is_foe
from rulebooks.common.word_forms import base_forms

FACE: Final = "/"
DIE: Final = ("die", "dice")
DROP: Final = "drop"
AGAINST: Final = "against"
NEVER: Final = "never"
SHOULD, BEEN = "should", ("have", "has", "be", "been")  # behind it
ONE_OF: Final = ("one", "of")
THOSE: Final = ("those", "these")
HAPPENING: Final = ("happen", "occur", "anyone", "anybody", "anything")
NUMBERS_MOST: Final = 3
SHORT_LEAST: Final = 3  # letters of a word of a line: `that dex save`
TOWARDS: Final = ("at", "against")  # before who was meant
MADE: Final = ("made", "did")  # behind what is taken back: `the climb Kess made`
DOING: Final = "ing"  # `it is Guard 2 shooting`
THIS_ONE: Final = (("this", "one"), ("that", "one"), ("him",), ("her",), ("it",))  # who was named before
TAKEN_BACK: Final = ("take", "back")  # around what is taken back


class Earlier(NamedTuple):
    """A line that was said: its entry, what it declared, the words that were typed, the faces, and who threw them.

    `before`: what the first value was that it changed. `harm`: what its dice made of harm.
    """

    entry: str
    said: Declaration
    typed: str = ""
    faces: tuple[int, ...] = ()
    throwers: tuple[str, ...] = ()
    before: int | None = None
    harm: HarmThrown | None = None


class _Told(NamedTuple):
    """A sentence in its parts: what it is about, what that is to be, and what it was."""

    subject: Sequence[Word]
    new: Sequence[Word]
    old: Sequence[Word]


def amended_changes(words: Sequence[Word], reader: Reader, earlier: Earlier) -> list[str]:
    """Return the changes of a line that a sentence asks for, as tokens; none if it is about another."""
    if len(words) > len(TAKEN_BACK) and (words[0].text, words[-1].text) == TAKEN_BACK:
        return [DROP] if _is_meant(words[1:-1], reader, earlier) else []
    if tuple(word.text for word in words[:2]) == TAKEN_BACK and len(words) > len(TAKEN_BACK):  # `take back that shot`
        return [DROP] if _is_meant(words[2:], reader, earlier) else []
    is_undone = words[:1] and (words[0].text in ENGLISH.undoing or _undoes_deed(words))
    if len(words) > 1 and is_undone and words[0].mark == "":
        end = next((at for at, word in enumerate(words) if word.mark), len(words) - 1) + 1
        return [DROP] if end == len(words) and _fits(words[1:], reader, earlier, least=1) else []
    if other := _said_by_another(words, reader, earlier):
        return [other]
    told = next((_with_old_number(each) for each in _parted(words, reader)), None)
    if told is None or not _fits(told.subject, reader, earlier, least=0 if told.old else 1):
        return []
    if named := _only_name(told.new, reader):
        return [in_line(named)] if _was_named(told, earlier, reader) else []
    told = told._replace(new=_up_to_stop(told.new))
    amounts, bare = _amounts(told.new), _without_whom(told.new, reader)
    fields = {field.name for field in fields_of(type(earlier.said))}
    if not amounts or not is_only_amount(
        [word for word in bare if word.text not in ENGLISH.counted | ENGLISH.suffered | fields][-3:]
    ):
        return [_as_faces(amounts)] if len(amounts) > 1 else []
    if len(amounts) > 1:
        return [_as_faces(amounts)]
    new, old = amounts[0], next(iter(_amounts(told.old)), None)
    if len(earlier.faces) == 1 and old not in earlier.faces and _fits(told.subject, reader, earlier, least=2):
        old = None  # the one die of a line that is named showed what nobody read
    is_die = not (ENGLISH.thrown | ENGLISH.rethrown).isdisjoint(word.text for word in told.subject)
    is_die |= any(word.text in DIE for word in told.new)
    is_die &= not any(word.text == AGAINST for word in words)  # `the check was against five` is of its difficulty
    faces = _faces(told.subject, earlier, new, old, die_names(reader.book))
    if old is None and is_die and (faces or any(word.text in DIE for word in (*told.subject, *told.new))):
        return faces
    if faces and any(word.text in DIE for word in told.subject):  # `the second die was a nine, not a five`
        return faces
    called = fields.intersection(word.text for word in (*told.subject, *told.new))
    return [*_fields(earlier.said, new, old, called), *faces]


def _with_old_number(told: _Told) -> _Told:
    """Return a sentence about a number, which is the old value: `that four should be a nine`."""
    start = next((at for at, word in enumerate(told.subject) if not is_passed_over(word)), 0)
    was = amount_at(told.subject, start)
    is_number = was is not None and start + was.size == len(told.subject) and not told.old
    return told._replace(subject=[], old=told.subject[start:]) if is_number else told


def _up_to_stop(words: Sequence[Word]) -> Sequence[Word]:
    """Return a new value without the clause behind it that has no number: `against five, it was easy`."""
    end = next((at for at, word in enumerate(words, 1) if word.mark), len(words))
    return words[:end] if _amounts(words[:end]) and not _amounts(words[end:]) else words


def dropped_change(words: Sequence[Word], reader: Reader, earlier: Earlier) -> list[str]:
    """Return that a line is taken back where a sentence says so and why: `strike that attack, she was reloading`."""
    end = next((at for at, word in enumerate(words) if word.mark), -1) + 1
    said = _without_denial(words[: end or len(words)])
    named = reader.in_play.beings.at(said, 0) if said else None
    is_other = named is not None and earlier.said.by != GM and (earlier.said.by,) not in named.readings
    if said and not is_other and _fits(said, reader, earlier, least=2):
        return [DROP]
    is_taken_back = tuple(word.text for word in words[:2]) == TAKEN_BACK  # `take back that attack, she never made it`
    start = 2 if is_taken_back else int(len(words) > 1 and words[0].text in ENGLISH.undoing)
    return [DROP] if start and _fits(words[start:end], reader, earlier, least=1) else []


def _undoes_deed(words: Sequence[Word]) -> bool:
    """Return whether a sentence undoes what somebody did: `undo Ada's attack`, not `undo the last one`."""
    return words[0].text == UNDO and any(word.text == "'s" for word in words)


def _without_denial(words: Sequence[Word]) -> Sequence[Word]:
    """Return what did not happen, without the denial: `Mara never moved`, `Ada's shot did not happen`; else nothing."""
    for at, word in enumerate(words[1:], 1):
        is_past = word.text == "not" and words[at - 1].text in {"did", *ENGLISH.was}
        is_none = word.text == "no" and not base_forms(words[at - 1].text).isdisjoint(ENGLISH.suffering)
        if is_past or is_none or word.text == NEVER:
            behind = [each for each in words[at + 1 :] if base_forms(each.text).isdisjoint(HAPPENING)]
            return [*words[: at - is_past], *behind]
    return ()


def _said_by_another(words: Sequence[Word], reader: Reader, earlier: Earlier) -> str:
    """Return a line as somebody else of the same side says it: `it was Sira who fell`, `that was Bo`; else nothing."""
    is_open = find_window(reader.ledger_state.state) is not None  # of what is announced it is said as it is
    copulas = ENGLISH.was | {SHOULD} | (ENGLISH.copulas if is_open else frozenset())
    start = next((at for at in range(min(len(words), NUMBERS_MOST)) if words[at].text in copulas), len(words)) + 1
    while start < len(words) and words[start].text in BEEN:  # `that should have been Dov`
        start += 1
    named = reader.in_play.beings.at(words, start)
    by, state = earlier.said.by, reader.ledger_state.state
    if named is None or not all(is_passed_over(word) for word in words[:start]) or by == GM:
        return ""
    name, behind = named.readings[0][0], words[start + named.size :]
    if behind and words[start + named.size - 1].mark and behind[0].text not in ENGLISH.instead:
        behind = []  # `that was Dov, she is still up top`
    is_one = len(named.readings) == len(named.readings[0]) == 1 and name not in reader.scope.things
    cut = next((at for at, word in enumerate(behind) if word.text in ENGLISH.instead), len(behind))
    denied = behind[cut + 1 :]
    is_denied = not denied or _only_name(denied, reader) == by or tuple(word.text for word in denied) in THIS_ONE
    doing = behind[1:cut] if cut and behind[0].text in ENGLISH.relating else behind[:cut]
    begins_so = bool(cut) and (behind[0].text in ENGLISH.relating or behind[0].text.endswith(DOING))
    is_cleft = not cut or (begins_so and _fits(doing, reader, earlier, least=0))
    is_cleft |= cut < len(behind) and is_denied and _is_plain(behind[:cut], reader)  # `it was Bo up there, not Ada`
    if not (is_one and is_cleft and is_denied) or name == by or is_foe(name, state) != is_foe(by, state):
        return ""
    said, kind = earlier.said, type(earlier.said)
    for field in syntax_of(kind).introduced.values():  # an item that the other has not
        if getattr(said, field.name) not in ValueParser(kind, name, reader.scope).known_words(field):
            said = msgspec.structs.replace(said, **{field.name: field.default})
    line = format_declaration(said, reader.scope).replace(in_line(by), in_line(name), 1)
    return line.replace(f"{fold_name(by)}.", f"{fold_name(name)}.", 1)  # whose value it changes


def _is_plain(words: Sequence[Word], reader: Reader) -> bool:
    """Return whether some words name nobody and no number."""
    return not any(reader.in_play.beings.at(words, at) or amount_at(words, at) for at in range(len(words)))


def _only_name(words: Sequence[Word], reader: Reader) -> str:
    """Return the one who is named by these words and nothing else; empty if it is not so."""
    named = reader.in_play.beings.at(words, 0) if words else None
    is_one = named and named.size == len(words) and len(named.readings) == len(named.readings[0]) == 1
    is_thing = named and named.readings[0][0] in reader.scope.things  # `his arm` is no arming sword
    return named.readings[0][0] if named and is_one and not is_thing else ""


def _was_named(told: _Told, earlier: Earlier, reader: Reader) -> bool:
    """Return whether a line is about the one who is said not to be meant, or about anybody if that is not said."""
    fields = [field for field in fields_of(type(earlier.said)) if field.has("being") and field.shape == "text"]
    meant = {getattr(earlier.said, field.name) for field in fields} - {""}
    return _only_name(told.old, reader) in meant if told.old else bool(meant)


def _parted(words: Sequence[Word], reader: Reader) -> Iterator[_Told]:
    """Yield a sentence in its parts: around `was`, `should have been`, or before a number behind `only`."""
    if told := _told_by_denial(words, reader):
        yield told
        return
    within = reader.in_play.beings.is_within_name  # `guard 3 only rolled a one`
    numbers = [at for at in range(len(words)) if amount_at(words, at) and not within(words, at)]
    is_denied = _denies_number(words)  # `that second die is a four, not a seven`
    begins = ENGLISH.setting | (ENGLISH.copulas - {"'s"} if is_denied else frozenset[str]())
    start = next((at for at, word in enumerate(words) if word.text in begins), None)
    if start is None and any(word.text in ENGLISH.rather for word in words):
        start = next(iter(numbers), None)
    if start is None and any(word.text in ENGLISH.instead for word in words[1:]):  # `Ada rolled a five, not a four`
        threw = (at for at, word in enumerate(words) if word.text in ENGLISH.threw)
        start = next(threw, next(iter(numbers), None))
    if start is None:
        return
    end = start
    while end < len(words) and words[end].text in begins | ENGLISH.set_to | ENGLISH.threw:
        end += 1
    subject, behind = words[:start], words[end:]
    if start == 0 and (at := next((at for at in numbers if at >= end), None)):
        subject, behind = words[end:at], words[at:]  # `make her second die a six`
        subject = [] if all(map(is_passed_over, subject)) else subject  # `make that a five`
        was = amount_at(behind, 0)
        if subject and was and behind[was.size : was.size + 1] and behind[was.size].text in ENGLISH.becoming:
            yield _Told(subject, behind[was.size :], behind[: was.size])  # `make her five a three`
            return
    if behind and behind[0].text in ENGLISH.instead:  # `it was not three, only two`
        end = next((at for at in range(1, len(behind)) if behind[at - 1].mark or behind[at].text == "but"), len(behind))
        yield _Told(subject, behind[end:], behind[1:end])
        return
    cut = next((at for at, word in enumerate(behind) if at and word.text in ENGLISH.instead), len(behind))
    new, old = behind[:cut], behind[cut + 1 :]
    at = next((at for at, word in enumerate(new) if at and word.text in ENGLISH.rolled_on), len(new))
    if not subject and at < len(new) - 1:  # `make that a five on her attack`
        end = next((index for index in range(at, len(new)) if new[index].mark), len(new) - 1) + 1
        subject, new = new[at + 1 : end], new[:at]
    yield _Told(subject, new, old)


def _told_by_denial(words: Sequence[Word], reader: Reader) -> _Told | None:
    """Return who is said in place of another: `at Dov, not Mara`, `it bit Pell, not Otti`; None for anything else."""
    denied = next((at for at in range(1, len(words)) if words[at - 1].mark and words[at].text in ENGLISH.instead), 0)
    old = words[denied + 1 :]
    if denied and words[0].text in TOWARDS:
        return _Told([], words[1:denied], old[1:] if old and old[0].text in TOWARDS else old)
    named = _named_before(words, denied, reader)
    return _Told([], named, old) if named else None


def _named_before(words: Sequence[Word], end: int, reader: Reader) -> Sequence[Word]:
    """Return the name that ends before a word, where the words from there on are another name alone; else nothing."""
    named = (words[at:end] for at in range(end) if _only_name(words[at:end], reader))
    return next(named, ()) if _only_name(words[end + 1 :], reader) else ()


def _denies_number(words: Sequence[Word]) -> bool:
    """Return whether a sentence says one number in place of another: `a four, not a seven`."""
    end = next((at for at, word in enumerate(words) if word.text in ENGLISH.instead), len(words))
    return bool(_amounts(words[:end]) and _amounts(words[end : end + 3]))


def is_of_another_verb(word: str, last: Declaration, reader: Reader) -> bool:
    """Return whether a word is the verb of other lines than this one: `the attack was a five`."""
    return word not in type(last).verbs and any(word in kind.verbs for kind in reader.scope.declarations)


def _is_meant(subject: Sequence[Word], reader: Reader, earlier: Earlier) -> bool:
    """Return whether what is taken back is a line: it fits, and no verb of other lines is said, `that attack`."""
    is_other = any(is_of_another_verb(word.text, earlier.said, reader) for word in subject)
    return not is_other and _fits(subject, reader, earlier, least=1)


def _fits(subject: Sequence[Word], reader: Reader, earlier: Earlier, *, least: int) -> bool:
    """Return whether a sentence is about a line: each of its words is in it, at least so many that say something."""
    said = earlier.said
    text = f"{earlier.typed} {format_declaration(said)} {' '.join(type(said).verbs)}"
    known = {form for word in split_words(text.replace('"', " ").replace("-", " ")) for form in base_forms(word.text)}
    fields = {field.name for field in fields_of(type(said))} | reader.tail.words_of(type(said).verbs)
    names = die_names(reader.book)
    index = count = 0
    while index < len(subject):
        word = subject[index]
        named = reader.in_play.beings.at(subject, index, loose=True)
        if named:
            names = [name for each in named.readings for name in each]
            is_own = all(name in reader.scope.things and name.startswith(f"{said.by}'") for name in names)
            if not (is_own or any(name.casefold() in text.casefold() for name in names)):
                return False  # `Ada's sword rolled a five` is about her blow
            index, count = index + named.size, count + 1
            continue
        passed = ENGLISH.thrown | ENGLISH.rethrown | ENGLISH.counted | ENGLISH.others
        passed |= {*ENGLISH.ordinals, *names, *MADE, *THOSE}
        if not (is_passed_over(word) or word.text in passed):
            matches = reader.verbs.at(subject, index, reader.in_play)
            kinds = (reader.kind_of(each.frame.template, is_aside=False) for each in matches)
            is_change = isinstance(said, Adjust) or not ENGLISH.losses.isdisjoint(type(said).verbs)
            changing = ENGLISH.losses | ENGLISH.gains if is_change else frozenset[str]()
            is_short = len(word.text) >= SHORT_LEAST and any(each.startswith(word.text) for each in known)
            if not (is_short or base_forms(word.text) & (known | fields | changing) or type(said) in kinds):
                return False
            count += 1
        count += word.text in ENGLISH.thrown | ENGLISH.rethrown or word.text in names
        index += 1
    return count >= least


def _without_whom(words: Sequence[Word], reader: Reader) -> Sequence[Word]:
    """Return a new value without who is named behind it: `two for Brynn`."""
    for at in range(1, len(words)):
        named = reader.in_play.beings.at(words, at)
        if named and at + named.size == len(words):
            return words[:at]
    return words


def _amounts(words: Sequence[Word]) -> list[int]:
    """Return the numbers that are said, one after the other."""
    found, index = list[int](), 0
    while index < len(words):
        amount = amount_at(words, index)
        found += [amount.number] if amount else []
        index += amount.size if amount else 1
    return found


def _as_faces(faces: Sequence[int]) -> str:
    return FACE + ".".join(map(str, faces))


def _faces(subject: Sequence[Word], earlier: Earlier, new: int, old: int | None, names: Sequence[str]) -> list[str]:
    """Return the faces of a line with one of them in place of the old one, or of the die that is counted or named.

    Where the die that is counted shows another face than the old one, the one die that shows it is meant.
    """
    faces = earlier.faces
    nth = next((ENGLISH.ordinals.index(word.text) for word in subject if word.text in ENGLISH.ordinals), None)
    if nth is None:
        nth = next((names.index(word.text) for word in subject if word.text in names), None)
    if nth is None and any(word.text in ENGLISH.rethrown for word in subject):
        nth = len(faces) - 1
    is_miscounted = nth is not None and old is not None and faces[nth : nth + 1] != (old,)
    if (nth is None or is_miscounted) and old is not None:
        nth = faces.index(old) if old in faces else None
    elif nth is None and faces and (len(faces) == 1 or _is_of_verb(subject, earlier) or _is_any_die(subject)):
        nth = 0
    if nth is None or nth >= len(faces):
        return []
    return [_as_faces([*faces[:nth], new, *faces[nth + 1 :]])]


def _is_any_die(subject: Sequence[Word]) -> bool:
    """Return whether a sentence is about one of the dice, and does not say which: `one of those`."""
    return [word.text for word in subject[:2]] == [*ONE_OF]


def _is_of_verb(subject: Sequence[Word], earlier: Earlier) -> bool:
    """Return whether a die is called by the verb of its line, whose first it is: `the attack die`."""
    verbs = {*type(earlier.said).verbs}
    called = [word for word in subject if not is_passed_over(word)]
    is_called = any(word.text in verbs and behind.text in ENGLISH.thrown for word, behind in pairwise(called))
    return is_called or (bool(called) and called[-1].text in verbs)


def _fields(said: Declaration, new: int, old: int | None, named: Collection[str]) -> list[str]:
    """Return the number in the field that has the old one; without an old one in those named, or that were said."""
    fields = [field for field in fields_of(type(said)) if field.shape == "whole"]
    values = [(field, getattr(said, field.name)) for field in fields]
    meant = [each for each in values if each[1] != each[0].default] if old is None else []
    meant = [each for each in values if each[0].name in named and old is None] or meant
    meant += [each for each in values if old is not None and each[1] is not None and abs(each[1]) == old]
    return [
        f"{field.notes.get('short') or f'{field.name}='}{'-' if (value or 0) < 0 else ''}{new}"
        for field, value in meant[:NUMBERS_MOST]
    ]


def tokens_of(said: Declaration) -> frozenset[str]:
    """Return the tokens of a line, and their values, without quotation marks: what it says already is no change."""
    tokens = {token.raw.replace('"', "").casefold() for token in tokenize(format_declaration(said))}
    return frozenset(tokens | {each.partition("=")[2] for each in tokens} - {""})


def given_fields(said: Declaration) -> dict[str, object]:
    """Return the fields of a declaration that were said."""
    values = {field.name: (getattr(said, field.name), field.default) for field in fields_of(type(said))}
    return {name: value for name, (value, default) in values.items() if value != default}
