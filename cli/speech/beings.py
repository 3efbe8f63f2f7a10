"""Who is named in a sentence: whole names, single words of names, numbers and ordinals, groups, one wrong letter."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import chain
from typing import Final

from cli.notation.known_beings import LESSER_WORDS, TITLES
from cli.notation.scope import Scope
from cli.speech import choices
from cli.speech.descriptions import Descriptions
from cli.speech.english import ENGLISH
from cli.speech.named_beings import Named
from cli.speech.near_names import near_name, near_stem
from cli.speech.words import Word, counts_unit
from ledger.name_match import fold_letters, fold_name
from ledger.number_words import NUMBERS
from rulebooks.common.word_forms import base_forms

ORDINAL: Final = re.compile(r"([0-9]+)(?:st|nd|rd|th)")
RANGE_MOST: Final = 50  # beings between two numbers
PAIR: Final = 2
COUNT: Final = "number"  # before the number of one of several
ONE: Final = "one"  # behind an ordinal, in place of what is counted
NUMBER: Final = " 0123456789"  # behind the name of one of several


class Beings:
    """The beings of a scope, by the words that may name them."""

    def __init__(
        self, scope: Scope, fighting: Collection[str] = (), features: Callable[[str], frozenset[str]] | None = None
    ) -> None:
        """`fighting`: those in the fight, who are meant where several are called so. `features`: as of Descriptions."""
        self.scope, self.fighting, self.descriptions = scope, fighting, Descriptions(scope.dead, features)
        self.groups = dict(scope.groups())
        self.by_letters = defaultdict[str, list[str]](list)
        self.by_word = defaultdict[str, list[str]](list)
        self.by_stem = defaultdict[str, list[str]](list)  # numbered beings, by what stands before the number
        self.longest = 1
        for name in scope.beings:
            self.by_letters[fold_letters(name)].append(name)
            parts = fold_name(name).split("-")
            self.longest = max(self.longest, len(parts) + 1)
            own = parts[:-1] if parts[-1].isdecimal() else parts
            for part in dict.fromkeys(own):
                if part.rstrip(".") not in LESSER_WORDS and len(part) > 1:
                    self.by_word[part].append(name)
                if called := ENGLISH.titles.get(part.rstrip(".")):
                    self.by_word[called].append(name)
            if parts[-1].isdecimal():
                for stem in dict.fromkeys((*own, "-".join(own), "".join(own))):
                    self.by_stem[stem].append(name)
        self.by_noun = choices.names_by_noun(scope)
        self._begun: dict[str, Named | None] = {}
        self._met: dict[tuple[tuple[Word, ...], int, bool], Named | None] = {}  # of the sentences that are read
        self.sayings = dict(choices.sayings_of(self.groups))

    def at(self, words: Sequence[Word], start: int, *, loose: bool = False) -> Named | None:
        """Return who is named from this word on, with articles before; None if nobody is.

        `loose`: the beginning of a name, and a word with one wrong letter, are enough.
        """
        asked = (tuple(words), start, loose)
        if asked not in self._met:
            found = self._named_at(words, start, loose=loose) if start < len(words) else None
            if found and (side := choices.side_with(words, start + found.size, found.readings, self.groups)):
                found = Named((side,), found.size + choices.FOLLOWING, True)
            is_several = found is not None and len(found.readings[0]) > 1
            found = self._without_some(words, start, found) if found and is_several else found
            found = self._with_name_behind(words, start, found) if found and found.is_unsure else found
            self._met[asked] = self._of_those_fighting(found) if found else None
        return self._met[asked]

    def joined_at(self, words: Sequence[Word], start: int) -> Named | None:
        """Return several who are named one after the other from this word on: `Ada, Bo and the guard`; else None.

        Not those before a verb, the last of whom does something: `hits Ada and Bo shoots`.
        """
        first, names = self.at(words, start), list[str]()
        end, named, is_joined = start, first, False
        while named and len(named.readings) == 1:
            names += named.readings[0]
            end += named.size
            is_joined = end < len(words) - 1 and words[end].text == "and"
            is_listed = bool(end < len(words) and words[end - 1].mark == ",")
            named = self.at(words, end + is_joined) if is_joined or is_listed else None
            end += is_joined and named is not None
        is_several = first is not None and len(names) > len(first.readings[0])
        behind = words[end].text if end < len(words) and not words[end - 1].mark else ""
        is_doer = behind.isalpha() and behind not in ENGLISH.little and behind not in NUMBERS
        is_whole = is_several and not is_doer and any(word.text == "and" for word in words[start:end])
        return Named((tuple(dict.fromkeys(names)),), end - start, True) if is_whole else None

    def _with_name_behind(self, words: Sequence[Word], start: int, found: Named) -> Named:
        """Return the one of several whose name stands behind: `at the other one, guard 2`; else all of them."""
        end = start + found.size
        named = self.at(words, end) if end < len(words) and words[end - 1].mark == "," else None
        is_last = named is not None and (end + named.size == len(words) or bool(words[end + named.size - 1].mark))
        is_one = named is not None and len(named.readings) == 1 and named.readings[0] in found.readings
        return Named(named.readings, found.size + named.size) if named and is_last and is_one else found

    def _of_those_fighting(self, found: Named) -> Named:
        """Return of several of whom one may be meant those in the fight: `the guard` is the one who is in it."""
        meant = tuple(names for names in found.readings if len(names) == 1 and names[0] in self.fighting)
        is_one_of = all(len(names) == 1 for names in found.readings)
        return found._replace(readings=meant) if meant and is_one_of else found

    def _without_some(self, words: Sequence[Word], start: int, found: Named) -> Named:
        """Return `everyone except Ada`, `all of them but the first guard`; else the group as it is."""
        index = start + found.size
        if index + 1 >= len(words) or words[index].text not in ENGLISH.excluding:
            return found
        index += 2 if words[index + 1].text in ("for", "from") else 1
        out = self._named_at(words, index, loose=False) if index < len(words) else None
        if out is None:
            return found
        names = tuple(name for name in found.readings[0] if name not in out.readings[0])
        return Named((names,), index + out.size - start, True) if names else found

    def _named_at(self, words: Sequence[Word], start: int, *, loose: bool) -> Named | None:
        """Return who is named from this word on, all of a group."""
        index = start
        if words[start].text in ENGLISH.both and (whole := self._find_all(words, start)):
            return whole
        if said := self._find_saying(words, start):
            return said
        if size := choices.any_size(words, start):
            side = choices.other_side(self.groups, self.named_before(words, start, ""))
            return Named(tuple((name,) for name in side), size, is_unsure=True) if len(side) > 1 else None
        if (size := choices.choice_size(words, start)) and (each := self._find_one_of(words, start, size)):
            return each
        while index < len(words) and words[index].text in ENGLISH.articles and self._find_whole(words, index) is None:
            index += 1
        if start < index < len(words) - 1 and words[index].text in ENGLISH.adjectives:
            index += self._find_whole(words, index) is None  # `the wounded guard`
        if index >= len(words) or (words[index].is_quoted and words[index].raw[1:-1] not in self.scope.beings):
            return None
        is_other = words[index].text in ENGLISH.others or self._is_mate(words, index)
        if is_other and (meant := self._find_other(words, index)):
            return self.descriptions.narrowed(words, start, meant._replace(size=meant.size + index - start))
        numbered = self._find_numbered(words, index)
        is_list = numbered is not None and (
            len(numbered.readings[0]) > 1 or choices.begins_list(words, index, self.groups)
        )
        found = (numbered if is_list else self._find_whole(words, index)) or numbered
        if (found is None or words[index].text == ONE) and (how := self.descriptions.said_at(words, start)):
            side = choices.other_side(self.groups, self.named_before(words, start, ""))
            if described := self.descriptions.those_of(side, how, start):
                return described
        found = found or self._find_group(words, index) or self._find_word(words, index)
        if found is None and loose and not (index > start and self._is_beginning(words[index])):
            found = self._find_misspelt_number(words, index) or self._find_begun(words, index)
        return found and self.descriptions.narrowed(words, start, found._replace(size=found.size + index - start))

    def _find_one_of(self, words: Sequence[Word], start: int, size: int) -> Named | None:
        """Return each of those who are named behind a choice, `one of the guards`: it is not certain which."""
        found = self._named_at(words, start + size, loose=False) if start + size < len(words) else None
        each = tuple(dict.fromkeys((name,) for names in found.readings for name in names)) if found else ()
        end = choices.choice_end(words, start + size + found.size) if found else start
        return Named(each, end - start, is_unsure=True) if len(each) > 1 else None

    def other_at(self, words: Sequence[Word], index: int) -> Named | None:
        """Return who is named here as another than before, `the other guard`, `his mate`, if it is certain who."""
        start = index
        while index < len(words) and words[index].text in ENGLISH.articles:
            index += 1
        is_other = index < len(words) and not ENGLISH.others.isdisjoint({words[index].text})
        found = self.at(words, start) if is_other or self._is_mate(words, index) else None
        return found if found and len(found.readings) == len(found.readings[0]) == 1 else None

    def _is_mate(self, words: Sequence[Word], index: int) -> bool:
        """Return whether a word means one of those who was named just now: `his mate`, `her fellow`."""
        is_mate = 0 < index < len(words) and words[index].text in ENGLISH.mates
        return is_mate and words[index - 1].text in ENGLISH.possessives

    def named_before(self, words: Sequence[Word], index: int, by: str) -> tuple[str, ...]:
        """Return who was named last before this word of a sentence, but the speaker; nobody if nobody was."""
        certain = [found.readings[0] for found in self._each(words[:index]) if len(found.readings) == 1]
        return next((names for names in reversed(certain) if names != (by,)), ())

    def is_of_longer_name(self, words: Sequence[Word], index: int) -> bool:
        """Return whether this word is one of several of a name: the first of `Blind Tom` is no verb."""
        if fold_name(words[index].raw) not in self.by_word:
            return False
        named = self.at(words, index)
        return bool(named and named.size > 1) or self.is_within_name(words, index)

    def is_within_name(self, words: Sequence[Word], index: int) -> bool:
        """Return whether this word is part of a name that begins before it: the 1 of `in guard 1's eyes`."""
        before = (at for at in range(max(0, index - self.longest), index) if words[at].text not in ENGLISH.articles)
        return any((named := self.at(words, start)) and start + named.size > index for start in before)

    def are_things(self, named: Named) -> bool:
        """Return whether what is named are things."""
        return all(name in self.scope.things for names in named.readings for name in names)

    def _each(self, words: Sequence[Word]) -> Iterator[Named]:
        """Yield who is named in a sentence, one after the other."""
        index = 0
        while index < len(words):
            if found := self.at(words, index):
                yield found
            index += found.size if found else 1

    def _find_other(self, words: Sequence[Word], index: int) -> Named | None:
        """Return `other guard`, `other one`, `nearest wolf`: one of those called so who was not named before."""
        is_mate = self._is_mate(words, index)
        start = index if is_mate else index + 1
        if start == len(words):
            return None
        found = self._find_whole(words, start) or self._find_word(words, start)
        if is_mate or words[start].text == ONE:
            last = self.named_before(words, index, "")
            alike = tuple(name for name in self.scope.beings if last and name.rstrip(NUMBER) == last[-1].rstrip(NUMBER))
            found = Named((alike if len(alike) > len(last) else tuple(self.groups.get("foes", ())),), 1)
        if found is None:
            return None
        before = {name for at in range(index) for names in self._whole_names(words, at) for name in names}
        meant = [each for each in dict.fromkeys(chain(*found.readings)) if each not in before | {*self.scope.dead}]
        size = found.size + (start - index)
        return Named(tuple((name,) for name in meant), size, is_unsure=len(meant) > 1) if meant else None

    def _whole_names(self, words: Sequence[Word], index: int) -> Sequence[tuple[str, ...]]:
        """Return who is named by a whole name, or by a name and a number, from this word on."""
        return found.readings if (found := self._find_numbered(words, index) or self._find_whole(words, index)) else ()

    def _find_saying(self, words: Sequence[Word], start: int) -> Named | None:
        """Return a group by a saying, `all of us`; counted from its first word."""
        for count in range(min(choices.SAYING_MOST, len(words) - start), 0, -1):
            said = " ".join(word.text for word in words[start : start + count])
            if (members := self.sayings.get(said)) and not choices.is_told_number(said, words, start):
                players = (tuple(self.groups.get("players", ())),) if said in ENGLISH.every_being else ()
                return Named(tuple(dict.fromkeys((*filter(None, players), members))), count, True, is_everybody=True)
            if said in ENGLISH.both_of_them and (pairs := self._pairs(words[start - 1].text if start else "")):
                return Named(pairs, count, True)
        return None

    def _pairs(self, before: str) -> tuple[tuple[str, ...], ...]:
        """Return who may be meant by `the pair of them`: two foes; two players too, who do something or get it.

        `before`: the word before it.
        """
        names = ("foes",) if before not in ("", "to", "for") else ("foes", "players")
        return tuple(tuple(self.groups.get(name, ())) for name in names if len(self.groups.get(name, ())) == PAIR)

    def _find_all(self, words: Sequence[Word], start: int) -> Named | None:
        """Return `both guards`, `all of the guards`, `all three guards`: those called so, where the group is larger."""
        index, number = start + 1, 2 if words[start].text in ENGLISH.pair else 0
        while index < len(words) and (words[index].text in ("of", *ENGLISH.articles) or words[index].text in NUMBERS):
            number = NUMBERS.get(words[index].text, number)
            index += 1
        if index >= len(words):
            return None
        found = self._find_group(words, index) or self._find_whole(words, index)
        several = tuple(names for names in found.readings if len(names) > 1) if found else ()
        called = (tuple(self.by_stem.get(form, ())) for form in base_forms(words[index].text))
        several = tuple(names for names in (*several, *called) if names and len(names) == number) or several
        return Named(several, found.size + index - start, True) if found and several else None

    def _find_whole(self, words: Sequence[Word], index: int) -> Named | None:
        if words[index].is_quoted:
            return Named(((words[index].raw[1:-1],),), 1)
        for count in range(min(self.longest, len(words) - index), 0, -1):
            joined = "".join(word.raw for word in words[index : index + count])
            names = self.by_letters.get(fold_letters(joined)) if len(joined) > 1 or count > 1 else None
            if names and any(letter.isalpha() for letter in joined):
                members = self.groups.get(fold_name(names[0]), ()) if len(names) == 1 else ()
                return Named((*((name,) for name in names), *((tuple(members),) if members else ())), count)
        return None

    def _find_numbered(self, words: Sequence[Word], index: int) -> Named | None:
        """Return `thug 2`, `thug two`, `the second thug`, `thug number 2`, `thugs 1 and 3`."""
        first, rest = words[index].text, words[index + 1 :]
        if first == COUNT and rest:  # `number two`
            number = str(NUMBERS.get(rest[0].text, rest[0].text))
            counted = tuple((name,) for name in self._numbered() if name.split()[-1] == number)
            return Named(counted, 2) if counted else None
        nth = ORDINAL.fullmatch(first)
        is_ordered = rest and (nth is not None or first in ENGLISH.ordinals)
        if is_ordered and (names := self._numbered() if rest[0].text == ONE else self._stem(rest[0].text)):
            number = nth[1] if nth else str(ENGLISH.ordinals.index(first) + 1)
            ordered = tuple((name,) for name in names if name.split()[-1] == number)
            return Named(ordered, 2) if ordered else None
        names, count = self._stem(first), 1
        if names and rest and rest[0].text in ("number", "no", "nr"):
            rest, count = rest[1:], 2
        numbers: list[str] = []
        for word in rest:
            number = word.text if word.text.isdecimal() else str(NUMBERS.get(word.text, ""))
            is_listed = words[index + count - 1].text == "and"  # `guard one and two`
            is_amount = number and not word.text.isdecimal() and bool(numbers) and not is_listed
            is_amount = is_amount or (bool(numbers) and counts_unit(words, index + count))
            is_amount = is_amount or (len(numbers) == 1 and self._is_behind_one(words, index, count))
            if names and number and not is_amount and any(name.split()[-1] == number for name in names):
                if words[index + count - 1].text in ENGLISH.ranging:
                    numbers += [str(each) for each in range(int(numbers[-1]) + 1, int(number))][:RANGE_MOST]
                numbers.append(number)
                count += 1
                if word.mark and word.mark != ",":
                    break
            elif (word.text == "and" or word.text in ENGLISH.ranging) and numbers:
                count += 1
            else:
                break
        while numbers and (words[index + count - 1].text == "and" or words[index + count - 1].text in ENGLISH.ranging):
            count -= 1
        if not numbers:
            return None
        meant = tuple(name for number in numbers for name in names if name.split()[-1] == number)
        return Named((meant,), count, len(meant) > 1)

    def _is_behind_one(self, words: Sequence[Word], index: int, count: int) -> bool:
        """Return whether a number stands behind a comma, and no more behind it: `stabs guard 1, 3` is a die."""
        behind = words[index + count + 1 : index + count + 2]
        is_last = not behind or not (behind[0].text == "and" or behind[0].text.isdecimal())
        return words[index].text in self.by_stem and words[index + count - 1].mark == "," and is_last

    def _find_misspelt_number(self, words: Sequence[Word], index: int) -> Named | None:
        """Return `thugg 2`: a numbered being whose word has one wrong letter."""
        near = near_stem(words, index, self.by_stem)
        meant = [words[index]._replace(raw=near, text=near), *words[index + 1 :]] if near else []
        return self._find_numbered(meant, 0) if meant else None

    def _numbered(self) -> Sequence[str]:
        """Return all numbered beings: `the second one` is any of the second."""
        return [name for name in self.scope.beings if name.split()[-1].isdecimal() and name not in self.scope.things]

    def _stem(self, word: str) -> Sequence[str]:
        if word in self.by_stem:
            return self.by_stem[word]
        members = self.groups.get(word, ())
        named = [name for name in self.by_word.get(word, ()) if fold_name(name) != word]  # the group may be a being too
        return members if members and not named and all(name[-1].isdecimal() for name in members) else ()

    def _find_group(self, words: Sequence[Word], index: int) -> Named | None:
        for count in (2, 1):
            word = "-".join(word.text for word in words[index : index + count])
            next_to = words[index + 1].text if index + 1 < len(words) else ""
            if word in ENGLISH.both and next_to in ENGLISH.skipped | ENGLISH.throughout:
                continue  # `with all her strength`, `all over the floor`
            if index + count <= len(words) and self.groups.get(word) and not self.by_word.get(word):
                return Named((tuple(self.groups[word]),), count, True)
        number = NUMBERS.get(words[index].text, 0)
        is_number = number > 1 and index + 1 < len(words) and words[index + 1].text not in NUMBERS  # `six, six, six`
        behind = self._find_group(words, index + 1) if is_number else None
        all_of_them = behind and len(behind.readings[0]) == number
        return behind._replace(size=behind.size + 1) if behind and all_of_them else None

    def _find_word(self, words: Sequence[Word], index: int) -> Named | None:
        """Return who is named by words of a name: `Falk`, `Dr. Falk`."""
        if words[index].mark == "." and fold_name(words[index].raw) in TITLES and words[index + 1 :]:
            titled = self._find_word(words, index + 1)
            return titled and titled._replace(size=titled.size + 1)
        names = self._named_by(words[index])
        if not names:
            return None
        end = index + 1
        while end < len(words) and words[end - 1].mark in ("", "."):
            more = [name for name in self._named_by(words[end]) if name in names and not name[-1].isdecimal()]
            if not more:
                break
            names, end = more, end + 1
        living = [name for name in names if name not in self.scope.dead] or names
        first = [name for name in living if self._is_first(words[index], name)] or living
        creatures = [name for name in first if name not in self.scope.things] or first
        return Named(tuple((name,) for name in creatures), choices.name_end(words, index, end, creatures) - index)

    def _named_by(self, word: Word) -> Sequence[str]:
        """Return those of whose name this is a word, or who are called so by what they are to somebody.

        A small `one` is a number, and not One-Eye.
        """
        is_number = word.text in NUMBERS and word.raw.islower()
        text = fold_name(word.raw) if word.raw.strip("'") and not is_number else ""
        return self.by_word.get(text) or self.by_noun.get(text) or ()

    def _is_first(self, word: Word, name: str) -> bool:
        own = (part for part in fold_name(name).split("-") if part.rstrip(".") not in LESSER_WORDS)
        return next(own, "") == fold_name(word.raw)

    def _is_beginning(self, word: Word) -> bool:
        """Return whether a word begins a name: behind an article (`the wall`) it is another word than Wallace."""
        return any(part.startswith(fold_name(word.raw)) for part in self.by_word)

    def _find_begun(self, words: Sequence[Word], index: int) -> Named | None:
        """Return who is meant by the beginning of a name, or by a word with one wrong letter: found once a word."""
        raw = words[index].raw
        if raw not in self._begun:
            self._begun[raw] = near_name(words[index], self.scope, self.by_word)
        return self._begun[raw]
