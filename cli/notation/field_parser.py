"""The parser of one declaration: the tokens behind its verb, in any order, set its fields.

Each token is tried by name (`v5`, `effort=1`), then as a known word, then as the next text. Items of lists come last,
because they may refer to what the others set.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any, Final

from cli.notation.compounds import join_amounts, join_choices, join_phrases
from cli.notation.examples import example_hint
from cli.notation.field_matcher import SIGNED_ITEM, FieldMatcher, Fit
from cli.notation.free_text import ARTICLES, without_articles
from cli.notation.groups import match_several
from cli.notation.known_beings import match_being, nobody_error
from cli.notation.known_values import find_value_to_set
from cli.notation.known_words import ambiguous_error, find_nearest, list_hint, match_phrase, match_word, nearest_words
from cli.notation.schema import SIGNS, Field, fields_of, number_forms
from cli.notation.scope import Scope
from cli.notation.tokens import ANSWER_MARK, GM_MARK, NUMBER, LineToken, quote, token_error
from cli.notation.value_parser import align_parts
from ledger.declarations import Declaration
from ledger.errors import Unreadable
from ledger.facts import GM
from ledger.line_tokens import QUOTED
from ledger.name_match import fold_word
from rulebooks.common.beings import name_in_line

TEXT_HINT: Final = "A text stands in quotation marks: "


class FieldParser(FieldMatcher):
    """Collects the fields of one declaration in `given`."""

    def __init__(
        self, kind: type[Declaration], by: str, scope: Scope, verb: LineToken, changed: Declaration | None = None
    ) -> None:
        """`changed`: the declaration that the tokens change, if they are not a whole one."""
        super().__init__(kind, by, scope)
        self.verb, self.changed = verb, changed
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
            if len(missing) == 1 and self.named[missing[0]].is_positional and not self.kind.free:
                raise token_error(self.verb, lacking, hint=self.hint_with_text)
            choices = [list(self.named[name].item.choices) for name in missing[:1]]
            raise token_error(
                self.verb, lacking, hint=" ".join([*map(list_hint, filter(None, choices)), self.values.example()])
            )
        return self.kind(by=self.by, **self.given)

    def hint_with_text(self) -> str:
        """Return the hint that shows this line with the text of the example; the example where that cannot be read."""
        example = self.values.example()
        text = QUOTED.search(example)
        tokens = [*self.tokens, LineToken(text[0], self.verb.column)] if text else []
        try:
            FieldParser(self.kind, self.by, self.scope, self.verb).parse(tokens)
        except Unreadable:
            return example
        who = GM_MARK if self.by == GM else name_in_line(self.by)
        who = f"{ANSWER_MARK} {who}" if self.kind.answers else who
        return f"For example: {who} {' '.join(token.raw for token in (self.verb, *tokens))}."

    def assign(self, tokens: Iterable[LineToken]) -> None:
        """Set the fields that the tokens give. Raises Unreadable for a token that fits no field."""
        named = without_articles(list(tokens), lambda token: bool(match_being(token.text, self.scope).words))
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

    def assign_after(self, tokens: Sequence[LineToken]) -> list[LineToken]:
        """Set the fields whose word introduces the next token (`with pistol`), and return the other tokens."""
        introduced = self.syntax.introduced
        rest, left = list[LineToken](), list(tokens)
        while left:
            token = left.pop(0)
            field = introduced.get(fold_word(token.raw))
            if field is None or not left:
                rest.append(token)
                continue
            understood = list(self.values.understood_words(field))
            while len(left) > 1 and left[0].raw in ARTICLES and not match_phrase(left[0].text, understood).exact:
                left.pop(0)  # `with the harpoon`
            value = left.pop(0)
            known = list(self.values.known_words(field))
            is_number = field.has("numbers") and NUMBER.fullmatch(value.raw)
            if not (value.has_quotes or is_number or match_phrase(value.text, understood).words):
                what = f"'{value.text}' is not known here"
                hint = list_hint(known) if known else f"Leave it out, and the '{token.text}' before it"
                raise token_error(value, what, find_nearest(value.text, known), hint)
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
        meant = match_being(first.raw, self.scope).words
        others = [other[0] for token in rest if (other := self.split_short(token))]
        named = any(self.match_field(field, token).words for token in rest if not self.split_short(token))
        if len(meant) != 1 or named or any(other is not short[0] and other.default is None for other in others):
            return tokens
        return [LineToken(quote(meant[0]), first.column), *rest]

    def set_field(self, token: LineToken, field: Field, value: Any, *, more: bool = False) -> None:
        """Set a field, or with `more` append to a list. Raises Unreadable if the field is set already."""
        if field.shape == "list" and more:
            value = (*self.given.get(field.name, ()), value)
        elif field.name in self.given:
            raise token_error(token, f"{field.name} is given twice", hint="Give it once.")
        if field.name == self.kind.free and not value.strip():
            raise token_error(token, "the text is empty", hint=self.values.example)
        self.given[field.name] = value

    def is_open(self, field: Field) -> bool:
        """Whether the field may still be given a value."""
        return field.shape == "list" or field.name not in self.given

    def assign_named(self, token: LineToken) -> bool:
        """Set the field of `name=value`, `kess.might=3` or `v5`; False if the token is none of them."""
        if self.signed.get(token.raw[0]) or token.raw[0] == ANSWER_MARK or self.is_dice(token):
            return False
        left, *right = token.split("=", 1)
        if not right:
            return self.assign_short(token)
        if len(left.split(":")) > 1:
            return False
        word, pairs = left.text, next((field for field in self.fields if field.has("sets")), None)
        match = match_word(word, self.named)
        if pairs and not match.exact and ("." in word or match_word(word, self.scope.values()).exact):
            name = LineToken(quote(find_value_to_set(left, word, self.scope)), token.column)
            self.set_field(token, pairs, self.values.parse_parts(pairs.item, [name, *right], token), more=True)
            return True
        if len({self.named[name].name for name in match.words}) > 1:
            raise ambiguous_error(token, word, match.words)
        if not match.words:
            what = f"'{word}' is not part of '{self.kind.verbs[0]}'"
            owners = [kind for kind in self.scope.declarations if kind.verbs and _has_field(kind, word)]
            if len(owners) == 1:
                hint = partial(example_hint, owners[0], self.scope, self.by)
                raise token_error(token, f"{what}, but of '{owners[0].verbs[0]}'", hint=hint)
            raise token_error(token, what, find_nearest(word, self.named), self.values.example)
        field = self.named[match.words[0]]
        self.set_field(token, field, self.values.parse(field, right[0]))
        return True

    def assign_answer(self, token: LineToken) -> bool:
        """Add `^sira:interpose`, an answer on the line of what it answers; False if the token is none."""
        field = next((field for field in self.fields if field.has("answers")), None)
        if field is None or token.raw[0] != ANSWER_MARK:
            return False
        self.set_field(token, field, self.values.parse(field.item, LineToken(token.raw[1:], token.column)), more=True)
        return True

    def assign_short(self, token: LineToken) -> bool:
        """Set the field of `v5`, letters and a value; False if the token is none."""
        short = self.split_short(token)
        if short:
            self.set_field(token, short[0], self.values.parse(*short))
        return short is not None

    def assign_word(self, token: LineToken) -> bool:
        """Set the one field that a bare word or number fits best; False if it fits none."""
        every = [(field, match) for field in self.syntax.bare if (match := self.match_field(field, token)).words]
        matches = [(field, match) for field, match in every if self.is_open(field)] or [
            (field, match) for field, match in every if not (token.has_quotes or field.takes_text)
        ]
        best = min((match.fit for _, match in matches), default=Fit.CHOICE)
        matches = [(field, match) for field, match in matches if match.fit == best]
        if not matches:
            return False
        meanings = [f"{field.name}={word}" for field, match in matches for word in match.words]
        if len(meanings) > 1:
            raise ambiguous_error(token, token.text, meanings)
        field = matches[0][0]
        if field.shape == "flag":
            self.set_field(token, field, True)
        elif field.shape == "list":
            for value in self.values.parse_items(field.item, token):
                self.set_field(token, field, value, more=True)
        else:
            self.set_field(token, field, self.values.parse(field, token))
        return True

    def assign_next(self, token: LineToken) -> None:
        """Set the next field in order that takes this quoted string or unknown word. Raises Unreadable if none does."""
        fields = [field for field in self.fields if field.takes_text and self.is_open(field)]
        words = [field for field in fields if field.has("word")]
        taking = [field for field in fields if field.is_positional] if token.is_quoted else words
        taking = taking or [field for field in words if field.shape == "list"]
        if not taking and token.is_quoted:  # `block "round shield"`: a known word, or the only text: a rule refuses it
            is_only = len(words) == 1 and not any(field.is_positional for field in self.fields)
            taking = [field for field in words if is_only or self.is_known(field, token)]
        if not taking or (token.raw[0] in SIGNS and token.has_quotes):  # `+1"rain"` is no word of a text
            raise self.unknown_token_error(token)
        self.unknown += [] if token.is_quoted else [token]
        field = next((each for each in taking if not (token.is_quoted and self.is_other_word(each, token))), taking[0])
        self.set_field(token, field, self.values.parse(field.item, token), more=True)

    def is_known(self, field: Field, token: LineToken) -> bool:
        """Whether the field knows this word in full, as `block "round shield"` has it in quotation marks."""
        return match_word(token.text, self.values.understood_words(field)).exact

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
            if self.awaits_being():  # the text before it named nobody
                return nobody_error(next(each for each in self.tokens if each.is_quoted), self.scope)
            return token_error(token, f"{token.raw} is one text too many", hint=self.values.example)
        if (signed := match_word(token.text, self.signed_options("+"))).exact:
            return token_error(token, f"'{token.text}' lacks its sign", [f"+{signed.words[0]}"])
        words = [field.name for field in self.fields if field.shape == "flag" and field.has("word")]
        words += [choice for field in self.fields if field.has("word") for choice in field.item.choices]
        introduced = [field for field in self.fields if field.has("after") and self.is_open(field)]
        words += [word for field in introduced for word in self.values.known_words(field)]
        near = nearest_words(token.text, words)
        named = [f"{field.name}={token.raw}" for field in self.fields if field.is_named_being and self.is_open(field)]
        if named and not near and match_being(token.text, self.scope).words:
            hint = f"Write {' or '.join(named)}."
            return token_error(token, f"'{token.text}' needs the name of its field", hint=hint)
        if not near and self.awaits_being() and token.raw[0] not in (*SIGNS, ANSWER_MARK):
            return self.being_error(self.unknown[0] if self.unknown else token)
        written = [field.name for field in self.fields if token.text in field.item.choices and not field.has("word")]
        if written and not near:
            return token_error(
                token, f"'{token.text}' needs the name of its field", hint=f"Write {written[0]}={token.text}."
            )
        hint = self.quotes_hint(token) or self.unknown_word_hint(token)
        return token_error(token, f"'{token.text}' does not fit here", near, hint)

    def being_error(self, token: LineToken) -> Exception:
        """Return the error for a word that names nobody, or several, where one being has to be named."""
        if match_several(token, self.scope).words:
            what = f"'{token.text}' are several, and '{self.kind.verbs[0]}' is for one"
            return token_error(token, what, hint="Write a line for each of them.")
        return nobody_error(token, self.scope)

    def quotes_hint(self, token: LineToken) -> str:
        """Return the hint to put unknown words in quotation marks, where a text can be given.

        They begin with the first word in this place that is unknown, and go on with all bare words behind it.
        """
        first = last = self.tokens.index(token)
        still_to_come = sum(each.is_quoted for each in self.tokens[first:])
        if sum(field.is_positional and self.is_open(field) for field in self.fields) <= still_to_come:
            return ""
        if token.raw[0] in SIGNS:
            return ""
        while first > 0 and self.tokens[first - 1] in self.unknown:
            first -= 1
        while last + 1 < len(self.tokens) and self.tokens[last + 1].raw.isalpha():
            last += 1
        words = " ".join(each.raw for each in self.tokens[first : last + 1])
        return f"{TEXT_HINT}{quote(words)}."

    def awaits_being(self) -> bool:
        """Whether a being has still to be named."""
        return any(field.needs_being and field.name not in self.given for field in self.fields)

    def unknown_word_hint(self, token: LineToken) -> str:
        """Return the words of the first field that must be given, else an example."""
        required = [field for field in self.fields if field.has("word") and field.required and self.is_open(field)]
        choices = [field.item.choices for field in required]
        is_word = token.raw[0] not in SIGNS
        return list_hint(list(choices[0])) if is_word and any(choices) else self.values.example()

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
            raise token_error(token, f"'{token.raw}' has too many parts", hint=self.values.example)
        elif only_part := number or rest:
            value = self.values.parse(field.item, only_part)
        elif not field.takes_text:
            raise token_error(token, f"'{token.raw}' lacks its value", hint=f"Write it as in {token.raw}=...")
        else:
            value = self.given.get(self.kind.free, getattr(self.changed, self.kind.free, ""))
        self.set_field(token, field, value, more=True)


def _has_field(kind: type[Declaration], name: str) -> bool:
    """Return whether a declaration has a field of exactly this name."""
    return any(field.name == name for field in fields_of(kind))
