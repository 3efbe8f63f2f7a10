"""The parser of lines. Its grammar is made from the declarations: their fields, types and `syntax` notes.

It takes what a person types leniently: abbreviations, short letters, any order. `format_declaration` writes the one
canonical line: whole names, texts in quotation marks. Parsing that line gives the same declaration again, whatever
else is known, as long as the beings and values that it names are. The rules are not asked here.

This module finds the kind of a line and its speakers, `verb_parser` reads what they say.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Final

import msgspec

from cli.notation import verb_parser
from cli.notation.claims import CLAIM_LINE_MARK, parse_claim_line, parse_claims, split_claims
from cli.notation.examples import example_hint
from cli.notation.field_parser import FieldParser
from cli.notation.groups import find_beings, find_stem, join_lists, match_several
from cli.notation.known_beings import find_being, join_names, match_being
from cli.notation.known_words import find_kind_of_verb, match_word
from cli.notation.schema import fields_of
from cli.notation.scope import Scope
from cli.notation.tokens import (
    ANSWER_MARK,
    GM_MARK,
    LINE_COMMANDS,
    PAUSE,
    SECRET_MARK,
    TELL_MARKS,
    LineToken,
    blank_mark,
    faces_at_end,
    is_quote,
    normalize_line,
    quote,
    split_faces,
    token_error,
    tokenize,
)
from ledger import names
from ledger.builtin import Tell
from ledger.declarations import Declaration
from ledger.errors import Unreadable
from ledger.facts import GM, Claims
from ledger.line_tokens import FACES
from rulebooks.common.announcements import Announce, announcement

NO_ANNOUNCEMENTS: Final = "this game has no announcements"


class ParsedLine(msgspec.Struct, frozen=True):
    """The declaration of a line, with its typed faces and claims.

    `faces`: those that were typed (None: none are). `line`: the line without spaces around it. `announced`: it ends in
    `...`, so that others may answer first. `secret`: it begins with `!!`, so that only the game master sees its entry.
    """

    declaration: Declaration
    faces: tuple[int, ...] | None
    line: str
    claims: Claims = ()
    announced: bool = False
    secret: bool = False

    @property
    def seen(self) -> str:
        """Who sees its entry: the table, or the game master alone."""
        return GM if self.secret else "table"

    @property
    def recorded(self) -> Declaration:
        """The declaration that is recorded: an announcement, if it is announced."""
        return announcement(self.declaration) if self.announced else self.declaration


def parse_line(text: str, scope: Scope) -> ParsedLine | None:
    """Parse a line as somebody typed it; None for an empty line and a `; comment`.

    Raises Unreadable with what is wrong, the column and what to write instead.
    """
    return parse_normal_line(normalize_line(text), scope)


def parse_normal_line(line: str, scope: Scope) -> ParsedLine | None:
    """Parse a line that `normalize_line` has returned. Raises Unreadable if several say it."""
    parsed = parse_each(line, scope)
    if len(parsed) > 1:
        names = ", ".join(each.declaration.by for each in parsed)
        column = len(line) - len(line.lstrip()) + 1
        raise Unreadable(f"the line is for {names}", where=f"column {column}", hint="Name one of them here.")
    return parsed[0] if parsed else None


def parse_each(line: str, scope: Scope) -> list[ParsedLine]:
    """Parse a line that `normalize_line` has returned, as each of its speakers says it; none for a comment.

    Each has the whole line as it was typed.
    """
    bare = line.lstrip()
    if bare[:1] in ("", ";"):
        return []
    if bare.startswith(SECRET_MARK):
        return _parse_secret(line, scope)
    if is_statement(line):
        return [ParsedLine(parse_statement(line, scope), None, line.strip())]
    mark = bare[:1] if bare[:1] in (GM_MARK, ANSWER_MARK) else ""
    tokens, claimed = split_claims(tokenize(blank_mark(line) if mark else line))
    tokens, faces = split_faces(tokens)
    pause = tokens[-1:] if tokens and tokens[-1].raw == PAUSE else []
    tokens = tokens[: len(tokens) - len(pause)]
    tokens = join_names(join_lists(tokens, scope), scope)
    speakers = [] if mark == ANSWER_MARK else _speakers(tokens, scope)
    _check_several(tokens, speakers, faces, announced=bool(pause))
    declarations = _parse_declarations(line, mark, tokens, speakers, scope)
    if pause and Announce not in scope.declarations:
        raise token_error(pause[0], NO_ANNOUNCEMENTS, hint="Leave the ... out.")
    claims = parse_claims(None if claimed is None else join_names(claimed, scope), scope)
    return [ParsedLine(said, faces, line.strip(), claims, bool(pause)) for said in declarations]


def _parse_secret(line: str, scope: Scope) -> list[ParsedLine]:
    """Parse `!! doom 2`: the line behind the mark, which only the game master sees."""
    behind = blank_mark(blank_mark(line))
    if not behind.strip():
        raise Unreadable("no line", where=f"column {len(line)}", hint=f"Write a line after the {SECRET_MARK}.")
    own = msgspec.structs.replace
    return [own(parsed, line=line.strip(), secret=True) for parsed in parse_each(behind, scope)]


def _parse_declarations(
    line: str, mark: str, tokens: list[LineToken], speakers: Sequence[LineToken], scope: Scope
) -> list[Declaration]:
    """Parse what is said behind the mark of the line, if it has one, for each of its speakers."""
    if mark == ANSWER_MARK:
        return [_parse_answer(line, tokens, scope)]
    is_about = mark == GM_MARK and is_aside_about(tokens, scope)
    if mark == GM_MARK and not (is_about or speakers):
        return [_parse_aside(line, tokens, scope)]
    parse = _parse_aside_about if is_about else _parse_spoken
    return [parse(said, scope) for said in [[speaker, *tokens[1:]] for speaker in speakers] or [tokens]]


def _speakers(tokens: Sequence[LineToken], scope: Scope) -> list[LineToken]:
    """Return the names of those who say the line, if its first word is a group or a list with commas; else none.

    The name that numbered beings share is their group: `drowned move` is said by Drowned 1, 2 and 3.
    """
    if len(tokens) < 2 or verb_parser.find_kind_of_anyone(tokens[1], scope):
        return []
    first = tokens[0]
    listed = len(first.split(",")) > 1 and match_being(first.split(",")[0].text, scope).words
    is_aside = find_kind_of_verb(first.text, verb_parser.kinds_by_side(scope)[1]) is not None
    if is_aside:
        return []
    several = listed or match_several(first, scope).words
    names = find_beings(first, scope) if several else find_stem(first, scope)
    return [LineToken(quote(name), first.column) for name in dict.fromkeys(names)]


def _check_several(
    tokens: Sequence[LineToken], speakers: Sequence[LineToken], faces: tuple[int, ...] | None, *, announced: bool
) -> None:
    """Raise Unreadable if a line of several speakers has typed faces, or is announced."""
    if len(speakers) > 1 and (announced or faces is not None):
        what = "an announcement" if announced else "typed faces"
        raise token_error(tokens[0], f"{what} cannot be for several", hint="Write a line for each of them.")


# Speakers


def _parse_spoken(tokens: list[LineToken], scope: Scope) -> Declaration:
    """Parse `k sneak v5`, `close` or `ana words "brass kettle"`."""
    if not tokens:
        everybody = verb_parser.kinds_by_side(scope)[0]
        hint = f"Start the line with a name. {example_hint(everybody[0], scope)}" if everybody else ""
        raise Unreadable("no speaker", where="column 1", hint=hint)
    first, *rest = tokens
    if first.raw in LINE_COMMANDS:
        raise token_error(first, f"'{first.raw}' is a line of its own", hint="Write it alone.")
    if first.raw.startswith("?"):
        hint = "Ask it in the shell (campaign play), or as a command: campaign odds, why, whatif, log."
        raise token_error(first, "a question is not declared", hint=hint)
    if rest and (kind := verb_parser.find_kind_of_anyone(rest[0], scope)):
        by = names.valid_name(first.text, where=first.where)
        return FieldParser(kind, by, scope, rest[0]).parse(rest[1:])
    everybody, asides = verb_parser.kinds_by_side(scope)
    being = match_being(first.text, scope)
    alone = find_kind_of_verb(first.text, asides)
    if alone and not being.exact and not first.has_quotes:
        if alone in everybody:
            return FieldParser(alone, GM, scope, first).parse(rest)
        if not being.words:
            verb_parser.check_not_other_side(first, asides, "", scope)
    if not being.words and not first.has_quotes:
        verb_parser.check_not_verb(first, everybody, scope)
    by = find_being(first, first.text, scope)
    if not rest:
        raise token_error(
            first, f"no verb after {by}", hint=partial(example_hint, everybody[0], scope, by) if everybody else ""
        )
    return verb_parser.parse_verb(rest, everybody, [*asides, *verb_parser.answer_kinds(scope)], by, scope)


def _parse_aside(line: str, tokens: list[LineToken], scope: Scope) -> Declaration:
    """Parse `! doom 2 "reinforcements"` or `! brute pass`: the game master's side, or a being on it."""
    everybody, asides = verb_parser.kinds_by_side(scope)
    if not tokens:
        hint = f"Write a verb after the {GM_MARK}."
        raise Unreadable("no verb", where=f"column {len(line)}", hint=hint)
    verbs = [verb for kind in asides for verb in kind.verbs]
    if not match_word(tokens[0].text, verbs).words and match_being(tokens[0].text, scope).words:
        return _parse_spoken(tokens, scope)
    return verb_parser.parse_verb(tokens, asides, everybody, GM, scope)


