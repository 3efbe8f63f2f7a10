"""Proposals for an encounter as text: how many of which foes, the risk, and what it would cost the players."""

from __future__ import annotations

from collections.abc import Iterator

from cli.forecast.encounter import EncounterAsked, Foes, Proposal
from cli.phrases.value_names import ValueNames
from cli.render.forecast import share_text, spread_text
from ledger.names import escape
from rulebooks.common.texts import Wording


def heading(asked: EncounterAsked, first: Proposal, *, stopped: bool) -> list[str]:
    """Return what is wanted, and what is supposed of everybody."""
    end = "; interrupted, so this is what was found" if stopped else ""
    rules = f", with {escape(', '.join(asked.options))}" if asked.options else ""
    return [
        f"wanted: somebody of the players {'dies' if asked.dies else 'falls'}"
        f" in {100 * asked.risk:g} of 100 fights{rules}; key {escape(asked.forecast.key)}{end}",
        f"policy: {escape(first.forecast.policy)}",
    ]


def proposal_lines(asked: EncounterAsked, proposal: Proposal, wording: Wording) -> Iterator[str]:
    """Yield a proposal: the foes, the risk, that of the next step, the rounds, and what is left of the players."""
    yield f"{foes_text(proposal.foes)}: {share_text(proposal.risk)}{verdict(asked, proposal)}"
    for foes, risk in proposal.beside:
        yield f"  with {foes_text(foes)}: {share_text(risk)}"
    yield f"  rounds: {spread_text(proposal.forecast.rounds)}"
    if costs := costs_text(proposal, wording):
        yield f"  left in half of the fights: {costs}"


def verdict(asked: EncounterAsked, proposal: Proposal) -> str:
    """Return that a risk is surely another than the wanted one; empty where it may be it."""
    if proposal.risk.low > asked.risk:
        return ", more than wanted"
    return ", less than wanted" if proposal.risk.high < asked.risk else ""


def foes_text(foes: Foes) -> str:
    """Return foes with their numbers: `3 of Thug, 1 of Boss`."""
    return ", ".join(f"{count} of {escape(name)}" for name, count in foes)


def costs_text(proposal: Proposal, wording: Wording) -> str:
    """Return which values of the players are others in half of the fights: `Kess might 10 > 7`."""
    names = ValueNames((), wording, [each.who for each in proposal.forecast.outlooks])
    return ", ".join(f"{names.name(each.name)} {each.now} > {each.middle}" for each in proposal.costs)
