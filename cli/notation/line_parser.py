"""The line grammar, made from the declarations themselves: their fields, types and `say` notes. No game by name.

`read` takes what a person types, leniently: prefixes, short letters, any order. `speak` (cli/speaking) gives the
one canonical line: whole names, texts in quotation marks. Reading it gives the same declaration again, whatever
else is known at the table, as long as the beings and values that it names are. What a rule has an opinion on
passes through.

Here: what kind of line it is, who says it and with which verb, telling and claims.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

import msgspec

from cli.notation.claims import claimed_behind, outcome_claimed
from cli.notation.declaration_parser import Reader
from cli.notation.schema import example
from cli.notation.scope import Around, being_meant, only, unknown_value, values_meant
from cli.notation.tokens import (
    COMMANDS,
    NUMBER,
    TOLD,
    Fit,
    Token,
    blanked,
    faces_typed,
    fitting,
    fold,
    nearest,
    normal_line,
    there,
    tokens_of,
    unclear,
    wrong,
)
from ledger import names
from ledger.builtin import AddWords, Claim, Tell
from ledger.declarations import Declaration
from ledger.errors import Unreadable
from ledger.facts import GM, Claims, Scalar
from rulebooks.common.adjustments import Adjust
from rulebooks.common.announcements import Announce, announcement

__all__ = ["COMMANDS", "Around", "Said", "read"]

GLUED = re.compile(r"([^0-9+-]+)([+-]?[0-9]+)")

PAUSE: Final = "..."
SIGNED = re.compile(r"[+-][0-9]+", re.ASCII)


class Said(msgspec.Struct, frozen=True):
    """What a line says: the declaration, the faces typed in (None: none are), the line itself, and its claims."""

    said: Declaration
    faces: tuple[int, ...] | None
    line: str
    claims: Claims = ()


def read(text: str, around: Around) -> Said | None:
    """What this line says; None for an empty line and for a `; comment`.

    Raises Unreadable with what is wrong, the column where, and the mend.
    """
    line = normal_line(text)
    bare = line.lstrip()
    start, rest = bare[:1], blanked(line)
    if start in ("", ";"):
        return None
    faces: tuple[int, ...] | None = None
    claims: Claims = ()
    if start in TOLD:
        said: Declaration = Tell(by=GM, kind=TOLD[start], who=GM, text=_told(line, rest))
    elif start == '"' and bare[1:2].strip() == "":
        said = _quote(line, rest, around)
    elif start == "=":
        said = _claim(Token(start, len(line) - len(bare) + 1), tokens_of(rest), around)
    else:
        tokens, claimed = claimed_behind(tokens_of(rest if start in ("!", "^") else line))
        tokens, faces = faces_typed(tokens)
        tokens, pause = _announced(tokens, around)
        if start == "^":
            said = _answer(line, tokens, around)
        else:
            said = _aside(line, tokens, around) if start == "!" else _spoken(tokens, around)
        said = announcement(said) if pause else said
        claims = outcome_claimed(claimed, around)
    return Said(said, faces, line.strip(), claims)


def _announced(tokens: list[Token], around: Around) -> tuple[list[Token], bool]:
    """The tokens without a `...` at their end, and whether it stood there. Raises Unreadable where none may."""
    if not tokens or tokens[-1].raw != PAUSE:
        return tokens, False
    if Announce not in around.kinds:
        raise wrong(tokens[-1], "nothing is announced in this game", hint="Say it without the ....")
    return tokens[:-1], True


# Who says it, and with which verb


def _spoken(tokens: list[Token], around: Around) -> Declaration:
    """`k sneak v5`, `close`, `ana words "brass kettle"`."""
    if not tokens:
        raise Unreadable("nobody says anything", where="column 1", hint="Write who does what before the faces.")
    first, *rest = tokens
    if first.raw in COMMANDS:
        raise wrong(first, f"'{first.raw}' is a line of its own", hint="Say it alone.")
    if rest and AddWords in around.kinds and rest[0].raw in AddWords.verbs:
        by = names.valid_name(first.text, where=first.where)
        return Reader(AddWords, by, around, rest[0]).said(rest[1:])
    everybody, asides = _sides(around)
    meant = fitting(first.text, around.names, inside=True)
    alone = next((kind for kind in asides if fitting(first.text, kind.verbs).exact), None)
    if alone and not meant.exact and not first.literal:
        if alone in everybody:
            return Reader(alone, GM, around, first).said(rest)
        if not meant.found:
            _not_mine(first, asides, "")
    by = being_meant(first, first.text, around)
    if not rest:
        raise wrong(first, f"{by} says nothing", hint=example(everybody[0]) if everybody else "")
    return _begun(rest, everybody, [*asides, *_answers(around)], by, around)


def _answers(around: Around) -> list[type[Declaration]]:
    """What answers an announcement."""
    return [kind for kind in around.kinds if kind.answers]


def _aside(line: str, tokens: list[Token], around: Around) -> Declaration:
    """`! doom 2 "reinforcements"`, `! brute pass`: the game master's side, or a being of it."""
    everybody, asides = _sides(around)
    if not tokens:
        raise Unreadable("the game master says nothing", where=f"column {len(line)}", hint="Write a verb behind the !.")
    verbs = [verb for kind in asides for verb in kind.verbs]
    if not fitting(tokens[0].text, verbs).found and fitting(tokens[0].text, around.names, inside=True).found:
        return _spoken(tokens, around)
    return _begun(tokens, asides, everybody, GM, around)


