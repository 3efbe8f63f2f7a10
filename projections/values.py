"""Every number and word that somebody may ask for by name: `kess.might`, `kess.destiny`, `doom`.

A being's part of a name is its case-folded name with hyphens for spaces; the game master's own tokens stand
without one. Bounds are `kess.might.most`; a sheet's entries stand as they are; a condition is its degree;
`kess.wounds` is the sum of wound values; a tie to somebody is its degree (`thug.member.gang`).
"""

from __future__ import annotations

from ledger.facts import GM
from ledger.names import name_key
from ledger.projection import Value
from projections.state import State


def values(state: State) -> dict[str, Value]:
    """All values, sorted by name."""
    found: dict[str, Value] = {}
    for (who, entry), value in state.sheets.items():
        found[f"{name_key(who)}.{entry}"] = value
    for (who, name), pool in state.pools.items():
        found[f"{name_key(who)}.{name}"] = pool.points
        if pool.most is not None:
            found[f"{name_key(who)}.{name}.most"] = pool.most
    for (who, name), token in state.tokens.items():
        found[name if who == GM else f"{name_key(who)}.{name}"] = token.count
    for (who, name), count in state.counts.items():
        found[f"{name_key(who)}.{name}" if who else name] = count.now
    for who, place in state.places.items():
        found[f"{name_key(who)}.place"] = place.place
    for (one, tie, other), degree in state.links.items():
        found[f"{name_key(one)}.{tie}.{name_key(other)}"] = degree
    for condition in state.conditions.values():
        found[f"{name_key(condition.who)}.{condition.name}"] = condition.degree
    for being in state.beings.values():
        wounds = state.wounds_of(being.name)
        if wounds:
            found[f"{name_key(being.name)}.wounds"] = sum(wound.value for _, wound in wounds)
    for name, value in state.options.items():
        found[f"option.{name}"] = value
    encounter = state.encounter
    if encounter is not None:
        found["encounter.round"], found["encounter.phase"] = encounter.round, encounter.phase
        found["encounter.turn"] = encounter.turn
    for name, seconds in state.clock.items():
        found[f"clock.{name}"] = seconds
    return dict(sorted(found.items()))
