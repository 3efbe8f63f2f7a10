"""The table as each reader may see it now: the state, the log, the chances of a line. Nothing is written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Final, NamedTuple

import msgspec
from click import unstyle

from cli.context import CampaignContext
from cli.notation.formatter import format_declaration
from cli.notation.tokens import normalize_line
from cli.phrases.entries import heading, record_lines
from cli.phrases.parts import in_brackets
from cli.phrases.state_rows import overview
from cli.phrases.turns import now_line
from cli.questions.odds import odds_for
from cli.questions.players_ledger import hidden_beings, printed_records
from cli.questions.roles import GM_VIEW, PLAYERS
from cli.questions.window_dice import window_dice
from cli.render.odds import short_odds
from cli.render.reply import closing_text
from cli.shell.completion import complete_typed
from cli.shell.line_reader import LineReader
from cli.table import answers
from cli.table.aside import HeardLine, hear
from cli.table.line_writer import plain
from cli.table.seats import Seat, beings_of, check_seat, own_beings, session_players
from cli.table.taps import TapLine, TapTable
from cli.table.time_limit import TimeLimit, find_limit
from ledger.errors import InputError
from ledger.facts import GM, ChainCommitted, Rolled
from ledger.head_words import head_words
from ledger.links import stored_links
from ledger.records import Head, Record, decode
from ledger.service import Ledger
from ledger.session import SessionState
from projections.state import State
from rulebooks.common.announcements import ANNOUNCED
from rulebooks.common.game import Game
from rulebooks.common.options import dice_are_at_the_table
from rulebooks.common.texts import Wording

LINES_MOST: Final = 200  # of the log, in one answer


class KnownState(NamedTuple):
    """The table as somebody sees it at a head, also as JSON."""

    head: Head
    state: answers.TableState
    body: bytes


class TableChanges(NamedTuple):
    """The time limit of what is announced now, if there is one, and who plays this session."""

    limit: TimeLimit | None
    players: Sequence[str]


class TableView:
    """Answers questions about a ledger. It belongs to one thread, and its connection only reads."""

    def __init__(self, context: CampaignContext) -> None:
        self.context = context
        self.ledger: Ledger[State] = context.ledger(write=False)
        self.book: Game = context.game()
        self._readers = {role: LineReader(self.ledger, self.book, role) for role in (GM_VIEW, PLAYERS)}
        self._states = dict[Seat, KnownState]()
        self._taps = dict[Seat, tuple[Head, bytes]]()

    def state_json(self, seat: Seat, left: float | None = None) -> bytes:
        """Return the table as the holder of a link may see it now, as JSON; it is made once for each head.

        `left`: the seconds in which what is announced may be answered, if they are counted.
        """
        known, head = self._states.get(seat), self.ledger.store.head()
        if known is None or known.head != head:
            state = self.state(seat)
            known = self._states[seat] = KnownState(Head(state.position, state.head), state, msgspec.json.encode(state))
        if left is None or all(window.kind != ANNOUNCED for window in known.state.windows):
            return known.body
        return msgspec.json.encode(msgspec.structs.replace(known.state, left=round(left, 1)))

    def changes(self) -> TableChanges:
        """Return what the server does itself when something is new."""
        self._readers[GM_VIEW].refresh()
        return TableChanges(find_limit(self.ledger.state.state), session_players(self.ledger.state))

    def state(self, seat: Seat) -> answers.TableState:
        """Return the table as the holder of a link may see it now."""
        reader, own = self._readers[seat.view], self._speaks_for(seat)
        position = reader.seen_state()
        shown = overview(position, self.book, window_dice(reader.seen, position))
        session = position.session
        return answers.TableState(
            role=seat.role,
            holder=seat.holder,
            speaks_for=own,
            campaign=session.name,
            game=session.game,
            session=answers.Session(
                number=session.number,
                title=session.title,
                open=session.open,
                players=session.players,
                dice="typed" if dice_are_at_the_table(position.state) else "thrown",
            ),
            position=position.position,
            head=position.head.hash,
            words=head_words(position.head.hash),
            turn=self._turn(reader, own),
            windows=_windows(position.state, own),
            close=self._close(reader),
            beings=[msgspec.to_builtins(row) for row in shown.beings],
            tokens=msgspec.to_builtins(shown.tokens),
            encounter=msgspec.to_builtins(shown.encounter),
            ledger=session.ledger,
            chains=self._chains(session),
            options=shown.options,
        )

    def _speaks_for(self, seat: Seat) -> list[str]:
        """Return the beings for whom the holder of a link speaks."""
        return beings_of(seat, self._readers[seat.view].seen_state().state)

    def _chains(self, session: SessionState) -> list[answers.SharedChain] | None:
        """Return the chains of shared dice; None where the dice of an open session are not shared."""
        if not session.open or session.shared_dice is not True:
            return None
        chains = stored_links(self.ledger.store, session).chains
        return [answers.SharedChain(who=who, last=chain.last, left=chain.left) for who, chain in chains.items()]

    def _turn(self, reader: LineReader, own: Sequence[str]) -> answers.TurnNow | None:
        """Return whose turn it is; None where no encounter runs."""
        state = reader.seen_state().state
        if state.encounter is None:
            return None
        hidden = hidden_beings(reader.seen)
        due = list(self.book.guide.next_up(state))
        return answers.TurnNow(
            text=unstyle(now_line(state, self.book, hidden)).removeprefix("now: "),
            who=due,
            round=state.encounter.round,
            phase=state.encounter.phase,
            mine=bool(set(due) & set(own)),
        )

    def _close(self, reader: LineReader) -> str | None:
        """Return what closing the open roll does; to the players only that it can be closed."""
        facts = reader.closing()
        if facts is None:
            return None
        if reader.role == PLAYERS:
            return "the roll"
        return unstyle(closing_text(facts, self.context.wording)) or "nothing else happens"

    def log(self, seat: Seat, after: int) -> answers.LogPart:
        """Return the log after a position as the holder of a link may see it. Raises InputError for a later one."""
        reader, store = self._readers[seat.view], self.ledger.store
        head = reader.seen.head()
        if after > head.position:
            raise InputError(
                f"the log ends at position {head.position}", hint="Ask for what came after an earlier one."
            )
        stored = list(islice(store.read(after=after), LINES_MOST))
        records = [decode(each) for each in stored if each.position <= head.position]
        last = stored[len(records) - 1] if records else None
        shown = list(printed_records(reader.seen, records))
        wording = self.context.wording
        return answers.LogPart(
            ledger=reader.seen_state().session.ledger,
            position=last.position if last else head.position,
            head=last.hash if last else head.hash,
            words=head_words(last.hash if last else head.hash),
            lines=[_log_line(record, wording) for record in shown],
            chain=[answers.Link(position=each.position, leaf=each.leaf.decode(), hash=each.hash) for each in stored],
            chains=list(_begun_chains(records)),
            links=list(_used_links(records, {record.position: record for record in shown})),
            changed=sorted({str(record.id) for record in shown if record.take > 1}),
            more=last is not None and last.position < head.position,
        )

    def odds(self, seat: Seat, line: str) -> answers.LineOdds:
        """Return the chances of a line. Raises Refused, Unreadable, or InputError where they rest on what is hidden."""
        reader = self._readers[seat.view]
        spoken = reader.spoken_line(normalize_line(line).strip(), own_beings(seat, reader))
        if not spoken.parsed:
            raise InputError("the line is empty", hint="Write one: k sneak v5.")
        said = spoken.parsed[0].declaration
        levels, turn = odds_for(reader.seen, self.book, self.ledger.state, said)
        phase = in_brackets(turn.phase and f"{turn.phase} phase") if turn else ""
        own = format_declaration(said, reader.scope)
        shown = [levels, [level for level in levels if level.line == own] or levels]
        vital = self.book.texts().lexicon.vital_value
        odds, of_line = (plain(short_odds(each, said.by, self.context.wording, None, vital)) for each in shown)
        return answers.LineOdds(
            line=spoken.heard or spoken.text,
            odds=odds,
            own=of_line,
            remark=f"Judged as if it were {turn.who}'s turn{phase}." if turn else None,
        )

    def taps_json(self, seat: Seat, who: str, path: Sequence[str]) -> bytes:
        """Return what may be said by tapping, as JSON; all of it is made once for each head.

        `who` and `path`: of this being one act alone, which these labels lead to, with what is chosen next.
        """
        known, head = self._taps.get(seat), self.ledger.store.head()
        if path or known is None or known[0] != head:
            table, own = self._tap_table(seat), self._speaks_for(seat)
            is_gm = seat.role == GM_VIEW and who in ("", GM)
            speakers = [each for each in own if each == who] if path else own
            taps = msgspec.json.encode(table.taps(speakers, is_gm=is_gm, path=path))
            if path:
                return taps
            known = self._taps[seat] = table.ledger_state.head, taps
        return known[1]

    def tap_line(self, seat: Seat, line: str) -> TapLine:
        """Return a line before it is said, with what may be changed in it. Raises Refused or Unreadable."""
        table = self._tap_table(seat)
        parsed = table.parse(line)
        check_seat(seat, [parsed], self.ledger.state.state)
        return table.line(parsed.declaration)

    def _tap_table(self, seat: Seat) -> TapTable:
        """Return what taps are made from, as the ledger is now."""
        scope = self._readers[seat.view].scope
        return TapTable(self.ledger.state, self.book, scope)

    def hear(self, seat: Seat, line: str) -> HeardLine:
        """Return how a line in other words than the grammar's is heard now."""
        return hear(self._readers[seat.view], seat, line)

    def complete(self, seat: Seat, text: str) -> answers.Completions:
        """Return the words that may end a line."""
        reader = self._readers[seat.view]
        scope = reader.scope
        words = complete_typed(text, self.ledger, self.book, scope, ranked=seat.role == GM_VIEW)
        return answers.Completions(words=words)


