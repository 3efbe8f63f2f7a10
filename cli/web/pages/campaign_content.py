"""The content of the campaign page: its sessions, the lives of its characters, tokens over the years, and wounds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import msgspec

from cli.output import plain_texts
from cli.phrases.beings import condition_names, is_gone, pools
from cli.phrases.fact_phrases import changed_values, fact_clause
from cli.phrases.parts import readable
from cli.questions.luck import LuckReport, luck_of_records, player_or_self
from cli.questions.name_table import NO_NAMES, NameTable
from cli.story.history import CampaignPage, Chapter, campaign_page
from cli.story.sentences import storytellers
from cli.web.pages.content import Series
from cli.web.pages.entry_content import with_arrows
from cli.web.pages.hues import hues_of
from cli.web.pages.marks import turning_points
from cli.web.pages.series import Levels, dice_history, dice_of_record, levels_of, series_of
from ledger.facts import GM, ConditionBegan, ConditionEnded, Joined, SheetChanged, Wounded
from ledger.ledger_state import initial_state
from ledger.names import escape
from ledger.records import Record, latest_takes, shown_records
from ledger.store import ReadableStore
from projections.projection import StateProjection
from projections.state import Being, State
from rulebooks.common.game import Game


class Milestone(msgspec.Struct, frozen=True, kw_only=True):
    """Something that changed a life for good: joining, a change of the sheet, an end, a return."""

    entry: str
    session: int
    kind: str
    text: str


class Life(msgspec.Struct, frozen=True, kw_only=True):
    """A character's life in the campaign: the sessions in which it said something, what changed it, how it is now.

    `marks` are its deaths, falls, returns and wounds.
    """

    who: str
    player: str
    sessions: tuple[int, ...]
    milestones: tuple[Milestone, ...]
    marks: tuple[Milestone, ...]
    gone: bool
    now: str


class WoundOf(msgspec.Struct, frozen=True, kw_only=True):
    """A wound that somebody has now, and the entry since which it has been there."""

    who: str
    text: str
    entry: str
    session: int


class SessionRow(msgspec.Struct, frozen=True, kw_only=True):
    """A session of the campaign.

    `entries`: how many of it are seen; `who` was there; `losses`: the deaths of others, in whose
    texts is who died; `last` is the number of its last entry.
    """

    number: int
    title: str
    dates: tuple[str, ...]
    entries: int
    who: tuple[str, ...]
    losses: tuple[Milestone, ...]
    last: int


def year_of(row: SessionRow) -> str:
    """Return the year in which a session began; nothing without a date."""
    return row.dates[0][:4] if row.dates else ""


class CampaignContent(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that the campaign page shows, as somebody sees it. The series have a number for each session's end."""

    game: str
    role: str
    recap: CampaignPage
    sessions: tuple[SessionRow, ...]
    lives: tuple[Life, ...]
    wounds: tuple[WoundOf, ...]
    series: tuple[Series, ...]
    dice: tuple[Series, ...]
    luck: tuple[LuckReport, ...]
    hues: dict[str, int]


def campaign_content(
    store: ReadableStore, *, as_of: int | None, book: Game, role: str, names: NameTable = NO_NAMES
) -> CampaignContent:
    """Return the campaign page as of a position. Raises InputError as `recap --campaign`.

    `names`: what its story calls everybody.
    """
    with plain_texts():
        recap = campaign_page(store, as_of=as_of, book=book, storytellers=storytellers(book, names))
        history = CampaignHistory(book)
        for record in latest_takes(store.takes(as_of=recap.position)):
            history.add(record)
        state = history.state
        return CampaignContent(
            game=book.texts().content.title,
            role=role,
            recap=recap,
            sessions=tuple(history.session(chapter) for chapter in recap.chapters),
            lives=tuple(history.lives()),
            wounds=tuple(history.wounds()),
            series=tuple(series_of(history.levels(), book.texts().lexicon)),
            dice=tuple(dice_history(history.dice, state, [chapter.session for chapter in recap.chapters])),
            luck=tuple(luck_of_records(history.dice, state)),
            hues=hues_of(state),
        )