def _answer(line: str, tokens: list[Token], around: Around) -> Declaration:
    """`^ sira interpose`: what answers an announcement."""
    kinds = _answers(around)
    if len(tokens) < 2:
        raise Unreadable(
            "nobody answers" if not tokens else f"{tokens[0].text} answers nothing",
            where=f"column {len(line)}",
            hint=example(kinds[0]) if kinds else "",
        )
    first, *rest = tokens
    everybody, asides = _sides(around)
    return _begun(rest, kinds, [*everybody, *asides], being_meant(first, first.text, around), around)


def _sides(around: Around) -> tuple[list[type[Declaration]], list[type[Declaration]]]:
    """What beings may say, and what the game master's side may: asides, and what says nothing about anybody."""
    kinds = [kind for kind in around.kinds if kind.verbs and kind is not AddWords and not kind.answers]
    return [kind for kind in kinds if not kind.aside], [kind for kind in kinds if kind.aside or kind.alone]


def _begun(
    tokens: list[Token],
    kinds: Sequence[type[Declaration]],
    others: Sequence[type[Declaration]],
    by: str,
    around: Around,
) -> Declaration:
    """The declaration of one of these kinds that the first token begins: a verb, or words of the free field."""
    verb, *rest = tokens
    if adjustment := _adjusted(tokens, kinds, by, around):
        return adjustment
    free = next((kind for kind in kinds if kind.free), None)
    options = {word: (kind, "") for kind in kinds for word in kind.verbs}
    taken = {fold(word) for word in options}
    if free:
        known = (word for word in around.words(free, free.free, by) if fold(word) not in taken)
        options |= {word: (free, word) for word in known}
    exact, found = Fit(False, []) if verb.literal else fitting(verb.text, options)
    if not (exact or verb.literal):
        _not_mine(verb, others, by)
    if len({options[word] for word in found}) > 1:
        raise unclear(verb, verb.text, found)
    if found:
        kind, text = options[found[0]]
        return Reader(kind, by, around, verb).said(rest, text)
    if free is None:
        raise wrong(verb, f"'{verb.text}' is no verb here", nearest(verb.text, options), there(list(options)))
    reader = Reader(free, by, around, verb)
    return reader.said(tokens) if reader.part(verb) else reader.said(rest, verb.text)


