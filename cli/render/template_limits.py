"""Limits for templates: no expression may make a text that fills the memory, and no loop may run for hours.

Only what makes much of little is limited: widths, repetitions, powers, ranges.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any, Final

MOST: Final = 100_000  # characters of a width or a repetition
ROUNDS: Final = 1_000_000  # of all ranges of a template
POWER_BITS: Final = 4096
PADDED: Final = ("center", "ljust", "rjust", "zfill", "expandtabs")  # methods of texts
FILTERS: Final = ("batch", "center", "format", "indent", "slice", "tojson")
PERCENT: Final = re.compile(r"%[^%a-zA-Z]*")  # the width of `%10d`
BRACES: Final = re.compile(r"\{[^{}]*[:!]([^{}]*)")  # the width of `{:10}`
NESTED: Final = re.compile(r":[^{}]*\{")  # a width that an argument says, in `{:{}}`
NUMBER: Final = re.compile(r"[0-9]+")


class TooMuch(Exception):
    """An expression of a template wants more than its limit."""


def limit(environment: Any) -> None:
    """Set the limits of a sandboxed environment of Jinja2."""
    call, wrap_str_format, call_binop = environment.call, environment.wrap_str_format, environment.call_binop

    def limited_call(context: Any, method: Any, *args: Any, **kwargs: Any) -> Any:
        if getattr(method, "__name__", "") in PADDED and isinstance(getattr(method, "__self__", None), str):
            check_numbers([*args, *kwargs.values()])
        return call(context, method, *args, **kwargs)

    def limited_format(value: Any) -> Any:
        method = wrap_str_format(value)
        return method and limited_method(method, value.__self__)

    def limited_binop(context: Any, operator: str, left: Any, right: Any) -> Any:
        check_operation(operator, left, right)
        return call_binop(context, operator, left, right)

    environment.call, environment.wrap_str_format, environment.call_binop = limited_call, limited_format, limited_binop
    environment.intercepted_binops = frozenset(("*", "**", "%"))
    environment.globals["range"] = limited_range()
    for name in FILTERS:
        environment.filters[name] = limited_filter(environment.filters[name], is_format=name == "format")


def limited_filter(function: Callable[..., Any], *, is_format: bool) -> Callable[..., Any]:
    """Return a filter that refuses numbers above the limit; of `format` the widths in its text."""

    @wraps(function)
    def limited(*args: Any, **kwargs: Any) -> Any:
        if is_format:
            check_operation("%", args[0], args[1:] or kwargs)
        else:
            check_numbers([*args[1:], *kwargs.values()])
        return function(*args, **kwargs)

    return limited


def limited_method(method: Callable[..., str], text: str) -> Callable[..., str]:
    """Return a `format` of a text that refuses widths above the limit, also those that an argument says."""

    @wraps(method)
    def limited(*args: Any, **kwargs: Any) -> str:
        check_texts(BRACES.findall(text))
        if NESTED.search(text):
            check_numbers([*args, *kwargs.values()])
        return method(*args, **kwargs)

    return limited


def limited_range() -> Callable[..., range]:
    """Return a `range` whose results have a limited number of rounds in all."""
    left = ROUNDS

    def limited(*args: int) -> range:
        nonlocal left
        rounds = range(*args)
        left -= len(rounds)
        if left < 0:
            raise TooMuch(f"its ranges have more than {ROUNDS:,} rounds")
        return rounds

    return limited


def check_operation(operator: str, left: Any, right: Any) -> None:
    """Raise TooMuch for an operation whose result would be too large."""
    if operator == "%" and isinstance(left, str):
        widths = PERCENT.findall(left)
        check_texts(widths)
        if any("*" in width for width in widths):
            check_numbers(right if isinstance(right, tuple) else (right,))
    elif operator == "*":
        for text, times in ((left, right), (right, left)):
            if isinstance(text, str | list | tuple) and isinstance(times, int) and len(text) * times > MOST:
                raise too_long(len(text) * times)
    elif operator == "**" and is_large_power(left, right):
        raise TooMuch("the power is too large")


def is_large_power(base: Any, exponent: Any) -> bool:
    """Return whether a power of whole numbers has more bits than the limit."""
    return isinstance(base, int) and isinstance(exponent, int) and base.bit_length() * abs(exponent) > POWER_BITS


def check_texts(texts: Iterable[str]) -> None:
    """Raise TooMuch if a number in one of these texts is above the limit."""
    for number in (number for text in texts for number in NUMBER.findall(text)):
        if len(number) > len(str(MOST)) or int(number) > MOST:
            raise too_long(number)


def check_numbers(values: Iterable[Any]) -> None:
    """Raise TooMuch if one of these is a number above the limit."""
    for value in values:
        if isinstance(value, int) and abs(value) > MOST:
            raise too_long(value)


def too_long(number: object) -> TooMuch:
    """Return the error for a text of so many characters."""
    return TooMuch(f"a width of {str(number)[:20]} is more than {MOST}")
