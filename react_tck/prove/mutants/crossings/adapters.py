"""Crossings of which adapter is configured: with another one before it, and with marks of another dialect in texts."""

from typing import Any

from react_tck.prove.mutants.operators.crossings import crossing, in_json, in_xml
from react_tck.prove.mutants.operators.runs import Proceed, when
from react_tck.prove.mutants.operators.views import LmReply, reading
from react_tck.reference.seams import Site


def _without_end_marks(_site: Site, proceed: Proceed, reply: LmReply) -> dict[str, Any]:
    fields: dict[str, Any] = proceed(reply._replace(text=reply.text.replace("[[ ## completed ## ]]", "")))
    return fields


def _first_of_its_class(site: Site, adapter: Any) -> Any:
    return site.memory.setdefault(f"{type(adapter).__name__} {site.prompt.predictor}", adapter)


MUTANTS = (
    crossing(
        "end-mark-taken-out-of-other-dialects",
        "TRJ-002",
        "Takes the mark that ends a reply in chat out of replies in JSON and XML, too.",
        adapter=when(lambda site: in_json(site) or in_xml(site), reading(_without_end_marks)),
    ),
    crossing(
        "adapter-kept-by-its-class",
        "ADP-005",
        "Takes the first adapter of a class for any other of that class: one with native calls is none.",
        adapter=_first_of_its_class,
    ),
)
