"""What has to be true of a simulated evening: while it runs, and at its end."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
from msgspec import UNSET

from cli.table.seats import GAME_MASTER, WATCHER, Seat
from ledger.dice import face, fixed_seed, session_key
from ledger.facts import ChainCommitted, Rolled
from ledger.links import ALONE, dice_of, link_problems
from ledger.names import name_key
from ledger.records import Record
from tests.simulation.campaign import LEDGER, SEED
from tests.simulation.network import Network
from tests.simulation.phones import Effect
from tests.simulation.plan import PLAYERS, SEATS, Plan
from tests.simulation.server import Server

KEY = session_key(fixed_seed(SEED), LEDGER, 1, [])


def check_shown(shown: dict[int, str], body: Any) -> None:
    """Note the hashes that somebody is shown: nobody may ever be shown another past."""
    if isinstance(body, dict) and "chain" in body:
        for link in body["chain"]:
            assert shown.setdefault(link["position"], link["hash"]) == link["hash"], "two pasts were shown"


def is_quiet(network: Network, plan: Plan) -> bool:
    """Return whether every phone has what there is."""
    network.do("report")
    head = network.server.position()
    return all(
        not each["queue"]
        and each["position"] == head
        and (each["state"] or {}).get("position") == head
        and (not plan.has_taps or (each["taps"] or {}).get("position") == head)
        for each in network.reports.values()
    )


def check_quiet(network: Network, plan: Plan) -> None:
    """Check that everybody is answered, and sees what there is."""
    assert is_quiet(network, plan), [
        (each["phone"], each["position"], (each["state"] or {}).get("position"), each["revoked"], each["queue"])
        for each in network.reports.values()
    ]


def check_evening(network: Network, plan: Plan) -> Counter[str]:
    """Check the ledger against what everybody was told, and what everybody sees against the ledger.

    Return what has happened, how often.
    """
    check_quiet(network, plan)
    records = list(network.server.view.ledger.store.records())
    _check_lines(network, records)
    logs = {seat.view: whole_log(network.server, seat) for seat in (GAME_MASTER, WATCHER)}
    for phone, seat in enumerate(SEATS):
        _check_page(network, seat, network.reports[phone], logs[seat.view])
    if plan.is_shared:
        _check_dice(network, plan, records)
    return network.happened + Counter(happenings(records)) + Counter({"overtaken": network.server.overtaken})


def happenings(records: Sequence[Record]) -> Iterator[str]:
    """Yield what was written through which door, and what dice rest on."""
    for record in records:
        words = record.line.split()
        kind = {"~": "a correction", "undo": "an undo", "redo": "a redo"}.get(words[0] if words else "", "a line")
        yield f"{kind} by {record.door}"
        for roll in (fact for fact in record.facts if isinstance(fact, Rolled) and fact.links is not UNSET):
            yield from ("a die with a link" if link else "a die of the seed alone" for _, link in dice_of(roll))
        yield from ("a chain" for fact in record.facts if isinstance(fact, ChainCommitted))


def _check_lines(network: Network, records: Sequence[Record]) -> None:
    """Check that every line that was taken stands in the ledger, once."""
    requests = [record.request for record in records if record.request]
    assert len(requests) == len(set(requests)), "a line counts twice"
    own = {each for each in requests if each.startswith("page:")}
    assert network.taken.keys() <= own, "an acknowledged line is lost"
    assert own - network.taken.keys() <= network.unsure, "a line was taken, and nobody was told"
    for request, answer in network.taken.items():
        record = records[answer["position"] - 1]
        assert (record.request, str(record.id)) == (request, answer["entry"]), "an acknowledged line is another one"


def _check_page(network: Network, seat: Seat, page: Effect, log: dict[str, Any]) -> None:
    """Check that a page shows what there is, and that it suspects nobody without a reason: nobody has cheated."""
    server = network.server
    assert page["state"] == json.loads(server.view.state_json(seat)), f"{seat.name} is behind"
    assert page["taps"] == server.read(seat, "/acts")[1], f"{seat.name} has old taps"
    assert {line["entry"]: line for line in page["entries"]} == log, f"{seat.name} has another log"
    at_once = {throw for throws in network.given.values() if len(throws) > 1 for throw in throws}
    honest = [f'You gave a link for "{purpose}", throw {number}, ' for purpose, number in server.dropped | at_once]
    alarms = [alarm for alarm in page["alarms"] if not alarm.startswith(tuple(honest))]
    assert alarms == [], (seat.name, alarms)


def whole_log(server: Server, seat: Seat) -> dict[str, Any]:
    """Return the log as the holder of a link may see it, by entry."""
    lines: dict[str, Any] = {}
    after, more = 0, True
    while more:
        log = server.view.log(seat, after)
        lines |= {line.entry: msgspec.to_builtins(line) for line in log.lines}
        after, more = log.position, log.more
    return lines


def _check_dice(network: Network, plan: Plan, records: Sequence[Record]) -> None:
    """Check each shared die: its face, its link, and that a page gave it for this throw."""
    assert list(link_problems(records, LEDGER)) == []
    for record in records:
        throws = set[tuple[str, int]]()
        for roll in (fact for fact in record.facts if isinstance(fact, Rolled) and fact.source == "seed"):
            throws.add((roll.purpose, roll.throw))
            assert [die.face for die in roll.dice] == [face(KEY, *die, link) for die, link in dice_of(roll)]
            for link in {link for _, link in dice_of(roll)} - {ALONE}:
                assert link in network.given, f"{record.id} has a link that no page gave"
    able = {name_key(SEATS[phone].holder) for phone in PLAYERS if phone != plan.liar}
    able -= {name_key(SEATS[phone].holder) for phone in PLAYERS if network.reports[phone]["stranger"]}
    for asked in network.server.page_links.unanswered:
        missed = able & set(map(name_key, asked.chains))
        assert not missed, f"{missed} could have given a link for {asked.purpose}"
