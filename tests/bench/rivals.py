"""Our fold and replay beside those of other programs, and in several processes."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from time import perf_counter

from cli.processes import open_again
from cli.questions.ledger_file import LEDGER_FILE
from ledger.processes import Processes, usable_processors
from ledger.records import latest_takes
from ledger.replay import Replay
from projections.projection import StateProjection
from tests.bench.fold import folded, stored
from tests.bench.peers.run import INSTALL, Peer, boardgame_peer, eventsourcing_peer
from tests.bench.play import GAME
from tests.bench.timer import Figure, figure, interleaved, rate

EVENTSOURCING = "eventsourcing package, msgspec"
BOARDGAME = "boardgame.io, its own moves"
FOLDED = "facts read, decoded, folded"
DECIDED = "declarations decided again, dice and facts compared"
ONE, ALL = "replay in one process", "replay on all processors"
MOVES = 5_000


def rivals(folder: Path, temporary: Path, rounds: int) -> tuple[list[Figure], list[str]]:
    """Measure our fold and replay beside each peer that is installed; return figures, and a word for the others."""
    store, remarks, figures = stored(folder), list[str](), list[Figure]()
    report = Replay(store, GAME, StateProjection()).run()
    jobs: dict[str, Callable[[], float]] = {
        FOLDED: rate(report.facts, lambda: folded(latest_takes(store.takes()))),
        DECIDED: rate(report.entries, lambda: Replay(store, GAME, StateProjection()).run()),
    }
    pairs = {EVENTSOURCING: FOLDED, BOARDGAME: DECIDED}
    with ExitStack() as running:
        for name, start in {
            EVENTSOURCING: partial(eventsourcing_peer, folder / LEDGER_FILE, temporary),
            BOARDGAME: partial(boardgame_peer, MOVES),
        }.items():
            try:
                peer: Peer | None = start()
            except OSError as error:
                peer = None
                remarks.append(f"{name}: {error}")
            if peer is None:
                remarks.append(f"{name} was left out: {INSTALL} installs it where its registry can be reached")
            else:
                running.enter_context(peer)
                jobs[name] = peer.rate
        measured = interleaved(rounds, jobs)
    store.close()
    for name, ours in pairs.items():
        if name in measured:
            figures.append(figure(ours, measured, ours, name, "CPU per second"))
    return figures, remarks


def processors(folder: Path, rounds: int) -> list[Figure]:
    """Measure a replay in one process against all processors, by the clock; the processes have started before."""
    store = stored(folder)
    entries = Replay(store, GAME, StateProjection()).run().entries
    with Processes(usable_processors(), partial(open_again, folder / LEDGER_FILE)) as workers:
        workers.start_replay(store, StateProjection())()

        def clocked(work: Callable[[], object]) -> Callable[[], float]:
            def job() -> float:
                start = perf_counter()
                work()
                return entries / (perf_counter() - start)

            return job

        measured = interleaved(
            rounds,
            {
                ONE: clocked(lambda: Replay(store, GAME, StateProjection()).run()),
                ALL: clocked(lambda: workers.start_replay(store, StateProjection())()),
            },
        )
    store.close()
    return [figure(ALL, measured, ALL, ONE, "entries/s")]
