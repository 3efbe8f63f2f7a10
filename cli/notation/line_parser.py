"""The parser of lines. Its grammar is made from the declarations: their fields, types and `syntax` notes.

It takes what a person types leniently: abbreviations, short letters, any order. `format_declaration` writes the one
canonical line: whole names, texts in quotation marks. Parsing that line gives the same declaration again, whatever
else is known, as long as the beings and values that it names are. The rules are not asked here.

This module finds the kind of a line, its speaker and its verb; `declaration_parser` reads what follows the verb.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import takewhile
from typing import Final

import msgspec

from cli.notation import resolve
from cli.notation.claims import CLAIM_LINE_MARK, parse_claim_line, parse_claims, split_claims
from cli.notation.compounds import join_phrases
from cli.notation.declaration_parser import DeclarationParser
from cli.notation.examples import example_hint
from cli.notation.free_text import check_no_slip, is_word, only_known, read_free_text
from cli.notation.groups import find_beings, find_stem, join_list, match_several
from cli.notation.schema import fields_of
from cli.notation.scope import Scope
from cli.notation.tokens import (
    FACES,
    LINE_COMMANDS,
    SECRET_MARK,
    SIGNED_NUMBER,
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
from rulebooks.common.adjustments import Adjust
from rulebooks.common.announcements import Announce, announcement

Kind = type[Declaration]

PAUSE: Final = "..."
GM_MARK: Final = "!"
MISTYPED: Final = 0.7  # how much a free text that nobody knows must look like a known word to be taken for it
ANSWER_MARK: Final = "^"
ABBREVIATED: Final = 4  # fewer letters before more words are short for a known word: `sn past the guard`


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
    mark, rest = bare[:1], blank_mark(line)
    if mark in ("", ";"):
        return []
    if bare.startswith(SECRET_MARK):
        behind = blank_mark(rest)
        if not behind.strip():
            raise Unreadable("no line", where=f"column {len(line)}", hint=f"Write a line after the {SECRET_MARK}.")
        own = msgspec.structs.replace
        return [own(parsed, line=line.strip(), secret=True) for parsed in parse_each(behind, scope)]
    if mark in TELL_MARKS:
        _check_no_faces_at_end(line)
        told = Tell(by=GM, kind=TELL_MARKS[mark], who=GM, text=_text_behind_mark(line, rest))
        return [ParsedLine(told, None, line.strip())]
    if is_quote(line):
        _check_no_faces_at_end(line)
        return [ParsedLine(_parse_quote(line, rest, scope), None, line.strip())]
    if mark == CLAIM_LINE_MARK:
        tokens = resolve.join_names(tokenize(rest), scope)
        _check_no_faces(tokens)
        claim = parse_claim_line(LineToken(mark, len(line) - len(bare) + 1), tokens, scope)
        return [ParsedLine(claim, None, line.strip())]
    tokens, claimed = split_claims(tokenize(rest if mark in (GM_MARK, ANSWER_MARK) else line))
    tokens, faces = split_faces(tokens)
    tokens, announced = _split_pause(tokens, scope)
    tokens = resolve.join_names(join_list(tokens), scope)
    claimed = None if claimed is None else resolve.join_names(claimed, scope)
    if mark == ANSWER_MARK:
        declarations = [_parse_answer(line, tokens, scope)]
    elif speakers := _speakers(tokens, scope):
        _check_several(tokens[0], speakers, faces, announced=announced)
        parse = _parse_aside_about if mark == GM_MARK and is_aside_about(tokens, scope) else _parse_spoken
        declarations = [parse([speaker, *tokens[1:]], scope) for speaker in speakers]
    elif mark == GM_MARK and is_aside_about(tokens, scope):
        declarations = [_parse_aside_about(tokens, scope)]
    elif mark == GM_MARK:
        declarations = [_parse_aside(line, tokens, scope)]
    else:
        declarations = [_parse_spoken(tokens, scope)]
    claims = parse_claims(claimed, scope)
    return [ParsedLine(said, faces, line.strip(), claims, announced) for said in declarations]


def _speakers(tokens: Sequence[LineToken], scope: Scope) -> list[LineToken]:
    """Return the names of those who say the line, if its first word is a group or a list with commas; else none.

    The name that numbered beings share is their group: `drowned move` is said by Drowned 1, 2 and 3.
    """
    if len(tokens) < 2 or find_kind_of_anyone(tokens[1], scope):
        return []
    first = tokens[0]
    listed = len(first.split(",")) > 1 and resolve.match_being(first.split(",")[0].text, scope).words
    is_aside = resolve.find_kind_of_verb(first.text, _kinds_by_side(scope)[1]) is not None
    if is_aside:
        return []
    several = listed or match_several(first, scope).words
    names = find_beings(first, scope) if several else find_stem(first, scope)
    return [LineToken(quote(name), first.column) for name in dict.fromkeys(names)]


def _check_several(
    token: LineToken, speakers: Sequence[LineToken], faces: tuple[int, ...] | None, *, announced: bool
) -> None:
    """Raise Unreadable if a line of several speakers has typed faces, or is announced."""
    if len(speakers) > 1 and (announced or faces is not None):
        what = "an announcement" if announced else "typed faces"
        raise token_error(token, f"{what} cannot be for several", hint="Write a line for each of them.")


def _split_pause(tokens: list[LineToken], scope: Scope) -> tuple[list[LineToken], bool]:
    """Return the tokens without a `...` at their end, and whether there was one."""
    if not tokens or tokens[-1].raw != PAUSE:
        return tokens, False
    if Announce not in scope.declarations:
        raise token_error(tokens[-1], "this game has no announcements", hint="Leave the ... out.")
    return tokens[:-1], True


def _check_no_faces(tokens: Iterable[LineToken]) -> None:
    """Raise Unreadable if one of these tokens of a line that throws no dice is typed faces."""
    for token in tokens:
        if FACES.fullmatch(token.raw):
            raise token_error(token, f"'{token.raw}' is a face, and this line throws no dice", hint="Leave it out.")


def _check_no_faces_at_end(line: str) -> None:
    """Raise Unreadable if a line of text ends in typed faces."""
    if faces := faces_at_end(line):
        _check_no_faces([LineToken(faces, line.rindex(faces) + 1)])


# Speaker and verb


def _parse_spoken(tokens: list[LineToken], scope: Scope) -> Declaration:
    """Parse `k sneak v5`, `close` or `ana words "brass kettle"`."""
    if not tokens:
        everybody = _kinds_by_side(scope)[0]
        hint = f"Start the line with a name. {example_hint(everybody[0], scope)}" if everybody else ""
        raise Unreadable("no speaker", where="column 1", hint=hint)
    first, *rest = tokens
    if first.raw in LINE_COMMANDS:
        raise token_error(first, f"'{first.raw}' is a line of its own", hint="Write it alone.")
    if first.raw.startswith("?"):
        hint = "Ask it in the shell (campaign play), or as a command: campaign odds, why, whatif, log."
        raise token_error(first, "a question is not declared", hint=hint)
    if rest and (kind := find_kind_of_anyone(rest[0], scope)):
        by = names.valid_name(first.text, where=first.where)
        return DeclarationParser(kind, by, scope, rest[0]).parse(rest[1:])
    everybody, asides = _kinds_by_side(scope)
    being = resolve.match_being(first.text, scope)
    alone = resolve.find_kind_of_verb(first.text, asides)
    if alone and not being.exact and not first.has_quotes:
        if alone in everybody:
            return DeclarationParser(alone, GM, scope, first).parse(rest)
        if not being.words:
            _check_not_other_side(first, asides, "", scope)
    if not being.words and not first.has_quotes:
        _check_not_verb(first, everybody, scope)
    by = resolve.find_being(first, first.text, scope)
    if not rest:
        raise token_error(first, f"no verb after {by}", hint=example_hint(everybody[0], scope, by) if everybody else "")
    return _parse_verb(rest, everybody, [*asides, *_answer_kinds(scope)], by, scope)


def find_kind_of_anyone(verb: LineToken, scope: Scope) -> Kind | None:
    """Return the declaration with this verb, in full, that people may say who are not in play."""
    return next((kind for kind in scope.declarations if kind.by_anyone and verb.raw in kind.verbs), None)


def _answer_kinds(scope: Scope) -> list[Kind]:
    """Return the declarations that answer an announcement."""
    return [kind for kind in scope.declarations if kind.answers]


def _parse_aside(line: str, tokens: list[LineToken], scope: Scope) -> Declaration:
    """Parse `! doom 2 "reinforcements"` or `! brute pass`: the game master's side, or a being on it."""
    everybody, asides = _kinds_by_side(scope)
    if not tokens:
        hint = f"Write a verb after the {GM_MARK}."
        raise Unreadable("no verb", where=f"column {len(line)}", hint=hint)
    verbs = [verb for kind in asides for verb in kind.verbs]
    if not resolve.match_word(tokens[0].text, verbs).words and resolve.match_being(tokens[0].text, scope).words:
        return _parse_spoken(tokens, scope)
    return _parse_verb(tokens, asides, everybody, GM, scope)


