"""What is not proved about the dice of sessions, as text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from cli.phrases.throws import basis_sentence, shared_sentence, throw_sentences
from ledger.names import plural, word_list
from ledger.session_proof import SessionProof


def proof_lines(proofs: Iterable[SessionProof], *, numbers: bool = True) -> Iterator[str]:
    """Yield a line for each way in which faces of some sessions are not proved. `numbers`: say how many faces."""
    every = [proof for proof in proofs if proof.faces or proof.taken_back]

    def line(which: Callable[[SessionProof], bool], text: str, count: Callable[[SessionProof], int]) -> Iterator[str]:
        found = [proof for proof in every if which(proof)]
        if found:
            faces = f"{plural(sum(map(count, found)), 'face', 'faces')} " if numbers else "faces "
            yield f"{sessions_text([proof.session for proof in found])}: {text.format(faces=faces)}"

    def all_faces(proof: SessionProof) -> int:
        return proof.faces - proof.later

    yield from line(
        lambda proof: proof.of_seed == "unproved",
        "{faces}unproved: the seed is lost, so nothing shows that they were drawn from it",
        all_faces,
    )
    yield from line(
        lambda proof: proof.of_seed == "fixed",
        "{faces}of a fixed seed (open --seed): whoever chose it could know them beforehand",
        all_faces,
    )
    drawn = [proof for proof in every if proof.faces and proof.of_seed not in ("unproved", "fixed")]
    drawn = [proof for proof in drawn if proof.linked is None or proof.has_words]
    for basis in dict.fromkeys(map(basis_sentence, drawn)):
        yield f"{sessions_text([proof.session for proof in drawn if basis_sentence(proof) == basis])}: {basis}"
    yield from line(
        lambda proof: proof.later > 0,
        "{faces}drawn by a correction after the seed was revealed: its writer could know them",
        lambda proof: proof.later,
    )
    yield from line(lambda proof: bool(proof.faces) and proof.open, "{faces}sealed until the session closes", all_faces)
    for proof in every:
        if proof.linked is not None and proof.faces > proof.later:
            yield f"session {proof.session}: {shared_sentence(proof.linked, proof.alone)}"
    for proof in every:
        yield from (f"session {proof.session}: {text}" for text in throw_sentences(proof.taken_back, proof.shared))


def sessions_text(numbers: Sequence[int]) -> str:
    """Return sessions in words: `session 2`, `sessions 1, 3 to 5 and 8`."""
    spans: list[list[int]] = []
    for number in sorted(numbers):
        if spans and spans[-1][-1] == number - 1:
            spans[-1].append(number)
        else:
            spans.append([number])
    parts = [part for span in spans for part in ([f"{span[0]} to {span[-1]}"] if len(span) > 2 else map(str, span))]
    return f"{'session' if len(numbers) == 1 else 'sessions'} {word_list(parts)}"
