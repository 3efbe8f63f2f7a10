"""The story of a recap as HTML: people's own words as they stand, every sentence with links to its entries."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from cli.story.page import Story
from cli.story.parts import UNKNOWN, name, players
from cli.story.passages import Passage, Sentence
from cli.story.style import STYLES
from cli.web.pages.markup import Html, element, linked
from ledger.names import capital, word_list
from projections.recap.events import RULING
from projections.recap.party import PartyMember

PLAIN: Final = STYLES["text"]
Address = Callable[[str], str]  # of an entry; empty: it has none


def story(passages: Iterable[Passage], address: Address) -> Iterator[Html]:
    """Yield the passages; entries that have an address are links."""
    for passage in passages:
        if passage.kind == "scene":
            yield element("h3", {"class": "scene"}, PLAIN.text(passage.text))
        elif passage.kind == "fiction":
            yield element("p", {"class": "fiction"}, PLAIN.text(passage.text), entry_links([passage.entry], address))
        elif passage.kind == "quote":
            speaker = element("b", None, f"{name(passage.by, PLAIN)}: ")
            yield element(
                "p", {"class": "quote"}, speaker, PLAIN.text(passage.text), entry_links([passage.entry], address)
            )
        else:
            kind = {"class": "fiction"} if passage.kind == RULING else None
            yield element("p", kind, lead(passage), (sentence(each, address) for each in passage.sentences))


def lead(passage: Passage) -> Html | None:
    """Return what a paragraph begins with: the encounter or the round."""
    if passage.kind == "encounter":
        return element("strong", None, f"{PLAIN.text(capital(passage.text))}. ")
    return element("em", None, f"Round {PLAIN.text(passage.text)}. ") if passage.kind == "round" else None


def sentence(told: Sentence, address: Address) -> Html:
    """Return a sentence with its entries."""
    return element("span", {"class": "sentence"}, PLAIN.text(told.text), ".", entry_links(told.entries, address), " ")


def entry_links(entries: Sequence[str], address: Address) -> Html:
    """Return the entries of a sentence, small behind it."""
    links = [["\u00a0", linked(entry, address(entry))] for entry in entries]
    return element("small", {"class": "entries"}, links)


def party_names(party: Sequence[PartyMember]) -> str:
    """Return who plays whom, or that nobody recorded it."""
    *who, last = players(party, PLAIN) or [""]
    who, unknown = (who, last) if last == UNKNOWN else ([*who, last], "")
    return " · ".join(part for part in (word_list(who), unknown) if part)


def told_lines(told: Story) -> dict[str, str]:
    """Return what each deed of a story came to, as a sentence that is understood by itself, by its first entry."""
    known = {each.entries: each.alone for passage in told.passages for each in passage.sentences}
    alone = (known.get(deed.entries) or told.teller.sentences([deed])[0].alone for deed in told.deeds)
    return {deed.entries[0]: PLAIN.text(text) for deed, text in zip(told.deeds, alone, strict=True)}