def is_aside_about(tokens: Sequence[LineToken], scope: Scope) -> bool:
    """Whether somebody is named before a verb of the game master's side that is about a being: `! husks leave`.

    The verb may be in the third person: `! husk1 leaves`.
    """
    everybody, asides = _kinds_by_side(scope)
    if len(tokens) < 2 or tokens[1].has_quotes or resolve.find_kind_of_verb(tokens[0].text, asides):
        return False
    verb = _first_person(tokens[1], asides)
    kind = resolve.find_kind_of_verb(verb.text, asides)
    is_about = kind is not None and any(field.needs_being and field.shape == "text" for field in fields_of(kind))
    return is_about and resolve.find_kind_of_verb(verb.text, everybody) is None


def _first_person(verb: LineToken, kinds: Sequence[Kind]) -> LineToken:
    """Return `leaves` as `leave` if that is a verb of these and `leaves` is none."""
    bare = verb.raw.removesuffix("s")
    if resolve.find_kind_of_verb(verb.text, kinds) or not resolve.find_kind_of_verb(bare, kinds):
        return verb
    return LineToken(bare, verb.column)


def _parse_aside_about(tokens: Sequence[LineToken], scope: Scope) -> Declaration:
    """Parse `! husk1 leave` as `! leave husk1`."""
    everybody, asides = _kinds_by_side(scope)
    who, verb, *rest = tokens
    return _parse_verb(
        [_first_person(verb, asides), LineToken(quote(resolve.find_being(who, who.text, scope)), who.column), *rest],
        asides,
        everybody,
        GM,
        scope,
    )


