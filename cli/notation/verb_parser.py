"""The parser of what follows the speaker: the verb decides the kind of declaration, `field_parser` reads its fields.

A word of a free field, of a field that may stand in place of the verb, or a value and a signed number may be the verb.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache, partial
from itertools import takewhile
from typing import Final

import msgspec

from cli.notation import known_words
from cli.notation.compounds import join_phrases
from cli.notation.examples import example_hint
from cli.notation.field_parser import FieldParser
from cli.notation.free_text import check_no_slip, is_word, only_known, read_free_text
from cli.notation.known_beings import find_being
from cli.notation.known_values import find_values, new_value_error
from cli.notation.scope import Scope
from cli.notation.tokens import ANSWER_MARK, GM_MARK, LINE_COMMANDS, SIGNED_NUMBER, LineToken, quote, token_error
from ledger.declarations import Declaration
from ledger.facts import GM
from ledger.name_match import Match, fold_word
from rulebooks.common.adjustments import Adjust
from rulebooks.common.beings import name_in_line

Kind = type[Declaration]

LACKS_REASON: Final = "the change lacks its reason"
MISTYPED: Final = 0.7  # how much a free text that nobody knows must look like a known word to be taken for it
ABBREVIATED: Final = 4  # fewer letters before more words are short for a known word: `sn past the guard`


def find_kind_of_anyone(verb: LineToken, scope: Scope) -> Kind | None:
    """Return the declaration with this verb, in full, that people may say who are not in play."""
    return next((kind for kind in scope.declarations if kind.by_anyone and verb.raw in kind.verbs), None)


def answer_kinds(scope: Scope) -> list[Kind]:
    """Return the declarations that answer an announcement."""
    return [kind for kind in scope.declarations if kind.answers]


def kinds_by_side(scope: Scope) -> tuple[Sequence[Kind], Sequence[Kind]]:
    """Return what beings may say, and what the game master's side may: asides, and what needs no speaker."""
    return _divide_kinds(tuple(scope.declarations))


@lru_cache(maxsize=16)
def _divide_kinds(declarations: Sequence[Kind]) -> tuple[Sequence[Kind], Sequence[Kind]]:
    """Divide the declarations of a game, which are the same for all of its lines."""
    kinds = [kind for kind in declarations if kind.verbs and not kind.by_anyone and not kind.answers]
    return tuple(kind for kind in kinds if not kind.aside), tuple(kind for kind in kinds if kind.aside or kind.alone)


def parse_verb(
    tokens: list[LineToken], kinds: Sequence[Kind], others: Sequence[Kind], by: str, scope: Scope
) -> Declaration:
    """Parse the declaration of one of `kinds` that the first token begins: a verb, or words of the free field."""
    if not tokens[0].text.strip():
        hint = partial(example_hint, kinds[0], scope, by)
        raise token_error(tokens[0], "the text is empty", hint=hint)
    verb, *rest = tokens = join_verb(tokens, kinds, by, scope)
    if adjustment := _parse_adjustment(tokens, kinds, by, scope):
        return adjustment
    free = next((kind for kind in kinds if kind.free), None)
    options = {word: (kind, "") for kind in kinds for word in kind.verbs}
    taken = {fold_word(word) for word in options}
    if free:
        known = (word for word in scope.words(free, free.free, by) if fold_word(word) not in taken)
        options |= {word: (free, word) for word in known}
    exact, words = Match(False, []) if verb.has_quotes else known_words.match_word(verb.text, options)
    if not (exact or verb.has_quotes):
        check_not_other_side(verb, others, by, scope)
    named = {} if exact or verb.has_quotes else verb_words(kinds, by, scope)
    if named and (match := known_words.match_word(verb.text, named)).exact:
        word = match.words[0]
        return FieldParser(named[word], by, scope, verb).parse(rest, word)
    if len({options[word] for word in words}) > 1:
        raise known_words.ambiguous_error(verb, verb.text, words)
    if words:
        kind, text = options[words[0]]
        if text:
            return _parse_free(tokens, kind, by, scope, text)
        parser = FieldParser(kind, by, scope, verb)
        if kind is free and rest and not rest[0].has_quotes and parser.count_text_words(rest):
            return _parse_free(rest, kind, by, scope)
        return parser.parse(rest)
    if free is None:
        _check_no_new_value(tokens, by, scope)
        near = known_words.find_nearest(verb.text, options)
        raise token_error(verb, f"'{verb.text}' is not a verb here", near, known_words.list_hint(list(options)))
    if FieldParser(free, by, scope, verb).is_field(verb):
        return FieldParser(free, by, scope, verb).parse(tokens)
    return _parse_free(tokens, free, by, scope)


