"""The parser of one declaration: the tokens behind its verb, in any order, set its fields.

Each token is tried by name (`v5`, `effort=1`), then as a known word, then as the next text. Items of lists come last,
because they may refer to what the others set.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any, Final

from cli.notation import resolve
from cli.notation.compounds import join_amounts, join_choices, join_phrases
from cli.notation.examples import example_hint
from cli.notation.free_text import ARTICLES, without_articles
from cli.notation.groups import match_several
from cli.notation.schema import SIGNS, Field, fields_of, is_number_of, number_forms, syntax_of
from cli.notation.scope import Scope
from cli.notation.tokens import NUMBER, SPAN, LineToken, quote, token_error
from cli.notation.value_parser import ValueParser, align_parts
from ledger.declarations import Declaration
from ledger.facts import ENTRY_ID

SIGNED_ITEM: Final = re.compile(r'[+-]([^\W\d]*(?:-[^\W\d]+)*)([+-]?[0-9]+)?(?:[:=](.+)|(".*"))?')
ANSWER: Final = "^"
SIGNED_EXAMPLE: Final = 'An asset is written +a1"rope", a circumstance +1"rain helps" or -1"ice".'


class DeclarationParser:
    """Collects the fields of one declaration in `given`."""

    def __init__(
        self, kind: type[Declaration], by: str, scope: Scope, verb: LineToken, changed: Declaration | None = None
    ) -> None:
        """`changed`: the declaration that the tokens change, if they are not a whole one."""
        self.kind, self.by, self.scope, self.verb, self.changed = kind, by, scope, verb, changed
        self.values = ValueParser(kind, by, scope)
        self.syntax = syntax_of(kind)
        self.fields, self.named, self.signed = self.syntax.fields, self.syntax.named, self.syntax.signed
        self.given: dict[str, Any] = {}
        self.tokens: list[LineToken] = []  # behind the verb
        self.unknown: list[LineToken] = []  # words that were taken as texts, for lack of a better meaning

    def parse(self, tokens: Iterable[LineToken], text: str = "") -> Declaration:
        """Return the declaration; `text` is the value of its free field. Raises Unreadable if a field is missing."""
        if text:
            self.given[self.kind.free or self.kind.verb_field] = text
        self.assign(tokens)
        missing = [field.name for field in self.fields if field.required and field.name not in self.given]
        if missing:
            if self.unknown and self.awaits_being():
                raise self.being_error(self.unknown[0])
            lacking = f"'{self.kind.verbs[0]}' lacks its {' and its '.join(missing)}"
            choices = [list(self.named[name].item.choices) for name in missing[:1]]
            raise token_error(
                self.verb,
                lacking,
                hint=" ".join([*map(resolve.list_hint, filter(None, choices)), self.values.example()]),
            )
        return self.kind(by=self.by, **self.given)

    def assign(self, tokens: Iterable[LineToken]) -> None:
        """Set the fields that the tokens give. Raises Unreadable for a token that fits no field."""
        named = without_articles(list(tokens), lambda token: bool(resolve.match_being(token.text, self.scope).words))
        tokens = self.tokens = join_phrases(named, self.phrases())
        tokens = join_amounts(self.join_reasons(tokens), self.syntax.amounts)
        tokens = self.assign_after(join_choices(tokens, self.syntax.choices))
        tokens = self.name_numbered_being(tokens)
        rest = [token for token in tokens if not self.assign_named(token)]
        answers = [token for token in rest if self.assign_answer(token)]
        items = [token for token in rest if token not in answers and self.signed.get(token.raw[0])]
        loose = [token for token in rest if token not in (*answers, *items) and not self.assign_word(token)]
        for token in loose:
            self.assign_next(token)
        for token in items:
            self.assign_signed(token)

    def phrases(self) -> Iterable[str]:
        """Return the known words of all fields that take bare ones."""
        fields = (field for field in self.syntax.bare if field.item.shape == "text" and not field.has("being"))
        return (word for field in fields for word in self.values.known_words(field))

    def join_reasons(self, tokens: Iterable[LineToken]) -> list[LineToken]:
        """Join the quoted string behind a `-prone` that lacks its reason to it, and return the tokens."""
        joined: list[LineToken] = []
        for token in tokens:
            if joined and token.is_quoted and self.lacks_reason(joined[-1]):
                joined[-1] = LineToken(joined[-1].raw + token.raw, joined[-1].column)
            else:
                joined.append(token)
        return joined

    def assign_after(self, tokens: Sequence[LineToken]) -> list[LineToken]:
        """Set the fields whose word introduces the next token (`with pistol`), and return the other tokens."""
        introduced = self.syntax.introduced
        rest, left = list[LineToken](), list(tokens)
        while left:
            token = left.pop(0)
            field = introduced.get(resolve.fold_word(token.raw))
            if field is None or not left:
                rest.append(token)
                continue
            understood = list(self.values.understood_words(field))
            while (
                len(left) > 1 and left[0].raw in ARTICLES and not resolve.match_phrase(left[0].text, understood).exact
            ):
                left.pop(0)  # `with the harpoon`
            value = left.pop(0)
            known = list(self.values.known_words(field))
            if not value.has_quotes and not resolve.match_phrase(value.text, understood).words:
                what = f"'{value.text}' is not known here"
                hint = resolve.list_hint(known) if known else f"Leave it out, and the '{token.text}' before it"
                raise token_error(value, what, resolve.nearest_words(value.text, known), hint)
            self.set_field(value, field, self.values.parse(field, value))
        return rest

    def name_numbered_being(self, tokens: list[LineToken]) -> list[LineToken]:
        """Return the tokens with `d4` right behind the verb as Drowned 4, where a being is to be named and none is.

        It stays the letter of a field where another field of this kind is given: `dodge d4 v5` is 4 damage.
        """
        short = self.split_short(tokens[0]) if tokens else None
        field = next((field for field in self.syntax.bare if field.has("being") and field.shape != "list"), None)
        if short is None or field is None or self.changed is not None:
            return tokens
        first, rest = tokens[0], tokens[1:]
        meant = resolve.match_being(first.raw, self.scope).words
        others = [other[0] for token in rest if (other := self.split_short(token))]
        named = any(self.match_field(field, token)[1] for token in rest if not self.split_short(token))
        if len(meant) != 1 or named or any(other is not short[0] and other.default is None for other in others):
            return tokens
        return [LineToken(quote(meant[0]), first.column), *rest]

    def lacks_reason(self, token: LineToken) -> bool:
        """Whether it is a list item that needs a text behind its word and has none."""
        match = SIGNED_ITEM.fullmatch(token.raw)
        if match is None or not match[1] or match[2] or match[3] or match[4]:
            return False
        options = self.signed_options(token.raw[0])
        items = [options[word][0].item for word in resolve.match_word(match[1], options).words]
        return bool(items) and all(
            item.parts and item.parts[-1].takes_text and item.parts[-1].required for item in items
        )

    def set_field(self, token: LineToken, field: Field, value: Any, *, more: bool = False) -> None:
        """Set a field, or with `more` append to a list. Raises Unreadable if the field is set already."""
        if field.shape == "list" and more:
            value = (*self.given.get(field.name, ()), value)
        elif field.name in self.given:
            raise token_error(token, f"{field.name} is given twice", hint="Give it once.")
        self.given[field.name] = value

    def is_open(self, field: Field) -> bool:
        """Whether the field may still be given a value."""
        return field.shape == "list" or field.name not in self.given

    def assign_named(self, token: LineToken) -> bool:
        """Set the field of `name=value`, `kess.might=3` or `v5`; False if the token is none of them."""
        if self.signed.get(token.raw[0]) or token.raw[0] == ANSWER:
            return False
        left, *right = token.split("=", 1)
        if not right:
            return self.assign_short(token)
        if len(left.split(":")) > 1:
            return False
        word, pairs = left.text, next((field for field in self.fields if field.has("sets")), None)
        match = resolve.match_word(word, self.named)
        if pairs and not match.exact and ("." in word or resolve.match_word(word, self.scope.values()).exact):
            name = LineToken(quote(resolve.find_value_to_set(left, word, self.scope)), token.column)
            self.set_field(token, pairs, self.values.parse_parts(pairs.item, [name, *right], token), more=True)
            return True
        if len({self.named[name].name for name in match.words}) > 1:
            raise resolve.ambiguous_error(token, word, match.words)
        if not match.words:
            what = f"'{word}' is not part of '{self.kind.verbs[0]}'"
            owners = [kind for kind in self.scope.declarations if kind.verbs and _has_field(kind, word)]
            if len(owners) == 1:
                hint = example_hint(owners[0], self.scope, self.by)
                raise token_error(token, f"{what}, but of '{owners[0].verbs[0]}'", hint=hint)
            raise token_error(token, what, resolve.nearest_words(word, self.named), self.values.example())
        field = self.named[match.words[0]]
        self.set_field(token, field, self.values.parse(field, right[0]))
        return True

    def assign_answer(self, token: LineToken) -> bool:
        """Add `^sira:interpose`, an answer on the line of what it answers; False if the token is none."""
        field = next((field for field in self.fields if field.has("answers")), None)
        if field is None or token.raw[0] != ANSWER:
            return False
        self.set_field(token, field, self.values.parse(field.item, LineToken(token.raw[1:], token.column)), more=True)
        return True

    def assign_short(self, token: LineToken) -> bool:
        """Set the field of `v5`, letters and a value; False if the token is none."""
        short = self.split_short(token)
        if short:
            self.set_field(token, short[0], self.values.parse(*short))
        return short is not None

    def split_short(self, token: LineToken) -> tuple[Field, LineToken] | None:
        """Return the field with these letters, and the value behind them."""
        for form in (str, str.casefold):
            for field in self.syntax.short:
                letters = field.notes["short"]
                if form(token.raw[: len(letters)]) != form(letters):
                    continue
                rest = LineToken(token.raw[len(letters) :], token.column)
                if NUMBER.fullmatch(rest.raw) if field.shape in ("whole", "scalar") else rest.is_quoted:
                    return field, rest
        return None

    def is_field(self, token: LineToken) -> bool:
        """Whether the token has the form of a field, and is no task or verb."""
        return token.raw[0] in SIGNS or len(token.split("=", 1)) > 1 or self.split_short(token) is not None

    def bare_choices(self) -> list[str]:
        """Return the words that mean a field or its value by themselves."""
        flags = [field.name for field in self.syntax.bare if field.shape == "flag"]
        return [*flags, *(choice for field in self.syntax.bare for choice in field.item.choices)]

    def count_text_words(self, tokens: Sequence[LineToken]) -> int:
        """Return how many tokens go on a text of several words, as `for tracks` in `k look for tracks i v3`.

        They end with the last bare word that means nothing else before the first field, single letter or word
        that is known in full.
        """
        count = 0
        for index, token in enumerate(tokens, 1):
            matches = [self.match_field(field, token) for field in self.syntax.bare]
            full = any(words and (rank < 2 or len(token.raw) == 1) for rank, words in matches)
            is_name = token.is_quoted and token.text in self.scope.beings  # a name of several words
            if (token.has_quotes and not is_name) or self.is_field(token) or (full and not is_name):
                break
            if is_name or not any(words for _, words in matches):
                count = index
        return count

    def assign_word(self, token: LineToken) -> bool:
        """Set the one field that a bare word or number fits best; False if it fits none."""
        every = [(field, match) for field in self.syntax.bare if (match := self.match_field(field, token))[1]]
        matches = [(field, match) for field, match in every if self.is_open(field)] or [
            (field, match) for field, match in every if not (token.has_quotes or field.takes_text)
        ]
        best = min((rank for _, (rank, _) in matches), default=0)
        matches = [(field, match) for field, match in matches if match[0] == best]
        if not matches:
            return False
        meanings = [f"{field.name}={word}" for field, (_, words) in matches for word in words]
        if len(meanings) > 1:
            raise resolve.ambiguous_error(token, token.text, meanings)
        field = matches[0][0]
        if field.shape == "flag":
            self.set_field(token, field, True)
        elif field.shape == "list":
            for value in self.values.parse_items(field.item, token):
                self.set_field(token, field, value, more=True)
        else:
            self.set_field(token, field, self.values.parse(field, token))
        return True

    def match_field(self, field: Field, token: LineToken) -> tuple[int, list[str]]:
        """Return how well a word fits this field (0 is best) and what it may mean there: nothing if it does not fit."""
        item = field.item
        if field.has("entry"):
            return 1, [token.text] if ENTRY_ID.fullmatch(token.raw) else []
        if field.has("seconds"):
            span = SPAN.fullmatch(token.raw)
            return 1, [token.text] if span and span[2] else []
        word = token.text
        if field.has("being") and field.has("word"):
            if field.shape == "list" and not item.parts and (several := match_several(token, self.scope)).words:
                return 1, several.words
            match = resolve.match_being(token.split(":")[0].text if item.parts else word, self.scope)
            return max(match.rank, 1), match.words if match.exact or not token.has_quotes else []
        if item.shape in ("struct", "pair"):
            pieces = token.split(":")
            if len(pieces) < sum(part.required for part in item.parts):
                return 0, []
            token, item = pieces[0], item.parts[0]
        if token.has_quotes or not field.has("word", "after"):
            return 0, []
        if item.shape == "whole":
            return 1, [word] if is_number_of(field, word) else []
        known = [field.name] if item.shape == "flag" else item.choices or self.values.understood_words(field)
        match = resolve.match_phrase(resolve.full_word(token.text, known, self.scope), known)
        if field.has("after") and not field.has("word"):
            return 3, match.words if match.exact else []
        if field.has("whole") and not match.exact:
            return 0, []
        return match.rank + (match.exact and item.takes_text), match.words

    def assign_next(self, token: LineToken) -> None:
        """Set the next field in order that takes this quoted string or unknown word. Raises Unreadable if none does."""
        fields = [field for field in self.fields if field.takes_text and self.is_open(field)]
        words = [field for field in fields if field.has("word")]
        taking = [field for field in fields if field.is_positional] if token.is_quoted else words
        taking = taking or [field for field in words if field.shape == "list"]
        if not taking:
            raise self.unknown_token_error(token)
        self.unknown += [] if token.is_quoted else [token]
        field = next((each for each in taking if not (token.is_quoted and self.is_other_word(each, token))), taking[0])
        self.set_field(token, field, self.values.parse(field.item, token), more=True)

    def is_other_word(self, field: Field, token: LineToken) -> bool:
        """Whether the field takes one of certain words, and this text is none of them: it is the reason behind it."""
        known = list(self.values.known_words(field)) if field.has("after") else []
        return bool(known) and not resolve.match_word(token.text, known).exact

    def unknown_token_error(self, token: LineToken) -> Exception:
        """Return the error for a token that fits no field, with the words that may have been meant."""
        if NUMBER.fullmatch(token.raw) and (
            forms := number_forms(filter(self.is_open, self.fields), token.raw.removeprefix("+"))
        ):
            hint = f"Write one of: {', '.join(forms)}." if len(forms) > 1 else f"Write {forms[0]}."
            units = any(field.has("seconds") and field.required and self.is_open(field) for field in self.fields)
            many = "fits several fields" if len(forms) > 1 else "needs the letter of its field"
            many = "needs its unit" if units else many
            return token_error(token, f"the number {token.raw} {many}", hint=hint)
        if token.is_quoted:
            return token_error(token, f"{token.raw} is one text too many", hint=self.values.example())
        if (signed := resolve.match_word(token.text, self.signed_options("+"))).exact:
            return token_error(token, f"'{token.text}' lacks its sign", [f"+{signed.words[0]}"])
        words = [field.name for field in self.fields if field.shape == "flag" and field.has("word")]
        words += [choice for field in self.fields if field.has("word") for choice in field.item.choices]
        introduced = [field for field in self.fields if field.has("after") and self.is_open(field)]
        words += [word for field in introduced for word in self.values.known_words(field)]
        near = resolve.nearest_words(token.text, words)
        named = [f"{field.name}={token.raw}" for field in self.fields if field.is_named_being and self.is_open(field)]
        if named and not near and resolve.match_being(token.text, self.scope).words:
            hint = f"Write {' or '.join(named)}."
            return token_error(token, f"'{token.text}' needs the name of its field", hint=hint)
        if not near and self.awaits_being() and token.raw[0] not in (*SIGNS, ANSWER):
            return self.being_error(self.unknown[0] if self.unknown else token)
        hint = self.quotes_hint(token) or self.unknown_word_hint(token)
        return token_error(token, f"'{token.text}' does not fit here", near, hint)

    def being_error(self, token: LineToken) -> Exception:
        """Return the error for a word that names nobody, or several, where one being has to be named."""
        if match_several(token, self.scope).words:
            what = f"'{token.text}' are several, and '{self.kind.verbs[0]}' is for one"
            return token_error(token, what, hint="Write a line for each of them.")
        return resolve.nobody_error(token, self.scope)

    def quotes_hint(self, token: LineToken) -> str:
        """Return the hint to put unknown words in quotation marks, where a text can be given.

        They begin with the first word in this place that is unknown, and go on with all bare words behind it.
        """
        if not any(field.is_positional and self.is_open(field) for field in self.fields) or token.raw[0] in SIGNS:
            return ""
        first = last = self.tokens.index(token)
        while first > 0 and self.tokens[first - 1] in self.unknown:
            first -= 1
        while last + 1 < len(self.tokens) and self.tokens[last + 1].raw.isalpha():
            last += 1
        words = " ".join(each.raw for each in self.tokens[first : last + 1])
        return f"A text stands in quotation marks: {quote(words)}."

    def awaits_being(self) -> bool:
        """Whether a being has still to be named."""
        return any(field.needs_being and field.name not in self.given for field in self.fields)

    def unknown_word_hint(self, token: LineToken) -> str:
        """Return the words of the first field that must be given, else an example."""
        required = [field for field in self.fields if field.has("word") and field.required and self.is_open(field)]
        choices = [field.item.choices for field in required]
        is_word = token.raw[0] not in SIGNS
        return resolve.list_hint(list(choices[0])) if is_word and any(choices) else self.values.example()

    def assign_signed(self, token: LineToken) -> None:
        """Add the list item `+a1"rope"`, `+t`, `+help=orrin` or `-1"ice"`."""
        match = SIGNED_ITEM.fullmatch(token.raw)
        if match is None or len(token.raw) == 1:
            raise token_error(token, f"'{token.raw}' cannot be read", hint='Write it as in +1"rain helps".')
        word, number, glued, quoted = (LineToken(part, token.column) if part else None for part in match.groups())
        field, known = self.find_signed(token, word.raw if word else "", glued)
        if "=" in known:
            glued = None
        text = glued or quoted
        known_token = LineToken(quote(known), token.column) if known else None
        rest = text or known_token
        value: Any
        if field.item.shape == "struct" and known_token and not number:
            pieces = [known_token, text] if text else [known_token]
            value = self.values.parse_parts(field.item, pieces, token)
        elif field.item.shape in ("struct", "pair") and not known:
            value = self.values.parse_parts(field.item, align_parts(field.item, number, rest), token)
        elif (number and rest) or (number and field.item.shape == "text") or (known and text):
            raise token_error(token, f"'{token.raw}' has too many parts", hint=self.values.example())
        elif only_part := number or rest:
            value = self.values.parse(field.item, only_part)
        elif not field.takes_text:
            raise token_error(token, f"'{token.raw}' lacks its value", hint=f"Write it as in {token.raw}=...")
        else:
            value = self.given.get(self.kind.free, getattr(self.changed, self.kind.free, ""))
        self.set_field(token, field, value, more=True)

    def signed_options(self, sign: str) -> dict[str, tuple[Field, str]]:
        """Return what may stand behind the sign: the letters of a list, or a word that a list of words knows."""
        options: dict[str, tuple[Field, str]] = {}
        for field in self.fields:
            first = field.item.parts[0] if field.item.shape == "struct" else field.item
            if field.notes.get(SIGNS[sign]) == "" and first.shape == "text":
                options |= {known: (field, known) for known in self.values.known_words(field)}
        return options | {letters: (field, "") for letters, field in self.signed[sign].items()}

    def signed_hint(self, sign: str) -> str:
        """Return how an asset and a circumstance are written, where there are any; else the words with this sign."""
        if "a" in self.signed["+"]:
            return SIGNED_EXAMPLE
        options = self.signed_options(sign)
        known = sorted(sign + option for option in options if option)
        return (
            resolve.list_hint([*known, f'{sign}"..."'] if "" in options else known)
            if options
            else self.values.example()
        )

    def find_signed(self, token: LineToken, word: str, glued: LineToken | None) -> tuple[Field, str]:
        """Return the list with these letters; or the list that knows this word, and the word in full."""
        sign, options = token.raw[0], self.signed_options(token.raw[0])
        words = resolve.match_word(f"{word}={glued.text}", options).words if glued and word else []
        words = words or resolve.match_word(word, options).words
        if len(words) > 1:
            raise resolve.ambiguous_error(token, sign + word, [sign + option for option in words])
        if not words:
            near = [sign + option for option in resolve.nearest_words(word, options)]
            raise token_error(token, f"'{token.raw}' is unknown here", near, self.signed_hint(token.raw[0]))
        return options[words[0]]


def _has_field(kind: type[Declaration], name: str) -> bool:
    """Return whether a declaration has a field of exactly this name."""
    return any(field.name == name for field in fields_of(kind))