def is_aside_about(tokens: Sequence[LineToken], scope: Scope) -> bool:
    """Whether somebody is named before a verb of the game master's side that is about a being: `! husks leave`.

    The verb may be in the third person: `! husk1 leaves`.
    """
    everybody, asides = verb_parser.kinds_by_side(scope)
    if len(tokens) < 2 or tokens[1].has_quotes or find_kind_of_verb(tokens[0].text, asides):
        return False
    verb = _first_person(tokens[1], asides)
    kind = find_kind_of_verb(verb.text, asides)
    is_about = kind is not None and any(field.needs_being and field.shape == "text" for field in fields_of(kind))
    return is_about and find_kind_of_verb(verb.text, everybody) is None


def _first_person(verb: LineToken, kinds: Sequence[type[Declaration]]) -> LineToken:
    """Return `leaves` as `leave` if that is a verb of these and `leaves` is none."""
    bare = verb.raw.removesuffix("s")
    if find_kind_of_verb(verb.text, kinds) or not find_kind_of_verb(bare, kinds):
        return verb
    return LineToken(bare, verb.column)


def _parse_aside_about(tokens: Sequence[LineToken], scope: Scope) -> Declaration:
    """Parse `! husk1 leave` as `! leave husk1`."""
    everybody, asides = verb_parser.kinds_by_side(scope)
    who, verb, *rest = tokens
    return verb_parser.parse_verb(
        [_first_person(verb, asides), LineToken(quote(find_being(who, who.text, scope)), who.column), *rest],
        asides,
        everybody,
        GM,
        scope,
    )