def _parse_free(tokens: Sequence[LineToken], kind: Kind, by: str, scope: Scope, start: str = "") -> Declaration:
    """Parse a declaration that begins with words of its free field; `start`: the known word that the first one begins.

    A text of several words is rolled as the known word in it, if no other is named.
    """
    verb, *rest = tokens
    parser = FieldParser(kind, by, scope, verb)
    rest = parser.without_article(rest) if start else rest
    letters = [field.notes["short"] for field in parser.syntax.short]  # that lack their number
    behind = list(takewhile(lambda token: is_word(token) and token.raw not in letters, rest)) if start else rest
    count = 0 if verb.has_quotes else parser.count_text_words(behind)
    words = verb.text.split() if verb.has_quotes else [token.text for token in tokens[: count + 1]]
    known: Sequence[str] = ()
    if start and not count:
        text = start
    elif len(words) == 1 and verb.has_quotes:
        text = verb.text
    else:
        check_no_slip(rest[:count] if start else (), parser.bare_choices())
        is_short = start and " " not in start and len(verb.text) < ABBREVIATED
        words = [start, *words[1:]] if is_short else words
        skills = scope.words(kind, kind.free_as, by) if kind.free_as else ()
        text, known = read_free_text(words, skills, scope.words(kind, "verb", by) if kind.free_as else ())
        text = verb.text if verb.has_quotes else text
    said = parser.parse(rest[count:], text)
    if known and not getattr(said, kind.free_as):
        said = msgspec.structs.replace(said, **{kind.free_as: only_known(verb, known, kind.free_as)})
    return said


def join_verb(tokens: Sequence[LineToken], kinds: Sequence[Kind], by: str, scope: Scope) -> list[LineToken]:
    """Return the tokens with a verb of several words in one: `short rest`, `pick locks`."""
    verbs = [*(verb for kind in kinds for verb in kind.verbs), *verb_words(kinds, by, scope)]
    verbs += [word for kind in kinds if kind.free for word in scope.words(kind, kind.free, by)]
    return join_phrases(tokens, verbs, 1)


def verb_words(kinds: Sequence[Kind], by: str, scope: Scope) -> dict[str, Kind]:
    """Return the words that may stand in place of a verb, with the declaration of each: `trip` for `maneuver trip`."""
    naming = [kind for kind in kinds if kind.verb_field]
    return {word: kind for kind in naming for word in scope.words(kind, kind.verb_field, by)}


def nearest_to_free_text(said: Declaration, scope: Scope) -> list[str]:
    """Return the verbs and known words that an unknown free text looks like: `sneak` for the task `sneek`."""
    kind = type(said)
    text = str(getattr(said, kind.free, "")) if kind.free else ""
    known = list(scope.words(kind, kind.free, said.by)) if text else []
    if not text or known_words.match_word(text, known).words or (kind.free_as and getattr(said, kind.free_as)):
        return []
    verbs = [verb for other in kinds_by_side(scope)[0] for verb in other.verbs]
    return known_words.nearest_words(text.split()[0], [*known, *verbs], MISTYPED)[:1]


