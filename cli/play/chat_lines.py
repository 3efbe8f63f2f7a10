"""What a chat message may be as a line of the ledger: a quote, fiction, or a line with the faces that were rolled.

A line for a roll is tried with the faces, in memory: one that the rules take, and that comes to the total of the chat,
is proposed before others. The total stands behind it as a claim, so that a difference is seen.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import msgspec

from cli.notation.claims import CLAIM_MARK, format_claim, without_claims
from cli.notation.known_beings import match_being
from cli.notation.line_parser import ParsedLine, parse_each
from cli.notation.tokens import SECRET_MARK, normalize_line, quote
from cli.play.foundry_chat import ChatItem
from cli.play.foundry_dice import RolledDice
from cli.play.spoken import hear
from cli.questions.line_scope import line_scope
from cli.questions.possible import before_dice, throw
from cli.speech.slots import in_line
from ledger.claims import OUTCOME_PREFIX
from ledger.errors import LedgerError, Unreadable
from ledger.facts import Fact, Judged
from ledger.ledger_state import LedgerState
from projections.state import State
from rulebooks.common.game import Game

WORDS: Final = re.compile(r"[\w' -]+")  # no mark of the grammar
LABEL_MOST: Final = 60  # letters of what a roll is called


class ProposedLine(msgspec.Struct, frozen=True):
    """A line that may be written for a message. `agrees`: its total is that of the chat, or one of them has none."""

    line: str
    agrees: bool = True


class ChatLines:
    """Proposes lines for messages, as the ledger is now."""

    def __init__(self, state: LedgerState[State], book: Game) -> None:
        self.state, self.book = state, book
        self.scope = line_scope(state, book)

    def propose(self, item: ChatItem) -> ProposedLine:
        """Return the line to propose for a message. Raises LedgerError with why there is none."""
        who = self._being(item.alias)
        if item.dice is None:
            said = f'" {in_line(who)}: {item.text}' if who and item.kind == "quote" else f"> {narration(item, who)}"
            self.parse(said)
            return ProposedLine(with_mark(said, item))
        if not who:
            alias = item.alias or "nobody"
            raise Unreadable(f"'{alias}' is nobody in play", hint="Write the line yourself.")
        lines = named_lines(in_line(who), item.text, item.dice.formula)
        return self._best(item.dice, (with_mark(line, item) for line in lines))

    def complete(self, line: str, item: ChatItem) -> ProposedLine:
        """Return a line that a person has written for a message, with the faces and the total if it has none.

        Raises LedgerError for a line that cannot be read, or that does not throw these dice.
        """
        parsed = self.parse(line)
        if not parsed:
            raise Unreadable("the line says nothing", hint="Write a name and a verb.")
        if item.dice is None or any(each.faces is not None for each in parsed):
            return ProposedLine(parsed[0].line)
        if len(parsed) == 1 and not before_dice(self.state, self.book, parsed[0].declaration).sides:
            return ProposedLine(parsed[0].line)
        return self._best(item.dice, [line])

    def parse(self, line: str) -> Sequence[ParsedLine]:
        """Return how a line is read now: as the grammar has it, else in other words. Raises LedgerError."""
        try:
            return parse_each(normalize_line(line), self.scope)
        except Unreadable:
            return hear(line, self.state, self.book).parsed

    def _being(self, alias: str) -> str:
        """Return the one being whom the name of a speaker means, in full or by its first word; empty for nobody."""
        for name in (alias, alias.partition(" ")[0]):
            match = match_being(name, self.scope) if name else None
            if match and len(match.words) == 1:
                return match.words[0]
        return ""

    def _best(self, dice: RolledDice, lines: Iterable[str]) -> ProposedLine:
        """Return the first of these lines that comes to the total, else the first that takes the dice."""
        best: ProposedLine | None = None
        error: LedgerError | None = None
        for line in lines:
            for faces in dice.faces:
                try:
                    proposed = self._with_faces(line, faces, dice.total)
                except LedgerError as refused:
                    error = refused if error is None else error
                    continue
                if proposed.agrees:
                    return proposed
                best = best or proposed
        if best is None:
            raise error or Unreadable("the chat does not say what is rolled", hint="Write the line yourself.")
        return best

    def _with_faces(self, line: str, faces: Sequence[int], total: int | None) -> ProposedLine:
        """Return a line with its faces and the claim of its total. Raises LedgerError if it does not throw them."""
        bare = without_claims(line)
        claims = line[len(bare) :]
        parsed, *others = self.parse(f"{bare} /{'.'.join(map(str, faces))}{claims}")
        if others or parsed.faces != tuple(faces):
            raise Unreadable("the line does not throw these dice", hint="Write another.")
        thrown = throw(self.state, self.book, parsed)
        if thrown.error is not None:
            raise thrown.error
        judged = next(judgements(thrown.facts), None)
        if total is None or judged is None or claims:
            return ProposedLine(parsed.line)
        claim = format_claim(OUTCOME_PREFIX + (judged.result.split("-")[0] or judged.what), total)
        claimed = f"{parsed.line} {CLAIM_MARK} {claim}"
        try:
            self.parse(claimed)
        except LedgerError:
            claimed = parsed.line
        return ProposedLine(claimed, judged.total == total)


def judgements(facts: Iterable[Fact]) -> Iterator[Judged]:
    """Yield what was judged with a total, that which counts first."""
    judged = [fact for fact in facts if isinstance(fact, Judged) and fact.total is not None]
    yield from sorted(judged, key=lambda fact: not fact.final)


def named_lines(who: str, text: str, formula: str) -> Iterator[str]:
    """Yield lines that a roll may be: by what it is called, with its dice, and the dice alone."""
    label = text[:LABEL_MOST].strip()
    is_plain = WORDS.fullmatch(label) is not None
    if is_plain:
        yield f"{who} {label}"
    if formula and is_plain:
        yield f"{who} {label} {formula}"
    if formula and label:
        yield f"{who} {quote(label)} {formula}"
    if formula:
        yield f"{who} {formula}"


def narration(item: ChatItem, who: str) -> str:
    """Return the fiction of a message: an emote as it stands, words with who says them."""
    if item.kind == "fiction" or not item.alias:
        return item.text
    return f"{who or item.alias}: {item.text}"


def with_mark(line: str, item: ChatItem) -> str:
    """Return the line of a message, which only the game master sees if the message was hidden."""
    return f"{SECRET_MARK} {line}" if item.hidden and not line.startswith(SECRET_MARK) else line
