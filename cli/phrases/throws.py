"""What the dice of a session rest on, and throws that do not count or count for several entries, in sentences."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ledger.facts import GM
from ledger.names import plural, word_list
from ledger.session_proof import SessionProof

NO_WORDS: Final = "the game master alone chose these dice"


def basis_sentence(proof: SessionProof) -> str:
    """Return what the dice of a session rest on: its seed, and the words of those who added some, in their order."""
    if not proof.has_words:
        return f"no player added words: {NO_WORDS}"
    *before, last = map(speaker_name, proof.speakers)
    after = f", after {word_list(before)}" if before else ""
    players = word_list([who for who in proof.speakers if who != GM])
    return f"the dice rest on the seed and on the words of {players}; {last} spoke last{after}"


def shared_sentence(linked: int, alone: int) -> str:
    """Return on what the faces of shared dice rest: how many have a link of a player's page, and how many have none."""
    on_links = f"{plural(linked, 'face rests', 'faces rest')} on the seed and on a link of a player's page"
    on_seed = f"{plural(alone, 'face', 'faces')} on the seed alone, since no page gave a link"
    return f"{on_links}, {on_seed}" if alone else on_links


def speaker_name(who: str) -> str:
    """Return who added words, as a sentence names them."""
    return "the game master" if who == GM else who


def throw_sentences(taken_back: int, shared: int = 0) -> Iterator[str]:
    """Yield how many throws of a session were taken back, and how many count for several entries."""
    if taken_back:
        rolls = plural(taken_back, "roll was", "rolls were")
        yield f"{rolls} taken back after {'its' if taken_back == 1 else 'their'} dice were seen"
    if shared:
        rolls = plural(shared, "roll counts", "rolls count")
        yield f"{rolls} for several entries: a correction has brought one of them back"
