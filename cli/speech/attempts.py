"""Lines that a sentence may mean, written from its parts, parsed, and decided without dice in the state as it is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import combinations, islice, product
from typing import Final, NamedTuple

import msgspec

from cli.notation.line_parser import ParsedLine, parse_each
from cli.notation.schema import syntax_of
from cli.notation.scope import Scope
from cli.notation.tokens import normalize_line, quote, tokenize
from cli.notation.value_parser import ValueParser
from cli.speech.english import ENGLISH
from cli.speech.evoked_tails import evoked_tails
from cli.speech.frames import SPEECH, FrameIndex, read_speech, shared_speech
from cli.speech.in_play import WITH, InPlay, is_attack
from cli.speech.known_levels import without_known_level
from cli.speech.levels import why_unchanged, with_change
from cli.speech.line_drafts import LineDraft, counts_them, with_reason, words_said_by
from cli.speech.line_refusals import refusals_of
from cli.speech.meanings import Meaning
from cli.speech.phrase_likeness import PhraseWords
from cli.speech.slots import in_line
from cli.speech.spoken_dice import has_dice
from cli.speech.surplus import Surplus
from cli.speech.tail import ITEM_LEAST, TailReader
from cli.speech.tail_phrases import Tail
from cli.speech.weapon_kinds import weapons_meant
from cli.speech.words import WORDS_MOST, is_only_amount, split_words
from ledger.declarations import Declaration
from ledger.errors import LedgerError, Refused, Unreadable
from ledger.ledger_state import LedgerState
from projections.state import State
from rulebooks.common.adjustments import Adjust
from rulebooks.common.game import Game

QUOTED: Final = re.compile(r'"([^"]+)"')
REASON: Final = "reason"  # the field without which a ruling is refused
THEM: Final = (ENGLISH.objects | ENGLISH.possessives) - ENGLISH.subjects - {"its"}  # who may be one of several
BEGUN_MOST: Final = 2  # words of a line that only says who does what
CHOSEN_MOST: Final = 4  # readings of a name, and items of which one may be meant


class Result(NamedTuple):
    """What comes of a line: how it is parsed, and why each declaration would be refused; or why it is not parsed."""

    parsed: tuple[ParsedLine, ...]
    refusals: tuple[LedgerError | None, ...]
    error: LedgerError | None


def needs_word(kind: type[Declaration]) -> bool:
    """Return whether a line of this kind needs a word of the book: the ability of a check."""
    return any(field.required and field.has("word") for field in syntax_of(kind).fields)


def _speakers(parsed: Sequence[ParsedLine]) -> str:
    """Return those who say a line as it names them."""
    return ",".join(in_line(each.declaration.by) for each in parsed)


def _lacks_reason(reading: Meaning, kind: type[Declaration]) -> bool:
    """Return whether a reading is refused for want of a reason, or cannot be read without one."""
    if isinstance(reading.error, Refused):
        unsaid = all(not getattr(each.declaration, REASON, "") for each in reading.parsed)
        return reading.error.field == REASON and unsaid
    return not reading.parsed and any(field.name == REASON and field.required for field in syntax_of(kind).fields)


def takes_reason(kind: type[Declaration]) -> bool:
    """Return whether a text in quotation marks is no word of the book and no item: those of an attack are."""
    syntax = syntax_of(kind)
    items = syntax.introduced.values()
    return any(field.is_positional and not field.has("word") and field not in items for field in syntax.fields)


def is_at_friend(parsed: Sequence[ParsedLine], in_play: InPlay) -> bool:
    """Return whether somebody attacks one of the own side."""
    said = [each.declaration for each in parsed if is_attack(type(each.declaration))]
    about = ((each, field.name) for each in said for field in syntax_of(type(each)).bare if field.has("being"))
    return any(in_play.is_friend(str(getattr(each, name, "")), each.by) for each, name in about)


class Attempts:
    """Writes out drafts as lines, and tries them."""

    def __init__(
        self,
        ledger_state: LedgerState[State],
        book: Game,
        scope: Scope,
        in_play: InPlay,
        verbs: FrameIndex,
        tail: FrameIndex,
    ) -> None:
        """`in_play`, `verbs` and `tail`: what is named in a sentence, and the phrases that stand there."""
        self.ledger_state, self.book, self.scope = ledger_state, book, scope
        self.in_play, self.verbs, self.tail = in_play, verbs, tail
        self.texts = (*read_speech(book.texts().folder / SPEECH).texts, *shared_speech().texts)
        self.surplus = Surplus(in_play, verbs, self.texts)
        self.count = 0  # of lines that were tried
        self.typed = ""  # the sentence as it was typed
        self.sentence = ""  # the whole of it, which may be its own reason
        self.left_most = WORDS_MOST  # words that a reading may leave over
        self.takes_texts = True  # words that nothing explains may be the text of a declaration
        self.tails: PhraseWords | None = None  # the phrases behind a verb that words left over may call to mind
        self.drops_tokens = False  # a line that is not allowed is tried without one of its tokens

    def readings(self, draft: LineDraft) -> Iterator[Meaning]:
        """Yield the readings of a draft with what stands behind it, before each those with what is evoked."""
        for reading in map(partial(self._with_sheet, draft), self._readings(draft)):
            if self.tails and reading.left and reading.parsed and reading.error is None and draft.weight:
                for token in evoked_tails(reading.left, draft.kind, self.tails):
                    evoked = self._try(f"{reading.line} {token}", reading.left, draft)
                    if evoked.parsed and evoked.error is None:
                        yield evoked
            yield reading

    def _with_sheet(self, draft: LineDraft, reading: Meaning) -> Meaning:
        """Return a reading without what the sheet of its speaker says already."""
        if not draft.kind.free or len(reading.parsed) != 1:
            return reading
        line = without_known_level(reading.line, reading.parsed[0].declaration, self.ledger_state.state)
        return reading if line == reading.line else self._try(line, reading.left, draft)

    def _readings(self, draft: LineDraft) -> Iterator[Meaning]:
        """Yield the readings of a draft with what stands behind it."""
        state = self.ledger_state.state
        if draft.start == len(draft.words) and (why := why_unchanged(draft.text, state)):
            yield Meaning(draft.text, (), Unreadable(why, hint="Say by how much it changes."), (), draft.weight)
        draft = draft._replace(text=with_change(draft.text, state))
        if not draft.text:
            return
        draft = draft._replace(text=self._with_item(draft))
        tail = self._tail_of(draft)
        tail.left = [word for word in tail.left if word not in draft.kind.verbs] if not draft.kind.free else tail.left
        if not (draft.weight or tail.tokens) and (
            draft.kind.free or (draft.start < len(draft.words) and needs_word(draft.kind))
        ):
            return  # a task in any words, or an implied verb, with nothing that says that it is meant
        if len(tail.left) > self.left_most:
            return
        draft = draft._replace(is_unsure=draft.is_unsure or tail.is_unsure, lost=(*draft.lost, *tail.lost))
        says_more = self.surplus.says_more(tail, draft.kind) or self.surplus.ends_in_deed(draft.words, draft.start)
        draft = draft._replace(is_unsure=draft.is_unsure or says_more)
        said = {field.name for field in syntax_of(draft.kind).bare if field.shape == "flag"} & {*draft.text.split()}
        said |= {each for each in draft.text.split() if draft.kind.verb_field and each not in draft.kind.verbs}
        tail.tokens = [tokens for tokens in tail.tokens if said.isdisjoint(tokens)]  # what is said twice is one
        is_able = False
        for tokens in islice(product(*tail.tokens), CHOSEN_MOST):
            draft = self._with_word_of_tail(draft, tokens)
            reading = self._first_that_reads(self._lines(draft, tokens, tail), draft, bool(tail.reason))
            if not tail.reason and _lacks_reason(reading, draft.kind):  # what is said is why it is so
                reading = self._try(f"{reading.line} {quote(self.sentence)}", reading.left, draft)
            elif not tail.reason and reading.parsed and words_said_by(draft).intersection(reading.left):
                reading = self._with_own_words(reading, draft)
            if not (draft.weight or draft.kind.free) and reading.error is not None:
                continue
            yield reading
            is_able |= reading.error is None
            if reading.parsed and reading.error is not None and (draft.weight or not reading.left):
                yield from self._completed(reading, tokens, draft)
            if not reading.parsed and (draft.weight or not reading.left):
                yield from self._with_lacking(tokens, tail, draft)
        if self.drops_tokens and draft.weight and not is_able:
            yield from self._with_fewer(tail, draft)

    def has_tail(self, draft: LineDraft) -> bool:
        """Return whether a word behind a draft says something of its line."""
        return bool(self._tail_of(draft).tokens)

    def _tail_of(self, draft: LineDraft) -> Tail:
        """Return the tokens that the words behind a draft mean."""

        def read() -> Tail:
            reader = TailReader(draft.kind, draft.by, self.scope, self.in_play, self.tail, is_about=draft.is_about)
            return reader.read(draft.words, draft.start, draft.skipped)

        asked = (draft.kind, draft.by, draft.is_about, tuple(draft.words), draft.start, draft.skipped)
        tail = self.in_play.memo.recall((Tail, *asked, self.in_play.spoken_of), read)
        return msgspec.structs.replace(tail, tokens=[*tail.tokens], left=[*tail.left])  # which the readings change

    def _with_fewer(self, tail: Tail, draft: LineDraft) -> Iterator[Meaning]:
        """Yield a line without one of its tokens, or with the first alone; the others are left over."""
        each = [tuple(token.raw for token in tokenize(tokens[0])) for tokens in tail.tokens]
        said = [[part] for parts in each if len(parts) > 1 for part in parts]
        said += [[*tokens] for tokens, parts in zip(tail.tokens, each, strict=True) if len(parts) == 1]
        count = len(said)
        for kept in dict.fromkeys([*combinations(range(count), max(0, count - 1)), (0,)] if count else ()):
            dropped = [tokens[0] for at, tokens in enumerate(said) if at not in kept]
            for tokens in islice(product(*(said[at] for at in kept)), CHOSEN_MOST):
                reading = self._try(" ".join([draft.text, *tokens]), (*tail.left, *dropped), draft)
                yield reading
                if reading.parsed and reading.error is not None:
                    yield from self._completed(reading, tokens, draft)

    def _with_item(self, draft: LineDraft) -> str:
        """Return the beginning of a line with the items that its last words mean: the axe is the battleaxe.

        One stands behind `with`, others behind the name of a field, `away=bow`, or at the end: `brandish sword`.
        """
        begun, introduced, word = draft.text.rpartition(f" {WITH} ")
        syntax, values = syntax_of(draft.kind), ValueParser(draft.kind, draft.by, self.scope)
        named = (token.partition("=") for token in draft.text.split())
        said = [(name, each) for name, is_set, each in named if is_set] + ([(WITH, word)] if introduced else [])
        text = draft.text
        for name, each in said:
            field = syntax.introduced.get(WITH) if name == WITH else syntax.named.get(name)
            known = values.known_words(field) if field else ()
            meant = [one for one in known if len(each) >= ITEM_LEAST and one.casefold().endswith(each.casefold())]
            if len(meant) == 1 and name == WITH:
                text = f"{begun}{introduced}{in_line(meant[0])}"
            elif len(meant) == 1:
                text = text.replace(f"{name}={each}", f"{name}={in_line(meant[0])}")
        begun, _, word = text.rpartition(" ")
        held = next((field for field in syntax.bare if field.shape == "list" and not field.has("being")), None)
        known = values.known_words(held) if held and "=" not in word else ()
        meant = [one for one in known if len(word) >= ITEM_LEAST and one.casefold().endswith(word.casefold())]
        return f"{begun} {in_line(meant[0])}" if len(meant) == 1 and draft.weight else text

    def _lines(self, draft: LineDraft, tokens: Sequence[str], tail: Tail) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Yield lines with the words that each leaves unexplained: with the reason, or with words left as the text."""
        own = tail.left if draft.kind.free else ()
        begun = draft.text
        if draft.kind.free and tail.is_quoted:
            who, _, verb = begun.rpartition(" ")
            begun, own = f"{who} {quote(' '.join([verb, *own]))}", ()
        line, left = " ".join(filter(None, [begun, *own, *tokens])), tuple(tail.extra if draft.kind.free else tail.left)
        says_why = (
            self.takes_texts
            and tail.reason
            and takes_reason(draft.kind)
            and not is_only_amount(split_words(tail.reason))
            and not has_dice(tail.reason)  # they are of another throw
            and not self.surplus.is_creature(tail.reason)
        )
        reason = quote(tail.reason) if says_why else ""
        is_colour = self.surplus.is_colour(tail.reason) and not tail.is_listed  # what a colon announces is no colour
        unsaid = () if is_colour else tuple(tail.reason.split())
        if left and self._takes_text(draft.kind, tail.text) and not is_only_amount(split_words(tail.text)):
            text = quote(tail.text)
            yield from ((with_reason(f"{line} {text}", reason), ()),) if reason else ()
            yield with_reason(line, text), unsaid
        yield from ((with_reason(line, reason), left),) if reason else ()
        yield line, (*left, *unsaid)

    def _with_word_of_tail(self, draft: LineDraft, tokens: Sequence[str]) -> LineDraft:
        """Return a draft without the word that its frame means, if the tail says one: `climbs up with athletics`."""
        begun, _, last = draft.text.rpartition(" ")
        needed = [field for field in syntax_of(draft.kind).fields if field.required and field.has("word")]
        if not begun or len(needed) != 1 or needed[0].shape != "text":
            return draft
        known = set(ValueParser(draft.kind, draft.by, self.scope).known_words(needed[0]))
        return draft._replace(text=begun) if last in known and known.intersection(" ".join(tokens).split()) else draft

    def _takes_text(self, kind: type[Declaration], said: str) -> bool:
        """Return whether these words that nothing explains are what is declared: it needs a text, or the book says so.

        A name alone is the text of those of the book, and no reason.
        """
        if not self.takes_texts:
            return False
        if any(verb in self.texts for verb in kind.verbs):
            return True
        needed = any(
            field.is_positional and field.required and not field.has("word") for field in syntax_of(kind).fields
        )
        return needed and not self.surplus.is_creature(said)

    def _first_that_reads(
        self, lines: Iterator[tuple[str, tuple[str, ...]]], draft: LineDraft, tail_reason: bool
    ) -> Meaning:
        """Return the reading of the first of these lines that can be read; if none can, that of the last."""
        for line, left in lines:
            reading = self._try(line, left, draft)
            is_spare = isinstance(reading.error, Refused) and reading.error.field == REASON  # the rules take no reason
            if reading.parsed and not (is_spare and tail_reason):
                return reading
        return reading

    def _completed(self, reading: Meaning, tokens: Sequence[str], draft: LineDraft) -> Iterator[Meaning]:
        """Yield a refused line with each word that it may lack: `with pistol`, `with knife`; `might`, `speed`."""
        syntax = syntax_of(draft.kind)
        item = syntax.introduced.get(WITH)
        if item is not None and WITH not in tokens:
            known = ValueParser(draft.kind, draft.by, self.scope).known_words(item)
            tasks = {task for kind in self.scope.declarations for task in self._tasks(kind, draft.by)}
            arms = weapons_meant(draft.words, [word for word in known if word not in tasks])
            for word in arms[:CHOSEN_MOST]:
                yield self._try(f"{reading.line} {WITH} {in_line(word)}", reading.left, draft)
        about = [field for field in syntax.bare if field.has("being") and field.shape == "text" and not field.required]
        if about and not any(getattr(each.declaration, about[0].name, "") for each in reading.parsed):
            for name in islice(self.in_play.others_of(draft.by), CHOSEN_MOST):
                yield self._try(f"{reading.line} {in_line(name)}", reading.left, draft._replace(is_unsure=True))
        lacking = reading.error.field if isinstance(reading.error, Refused) else ""
        field = next((each for each in syntax.bare if each.name == lacking), None)
        known = (
            (field.item.choices or ValueParser(draft.kind, draft.by, self.scope).known_words(field)) if field else ()
        )
        for word in islice(known, CHOSEN_MOST):
            yield self._try(f"{reading.line} {in_line(word)}", reading.left, draft._replace(is_unsure=True))

    def _tasks(self, kind: type[Declaration], by: str) -> Iterable[str]:
        """Return the known tasks of a being, if this is a free task: they are no items."""
        return self.scope.words(kind, kind.free, by) if kind.free else ()

    def _with_lacking(self, tokens: Sequence[str], tail: Tail, draft: LineDraft) -> Iterator[Meaning]:
        """Yield a line that lacks a word, a being or a place with each of them: `save body`, `move gate`."""
        syntax = syntax_of(draft.kind)
        beings = [field for field in syntax.bare if field.has("being")]
        needed = [field for field in syntax.fields if field.required and (field.is_positional or field in beings)]
        if len(needed) != 1 or needed[0].shape != "text":
            return
        if needed[0].has("being"):
            places = [*self.scope.words(draft.kind, needed[0].name, draft.by)]
            begun = [token for token in tokenize(draft.text.partition(" /")[0]) if "=" not in token.raw]
            is_meant = any(word.text in THEM for word in draft.words)  # `in his ribs`
            is_said = bool(tail.beings or (tail.left and not is_meant)) or len(begun) > BEGUN_MOST
            is_open = self.drops_tokens or not is_said
            known: Iterable[str] = (places or self._meant_by_pronoun(draft)) if is_open else ()
        else:
            parser = ValueParser(draft.kind, draft.by, self.scope)
            known = () if tail.left else parser.known_words(needed[0])  # `slings a sack` slings nothing else
        draft = draft._replace(is_unsure=True)
        for word in islice(known, CHOSEN_MOST):
            for line, left in islice(self._lines(draft, [in_line(word), *tokens], tail), 1):
                reading = self._try(line, left, draft)
                yield reading
                if reading.parsed and reading.error is not None and needed[0].has("being"):
                    yield from self._completed(reading, tokens, draft)

    def _meant_by_pronoun(self, draft: LineDraft) -> Sequence[str]:
        """Return those whom somebody may mean who names nobody: those whom the pronoun in the sentence may mean."""
        meant = self.in_play.meant_by(draft.by, draft.kind)
        said = next((word.text for word in draft.words if word.text in ENGLISH.objects), "")
        return self.in_play.pronouns.fitting(said, meant) if said else meant

    def _try(self, line: str, left: tuple[str, ...], draft: LineDraft) -> Meaning:
        """Return the reading of a line: how it is parsed, and why it would be refused now."""
        self.count += 1
        known = words_said_by(draft)
        left = (
            *(word for word in left if word not in known),
            *(each.raw for each in draft.lost if not each.is_in(line)),
        )
        parsed, refusals, error = self.in_play.memo.recall((Attempts, line), partial(self._result_of, line))
        if error is not None:
            return Meaning(line, (), error, left, draft.weight, draft.is_unsure, draft.is_answer)
        if draft.kind is Adjust and any(type(each.declaration) is not Adjust for each in parsed):
            no_value = Unreadable(f"'{line}' changes no value")  # a verb of the game has the name of the value
            return Meaning(line, (), no_value, left, draft.weight, draft.is_unsure, draft.is_answer)
        left = (*left, *self._unnamed(draft, line, parsed))
        able = tuple(each for each, refusal in zip(parsed, refusals, strict=True) if refusal is None)
        if not draft.is_group and len(able) < len(parsed):
            able = ()  # who is named alone is not left out
        why = None if able else next(filter(None, refusals), Unreadable("the line says nothing"))
        if able:
            line = line.replace(_speakers(parsed), _speakers(able), 1)
        is_unsure = draft.is_unsure or (bool(able) and len(able) < len(parsed) and counts_them(draft))
        is_unsure |= is_at_friend(parsed, self.in_play)  # which is asked: `swings a leg over Juniper`
        return Meaning(line, able or parsed, why, left, draft.weight, is_unsure, draft.is_answer)

    def _result_of(self, line: str) -> Result:
        """Return how a line is parsed, and why each of its declarations would be refused now."""
        try:
            parsed = tuple(parse_each(normalize_line(line), self.scope))
        except LedgerError as error:
            return Result((), (), error)
        return Result(parsed, tuple(refusals_of(parsed, self.ledger_state, self.book)), None)

    def _with_own_words(self, reading: Meaning, draft: LineDraft) -> Meaning:
        """Return a line with the sentence as its text, which has what the line would leave out.

        It stands in place of the one text of a phrase: `they surrender`.
        """
        texts = {*QUOTED.findall(draft.text)}.difference(self.scope.beings)
        is_said = any(text.casefold() in self.sentence.casefold() for text in texts)
        if is_said or len(texts) > 1 or not takes_reason(draft.kind):
            return reading
        own, line = quote(self.typed or self.sentence), f"{reading.line} "
        line = line.replace(f"{quote(*texts)} ", f"{own} ") if texts else line + own
        left = tuple(word for word in reading.left if word not in words_said_by(draft))
        told = self._try(line.strip(), left, draft._replace(is_unsure=True, lost=(), unnamed=()))
        return told if told.parsed else reading

    def _unnamed(self, draft: LineDraft, line: str, parsed: Sequence[ParsedLine]) -> Iterable[str]:
        """Return those whom a phrase names and its line does not, where it could, or answers somebody else."""
        bare = [field for field in syntax_of(draft.kind).bare if field.has("being")]
        if not draft.kind.answers and all(getattr(each.declaration, at.name, "") for each in parsed for at in bare):
            return ()
        asked = "".join(window.data for window in self.ledger_state.state.windows.values())
        said = line + asked if draft.kind.answers else line
        return [each.raw for each in draft.unnamed if not each.is_in(said)]
