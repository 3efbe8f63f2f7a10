"""`shelf luck`: how lucky the dice of all campaigns were, together and each."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping

import msgspec

from cli.phrases.luck import sentence
from cli.questions.luck import SEEDED, SOURCES, ThrownDice, hidden_results, thrown_facts
from cli.questions.players_ledger import store_for
from cli.shelf.job import CampaignResult, OpenCampaign
from cli.shelf.results import FINE
from ledger.ledger_state import load_state
from ledger.names import plural
from ledger.session_proof import stored_proofs
from projections.luck import LuckyDie, luck_of_counts
from projections.projection import StateProjection


class DiceCount(msgspec.Struct, frozen=True):
    """How often a die showed a face: from what source, and whether low faces were the good ones."""

    source: str
    sides: int
    face: int
    is_low: bool
    count: int


class LuckTask(msgspec.Struct, frozen=True, tag="luck"):
    """Count the faces of all dice that `role` sees."""

    role: str

    def look(self, campaign: OpenCampaign) -> CampaignResult:
        """Return the faces of each source, and how lucky they were."""
        seen = store_for(campaign.store, campaign.book, self.role)
        thrown = ThrownDice(load_state(seen, StateProjection()).state, stored_proofs(seen))
        for result in hidden_results(seen, None):
            thrown.add_result(result)
        for session, facts in thrown_facts(seen, None):
            thrown.add(session, facts)
        low, counts = thrown.low(), Counter[tuple[str, int, int, bool]]()
        for die, count in thrown.dice.items():
            counts[die.source, die.sides, die.face, die.situation in low] += count
        content = [DiceCount(*key, count) for key, count in sorted(counts.items())]
        return CampaignResult(FINE, _text(by_source(content)), content)


def by_source(counts: list[DiceCount]) -> dict[str, dict[LuckyDie, int]]:
    """Return the dice of each source."""
    found = defaultdict[str, Counter[LuckyDie]](Counter)
    for each in counts:
        found[each.source][LuckyDie(each.sides, each.face, 1, each.is_low)] += each.count
    return {source: dict(found[source]) for source in SOURCES if source in found}


def _text(dice: Mapping[str, Mapping[LuckyDie, int]]) -> str:
    """Return the luck of a campaign in a line: of its seeded dice, else of the source that it has most of."""
    if not dice:
        return "no die was thrown"
    source = SEEDED if SEEDED in dice else max(dice, key=lambda name: sum(dice[name].values()))
    luck = luck_of_counts(dice[source])
    return f"{plural(luck.dice, 'die', 'dice')}, {source}: {sentence(luck)}"
