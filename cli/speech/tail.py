"""What stands behind the verb, as tokens of a line: each word is explained by the declaration, or is left over."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Final

from cli.notation.schema import Field, syntax_of
from cli.notation.scope import Scope
from cli.notation.tokens import span_words
from cli.notation.value_parser import ValueParser
from cli.speech.english import ENGLISH
from cli.speech.field_words import words_of_fields
from cli.speech.frames import FrameIndex
from cli.speech.in_play import WITH, InPlay
from cli.speech.lexicon import before_more, between_beings
from cli.speech.named_beings import Named
from cli.speech.slots import in_line
from cli.speech.tail_phrases import FACES_MARK, PHRASE_MOST, Tail, face_at, is_strict, phrase_at, repeats, situation_at
from cli.speech.ways import is_left_behind, is_on_the_way
from cli.speech.word_order import PARTED_MOST, is_object_pronoun
from cli.speech.words import (
    Word,
    amount_at,
    content_end,
    is_passed_over,
    is_told,
    sentence_of,
    span_at,
    spellings_of,
)
from ledger.declarations import Declaration
from ledger.name_match import fold_word

ENDS: Final = (*";.!?",)  # marks of the end of a sentence, which stay in a text of two
NEXT: Final = ("", *ENDS)  # marks behind which no reason stands: none, and those that begin another sentence
ITEM_LEAST: Final = 3  # letters of the end of a word that names an item


class TailReader:
    """Reads what stands behind a verb as the fields of one declaration of one speaker."""

    def __init__(
        self,
        kind: type[Declaration],
        by: str,
        scope: Scope,
        in_play: InPlay,
        frames: FrameIndex,
        *,
        is_about: bool = False,
    ) -> None:
        """`is_about`: whom the line is about was named before."""
        self.is_about = is_about
        self.kind, self.by, self.scope, self.in_play, self.frames = kind, by, scope, in_play, frames
        self.syntax = syntax_of(kind)
        self.values = ValueParser(kind, by, scope)

    @cached_property
    def known(self) -> Mapping[str, str]:
        """The words that a field takes by themselves, folded, and how the line writes them."""
        return words_of_fields(self.syntax, self.values)

    @cached_property
    def situations(self) -> Mapping[str, str]:
        """The words that may stand behind a `+`, by their form with spaces."""
        words: dict[str, str] = {}
        for field in self.syntax.fields:
            first = field.item.parts[0] if field.item.shape == "struct" else field.item
            if field.notes.get("plus") == "" and first.shape == "text":
                words |= {fold_word(known).replace("_", "-"): known for known in self.values.known_words(field)}
        return words

    def read(self, words: Sequence[Word], start: int, skipped: frozenset[int] = frozenset()) -> Tail:
        """Return the tail from this word on. What nothing explains behind a comma or `because` is the reason.

        `skipped`: the words that are explained already.
        """
        if self.kind.free:
            return self._read_object(words[start:])
        again = {
            at for at in range(max(1, start), len(words)) if words[at - 1].mark and words[at].text in self.kind.verbs
        }
        if again and not skipped:  # `jumps back, dodge 8`
            words = [word for at, word in enumerate(words) if at not in again]
        tail, index, between, kept = Tail([], [], []), start, "", start
        while index < len(words):
            if index in skipped:
                index += 1
                continue
            if index and words[index - 1].mark not in NEXT:
                index += self._add_flag(words, index, tail)
                tail.reason = self._reason_at(words, index, tail)
                if tail.reason:
                    tail.is_listed = words[index - 1].mark == ":"
                    break
            if count := self._add_explained(words, index, tail) or self._add_face(words, index, tail):
                index, between = index + count, ""
                continue
            if words[index].text in ENGLISH.reason:
                of = [word.text for word in words[index + 1 : index + 2]] == ["of"]
                tail.reason = sentence_of(words[index + 1 + of : self._end_of_reason(words, index, tail)])
                break
            between += words[index].raw if "'" in words[index].raw else f" {words[index].raw}"
            if not (is_passed_over(words[index]) or is_told(words, index)):
                tail.left.append(words[index].raw)
                stop = next((word.mark for word in words[max(kept - 1, 0) : index] if word.mark in ENDS), "")
                tail.text, between = tail.text + stop + between if tail.text else words[index].raw, ""
                kept = index + 1
            index += 1
        return tail

    def _add_face(self, words: Sequence[Word], index: int, tail: Tail) -> int:
        """Add a number that counts nothing as the face of a line that has one die; it is asked about."""
        has_faces = any(token.startswith(FACES_MARK) for tokens in tail.tokens for token in tokens)
        amount = None if has_faces else face_at(words, index, self.kind, self.frames, self.in_play)
        tail.tokens += [(f"{FACES_MARK}{amount.number}",)] if amount else []
        tail.is_unsure |= amount is not None
        return amount.size if amount else 0

    def _end_of_reason(self, words: Sequence[Word], start: int, tail: Tail) -> int:
        """Return where a reason ends: before a clause that is explained and added: `for the smoke, ten`."""
        for index in range(start + 2, len(words) if len(words) <= PARTED_MOST else 0):
            behind = self.read(words, index) if words[index - 1].mark == "," else Tail()
            if behind.tokens and not (behind.left or behind.reason or behind.beings):
                tail.tokens += behind.tokens
                return index
        return len(words)

    def _add_flag(self, words: Sequence[Word], index: int, tail: Tail) -> int:
        """Add the flag that begins a clause, and return how many words it takes: `at a disadvantage as it is dark`."""
        end = index
        while end < len(words) - 1 and words[end].text in ENGLISH.little:
            end += 1
        flags = {field.name for field in self.syntax.bare if field.shape == "flag"}
        if end == len(words) - 1 or words[end].text not in flags:
            return 0
        tail.tokens.append((words[end].text,))
        return end + 1 - index

    def _read_object(self, words: Sequence[Word]) -> Tail:
        """Return the tail of a free task: what no field takes, up to the first field, is its object."""
        tail, index, fields_end = Tail([], [], []), 0, 0  # the end of what was kept before the last field
        kept: list[Word] = []
        while index < len(words):
            word = words[index]
            is_clause = bool(index and words[index - 1].mark)
            count = self._add_framed(words, index, tail) or self._add_situation(words, index, tail)
            count = count or (self._add_known(words, index, tail) if self._is_field(words, index) else 0)
            count = count or self._add_letter(words, index, tail)
            if not count and index and word.text in ENGLISH.reason:
                tail.reason = sentence_of(words[index + 1 :])
                break
            if not count and is_clause and tail.tokens and (reason := self._reason_at(words, index, tail)):
                tail.reason = reason
                break
            if count:  # what stands between two fields is of neither: `difficulty 4, and I'll use effort`
                kept = kept[: max(fields_end, content_end(kept))] if tail.tokens and fields_end else kept
                fields_end = len(kept)
            elif not (tail.tokens and is_told(words, index)):
                behind = bool(index) and is_strict(words[index - 1].raw)
                if behind or tail.extra or (tail.tokens and word.text in self.known):
                    tail.extra.append(word.raw)
                else:
                    kept.append(word._replace(mark=""))
            index += count or 1
        while kept and kept[-1].text in ENGLISH.linking:
            kept.pop()
        tail.left = [sentence_of(kept)] if kept else []
        tail.is_quoted = any(word.text in self.known for word in kept)
        return tail

    def _add_letter(self, words: Sequence[Word], index: int, tail: Tail) -> int:
        """Add the letter of a choice of the grammar, `m` for might, beside a field: `jumps the gap s difficulty 4`."""
        behind = words[index + 1 :]
        letters = {choice[0] for field in self.syntax.bare for choice in field.item.choices}
        if words[index].text not in letters or not (behind or tail.tokens):
            return 0
        if behind and not (is_strict(behind[0].raw) or self.frames.at(words, index + 1, self.in_play)):
            return 0
        tail.tokens.append((words[index].text,))
        return 1

    def _is_field(self, words: Sequence[Word], index: int) -> bool:
        """Return whether a known word of an object is meant as a field: it ends the clause, or a field is behind it.

        `hidden` is none in `searches for a hidden panel`.
        """
        word, behind = words[index], words[index + 1 :]
        if word.text in ENGLISH.little or (index and words[index - 1].text in ENGLISH.articles):
            return False
        is_counted = index and not words[index - 1].mark and amount_at(words, index - 1)
        if is_counted and word.text in self.in_play.values():
            return False  # three might
        if word.mark or not behind or behind[0].text in ENGLISH.little or is_strict(behind[0].raw):
            return True
        return bool(self.frames.at(words, index + 1, self.in_play) or behind[0].text in self.known)

    def _add_framed(self, words: Sequence[Word], index: int, tail: Tail) -> int:
        """Add what is written in the grammar of lines, or what a phrase of the book means."""
        if phrase := phrase_at(words, index, self.kind, self.frames, self.in_play):
            tail.is_unsure |= phrase.is_unsure
            tail.lost += phrase.lost
            is_same = repeats(phrase, words, index, tail)
            tail.is_unsure |= is_same
            if phrase.tokens and phrase.tokens not in tail.tokens and not is_same:  # a flag said in two ways is one
                tail.tokens.append(phrase.tokens)
            return phrase.size
        if is_strict(words[index].raw):
            tail.tokens.append((words[index].raw,))
            return 1
        return 0

    def _reason_at(self, words: Sequence[Word], index: int, tail: Tail) -> str:
        """Return the words behind a comma as the reason, if one of them up to the next is not explained.

        The first item that is named is no reason: `lunges at the guard, sword first`.
        """
        trial, at = Tail([], [], []), index
        while at < len(words):
            if at > index and (words[at - 1].mark or words[at].text in ENGLISH.reason):
                return ""  # what stands between two commas is explained
            if count := self._add_explained(words, at, trial):
                at += count
            elif words[at].text in ENGLISH.little or is_told(words, at):
                at += 1
            elif self._items_of(trial) and not self._items_of(tail):
                return ""
            else:
                return sentence_of(words[index : self._end_of_reason(words, index, tail)])
        return ""

    def _add_explained(self, words: Sequence[Word], index: int, tail: Tail) -> int:
        """Add the token for what stands here, and return how many words it takes; 0 if nothing explains it."""
        if count := self._add_framed(words, index, tail):
            return count
        if (
            words[index].text in ENGLISH.using
            and WITH in self.syntax.introduced
            and (found := self._items(words, index + 1))
        ):
            tail.tokens += [(WITH,), found[0]]
            return found[1] + 1
        return (
            self._add_situation(words, index, tail)
            or self._add_known(words, index, tail)
            or self._add_number(words, index, tail)
            or self._add_being(words, index, tail)
            or self._add_end_of_item(words, index, tail)
        )

    def _items(self, words: Sequence[Word], start: int) -> tuple[tuple[str, ...], int] | None:
        """Return the items that may be named here, and how many words they take."""
        if found := self._phrase(words, start):
            return (found[0],), found[1]
        index = start
        while index < len(words) and words[index].text in ENGLISH.little:
            index += 1
        meant = self._items_ending(words[index].text) if index < len(words) else ()
        return (meant, index + 1 - start) if meant else None

    def _items_ending(self, end: str) -> tuple[str, ...]:
        """Return the items of which this is the end of the name: `bow` of `longbow`."""
        field = self.syntax.introduced.get(WITH)
        names = self.values.known_words(field) if field and len(end) >= ITEM_LEAST else ()
        return tuple(in_line(name) for name in names if name.casefold().endswith(end))

    def _items_of(self, tail: Tail) -> set[str]:
        """Return the items that a tail names."""
        field = self.syntax.introduced.get(WITH)
        items = {in_line(name) for name in self.values.known_words(field)} if field else set()
        return items.intersection(token for tokens in tail.tokens for token in tokens)

    def _add_end_of_item(self, words: Sequence[Word], index: int, tail: Tail) -> int:
        """Add an item by the end of its name: `swings her axe at the guard`."""
        meant = () if words[index].text in ENGLISH.little else self._items_ending(words[index].text)
        tail.tokens += [(WITH,), meant] if meant else []
        return 1 if meant else 0

    def _phrase(self, words: Sequence[Word], start: int) -> tuple[str, int] | None:
        """Return the known words that stand here behind articles, and how many words they take."""
        index = start
        while index < len(words) and words[index].text in ENGLISH.little - self.known.keys():
            index += 1
        for count in range(min(PHRASE_MOST, len(words) - index), 0, -1):
            for form in spellings_of([word.text for word in words[index : index + count]]):
                if form in self.known:
                    return self.known[form], index + count - start
        return None

    def _add_known(self, words: Sequence[Word], index: int, tail: Tail) -> int:
        text, behind = words[index].text, words[index + 1].text if index + 1 < len(words) else ""
        is_known = text in self.known and behind not in ENGLISH.articles  # `down the stairs` is no maneuver
        if text in ENGLISH.little and text not in ENGLISH.articles and not is_known:
            return 0
        if is_left_behind(words, index):
            return 0
        found = self._phrase(words, index)
        if found is None:
            return 0
        tail.tokens.append((found[0],))
        return found[1]

    def _add_situation(self, words: Sequence[Word], index: int, tail: Tail) -> int:
        """Add a situation: `in cover`, `while prone`, `without cover`."""
        token, size = situation_at(words, index, self.situations)
        tail.tokens += [(token,)] if token else []
        return size

    def _add_number(self, words: Sequence[Word], index: int, tail: Tail) -> int:
        """Add an amount with its unit, or a bare number that only one field takes."""
        if span := span_at(words, index):
            for field in self.syntax.fields:
                if field.has("seconds"):
                    tail.tokens.append((f"{field.name}={span[0]}",))
                    return span[1]
            if any(choice in self.syntax.choices for choice in span_words(span[0])):
                tail.tokens.append((span[0],))
                return span[1]
        amount = amount_at(words, index)
        if amount and self.in_play.beings.is_within_name(words, index):
            return 0
        if amount is None and words[index].text in ENGLISH.one and index + 1 < len(words):
            counted = self._field_of_unit(words[index + 1].text)
            tail.tokens += [(f"{counted.name}=1",)] if counted else []
            return 2 if counted else 0
        if amount is None:
            return 0
        end = index + amount.size
        unit = words[end].text if end < len(words) and not words[end - 1].mark else ""
        if choice := next((each for field in self.syntax.amounts for each in field.choices if each == unit), ""):
            tail.tokens.append((f"{choice}:{amount.number}",))
            return amount.size + 1
        named = self._field_of_unit(unit)
        if named is not None:
            tail.tokens.append((f"{named.name}={amount.number}",))
            return amount.size + 1
        bare = [field for field in self.syntax.bare if field.shape == "whole" and field.has("word")]
        if len(bare) != 1:
            return 0
        tail.tokens.append((str(amount.number),))
        return amount.size

    def _field_of_unit(self, unit: str) -> Field | None:
        """Return the field that counts this: `rounds`, `squares`."""
        forms = {unit, f"{unit}s", ENGLISH.measures.get(unit, unit)}
        return next((field for field in self.syntax.fields if field.shape == "whole" and field.name in forms), None)

    def _add_being(self, words: Sequence[Word], index: int, tail: Tail) -> int:
        """Add whom the line is about, before all else. Where it names one, each of several may be meant."""
        fields = [field for field in self.syntax.bare if field.has("being")]
        if not fields:
            return 0
        at = tail.beings if self.syntax.bare[0].has("being") else len(tail.tokens)
        is_one = fields[0].shape == "text"
        is_pronoun, is_little = is_object_pronoun(words, index), words[index].text in ENGLISH.little
        if is_little and index + 1 == len(words) and not is_pronoun:
            return 0
        if is_pronoun and is_one and len(fields) <= tail.beings + self.is_about:
            return 1  # it is the one who is named already
        meant = self._meant_by_pronoun(words, index) if is_pronoun else None
        named = meant or self.in_play.beings.at(words, index, loose=not is_little)
        if named is None:
            return 0
        named = self._with_fitting_place(named, words[index + named.size - 1], fields[0])
        places = {*self.scope.things}
        is_passed = {*named.readings[0]} <= places and is_on_the_way(words, index, self.in_play.beings, places)
        if is_passed or ({*named.readings[0]} <= places and is_left_behind(words, index)):
            tail.is_unsure = True  # it says nothing of where to
            return named.size if is_passed or self.in_play.place_of(self.by) in named.readings[0] else 0
        also = before_more(self.kind)
        readings = named.readings
        if is_one and not also and any(len(names) > 1 for names in readings):
            readings = tuple(dict.fromkeys((name,) for names in readings for name in names))
            tail.is_unsure = True
        tail.is_unsure |= named.is_unsure
        if is_one and not also and tail.beings + self.is_about >= len(fields):
            return 0  # one more is no text of the line
        listed = between_beings(self.kind) if is_one or not also else ","
        tail.tokens.insert(at, tuple(listed.join(map(in_line, names)) for names in readings[:4]))
        tail.beings += 1
        return named.size

    def _with_fitting_place(self, named: Named, word: Word, field: Field) -> Named:
        """Return those whom a field takes that is about places: `into the arch` is the archway, and no archer."""
        places = [*self.scope.words(self.kind, field.name, self.by)]
        if not places or any(name in places for names in named.readings for name in names):
            return named
        begun = tuple((name,) for name in places if len(word.text) >= ITEM_LEAST and name.startswith(word.text))
        return named._replace(readings=begun) if begun else named

    def _meant_by_pronoun(self, words: Sequence[Word], index: int) -> Named:
        """Return who is meant by a pronoun: the last of the others who is named before it, else each foe."""
        named = self.in_play.beings.named_before(words, index, self.by)
        meant = self.in_play.pronouns.fitting(words[index].text, self.in_play.meant_by(self.by, self.kind))
        readings = (named,) if named else tuple((name,) for name in meant[:4])
        return Named(readings or ((words[index].raw,),), 1, is_unsure=not named)