def _parse_answer(line: str, tokens: list[LineToken], scope: Scope) -> Declaration:
    """Parse `^ sira interpose`: what answers an announcement."""
    kinds = _answer_kinds(scope)
    if not kinds:
        hint = "Leave the ^ out: in this game nobody answers before the dice."
        raise Unreadable("nothing can be answered here", where="column 1", hint=hint)
    if len(tokens) < 2:
        raise Unreadable(
            f"no verb after {tokens[0].text}" if tokens else "no speaker",
            where=f"column {len(line)}",
            hint=example_hint(kinds[0], scope),
        )
    first, *rest = tokens
    everybody, asides = _kinds_by_side(scope)
    return _parse_verb(rest, kinds, [*everybody, *asides], resolve.find_being(first, first.text, scope), scope)


def _kinds_by_side(scope: Scope) -> tuple[Sequence[Kind], Sequence[Kind]]:
    """Return what beings may say, and what the game master's side may: asides, and what needs no speaker."""
    return _divide_kinds(tuple(scope.declarations))


@lru_cache(maxsize=16)
def _divide_kinds(declarations: Sequence[Kind]) -> tuple[Sequence[Kind], Sequence[Kind]]:
    """Divide the declarations of a game, which are the same for all of its lines."""
    kinds = [kind for kind in declarations if kind.verbs and not kind.by_anyone and not kind.answers]
    return tuple(kind for kind in kinds if not kind.aside), tuple(kind for kind in kinds if kind.aside or kind.alone)


def _parse_verb(
    tokens: list[LineToken], kinds: Sequence[Kind], others: Sequence[Kind], by: str, scope: Scope
) -> Declaration:
    """Parse the declaration of one of `kinds` that the first token begins: a verb, or words of the free field."""
    verb, *rest = tokens = join_verb(tokens, kinds, by, scope)
    if adjustment := _parse_adjustment(tokens, kinds, by, scope):
        return adjustment
    free = next((kind for kind in kinds if kind.free), None)
    options = {word: (kind, "") for kind in kinds for word in kind.verbs}
    taken = {resolve.fold_word(word) for word in options}
    if free:
        known = (word for word in scope.words(free, free.free, by) if resolve.fold_word(word) not in taken)
        options |= {word: (free, word) for word in known}
    exact, words = resolve.Match(False, []) if verb.has_quotes else resolve.match_word(verb.text, options)
    if not (exact or verb.has_quotes):
        _check_not_other_side(verb, others, by, scope)
    named = {} if exact or verb.has_quotes else verb_words(kinds, by, scope)
    if named and (match := resolve.match_word(verb.text, named)).exact:
        word = match.words[0]
        return DeclarationParser(named[word], by, scope, verb).parse(rest, word)
    if len({options[word] for word in words}) > 1:
        raise resolve.ambiguous_error(verb, verb.text, words)
    if words:
        kind, text = options[words[0]]
        if text:
            return _parse_free(tokens, kind, by, scope, text)
        parser = DeclarationParser(kind, by, scope, verb)
        if kind is free and rest and not rest[0].has_quotes and parser.count_text_words(rest):
            return _parse_free(rest, kind, by, scope)
        return parser.parse(rest)
    if free is None:
        _check_no_new_value(tokens, by, scope)
        near = resolve.nearest_words(verb.text, options)
        raise token_error(verb, f"'{verb.text}' is not a verb here", near, resolve.list_hint(list(options)))
    if DeclarationParser(free, by, scope, verb).is_field(verb):
        return DeclarationParser(free, by, scope, verb).parse(tokens)
    return _parse_free(tokens, free, by, scope)


