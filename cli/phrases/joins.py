"""Sentences in one: what several do, `Ash and Bryn are surprised`, and what one is, `Rat is unconscious and stable`.

Sentences come with marks for their verbs, as `fill_but_verbs` of `patterns` leaves them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

from cli.phrases.patterns import MARK, in_tense, mark_verb
from cli.phrases.verbs import is_plural
from ledger.names import word_list

NO_LONGER: Final = " no longer"
SENTENCE: Final = re.compile(
    rf"(?P<subject>[^\x02]+?)(?P<before>{NO_LONGER})? \x02\*?(?P<verb>\w+)\x03(?P<behind>{NO_LONGER})?(?P<object>.*)",
    re.DOTALL,
)
LIST: Final = re.compile(r"(?P<subject>[^:\x02]+)(?P<before>)(?P<verb>)(?P<behind>:)(?P<object> .+)", re.DOTALL)
APART: Final = ("have", "can", "cannot")  # verbs whose objects say too little of one another to stand side by side
SHARED: Final = re.compile(r".* (?:to|of|on|with|against) ")  # how objects begin that have this in common


class JointSentence(msgspec.Struct):
    """A sentence in parts; `verb` with what stands before and behind it."""

    subjects: list[str]
    verb: tuple[str, str, str]
    objects: list[str]

    @property
    def is_plain(self) -> bool:
        """Whether the objects of another sentence of the same beings may stand beside its own."""
        return self.verb[1] not in APART and not MARK.search(self.objects[0])

    def __str__(self) -> str:
        before, verb, behind = self.verb
        is_several = len(self.subjects) > 1 or is_plural(self.subjects[0])
        objects = [MARK.sub(lambda mark: mark_verb(mark[2], is_several), text) for text in self.objects]
        mark = f" {mark_verb(verb, is_several)}" if verb else ""
        last_by = "or" if NO_LONGER in (before, behind) else "and"
        return f"{word_list(self.subjects)}{before}{mark}{behind}{word_list(_without_shared(objects), last_by)}"


def joined_sentences(texts: Iterable[str]) -> list[str]:
    """Return sentences in the present as `joined_templates` joins them."""
    return [in_tense(text) for text in joined_templates(texts)]


def joined_templates(texts: Iterable[str]) -> list[str]:
    """Return sentences with marks: what several do stands in one, and what somebody is or does.

    Those that are no sentences of somebody stand as they are; empty ones are left out.
    """
    same: dict[object, JointSentence | str] = {}
    for text in filter(None, texts):
        parts = SENTENCE.fullmatch(text) or LIST.fullmatch(text)
        if parts is None:
            same[text] = text
            continue
        verb, what = (parts["before"] or "", parts["verb"], parts["behind"] or ""), parts["object"]
        known = same.setdefault((verb, what), JointSentence([], verb, [what]))
        if isinstance(known, JointSentence) and parts["subject"] not in known.subjects:
            known.subjects.append(parts["subject"])
    alike: dict[object, JointSentence | str] = {}
    for key, each in same.items():
        if isinstance(each, JointSentence) and each.is_plain:
            known = alike.setdefault((each.verb, *each.subjects), each)
            if isinstance(known, JointSentence) and known is not each:
                known.objects += each.objects
        else:
            alike[key] = each
    return [str(each) for each in alike.values()]


def _without_shared(objects: Sequence[str]) -> list[str]:
    """Return objects without what they all begin with, behind the first: `next to yard`, `wall`."""
    first, *others = objects
    shared = SHARED.match(first)
    if not shared or not all(text.startswith(shared[0]) for text in others):
        return [first, *(text.lstrip() for text in others)]
    return [first, *(text.removeprefix(shared[0]) for text in others)]