def _parse_adjustment(tokens: list[LineToken], kinds: Sequence[Kind], by: str, scope: Scope) -> Declaration | None:
    """Parse `hp -3 "the stairs"`: a value and a number with its sign in place of a verb; None for anything else."""
    tokens = _join_value(tokens, "" if by == GM else by, scope)
    values = find_adjusted_values(tokens, "" if by == GM else by, scope) if Adjust in kinds else []
    if not values:
        return None
    value, change, *rest = tokens
    if not rest:
        who = GM_MARK if by == GM else name_in_line(by)
        raise token_error(value, LACKS_REASON, hint=f'Write why: {who} {value.raw} {change.raw} "as we agreed"')
    named = [
        LineToken(f"value={quote(known_words.only_one(value, values))}", value.column),
        LineToken(f"change={change.raw}", change.column),
    ]
    return FieldParser(Adjust, by, scope, value).parse([*named, *rest])


def _join_value(tokens: list[LineToken], who: str, scope: Scope) -> list[LineToken]:
    """Return the tokens with the words before the first signed number in one, if they are together a value."""
    count = next((index for index, token in enumerate(tokens) if SIGNED_NUMBER.fullmatch(token.raw)), 0)
    words = tokens[:count]
    if count < 2 or any(token.has_quotes for token in words):
        return tokens
    name = " ".join(token.raw for token in words)
    is_value = find_values(name, who, scope).exact
    return [LineToken(quote(name), tokens[0].column), *tokens[count:]] if is_value else tokens


def find_adjusted_values(tokens: Sequence[LineToken], who: str, scope: Scope) -> list[str]:
    """Return the values that the first token may mean before a number with its sign: in quotes by their whole name."""
    if len(tokens) < 2 or not SIGNED_NUMBER.fullmatch(tokens[1].raw):
        return []
    match = find_values(tokens[0].text, who, scope)
    return match.words if match.exact or not tokens[0].has_quotes else []


def _check_no_new_value(tokens: Sequence[LineToken], by: str, scope: Scope) -> None:
    """Raise Unreadable for `kess.wound +2` if Kess has no such value: a change needs one, a ruling sets a new one."""
    if len(tokens) < 2 or not SIGNED_NUMBER.fullmatch(tokens[1].raw):
        return
    token, change = tokens[:2]
    owner, dot, value = token.text.partition(".")
    if not dot:
        owner, value = by, token.text
    if owner != GM:
        raise new_value_error(token, find_being(token, owner, scope), value, change.raw, scope)


def check_not_verb(word: LineToken, kinds: Sequence[Kind], scope: Scope) -> None:
    """Raise Unreadable for a line that begins with its verb, where a name has to be."""
    if kind := known_words.find_kind_of_verb(word.text, kinds):
        raise token_error(word, f"'{word.text}' needs a speaker before it", hint=partial(example_hint, kind, scope))


def check_not_other_side(verb: LineToken, others: Sequence[Kind], by: str, scope: Scope) -> None:
    """Raise Unreadable for a verb of the other side, and for a line command."""
    word = f"'{verb.text}'"
    if verb.raw in LINE_COMMANDS:
        raise token_error(verb, f"{word} is a line of its own", hint="Write it alone; as a task, in quotation marks.")
    kind = known_words.find_kind_of_verb(verb.text, others)
    if kind is None:
        return
    example = partial(example_hint, kind, scope, by)
    if kind.answers:
        raise token_error(
            verb, f"{word} answers an announcement", hint=lambda: f"Start with {ANSWER_MARK}. {example()}"
        )
    if by == GM or not kind.aside:
        raise token_error(verb, f"{word} needs a speaker in play", hint=example)
    task = ", or write a task in quotation marks" if any(each.free for each in scope.declarations) else ""
    raise token_error(
        verb, f"{word} belongs to the game master's side", hint=lambda: f"Start with {GM_MARK}{task}. {example()}"
    )