class CampaignHistory:
    """All sessions, folded record by record."""

    def __init__(self, book: Game) -> None:
        self._book = book
        self._position = initial_state(StateProjection())
        self._levels = dict[int, Levels]()  # at the end of each session
        self._milestones = dict[str, list[Milestone]]()
        self._marks = dict[str, list[Milestone]]()
        self._speakers = dict[str, dict[int, None]]()
        self._wounded = dict[tuple[str, str], Record]()
        self._entries = Counter[int]()
        self._last = Counter[int]()  # the number of the last entry of each session
        self._losses = list[tuple[str, Milestone]]()  # who died
        self.dice = list[Record]()  # the records with dice, and nothing else of them

    @property
    def state(self) -> State:
        """The state now."""
        return self._position.state

    def add(self, record: Record) -> None:
        """Take in the next record."""
        before = self._position.last.session
        if record.session != before:
            self._levels[before] = levels_of(self.state, self._book.vital)
        self._position.fold(record)
        for seen in shown_records([record]):
            if seen.facts:
                self._add_shown(seen)

    def _add_shown(self, seen: Record) -> None:
        """Take in what is seen of a record."""
        self._entries[seen.session] += 1
        self._last[seen.session] = seen.number
        self.dice += filter(None, [dice_of_record(seen)])
        self._speakers.setdefault(seen.by, {})[seen.session] = None
        self._wounded |= {(fact.who, fact.wound): seen for fact in seen.facts if isinstance(fact, Wounded)}
        for who, kind, text in self._changes(seen):
            milestone = Milestone(entry=str(seen.id), session=seen.session, kind=kind, text=text)
            self._milestones.setdefault(who, []).append(milestone)
        for who, kind, text in self._blows(seen):
            mark = Milestone(entry=str(seen.id), session=seen.session, kind=kind, text=text)
            self._marks.setdefault(who, []).append(mark)
            if kind == "lost":
                self._losses.append((who, msgspec.structs.replace(mark, text=who)))

    def _blows(self, record: Record) -> Iterator[tuple[str, str, str]]:
        """Yield who died, fell, rose or was wounded in a record: who, the kind of mark, and its text."""
        texts = self._book.texts()
        for turn in turning_points(record.facts, texts.narration, texts.lexicon.wording):
            if turn.kind in ("lost", "grave", "return"):
                yield turn.who, turn.kind, turn.text
        wounds = (fact for fact in record.facts if isinstance(fact, Wounded))
        yield from ((escape(fact.who), "wound", fact_clause(fact, texts.lexicon.wording)) for fact in wounds)

    def session(self, chapter: Chapter) -> SessionRow:
        """Return a session of the campaign."""
        number = chapter.session
        characters = [being.name for being in self.state.beings_in_order() if being.kind == "pc"]
        own = set(map(escape, characters))
        return SessionRow(
            number=number,
            title=escape(chapter.title),
            dates=chapter.dates,
            entries=self._entries[number],
            who=tuple(escape(who) for who in characters if number in self._speakers.get(who, ())),
            losses=tuple(mark for who, mark in self._losses if mark.session == number and who not in own),
            last=self._last[number],
        )

    def _changes(self, record: Record) -> Iterator[tuple[str, str, str]]:
        """Yield what changed lives in a record: who, the kind of change, and its text."""
        wording = self._book.texts().lexicon.wording
        ends = wording.gone
        for fact in record.facts:
            match fact:
                case Joined():
                    yield fact.who, "joined", "joins"
                case ConditionBegan() if fact.name in ends and not fact.data:
                    yield fact.who, "gone", readable(fact.name)
                case ConditionEnded() if fact.name in ends:
                    yield fact.who, "back", f"no longer {readable(fact.name)}"
        if not record.line:  # a sheet that was changed between sessions, not what a line did to it
            changes = [fact for fact in record.facts if isinstance(fact, SheetChanged)]
            for who in dict.fromkeys(fact.who for fact in changes):
                text = changed_values([fact for fact in changes if fact.who == who], wording, (who,))
                yield who, "sheet", with_arrows([text])[0]

    def lives(self) -> Iterator[Life]:
        """Yield the lives of the players' characters, in the order in which they joined."""
        state = self.state
        for being in state.beings_in_order():
            if being.kind == "pc":
                player = player_or_self(being.name, state)
                yield Life(
                    who=escape(being.name),
                    player="" if player == being.name else escape(player),
                    sessions=tuple(number for number in self._speakers.get(being.name, ()) if number),
                    milestones=tuple(self._milestones.get(being.name, ())),
                    marks=tuple(self._marks.get(escape(being.name), ())),
                    gone=is_gone(state, being, self._book),
                    now=self._now(state, being),
                )

    def _now(self, state: State, being: Being) -> str:
        """Return what somebody has now, and how it is."""
        parts = (pools(state, being, self._book), condition_names(state, being, self._book))
        return ", ".join(part for part in parts if part)

    def wounds(self) -> Iterator[WoundOf]:
        """Yield the wounds of all who are still about."""
        state = self.state
        for being in state.beings_in_order():
            if is_gone(state, being, self._book):
                continue
            for name, wound in state.wounds_of(being.name):
                record = self._wounded.get((being.name, name))
                force = "" if wound.in_force else ", not in force yet"
                yield WoundOf(
                    who=escape(being.name),
                    text=f"{escape(wound.kind)} wound {wound.value}{force}".strip(),
                    entry=str(record.id) if record else "",
                    session=record.session if record else 0,
                )

    def levels(self) -> Sequence[Levels]:
        """Return the tokens at the end of each session; pools are those of an evening."""
        levels = {**self._levels, self._position.last.session: levels_of(self.state, self._book.vital)}
        held = set(self.state.tokens)
        return [
            {key: level for key, level in levels[number].items() if key in held or key[0] == GM}
            for number in sorted(levels)
            if number >= 0
        ]
