"""What it costs a browser to open a page: the processor time of its main thread, which the load of a machine spares.

The floor is the same content without scripts and style: what a browser needs for the bytes and the text alone.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final

LOADS: Final = 3
TWO_FRAMES: Final = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
SCRIPTS: Final = re.compile(r"<script(?! type=).*?</script>|<style.*?</style>", re.DOTALL)


def opening_seconds(browser: Any, file: Path, size: Any) -> float:
    """Return the least processor time that the main thread took for a page until it is drawn, of a few loads."""
    return min(one_opening(browser, file, size) for _ in range(LOADS))


def one_opening(browser: Any, file: Path, size: Any) -> float:
    """Return the processor time of the main thread until a page is drawn: reading, scripts, style, layout, paint."""
    context = browser.new_context(viewport=size)
    page = context.new_page()
    session = context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    page.goto(file.as_uri())
    page.evaluate(TWO_FRAMES)
    metrics = {each["name"]: each["value"] for each in session.send("Performance.getMetrics")["metrics"]}
    context.close()
    return float(metrics["TaskDuration"])


def floor_of(file: Path) -> Path:
    """Write a page without its scripts and its style beside it, and return where. Its data stay."""
    bare = file.with_name(f"{file.stem}-bare.html")
    bare.write_text(SCRIPTS.sub("", file.read_text(encoding="utf-8")), encoding="utf-8")
    return bare
