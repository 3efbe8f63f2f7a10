"""Values outside their domain, for books whose own codes have none for them."""

from __future__ import annotations

from ledger.errors import Refused
from ledger.names import NUMBER_MOST


def outside_domain(field: str, domain: str, value: object) -> Refused:
    """The refusal of a value outside its domain."""
    return Refused("L-VALUE", f"{field} must be {domain}; got {value}", hint="Say it again with a value that fits.")


def check_whole(field: str, value: int, least: int, most: int | None = None) -> None:
    """Raises the refusal of a number outside its domain. No number lies beyond 10^9."""
    highest = NUMBER_MOST if most is None else most
    if not least <= value <= highest:
        short = most is None and value < least
        domain = f"a whole number of {least} or more" if short else f"a whole number from {least} to {highest}"
        raise outside_domain(field, domain, value)
