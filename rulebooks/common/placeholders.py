"""Values as they stand in the sentences of refusals."""

from __future__ import annotations

from rulebooks.common.beings import name_in_line


class Filling(str):
    """A value in a refusal: `{name:line}` is a name as it stands in a line, `{value:given}` also an empty text."""

    def __format__(self, spec: str) -> str:
        """Return the text; in quotes where a name has a space, or `an empty text`, if the field asks for it."""
        if spec == "line":
            return name_in_line(self)
        return str(self) or ("an empty text" if spec == "given" else "")
