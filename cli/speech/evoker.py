"""Finds the lines that a sentence calls to mind: phrases like it are filled and tried; see evocation.py."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import islice, product
from typing import Final

from cli.notation.schema import syntax_of
from cli.notation.tokens import ANSWER_MARK, GM_MARK, quote
from cli.notation.value_parser import ValueParser
from cli.speech import evoked_lines
from cli.speech.answerable import announce
from cli.speech.attempts import Attempts
from cli.speech.english import ENGLISH
from cli.speech.evoked_lines import Evocation, Evoked
from cli.speech.frames import ASK, SPEECH, TURN, Frame, read_speech
from cli.speech.heard import Heard
from cli.speech.in_play import is_attack
from cli.speech.lexicon import WHO, Kind, in_list, needs_being, phrase_words
from cli.speech.line_drafts import LineDraft
from cli.speech.lost_words import LostWords
from cli.speech.meanings import Meaning
from cli.speech.phrase_likeness import CLOSE, LOOSE, Closeness
from cli.speech.readings import Reader
from cli.speech.slots import AMOUNTS, PHRASE, SKILL, SLOTS, content_of, in_line
from cli.speech.speakers import Mention, is_owner, mentions_in
from cli.speech.words import Word, amount_at, is_passed_over, sentence_of, span_at, split_words
from ledger.facts import GM
from ledger.name_match import fold_name
from rulebooks.common.adjustments import Adjust
from rulebooks.common.word_forms import base_forms

OFFERED_MOST: Final = 4  # lines that are offered
FRAMES_MOST: Final = 16  # phrases like the sentence that are filled
SPEAKERS_MOST: Final = 2  # who may say a line
PASSED_MOST: Final = 3  # beings about whom one line may be
LIKE_LEAST: Final = 2.0  # how much the phrase of a line is like the sentence that leaves something out
LEFT_WEIGHT, COLOUR = 4.0, 2.0  # of a word of the book that is left over, and of another; a rare one weighs about 5
CHANGE: Final = 5.0  # how much a word of a loss or a gain is like it, beside an amount
CHANGED_MOST: Final = 2  # of those whose value an amount may change
TEXT, WORD = "{text}", "{word}"
WORDED: Final = re.compile(r"(?:with )?\S*\{word\}\S*")  # it stands behind the line, if a field has it
WORDS: Final = re.compile(r"[^\W\d_]{2,}")  # no letter by itself, which stands before a number or for a value
SPAN, VALUE = "{span}", "{value}"
WHOM: Final = frozenset(("for", "on", "to", "off"))  # before whose value changes: `two points back for Ada`
TO, LEVEL_OF = "to", " to:{n}"  # before where a value stands
PARTIAL: Final = re.compile(r'"[^"{]+\{(?:text|phrase)\}')  # words of its own
RULED: Final = "! ruling "  # a ruling in words that a line has is meant by more than one word
UNTIL, IT = "until", "it"  # before when it ends, which is no act; and what was spoken of before, nobody
BEINGS: Final = frozenset(("{being}", "{other}", "{foe}", "{whom}"))


class Evoker:
    """Finds the lines that one sentence calls to mind."""

    def __init__(
        self,
        words: Sequence[Word],
        reader: Reader,
        closeness: Closeness = CLOSE,
        *,
        is_supposed: bool = False,
        is_last: bool = False,
    ) -> None:
        """`is_supposed`: a line that is refused now is meant too.

        `is_last`: nothing else is asked, so that a line may leave out what keeps it from being allowed.
        """
        self.reader, self.closeness, self.is_supposed, self.is_last = reader, closeness, is_supposed, is_last
        self.sentence = sentence_of(words)
        end = next((at for at, word in enumerate(words) if at and word.text == UNTIL), len(words))
        words = [word for word in words[:end] if not word.is_quoted or word.raw.strip('"') in reader.scope.beings]
        self.words = [  # no clause is a reason here, but faces stand behind a stop
            word._replace(mark=word.mark if amount_at(words, at) else "") for at, word in enumerate(words, 1)
        ]
        self.phrases = phrase_words(reader.book, tuple(reader.scope.declarations))
        self.mentions = list(mentions_in(self.words, reader.in_play, is_joined=not is_last))
        self.taken = frozenset(at for each in self.mentions for at in range(each.start, each.end))
        self.its = frozenset(at for at, word in enumerate(self.words) if word.text == IT)
        places = {part for name in reader.scope.things for part in fold_name(name).split("-")}
        self.values = {*reader.in_play.values()} - places
        self.heavy = self.values | places
        self.attempts = Attempts(
            reader.ledger_state, reader.book, reader.scope, reader.in_play, reader.verbs, reader.tail
        )
        speech = read_speech(reader.book.texts().folder / SPEECH)
        self.unspoken, self.harms = frozenset(speech.unspoken), speech.harms
        self.is_healing = any(not ENGLISH.healing.isdisjoint(base_forms(word.text)) for word in self.words)
        self.is_back = evoked_lines.gets_back(self.words, [end for _, _, end in self._numbers()])
        self.attempts.takes_texts, self.attempts.sentence = False, self.sentence
        named = (LostWords(sentence_of(self.words[each.start : each.end]), each.names) for each in self.mentions)
        numbers = (LostWords(number) for number, *_ in self._numbers())
        self.said = (*named, *numbers)  # which each line that is offered has to say
        self.unsayable = frozenset(each.raw for each in self.said)

    def evocation(self) -> Evocation:
        """Return the lines that are offered."""
        found: list[tuple[float, Meaning]] = []
        for draft in self._drafts():
            if self.is_last and found and not draft.likeness:
                break
            found += self._try(draft)
            if self.attempts.count >= self.closeness.tried_most:
                break
        whole = [(rank, each) for rank, each in found if self.unsayable.isdisjoint(each.left)]
        far = min((rank for rank, _ in found), default=0.0) + 2 * CLOSE.worse_most  # than one that leaves somebody out
        meant = sorted(whole if any(rank <= far for rank, _ in whole) else found, key=lambda each: each[0])
        lines, said, lost = dict[frozenset[str], str](), set[bytes](), dict[str, None]()
        for rank, each in meant:
            if rank <= meant[0][0] + self.closeness.worse_most and each.declarations not in said:
                said.add(each.declarations)
                heard = announce(
                    self.sentence, Heard(each.parsed, each.line), self.reader.ledger_state, self.reader.book
                )
                if len(lines) < OFFERED_MOST:
                    lines.setdefault(frozenset(each.line.split()) - {GM_MARK}, heard.line)
                    lost |= dict.fromkeys(word for word in each.left if word in self.unsayable)
        return Evocation(list(lines.values()), tuple(lost))

    def _try(self, draft: Evoked) -> Iterator[tuple[float, Meaning]]:
        """Yield what is allowed of a draft, with how much it leaves over."""
        weight = int(draft.likeness > 0 or self._is_at_one(draft.kind))  # whose weapon is asked about
        tried = LineDraft(
            " ".join(draft.text.split()),
            draft.kind,
            draft.by,
            self.words,
            0,
            weight,
            is_unsure=True,
            is_about=draft.is_about,
            skipped=draft.used | self.its,
            lost=self.said,
        )
        self.attempts.drops_tokens = self.is_last and draft.likeness >= LIKE_LEAST
        is_said = bool(weight or self.attempts.has_tail(tried) or self._needed_words(draft))  # something says it
        for each in self.attempts.readings(tried) if is_said else ():
            is_able = each.error is None or self.is_supposed
            if is_able and each.parsed and not each.is_free and self._is_likely(each, draft):
                yield self._left(each) - draft.likeness, each

    def _is_at_one(self, kind: Kind) -> bool:
        """Return whether a declaration is an attack on somebody, where a foe is named."""
        foes = {*self.reader.in_play.beings.groups.get("foes", ())}
        if not any(foes.intersection(mention.names) for mention in self.mentions):
            return False
        return is_attack(kind) and any(field.has("being") and field.shape == "text" for field in syntax_of(kind).bare)

    def _left(self, reading: Meaning) -> float:
        """Return how much a reading leaves over: a number, an item, or a word of the book weighs most."""
        left = [each for each in split_words(" ".join(reading.left)) if not is_passed_over(each)]
        return sum(
            LEFT_WEIGHT if amount_at(left, at) or word.text in self.heavy or self.phrases.has(word.text) else COLOUR
            for at, word in enumerate(left)
        )

    def _is_likely(self, reading: Meaning, draft: Evoked) -> bool:
        """Return whether a line without a phrase says more than numbers and, but for an attack, than who is named.

        It is no deed in unknown words to a friend.
        """
        is_blow = is_attack(draft.kind)
        is_fight = self.reader.ledger_state.state.encounter is not None
        if is_blow and not (is_fight or self._is_at_one(draft.kind)) and needs_being(draft.kind):
            return False
        behind = reading.line.replace(quote(self.sentence), "").replace(in_list(self._names_of(draft)), "", 1)
        named = {name for mention in self.mentions for name in mention.names}
        friends = [name for name in named if self.reader.in_play.is_friend(name, draft.by)]
        if (is_blow or not draft.likeness) and any(in_line(name) in behind for name in friends):
            return False
        if draft.likeness or not self._needed_words(draft).isdisjoint(behind.split()):
            return True
        for name in () if is_blow else named:
            behind = behind.replace(in_line(name), "")
        said = WORDS.findall(behind.replace(draft.kind.verbs[0], "", 1))  # the name of a value is of any line
        return any(word.casefold() not in self.values for word in said)

    def _needed_words(self, draft: Evoked) -> frozenset[str]:
        """Return the words of which a line needs one: the ability of a check."""
        needed = (field for field in syntax_of(draft.kind).fields if field.required and field.has("word"))
        values = ValueParser(draft.kind, draft.by, self.reader.scope)
        return frozenset(in_line(word) for field in needed for word in values.known_words(field))

    def _names_of(self, draft: Evoked) -> Sequence[str]:
        """Return who says a line: several, if one saying names them with the first."""
        groups = (mention.names for mention in self.mentions if draft.by in mention.names)
        return next((names for names in groups if in_list(names) in draft.text), (draft.by,))

    def _speakers(self, kind: Kind) -> list[tuple[str, ...]]:
        """Return who may say a line: who begins the sentence, is named or is in turn; an answer those who owe it."""
        awaited, in_turn = self.reader.awaited(), tuple(self.reader.in_turn(is_rolled=kind.on_own_roll))
        named = [mention.names for mention in self.mentions]
        is_denied = evoked_lines.is_only_denied(self.words, self.mentions)
        begins = bool(named) and not is_denied and all(map(is_passed_over, self.words[: self.mentions[0].start]))
        if kind.answers:
            is_of_other = begins and not is_owner(self.mentions[0], self.words)  # `the guard rolls a three`
            is_of_other |= evoked_lines.is_of_another(self.words, awaited, self.reader.in_play)
            return [each for each in named if {*each} <= {*awaited}] or [(name,) for name in awaited[: not is_of_other]]
        is_of_others = bool(named) and kind is Adjust  # `drop guard 2 to zero` changes nothing of the one in turn
        is_of_thing = bool(named) and self.words[0].text in ENGLISH.determining | ENGLISH.one  # `the hour is up`
        due = [] if begins or is_of_others or is_of_thing else [(name,) for name in in_turn[:1]]
        if self.words and self.words[0].text in ENGLISH.first_person:  # `I'll wait till Bo is done` is no deed of Bo
            named = []
        players = self.reader.in_play.beings.groups.get("players", ())  # one may talk where nobody is in turn
        others = due or ([] if named else [(name,) for name in players])
        return list(dict.fromkeys([*named[: 1 + self.is_last], *others]))[:SPEAKERS_MOST]

    def _drafts(self) -> Iterator[Evoked]:
        """Yield the beginnings of lines, those of phrases whose words are said first."""
        yielded = set[str]()
        for frame, likeness in self._frames():
            for draft in self._filled(frame, likeness):
                if draft.text not in yielded:
                    yielded.add(draft.text)
                    yield draft
        yield from self._changes()
        kinds = () if self.closeness is LOOSE else self.reader.scope.declarations
        for kind in evoked_lines.bare_kinds(kinds, self.words, self.unspoken):
            for names in self._speakers(kind)[: 1 + self.is_last]:
                mark = f"{ANSWER_MARK} " if kind.answers else ""
                text = f"{mark}{in_list(names)} {kind.verbs[0]}"
                unmeant = {at for each in self._unmeant(kind, names) for at in range(each.start, each.end)}
                if text not in yielded:
                    yield Evoked(text, kind, names[0], self._places_of(names) | unmeant, 0)

    def _changes(self) -> Iterator[Evoked]:
        """Yield the loss or the gain of each who is named by the amount that is said, with the sentence as its reason.

        `a hot pipe costs Ada two points`: `! ada hp -2 "a hot pipe costs Ada two points"`.
        """
        said = evoked_lines.forms_of_change(self.words)
        known, is_gain = self.reader.in_play.values(), "off" not in said and not ENGLISH.gains.isdisjoint(said)
        value = next((known[form] for form in said if form in known and form not in ENGLISH.losses), "")
        is_ruled = not value and evoked_lines.names_verb(said, self.reader.scope.declarations)  # `four damage`
        most = int(not is_ruled) and int(is_gain or not ENGLISH.losses.isdisjoint(said))
        numbers = islice((each for each in self._numbers() if not self._is_level(each[1])), most)
        doer = not is_gain and len(self.mentions) > 1 and self.mentions[0].start == 0  # who hits somebody loses nothing
        meant = [each for each in self.mentions if each.start and self.words[each.start - 1].text in WHOM]
        names = [name for mention in meant or self.mentions[doer:] for name in mention.names][:CHANGED_MOST]
        for (number, *_), name in product(numbers, names):
            value = value or self.reader.scope.vital_value()
            rises = not self.is_healing if value in self.harms else is_gain
            text = f"{GM_MARK} {in_line(name)} {value} {'+' if rises else '-'}{number} {quote(self.sentence)}"
            yield Evoked(text, Adjust, GM, frozenset(range(len(self.words))), CHANGE, is_about=True)

    def _places_of(self, names: Sequence[str]) -> frozenset[int]:
        """Return the words that name these first, with a possessive behind."""
        for mention in self.mentions:
            if mention.names == tuple(names):
                return frozenset(range(mention.start, mention.end + is_owner(mention, self.words)))
        return frozenset()

    def _frames(self) -> list[tuple[Frame, float]]:
        """Return the phrases of the book that are like the sentence, with how much, the most alike first."""
        named = self.taken | {at for at in range(len(self.words)) if evoked_lines.is_rest(self.words, at)}
        free = [word for at, word in enumerate(self.words) if at not in named]
        return self.phrases.like(free, FRAMES_MOST, self._is_evoked, self.closeness)

    def _is_evoked(self, frame: Frame) -> bool:
        """Return whether a phrase that shares words with the sentence is evoked: a leg alone is no `leg it`."""
        is_untrue = self.is_back and evoked_lines.LOSS in frame.template
        if is_untrue or (IT in frame.parts and not self.its) or PARTIAL.search(frame.template):
            return False
        if self.is_healing and any(f" {harm} +" in frame.template for harm in self.harms):
            return False
        return len(content_of(frame.parts)) > 1 or self._is_evoked_by_one(frame)

    def _is_evoked_by_one(self, frame: Frame) -> bool:
        """Return whether one word evokes a phrase: none that only names a die, and none about nobody or about a text.

        The little words that go with it have to be said: `gives her cover` is no giving up, `comes off` no coming to.
        """
        said = {form for word in self.words for form in base_forms(word.text)} | {word.text for word in self.words}
        little = {part for part in frame.parts if part in ENGLISH.little} - ENGLISH.skipped - ENGLISH.passive
        places = self._places(frame)
        if evoked_lines.is_of_thing(frame, self.words, places):
            return False
        if PHRASE in frame.parts or not said.issuperset(little | ENGLISH.particles.intersection(frame.parts)):
            return False
        if frame.template.removeprefix(ASK).startswith(RULED):
            return False
        return ENGLISH.thrown.isdisjoint(frame.parts) and (not frame.is_bare_aside or WHO in frame.template)

    def _filled(self, frame: Frame, likeness: float) -> Iterator[Evoked]:
        """Yield the lines of a phrase with what is named in its slots; none where something is missing."""
        template = frame.template.removeprefix(ASK).removeprefix(TURN)
        is_aside, has_who = template.startswith(GM_MARK), WHO in template
        kind = self.reader.kind_of(template, is_aside=is_aside)
        if kind.free:
            return
        used = self._places(frame)
        if is_aside and not has_who:
            speakers: list[tuple[str, ...]] = [()]
            used |= {at for each in self.mentions if len(each.names) > 1 for at in range(each.start, each.end)}
        elif is_aside:
            mentions = [each for each in self.mentions if not is_owner(each, self.words)] or self.mentions
            speakers = list(dict.fromkeys(mention.names for mention in mentions))[:SPEAKERS_MOST]
        else:
            speakers = self._speakers(kind)
        is_about_one = is_aside and not has_who and sum(part in BEINGS for part in frame.parts) == 1
        first = evoked_lines.doers_before(template, self.words, self.mentions)
        passed = range(len(self.mentions) - 1, first - 1, -1) if is_about_one else range(1)
        for names, start in product(speakers, [*passed][:PASSED_MOST]):
            unmeant = self._unmeant(kind, names) | {*self.mentions[:start]}
            slots = self._slots(frame, names, unmeant)
            if slots is None:
                continue
            values, places = slots
            places |= {at for each in self._unmeant(kind, names) for at in range(each.start, each.end)}
            text = WORDED.sub("", template)
            for slot, value in values.items():
                text = text.replace(slot, value)
            text = text.replace(f'"{WHO}"', quote(" and ".join(names))).replace(WHO, in_list(names))
            if not (is_aside or has_who or frame.parts[0] in BEINGS):
                text = f"{in_list(names)} {text}"
            by = GM if is_aside or not names else names[0]
            used_here = used | places | self._places_of(names)
            yield Evoked(text, kind, by, used_here, likeness, not BEINGS.isdisjoint(frame.parts))

    def _places(self, frame: Frame) -> frozenset[int]:
        """Return where the words of a phrase stand."""
        places = set[int]()
        for part in frame.parts:
            if part.isdecimal():
                places |= {at for number, at, _ in self._numbers(frame.parts) if number == part}
            elif part not in SLOTS:
                forms = base_forms(part)
                said = ((at, word.text) for at, word in enumerate(self.words) if forms & base_forms(word.text))
                places |= {at for at, text in said if text == part or text not in ENGLISH.little}  # `did` is no `done`
        return frozenset(places)

    def _unmeant(self, kind: Kind, names: Sequence[str]) -> frozenset[Mention]:
        """Return those named whom a line of these is not about: of an attack their friends."""
        is_blow = bool(names) and is_attack(kind)
        friends = {*self.reader.in_play.friends_of(names[0]), *names} if is_blow else set()
        return frozenset(mention for mention in self.mentions if friends.issuperset(mention.names))

    def _slots(
        self, frame: Frame, names: Sequence[str], unmeant: frozenset[Mention]
    ) -> tuple[Mapping[str, str], frozenset[int]] | None:
        """Return what stands in the slots of a phrase, and where it is said; None where something is missing.

        A phrase that begins with a text is not about who begins the sentence. `unmeant`: those it is not about.
        """
        values, places = dict[str, str](), set[int]()
        is_behind = frame.parts[0] == TEXT
        meant = [each for each in self.mentions if each not in unmeant and each.names != tuple(names)]
        others = iter([each for each in meant if each.start or not is_behind])
        amounts = iter(self._numbers(frame.parts))
        is_level = LEVEL_OF in frame.template
        for part in frame.parts:
            if part not in SLOTS:
                continue
            slot = part.lstrip("+-")
            filled = self._fill(slot, others, amounts)
            if filled is None:
                return None
            if slot in AMOUNTS and self._is_level(filled[1], ENGLISH.levels if is_level else (TO,)) != is_level:
                return None  # `drops into the pit, that costs him two` is no drop to two
            values[slot] = filled[0]
            places |= {*range(filled[1], filled[2])}
        return values, frozenset(places)

    def _is_level(self, at: int, before: Collection[str] = (TO,)) -> bool:
        """Return whether the number at this word is where a value stands now: `drops to four`."""
        return at > 0 and self.words[at - 1].text in before

    def _numbers(self, parts: Sequence[str] = ()) -> Iterator[tuple[str, int, int]]:
        """Yield the numbers that a phrase of these parts may be about, and where they begin and end."""
        return evoked_lines.numbers_said(self.words, self.taken, parts)

    def _fill(
        self, slot: str, others: Iterator[Mention], amounts: Iterator[tuple[str, int, int]]
    ) -> tuple[str, int, int] | None:
        """Return what stands in a slot, and where it is said: the next of those named, the next of the numbers."""
        if slot in BEINGS:
            named = next(others, None)
            return named and (in_list(named.names), named.start, named.end)
        if slot in AMOUNTS:
            return next(amounts, None)
        if slot == WORD:
            return "", 0, 0
        if slot in (TEXT, PHRASE):
            return self.sentence.replace('"', "'"), 0, 0
        in_play = self.reader.in_play
        known = in_play.skills() if slot == SKILL else in_play.values() if slot == VALUE else {}
        for at, word in enumerate(self.words):
            if word.text in known:
                return known[word.text], at, at + 1
            if slot == SPAN and (span := span_at(self.words, at)):
                return span[0], at, at + span[1]
        return None