def _parse_answer(line: str, tokens: list[LineToken], scope: Scope) -> Declaration:
    """Parse `^ sira interpose`: what answers an announcement."""
    kinds = verb_parser.answer_kinds(scope)
    if not kinds:
        hint = "Leave the ^ out: in this game nobody answers before the dice."
        raise Unreadable("nothing can be answered here", where="column 1", hint=hint)
    if len(tokens) < 2:
        raise Unreadable(
            f"no verb after {tokens[0].text}" if tokens else "no speaker",
            where=f"column {len(line)}",
            hint=partial(example_hint, kinds[0], scope),
        )
    first, *rest = tokens
    everybody, asides = verb_parser.kinds_by_side(scope)
    return verb_parser.parse_verb(rest, kinds, [*everybody, *asides], find_being(first, first.text, scope), scope)


def is_statement(line: str) -> bool:
    """Return whether a line begins with the mark of a scene, fiction, a quote or a claim."""
    mark = line.lstrip()[:1]
    return mark in TELL_MARKS or mark == CLAIM_LINE_MARK or is_quote(line)


def parse_statement(line: str, scope: Scope) -> Declaration:
    """Parse a scene, fiction, a quote or a claim: a line of one speaker that throws no dice."""
    mark, rest = line.lstrip()[0], blank_mark(line)
    if mark == CLAIM_LINE_MARK:
        tokens = join_names(tokenize(rest), scope)
        _check_no_faces(tokens)
        return parse_claim_line(LineToken(mark, line.index(mark) + 1), tokens, scope)
    _check_no_faces_at_end(line)
    if mark in TELL_MARKS:
        return Tell(by=GM, kind=TELL_MARKS[mark], who=GM, text=_text_behind_mark(line, rest))
    return _parse_quote(line, rest, scope)


def _check_no_faces(tokens: Iterable[LineToken]) -> None:
    """Raise Unreadable if one of these tokens of a line that throws no dice is typed faces."""
    for token in tokens:
        if FACES.fullmatch(token.raw):
            raise token_error(token, f"'{token.raw}' is a face, and this line throws no dice", hint="Leave it out.")


def _check_no_faces_at_end(line: str) -> None:
    """Raise Unreadable if a line of text ends in typed faces."""
    if faces := faces_at_end(line):
        _check_no_faces([LineToken(faces, line.rindex(faces) + 1)])


def _text_behind_mark(line: str, rest: str) -> str:
    """Return the text behind the mark. Raises Unreadable if there is none."""
    if not rest.strip():
        raise Unreadable("no text", where=f"column {len(line)}", hint="Write the text after the mark.")
    return rest.strip()


def _parse_quote(line: str, rest: str, scope: Scope) -> Tell:
    """Parse `" k: I was never here`."""
    name, colon, text = rest.partition(":")
    token = LineToken(name.strip(), len(name) - len(name.lstrip()) + 1)
    if not colon or not token.raw:
        raise token_error(token, "no speaker", hint='Write it as in " k: I was never here.')
    who = find_being(token, token.raw, scope)
    return Tell(by=who, kind="quote", who=who, text=_text_behind_mark(line, text))