def _adjusted(tokens: list[Token], kinds: Sequence[type[Declaration]], by: str, around: Around) -> Declaration | None:
    """`k hp -3 "the stairs"`: a value and a number with its sign, where a verb would stand; None for anything else."""
    if Adjust not in kinds or len(tokens) < 2 or not SIGNED.fullmatch(tokens[1].raw) or tokens[0].literal:
        return None
    value, change, *rest = tokens
    who = "" if by == GM else by
    meant = values_meant(value.text, who, around).found
    if not meant:
        return None
    named = Token(f"value={only(value, meant)}", value.at)
    return Reader(Adjust, by, around, value).said([named, Token(f"change={change.raw}", change.at), *rest])


def _not_mine(verb: Token, others: Sequence[type[Declaration]], by: str) -> None:
    """Raises Unreadable for a verb of the other side, and for a command."""
    if verb.raw in COMMANDS:
        raise wrong(verb, f"'{verb.raw}' is a line of its own", hint="Say it alone; as a task, in quotation marks.")
    for kind in others:
        if not fitting(verb.text, kind.verbs).exact:
            continue
        if kind.answers:
            raise wrong(verb, f"'{verb.text}' answers what is announced", hint=f"Say it with ^. {example(kind)}")
        if by == GM or not kind.aside:
            raise wrong(verb, f"'{verb.text}' is said by somebody in play", hint=example(kind))
        raise wrong(verb, f"'{verb.text}' is said by the game master's side", hint=f"Say it with !. {example(kind)}")


# Telling and claiming


def _told(line: str, rest: str) -> str:
    """What stands behind the mark. Raises Unreadable when nothing does."""
    if not rest.strip():
        raise Unreadable("nothing is told", where=f"column {len(line)}", hint="Write it behind the mark.")
    return rest.strip()


def _quote(line: str, rest: str, around: Around) -> Tell:
    """`" k: I was never here`."""
    name, colon, text = rest.partition(":")
    token = Token(name.strip(), len(name) - len(name.lstrip()) + 1)
    if not colon or not token.raw:
        raise wrong(token, "nobody is quoted", hint='Write it as in " k: I was never here.')
    who = being_meant(token, token.raw, around)
    return Tell(by=who, kind="quote", who=who, text=_told(line, text))


def _claim(mark: Token, tokens: list[Token], around: Around) -> Claim:
    """`= k hp 9 M13`, `= doom=4`: values read aloud."""
    who, values, rest = "", dict[str, Scalar](), list(tokens)
    while rest:
        token = rest.pop(0)
        left, *right = token.split("=", 1)
        meant = values_meant(left.text, who, around)
        beings = fitting(left.text, [] if right else around.names, inside=True)
        glued = GLUED.fullmatch(token.raw)
        if beings.found and not (meant.found if who else meant.exact and not beings.exact):
            who = only(left, [*beings.found, *([] if beings.exact else meant.found)])
            continue
        if not meant.found and glued:
            left, right = Token(glued[1], token.at), [Token(glued[2], token.at)]
            meant = values_meant(left.text, who, around)
        elif not right and rest and (NUMBER.fullmatch(rest[0].raw) or rest[0].quoted):
            right = [rest.pop(0)]
        if not meant.found:
            raise unknown_value(left, who, around)
        value = only(left, meant.found)
        if not right or not right[0].raw or value in values:
            what = f"{value} is claimed twice" if value in values else f"'{token.text}' has no number behind it"
            raise wrong(token, what, hint="Write it as in: = k hp 9.")
        number = NUMBER.fullmatch(right[0].raw)
        values[value] = names.parse_whole(right[0].raw, where=token.where) if number else right[0].text
    if not values:
        raise wrong(mark, "nothing is claimed", hint="Write it as in: = k hp 9.")
    return Claim(by=GM, values=tuple(values.items()))
