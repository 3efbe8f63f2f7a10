"""Corrections, from spawn to exit: previews over 200 and 1,000 later entries, and a retcon."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from statistics import median

from cli.questions.ledger_file import LEDGER_FILE
from ledger.records import Record, latest_takes
from ledger.sqlite_store import open_store
from rulebooks.dusk_bastards.declarations.tasks import Attempt
from tests.bench.commands import CAMPAIGN, Command
from tests.bench.commands import job as clocked
from tests.bench.play import played
from tests.bench.timer import Figure, figure, interleaved

NEAR, FAR = 200, 1000
FACTS = 9_000  # enough for so many entries
CHANGE = '-1"the wind has turned"'
WANTED = "under a second of user time is wanted"


def disputes(folder: Path, rounds: int, environment: Mapping[str, str]) -> tuple[list[Figure], str]:
    """Measure previews and retcons against `show` on the same ledger; return figures and remarks."""
    ledger = folder / "disputed"
    played(ledger, FACTS)
    names = {many: entry_before(ledger, many) for many in (NEAR, FAR)}
    show = Command((str(CAMPAIGN), "show"), ledger, environment)
    processor: dict[str, list[float]] = {"show": []}
    jobs = {"show": clocked(show, processor["show"])}
    for many, (entry, behind) in names.items():
        preview = f"whatif over {behind:,} entries"
        processor[preview] = []
        jobs[preview] = clocked(
            Command((str(CAMPAIGN), "whatif", entry, CHANGE), ledger, environment), processor[preview]
        )
        if many == FAR:
            retcon = f"retcon over {behind:,} entries"
            processor[retcon] = []
            jobs[retcon] = written(ledger, folder / "amended", entry, environment, processor[retcon])
    for job in jobs.values():
        job()  # compiles what has to be compiled
    for measured in processor.values():
        measured.clear()
    wall = interleaved(rounds, jobs)
    figures = [
        figure(name, seconds, name, "show", f"ms {clock}", scale=1000)
        for clock, seconds in (("wall", wall), ("CPU", processor))
        for name in jobs
        if name != "show"
    ]
    near = next(name for name in processor if name.startswith("whatif"))
    return figures, f"{near}: {median(processor[near]):.2f} s of processor time; {WANTED}"


def entry_before(ledger: Path, many: int) -> tuple[str, int]:
    """Return an attempt with about so many entries after it, and their number."""
    store = open_store(ledger / LEDGER_FILE, write=False)
    records: list[Record] = [record for record in latest_takes(store.takes()) if record.facts]
    store.close()
    said = f'"{Attempt.__struct_config__.tag}"'.encode()
    indexes = [index for index, record in enumerate(records) if record.declared and said in bytes(record.declared.said)]
    index = max(index for index in indexes if index <= len(records) - 1 - many)
    return str(records[index].id), len(records) - 1 - index


def written(
    ledger: Path, copy: Path, entry: str, environment: Mapping[str, str], processor: list[float]
) -> Callable[[], float]:
    """Return a job that writes a retcon to a fresh copy; the copying is not measured."""
    words = (str(CAMPAIGN), "amend", entry, CHANGE, "--because", "the map", "--retcon", "--pass")
    measured = clocked(Command(words, copy, environment), processor)

    def afresh() -> float:
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(ledger, copy)
        return measured()

    return afresh
