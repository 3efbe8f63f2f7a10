"""The command line, and the libraries below it: notation, questions, phrases, story, web. No rule, no SQL."""

import gc
import sys


def _load_msgspec() -> None:
    """Load msgspec without typing_extensions.

    Where that is installed, msgspec takes from it what `typing` of this Python has as well, and it takes as long to
    load as Python itself.
    """
    name = "typing_extensions"
    if name in sys.modules or "msgspec" in sys.modules:
        return
    sys.modules[name] = None  # type: ignore[assignment]  # an import of it fails, as if it were not installed
    try:
        import msgspec  # noqa: F401 - to have it loaded before anything else asks for it
    finally:
        del sys.modules[name]


gc.set_threshold(50_000)  # a short command leaves no garbage behind that is worth forty searches while it starts
_load_msgspec()