def _parse_free(tokens: Sequence[LineToken], kind: Kind, by: str, scope: Scope, start: str = "") -> Declaration:
    """Parse a declaration that begins with words of its free field; `start`: the known word that the first one begins.

    A text of several words is rolled as the known word in it, if no other is named.
    """
    verb, *rest = tokens
    parser = DeclarationParser(kind, by, scope, verb)
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
    if not text or resolve.match_word(text, known).words or (kind.free_as and getattr(said, kind.free_as)):
        return []
    verbs = [verb for other in _kinds_by_side(scope)[0] for verb in other.verbs]
    return resolve.nearest_words(text.split()[0], [*known, *verbs], MISTYPED)[:1]


def _parse_adjustment(tokens: list[LineToken], kinds: Sequence[Kind], by: str, scope: Scope) -> Declaration | None:
    """Parse `hp -3 "the stairs"`: a value and a number with its sign in place of a verb; None for anything else."""
    values = find_adjusted_values(tokens, "" if by == GM else by, scope) if Adjust in kinds else []
    if not values:
        return None
    value, change, *rest = tokens
    named = [
        LineToken(f"value={resolve.only_one(value, values)}", value.column),
        LineToken(f"change={change.raw}", change.column),
    ]
    return DeclarationParser(Adjust, by, scope, value).parse([*named, *rest])


def find_adjusted_values(tokens: Sequence[LineToken], who: str, scope: Scope) -> list[str]:
    """Return the values that the first token may mean, if a number with its sign follows it."""
    if len(tokens) < 2 or not SIGNED_NUMBER.fullmatch(tokens[1].raw) or tokens[0].has_quotes:
        return []
    return resolve.find_values(tokens[0].text, who, scope).words


def _check_no_new_value(tokens: Sequence[LineToken], by: str, scope: Scope) -> None:
    """Raise Unreadable for `kess.wound +2` if Kess has no such value: a change needs one, a ruling sets a new one."""
    if len(tokens) < 2 or not SIGNED_NUMBER.fullmatch(tokens[1].raw):
        return
    token, change = tokens[:2]
    owner, dot, value = token.text.partition(".")
    if not dot:
        owner, value = by, token.text
    if owner != GM:
        raise resolve.new_value_error(token, resolve.find_being(token, owner, scope), value, change.raw, scope)


def _check_not_verb(word: LineToken, kinds: Sequence[Kind], scope: Scope) -> None:
    """Raise Unreadable for a line that begins with its verb, where a name has to be."""
    if kind := resolve.find_kind_of_verb(word.text, kinds):
        raise token_error(word, f"'{word.text}' needs a speaker before it", hint=example_hint(kind, scope))


def _check_not_other_side(verb: LineToken, others: Sequence[Kind], by: str, scope: Scope) -> None:
    """Raise Unreadable for a verb of the other side, and for a line command."""
    word = f"'{verb.text}'"
    if verb.raw in LINE_COMMANDS:
        raise token_error(verb, f"{word} is a line of its own", hint="Write it alone; as a task, in quotation marks.")
    kind = resolve.find_kind_of_verb(verb.text, others)
    if kind is None:
        return
    example = example_hint(kind, scope, by)
    if kind.answers:
        raise token_error(verb, f"{word} answers an announcement", hint=f"Start with {ANSWER_MARK}. {example}")
    if by == GM or not kind.aside:
        raise token_error(verb, f"{word} needs a speaker in play", hint=example)
    task = ", or write a task in quotation marks" if any(each.free for each in scope.declarations) else ""
    hint = f"Start with {GM_MARK}{task}. {example}"
    raise token_error(verb, f"{word} belongs to the game master's side", hint=hint)


# Scenes, fiction and quotes


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
    who = resolve.find_being(token, token.raw, scope)
    return Tell(by=who, kind="quote", who=who, text=_text_behind_mark(line, text))