def _windows(state: State, own: Sequence[str]) -> list[answers.OpenWindow]:
    """Return what is open; `own`: for whom the reader speaks."""
    return [
        answers.OpenWindow(
            name=name,
            kind=window.kind,
            who=window.who,
            opened=str(window.opened),
            awaits=tuple(window.awaits),
            mine=bool({window.who, *window.awaits} & set(own)),
        )
        for name, window in sorted(state.windows.items())
    ]


def _begun_chains(records: Iterable[Record]) -> Iterator[answers.BegunChain]:
    """Yield the chains to which players' pages committed in these records."""
    for record in records:
        for fact in record.facts:
            if isinstance(fact, ChainCommitted):
                yield answers.BegunChain(
                    position=record.position,
                    entry=str(record.id),
                    session=record.session,
                    who=fact.who,
                    chain=fact.chain,
                )


def _used_links(records: Iterable[Record], shown: Mapping[int, Record]) -> Iterator[answers.UsedLinks]:
    """Yield the links of these records; `shown`: those that the reader sees, by position, as far as they see them."""
    for record in records:
        seen = shown[record.position].facts if record.position in shown else ()
        for fact in record.facts:
            if isinstance(fact, Rolled) and fact.links is not msgspec.UNSET:
                purpose, throw = (fact.purpose, fact.throw) if fact in seen else ("", 0)
                yield answers.UsedLinks(
                    position=record.position, entry=str(record.id), purpose=purpose, throw=throw, links=fact.links
                )


def _log_line(record: Record, wording: Wording) -> answers.LogLine:
    """Return an entry of the log as it is sent."""
    _, *reply = record_lines(record, wording)
    return answers.LogLine(
        position=record.position,
        entry=str(record.id),
        take=record.take,
        line=heading(record) if record.declared else "taken back",
        by=record.by,
        holder=record.holder,
        door=record.door,
        at=record.at,
        reply=plain(reply),
    )
