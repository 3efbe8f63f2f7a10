"""The description of the interface: made from the types of its answers, as OpenAPI and as a page to read."""

from __future__ import annotations

from functools import cache
from importlib.metadata import version
from typing import Any, Final

import msgspec

from cli.table import answers, page_links, taps
from cli.web.pages.document import document
from cli.web.pages.markup import Html, element

STRUCTS: Final = (
    answers.TypedLine,
    answers.Taken,
    answers.Asked,
    answers.Answered,
    answers.Refusal,
    answers.Problem,
    answers.TableState,
    answers.LogPart,
    answers.LineOdds,
    answers.Completions,
    answers.ForecastCard,
    taps.Taps,
    taps.TapLine,
    page_links.LinkWanted,
    page_links.GivenLink,
    page_links.LinkTaken,
)
REFERENCE: Final = "#/components/schemas/"
PATHS: Final[tuple[tuple[str, str, str, tuple[str, ...], tuple[str, ...]], ...]] = (
    (
        "post",
        "/line",
        "Say a line or ask a question. A line counts once with its key.",
        (),
        ("Taken", "Asked", "Answered"),
    ),
    ("get", "/state", "The table as this link may see it now.", (), ("TableState",)),
    ("get", "/log", "The log after a position, in order of writing.", ("after",), ("LogPart",)),
    (
        "get",
        "/acts",
        "What may be said now by those for whom this link speaks, as choices; with who and path (given again for each"
        " label) one act with what is chosen next.",
        ("who", "path"),
        ("Taps",),
    ),
    ("get", "/act", "A line before it is said: its price, its dice, what may be changed.", ("line",), ("TapLine",)),
    ("get", "/odds", "The chances of a line before it is said.", ("line",), ("LineOdds",)),
    (
        "get",
        "/forecast",
        "What comes of the fight that is on, played for a few seconds, as far as this link may see it: policy is what"
        " everybody does, play (given again for each) what some do. Asking anew ends the forecast before.",
        ("policy", "play"),
        ("ForecastCard",),
    ),
    ("get", "/complete", "The words that may end a line.", ("line",), ("Completions",)),
    (
        "get",
        "/events",
        "What is new after a position, as it comes: each event is a LogPart. One named 'link' asks a player's page for"
        " a link, where dice are shared; one named 'reload' says that the log is another one.",
        ("after",),
        ("LogPart", "LinkWanted"),
    ),
    ("post", "/link", "Give the link that an event has asked for.", (), ("LinkTaken",)),
)
BODIES: Final = {"/line": "TypedLine", "/link": "GivenLink"}
ERRORS: Final = {
    "400": "not what is asked for",
    "401": "no token of this table",
    "403": "another page has asked",
    "413": "too long",
    "422": "refused, with the code of the book",
    "429": "too often; retry-after says when",
    "503": "the ledger cannot be used now: send it again",
}
TITLE: Final = "The table over HTTP"
INTRODUCTION: Final = (
    "Every request has the header 'authorization: Bearer TOKEN': what stands behind #t= in a link."
    " A body is JSON. Every refusal is an answer in JSON with code, message and hint. A line has at most 2,000"
    " characters; a link may say ten a second."
)


@cache
def description() -> dict[str, Any]:
    """Return the description as OpenAPI."""
    _, components = msgspec.json.schema_components(STRUCTS, ref_template=REFERENCE + "{name}")
    return {
        "openapi": "3.1.0",
        "info": {"title": TITLE, "version": version("campaign-ledger"), "description": INTRODUCTION},
        "security": [{"link": []}],
        "paths": {row[1]: {row[0]: _operation(*row)} for row in PATHS},
        "components": {
            "securitySchemes": {"link": {"type": "http", "scheme": "bearer"}},
            "schemas": components,
        },
    }


def _operation(method: str, path: str, what: str, given: tuple[str, ...], sent: tuple[str, ...]) -> dict[str, Any]:
    """Return the description of one path."""
    media = "text/event-stream" if path == "/events" else "application/json"
    responses = {"200": {"description": "the answer", "content": {media: {"schema": _one_of(sent)}}}}
    for status, why in ERRORS.items():
        schema = _one_of(("Refusal" if status == "422" else "Problem",))
        responses[status] = {"description": why, "content": {"application/json": {"schema": schema}}}
    operation: dict[str, Any] = {"summary": what, "operationId": path.strip("/"), "responses": responses}
    if path in BODIES:
        operation["requestBody"] = {
            "required": True,
            "content": {"application/json": {"schema": _one_of((BODIES[path],))}},
        }
    kinds: dict[str, dict[str, Any]] = {
        "after": {"type": "integer"},
        **{name: {"type": "array", "items": {"type": "string"}} for name in ("path", "play")},
    }
    operation["parameters"] = [
        {"name": name, "in": "query", "schema": kinds.get(name, {"type": "string"})} for name in given
    ]
    return operation


def _one_of(names: tuple[str, ...]) -> dict[str, Any]:
    """Return the schema of one of these."""
    schemas = [{"$ref": REFERENCE + name} for name in names]
    return schemas[0] if len(schemas) == 1 else {"oneOf": schemas}


@cache
def api_page() -> str:
    """Return the description as a page to read."""
    parts = [element("h1", None, TITLE), element("p", None, INTRODUCTION)]
    for method, path, what, given, sent in PATHS:
        query = "".join(f"?{name}=" for name in given)
        parts.append(element("h2", None, element("code", None, f"{method.upper()} {path}{query}")))
        parts.append(element("p", None, what))
        for name in (*((BODIES[path],) if path in BODIES else ()), *sent):
            parts += _schema_parts(name)
    parts.append(element("h2", None, "Refusals"))
    parts.append(element("dl", None, *(part for pair in ERRORS.items() for part in _term(*pair))))
    return document(TITLE, element("main", None, *parts))


def _schema_parts(name: str) -> list[Html]:
    """Return what an answer has, as a list."""
    schema = description()["components"]["schemas"][name]
    fields = element("code", None, ", ".join(schema["properties"]))
    text = str(schema.get("description", ""))
    return [element("h3", None, name), element("p", None, fields), element("pre", None, text)]


def _term(word: str, text: str) -> tuple[Html, Html]:
    """Return a term with its explanation."""
    return element("dt", None, word), element("dd", None, text)
