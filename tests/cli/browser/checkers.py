"""What is checked of a page beside what a test looks for: its HTML, its accessibility, and what it tried to do."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path
from shutil import which
from typing import Any, Final

MODULES: Final = Path(__file__).parents[3] / ".ci" / "node_modules"
AXE: Final = MODULES / "axe-core" / "axe.min.js"
VALIDATOR: Final = MODULES / "html-validate" / "bin" / "html-validate.mjs"
RULES: Final = {"extends": ["html-validate:standard", "html-validate:a11y"], "root": True}
AXE_TAGS: Final = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")
RUN_AXE: Final = """tags => axe.run(document, {runOnly: tags}).then(found => found.violations.map(
    each => [each.id, each.help, each.nodes.slice(0, 3).map(node => node.html.slice(0, 120) + node.failureSummary)]))"""
REPORT: Final = """addEventListener('securitypolicyviolation', violation => console.error(
    'policy: ' + violation.effectiveDirective + ' ' + violation.blockedURI + ' ' + violation.sample))"""


class Behaviour:
    """What a page did that no page of ours may do: errors, dialogs, breaches of its policy, requests to elsewhere."""

    def __init__(self, page: Any) -> None:
        self.faults: list[str] = []
        self.requests: list[str] = []
        page.add_init_script(REPORT)
        page.on("console", self._note_message)
        page.on("pageerror", lambda error: self.faults.append(f"error: {error}"))
        page.on("dialog", self._note_dialog)
        page.on("request", lambda request: self.requests.append(request.url))

    def _note_message(self, message: Any) -> None:
        if message.type in ("error", "warning"):
            self.faults.append(f"{message.type}: {message.text}")

    def _note_dialog(self, dialog: Any) -> None:
        self.faults.append(f"dialog: {dialog.message}")
        dialog.dismiss()


def axe_faults(page: Any) -> list[Any]:
    """Return what axe finds wrong with the accessibility of a page as it is now."""
    if page.evaluate("typeof axe") == "undefined":
        page.evaluate(AXE.read_text(encoding="utf-8"))
    return page.evaluate(RUN_AXE, list(AXE_TAGS))


def html_faults(files: Sequence[Path], folder: Path) -> list[tuple[str, str, int, str]]:
    """Return the faults of HTML files: the file, the rule, the line and the message; `folder` gets the settings."""
    settings = folder / "html-validate.json"
    settings.write_text(json.dumps(RULES), encoding="utf-8")
    words = [str(which("node")), str(VALIDATOR), "--config", str(settings), "--formatter", "json", *map(str, files)]
    found = folder / "html-faults.json"  # a pipe would be cut off when it ends
    with found.open("w", encoding="utf-8") as output:
        done = subprocess.run(words, stdout=output, stderr=subprocess.PIPE, text=True, check=False, timeout=120)
    assert done.returncode in (0, 1), done.stderr
    reports = json.loads(found.read_text(encoding="utf-8"))
    return [
        (Path(report["filePath"]).name, each["ruleId"], each["line"], each["message"])
        for report in reports
        for each in report["messages"]
    ]
