"""Violations in how a conversation is interrupted, and in what its messages ask for (CNV-006, CNV-007)."""

from typing import Any

from react_tck.prove.mutants.mutant import mutant
from react_tck.prove.mutants.operators.prompts import (
    FieldsAsked,
    asked_of,
    asking_for,
    entered,
    finish_instead,
    said_by,
)
from react_tck.prove.mutants.operators.views import inputs
from react_tck.reference.loop.views.conversation import TOOL_ARGS, TOOL_NAME, TOOL_RESULT
from react_tck.reference.seams import Edit, Prompt, Site


def _when_interrupted(field: str, text: str) -> Edit[Prompt]:
    """Another text in this field when interrupted."""
    return asked_of("interrupted", inputs(lambda _, shown: {**shown, field: text}))


def _none_if_small(site: Site, shown: dict[str, Any]) -> dict[str, Any]:
    return shown if site.state.steps[-1].observation else {**shown, TOOL_RESULT: "(none)"}


def _tool_when_interrupted(state: str, asked: FieldsAsked) -> FieldsAsked:
    if state != "interrupted":
        return asked
    return asked._replace(required=(*asked.required, TOOL_NAME, TOOL_ARGS))


MUTANTS = (
    mutant(
        "last-result-lost-when-interrupted",
        "CNV-006",
        "Doesn't show what the last tool gave when interrupted.",
        prompt=_when_interrupted(TOOL_RESULT, "(interrupted)"),
    ),
    mutant(
        "small-result-taken-for-none-when-interrupted",
        "CNV-006",
        "Says that there was no result, when interrupted after one that is 0, false or empty.",
        prompt=asked_of("interrupted", inputs(_none_if_small)),
    ),
    mutant(
        "completed-marker-not-asked-for",
        "CNV-007",
        "Doesn't ask for the completed marker.",
        adapter=said_by("user", lambda content: content.replace(", ending with `[[ ## completed ## ]]`", "")),
    ),
    mutant(
        "interrupted-asks-for-a-tool",
        "CNV-007",
        "Asks for one more tool call when interrupted.",
        adapter=asking_for(_tool_when_interrupted),
    ),
    mutant(
        "interrupted-state-skipped",
        "CNV-006",
        "Enters the state `finish` when the steps have run out.",
        prompt=entered(finish_instead),
    ),
)
