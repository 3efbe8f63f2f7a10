"""The reader of one declaration: tokens in any order in, the values of its fields out.

Each token is tried by name (`v5`, `effort=1`), then as a word of its own, then in its turn; lists come last, since
they may speak of what the others gave.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from cli.notation.schema import SIGNS, Slot, example, fields
from cli.notation.scope import Around, being_meant, value_set
from cli.notation.tokens import (
    NUMBER,
    SPAN,
    Token,
    entry_meant,
    fitting,
    fold,
    in_quotes,
    nearest,
    seconds_meant,
    the_one,
    there,
    unclear,
    wrong,
)
from ledger import names
from ledger.declarations import Declaration
from ledger.facts import ENTRY_ID

LISTED = re.compile(r'[+-]([^\W\d]*(?:-[^\W\d]+)*)([+-]?[0-9]+)?(?:[:=](.+)|(".*"))?')


ANSWER = "^"
SIGNED_FORMS = 'An asset is said +a1"rope", a circumstance +1"rain helps" or -1"ice".'


class Reader:
    """One declaration on its way: its tokens in, what they give to its fields."""

    def __init__(
        self, kind: type[Declaration], by: str, around: Around, verb: Token, was: Declaration | None = None
    ) -> None:
        """`was`: the declaration that the tokens change, where they do not say a whole one."""
        self.kind, self.by, self.around, self.verb, self.was = kind, by, around, verb, was
        self.slots = fields(kind)
        self.given: dict[str, Any] = {}
        self.named = {slot.name: slot for slot in self.slots}
        self.named |= {slot.notes["short"]: slot for slot in self.slots if slot.noted("short")}
        self.signed: dict[str, dict[str, Slot]] = {"+": {}, "-": {}}
        for sign, note in SIGNS.items():
            for slot in self.slots:
                if note in slot.notes:
                    self.signed[sign].setdefault(slot.notes[note], slot)

    def said(self, tokens: Iterable[Token], text: str = "") -> Declaration:
        """The declaration of these tokens and the text of its free field. Raises Unreadable for too many or too few."""
        if text:
            self.given[self.kind.free] = text
        self.take(tokens)
        missing = [slot.name for slot in self.slots if slot.required and slot.name not in self.given]
        if missing:
            what = f"'{self.kind.verbs[0]}' lacks its {' and its '.join(missing)}"
            raise wrong(self.verb, what, hint=example(self.kind))
        return self.kind(by=self.by, **self.given)

    def take(self, tokens: Iterable[Token]) -> None:
        """What these tokens give to its fields. Raises Unreadable for one that says nothing here."""
        rest = [token for token in self.with_reasons(tokens) if not self.by_name(token)]
        answers = [token for token in rest if self.by_answer(token)]
        listed = [token for token in rest if token not in answers and self.signed.get(token.raw[0])]
        loose = [token for token in rest if token not in (*answers, *listed) and not self.by_word(token)]
        for token in loose:
            self.in_turn(token)
        for token in listed:
            self.by_sign(token)

    def with_reasons(self, tokens: Iterable[Token]) -> list[Token]:
        """The tokens, with the quoted string behind a `-prone` that lacks its reason joined to it."""
        found: list[Token] = []
        for token in tokens:
            if found and token.quoted and self.lacks_reason(found[-1]):
                found[-1] = Token(found[-1].raw + token.raw, found[-1].at)
            else:
                found.append(token)
        return found

    def lacks_reason(self, token: Token) -> bool:
        """Whether it is one of a list that wants a text behind its word, and has none."""
        read = LISTED.fullmatch(token.raw)
        if read is None or not read[1] or read[2] or read[3] or read[4]:
            return False
        options = self.sign_options(token.raw[0])
        meant = [options[word][0].one for word in fitting(read[1], options).found]
        return bool(meant) and all(one.parts and one.parts[-1].texts and one.parts[-1].required for one in meant)

    def put(self, token: Token, slot: Slot, value: Any, *, more: bool = False) -> None:
        """Give a field its value, or a list one `more`. Raises Unreadable when it has one."""
        if slot.shape == "list" and more:
            value = (*self.given.get(slot.name, ()), value)
        elif slot.name in self.given:
            raise wrong(token, f"{slot.name} is said twice", hint="Say it once.")
        self.given[slot.name] = value

    def open(self, slot: Slot) -> bool:
        """Whether the field may still be given something."""
        return slot.shape == "list" or slot.name not in self.given

    def by_name(self, token: Token) -> bool:
        """`name=value`, `kess.might=3` or `v5`: set the field, or say that this is none of them."""
        if self.signed.get(token.raw[0]) or token.raw[0] == ANSWER:
            return False
        left, *right = token.split("=", 1)
        if not right:
            return self.by_short(token)
        if len(left.split(":")) > 1:
            return False
        word, pairs = left.text, next((slot for slot in self.slots if slot.noted("sets")), None)
        meant = fitting(word, self.named)
        if pairs and not meant.exact and ("." in word or fitting(word, self.around.values()).exact):
            name = value_set(left, word, self.around)
            self.put(token, pairs, self.made(pairs.one, [Token(in_quotes(name), token.at), *right], token), more=True)
            return True
        if len({self.named[name].name for name in meant.found}) > 1:
            raise unclear(token, word, meant.found)
        if not meant.found:
            what = f"'{word}' is no part of '{self.kind.verbs[0]}'"
            raise wrong(token, what, nearest(word, self.named), example(self.kind))
        slot = self.named[meant.found[0]]
        self.put(token, slot, self.value(slot, right[0]))
        return True

    def by_answer(self, token: Token) -> bool:
        """`^sira:interpose`: one that answers, on the line of what it answers."""
        slot = next((slot for slot in self.slots if slot.noted("answers")), None)
        if slot is None or token.raw[0] != ANSWER:
            return False
        self.put(token, slot, self.value(slot.one, Token(token.raw[1:], token.at)), more=True)
        return True

    def by_short(self, token: Token) -> bool:
        """`v5`: letters and the value behind them."""
        found = self.shorted(token)
        if found:
            self.put(token, found[0], self.value(*found))
        return found is not None

    def shorted(self, token: Token) -> tuple[Slot, Token] | None:
        """The field whose letters these are, and the value behind them."""
        for same in (str, str.casefold):
            for slot in self.slots:
                letters = slot.notes.get("short", "")
                rest = Token(token.raw[len(letters) :], token.at)
                fits = NUMBER.fullmatch(rest.raw) if slot.shape in ("whole", "scalar") else rest.quoted
                if letters and fits and same(token.raw[: len(letters)]) == same(letters):
                    return slot, rest
        return None

    def part(self, token: Token) -> bool:
        """Whether it is a field by its looks, and no task or verb."""
        return token.raw[0] in SIGNS or len(token.split("=", 1)) > 1 or self.shorted(token) is not None

    def by_word(self, token: Token) -> bool:
        """A bare word or number of its own: set the one field that it fits, or say that it fits none for sure."""
        every = [(slot, fit) for slot in self.slots if (fit := self.fit(slot, token))[1]]
        fits = [(slot, fit) for slot, fit in every if self.open(slot)] or [
            one for one in every if not (token.literal or one[0].texts)
        ]
        best = min((rank for _, (rank, _) in fits), default=0)
        fits = [(slot, fit) for slot, fit in fits if fit[0] == best]
        if not fits:
            return False
        meant = [word for _, (_, words) in fits for word in words]
        if len(meant) > 1:
            fields_meant = [f"{slot.name}={word}" for slot, (_, words) in fits for word in words]
            raise unclear(token, token.text, fields_meant)
        slot = fits[0][0]
        if slot.shape == "flag":
            self.put(token, slot, True)
        elif slot.shape == "list":
            for piece in token.split(","):
                self.put(token, slot, self.value(slot.one, piece), more=True)
        else:
            self.put(token, slot, self.value(slot, token))
        return True

    def fit(self, slot: Slot, token: Token) -> tuple[int, list[str]]:
        """How well a word fits this field (0 is best), and what it may mean there: nothing, if it does not fit."""
        word, one = token.text, slot.one
        if slot.noted("entry"):
            return 1, [word] if ENTRY_ID.fullmatch(token.raw) else []
        if slot.noted("seconds"):
            span = SPAN.fullmatch(token.raw)
            return 1, [word] if span and span[2] else []
        if slot.noted("being") and slot.noted("word"):
            first = token.split(":")[0].text if one.parts else word
            found = fitting(first, self.around.names, inside=True)
            return max(found.rank, 1), found.found if found.exact or not token.literal else []
        if one.shape in ("struct", "pair"):
            pieces = token.split(":")
            if len(pieces) < sum(part.required for part in one.parts):
                return 0, []
            token, one = pieces[0], one.parts[0]
        if token.literal or not slot.noted("word"):
            return 0, []
        if one.shape == "whole":
            return 1, [word] if NUMBER.fullmatch(word) else []
        known = [slot.name] if one.shape == "flag" else one.choices or self.known(slot)
        found = fitting(token.text, known)
        if slot.noted("whole") and not found.exact:
            return 0, []
        return found.rank + (found.exact and one.texts), found.found

    def in_turn(self, token: Token) -> None:
        """A quoted string, or a word that no field knows: the next field in order that takes any words."""
        for slot in self.slots:
            takes = slot.texts and (slot.in_turn if token.quoted else slot.noted("word"))
            if takes and self.open(slot):
                return self.put(token, slot, self.value(slot.one, token), more=True)
        if NUMBER.fullmatch(token.raw) and (ways := ", ".join(self.numbered(token.raw))):
            raise wrong(token, f"the number {token.raw} says nothing by itself", hint=f"Write one of: {ways}.")
        if not token.quoted and (signed := fitting(token.text, self.sign_options("+"))).exact:
            raise wrong(token, f"'{token.text}' lacks its sign", [f"+{signed.found[0]}"])
        words = [slot.name for slot in self.slots if slot.shape == "flag" and slot.noted("word")]
        words += [choice for slot in self.slots if slot.noted("word") for choice in slot.one.choices]
        what = f"{token.raw} is one text too many" if token.quoted else f"'{token.text}' says nothing here"
        raise wrong(token, what, [] if token.quoted else nearest(token.text, words), self.hint(token))

    def hint(self, token: Token) -> str:
        """After a word that says nothing: the words of a field that must be given, or else an example."""
        choices = [slot.one.choices for slot in self.slots if slot.noted("word") and slot.required and self.open(slot)]
        word = not token.quoted and token.raw[0] not in SIGNS
        return there(list(choices[0])) if word and any(choices) else example(self.kind)

    def numbered(self, number: str) -> list[str]:
        """How this number may be said of each field that is not given yet: `v5 (difficulty)`, `duration=5m`."""
        numbers = [slot for slot in self.slots if slot.shape in ("whole", "scalar") and self.open(slot)]
        shorts = [f"{slot.notes['short']}{number} ({slot.name})" for slot in numbers if slot.noted("short")]
        return [*shorts, *(f"{slot.name}={number}m" for slot in numbers if slot.noted("seconds"))]

    def by_sign(self, token: Token) -> None:
        """`+a1"rope"`, `+t`, `+help=orrin`, `-1"ice"`: one of a list."""
        read = LISTED.fullmatch(token.raw)
        if read is None or len(token.raw) == 1:
            raise wrong(token, f"'{token.raw}' cannot be read", hint='Write it as in +1"rain helps".')
        word, number, glued, quoted = (Token(part, token.at) if part else None for part in read.groups())
        slot, known = self.listed(token, word.raw if word else "", glued)
        if "=" in known:
            glued = None
        rest = glued or quoted or (Token(in_quotes(known), token.at) if known else None)
        if slot.one.shape == "struct" and known and not number:
            named = [Token(in_quotes(known), token.at), *([rest] if glued or quoted else [])]
            value = self.made(slot.one, [piece for piece in named if piece], token)
        elif slot.one.shape in ("struct", "pair") and not known:
            value = self.made(slot.one, self.aligned(slot.one, number, rest), token)
        elif (number and rest) or (number and slot.one.shape == "text") or (known and (glued or quoted)):
            raise wrong(token, f"'{token.raw}' says too much", hint=example(self.kind))
        elif said := number or rest:
            value = self.value(slot.one, said)
        elif not slot.texts:
            raise wrong(token, f"'{token.raw}' says too little", hint=f"Write it as in {token.raw}=...")
        else:
            value = self.given.get(self.kind.free, getattr(self.was, self.kind.free, ""))
        self.put(token, slot, value, more=True)

    def sign_options(self, sign: str) -> dict[str, tuple[Slot, str]]:
        """What may stand behind the sign: letters of a list, or a word that a list of words knows."""
        options: dict[str, tuple[Slot, str]] = {}
        for slot in self.slots:
            first = slot.one.parts[0] if slot.one.shape == "struct" else slot.one
            if slot.notes.get(SIGNS[sign]) == "" and first.shape == "text":
                options |= {known: (slot, known) for known in self.known(slot)}
        return options | {letters: (slot, "") for letters, slot in self.signed[sign].items()}

    def listed(self, token: Token, word: str, glued: Token | None) -> tuple[Slot, str]:
        """The list that these letters belong to; or the one that knows this word, and the word in full."""
        sign, options = token.raw[0], self.sign_options(token.raw[0])
        found = fitting(f"{word}={glued.text}", options).found if glued and word else []
        found = found or fitting(word, options).found
        if len(found) > 1:
            raise unclear(token, sign + word, [sign + one for one in found])
        if not found:
            near = [sign + one for one in nearest(word, options)]
            raise wrong(token, f"nobody knows '{token.raw}' here", near, SIGNED_FORMS)
        return options[found[0]]

    @staticmethod
    def aligned(item: Slot, number: Token | None, rest: Token | None) -> list[Token]:
        """The parts of one of a list: the number where one is counted, the rest in order at the others."""
        parts = rest.split(":") if rest else []
        places = [place for place, part in enumerate(item.parts) if part.shape == "whole"]
        if number is None and (len(parts) >= len(item.parts) or not places):
            return parts
        parts += [Token("", 0)] * (places[0] - len(parts) if places else 0)
        place = places[0] if places else len(item.parts)
        return [*parts[:place], number or Token("", 0), *parts[place:]]

    # Values

    def value(self, slot: Slot, token: Token) -> Any:
        """What the token means as this field's value. Raises Unreadable when it means nothing there."""
        if token.raw == "-" and (slot.optional or slot.shape == "list"):
            return None if slot.optional else ()
        if not token.raw:
            raise wrong(token, f"{slot.name} has no value", hint="Write it behind the =, a text in quotation marks.")
        if slot.shape == "list":
            return tuple(self.value(slot.one, piece) for piece in token.split(","))
        if slot.shape in ("struct", "pair"):
            return self.made(slot, token.split(":"), token)
        word = token.text
        if slot.noted("being"):
            return being_meant(token, word, self.around)
        if slot.noted("entry"):
            return entry_meant(token, word)
        if slot.noted("seconds"):
            return seconds_meant(token, word)
        if slot.shape == "whole" or (slot.shape == "scalar" and not token.literal and NUMBER.fullmatch(word)):
            return names.parse_whole(word, where=token.where)
        if slot.shape == "flag":
            return the_one(token, word, ("yes", "no"), "neither yes nor no") == "yes"
        if slot.shape == "choice":
            return slot.choices[the_one(token, word, slot.choices, f"no {slot.name}")]
        found = [] if token.literal else fitting(word, self.known(slot)).found
        if len(found) > 1:
            raise unclear(token, word, found)
        return found[0] if found else word

    def made(self, item: Slot, pieces: Sequence[Token], token: Token) -> Any:
        """`a:b`: the small struct or the pair of these parts; the last ones may be left out if they have defaults.

        A list among them takes all that is left; what stands behind it is said by name.
        """
        named, loose = self.parts_named(item, pieces)
        parts: dict[str, Any] = {}
        for part in item.parts:
            if part.name in named:
                parts[part.name] = self.value(part, named[part.name])
            elif part.shape == "list" and loose:
                parts[part.name] = tuple(self.value(part.one, piece) for piece in loose)
                loose = []
            elif loose and (piece := loose.pop(0)).raw:
                parts[part.name] = self.value(part, piece)
            elif part.required:
                hint = f'Write it as in {token.raw}"..."' if self.lacks_reason(token) else example(self.kind)
                raise wrong(token, f"'{token.raw}' lacks its {part.name}", hint=hint)
            else:
                parts[part.name] = part.default
        if loose:
            raise wrong(token, f"'{token.raw}' says too much", hint=example(self.kind))
        return item.make(**parts) if item.shape == "struct" else tuple(parts.values())

    @staticmethod
    def parts_named(item: Slot, pieces: Iterable[Token]) -> tuple[dict[str, Token], list[Token]]:
        """The parts of a small struct that are said by name (`at=short`), and the pieces that are not."""
        names_of = {fold(part.name): part.name for part in item.parts}
        named: dict[str, Token] = {}
        loose: list[Token] = []
        for piece in pieces:
            left, *right = piece.split("=", 1)
            if right and fold(left.raw) in names_of:
                named[names_of[fold(left.raw)]] = right[0]
            else:
                loose.append(piece)
        return named, loose

    def known(self, slot: Slot) -> Iterable[str]:
        """The words that the field is known to take."""
        return self.around.words(self.kind, slot.name, self.by)
