"""Violations in how a conversation is interrupted, and in what its messages ask for (CNV-006, CNV-007)."""

from typing import Any

from react_tck.prove.mutants.mutant import mutant
from react_tck.prove.mutants.operators.prompts import (
    FieldsAsked,
    asked_of,
    asking_for,
    conversing,
    entered,
    finish_instead,
    said_by,
    this_call,
)
from react_tck.prove.mutants.operators.runs import before, limited
from react_tck.prove.mutants.operators.views import inputs
from react_tck.reference.loop.views.conversation import INSTRUCTIONS, TOOL_ARGS, TOOL_NAME, TOOL_RESULT
from react_tck.reference.seams import Edit, Prompt, Site
from react_tck.reference.signatures.users import own_max_steps


def _when_interrupted(field: str, text: str) -> Edit[Prompt]:
    """Another text in this field when interrupted."""
    return asked_of("interrupted", inputs(lambda _, shown: {**shown, field: text}))


def _none_if_small(site: Site, shown: dict[str, Any]) -> dict[str, Any]:
    return shown if site.state.steps[-1].observation else {**shown, TOOL_RESULT: "(none)"}


def _without_its_limit(site: Site, given: dict[str, Any]) -> dict[str, Any]:
    return own_max_steps(site.agent.signature, given, 0)[1]


def _tool_when_interrupted(state: str, asked: FieldsAsked) -> FieldsAsked:
    if state != "interrupted":
        return asked
    return asked._replace(required=(*asked.required, TOOL_NAME, TOOL_ARGS))


MUTANTS = (
    mutant(
        "interrupted-state-skipped",
        "CNV-006",
        "Enters the state `finish` when the steps have run out.",
        prompt=entered(finish_instead),
    ),
    mutant(
        "one-step-after-the-last",
        "CNV-006",
        "Takes one step more than it may.",
        begin=conversing(limited(lambda _, max_steps: max_steps + 1)),
    ),
    mutant(
        "interruption-instructions-lost",
        "CNV-006",
        "Doesn't say what to do when interrupted.",
        prompt=_when_interrupted(INSTRUCTIONS, ""),
    ),
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
        "gathered-results-forgotten-when-interrupted",
        "CNV-006",
        "Shows the last result only when interrupted.",
        prompt=asked_of("interrupted", this_call(lambda *_: [])),
    ),
    mutant(
        "call-limit-ignored-by-the-conversation",
        "CNV-006",
        "Takes the steps it was constructed with, whatever the call says.",
        begin=conversing(before(_without_its_limit)),
    ),
    mutant(
        "masked-field-asked-for",
        "CNV-007",
        "Asks for the fields of all states.",
        adapter=asking_for(lambda _, asked: asked._replace(required=asked.required + asked.forbidden)),
    ),
    mutant(
        "fields-asked-for-out-of-order",
        "CNV-007",
        "Asks for the fields in reverse order.",
        adapter=asking_for(lambda _, asked: asked._replace(required=asked.required[::-1])),
    ),
    mutant(
        "completed-marker-not-asked-for",
        "CNV-007",
        "Doesn't ask for the completed marker.",
        adapter=said_by("user", lambda content: content.replace(", ending with `[[ ## completed ## ]]`", "")),
    ),
    mutant(
        "masked-fields-not-named",
        "CNV-007",
        "Doesn't say which fields not to generate.",
        adapter=asking_for(lambda _, asked: asked._replace(forbidden=())),
    ),
    mutant(
        "own-fields-masked",
        "CNV-007",
        "Forbids a field that it asks for.",
        adapter=asking_for(lambda _, asked: asked._replace(forbidden=asked.forbidden + asked.required[-1:])),
    ),
    mutant(
        "interrupted-asks-for-a-tool",
        "CNV-007",
        "Asks for one more tool call when interrupted.",
        adapter=asking_for(_tool_when_interrupted),
    ),
)
