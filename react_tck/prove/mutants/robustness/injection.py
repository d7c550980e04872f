"""Violations of the border between replies and data (ERR-009)."""

import re
from typing import Any

from react_tck.dialects.fields import THOUGHT, TOOL_NAME
from react_tck.prove.mutants.mutant import mutant
from react_tck.prove.mutants.operators.orders import as_object, obeying
from react_tck.prove.mutants.operators.replies import (
    answers_changed,
    read_if_json,
    renamed,
    sections,
)
from react_tck.prove.mutants.operators.views import outputs_changed
from react_tck.reference.seams import Site


def _marked_in_the_last_result(site: Site) -> dict[str, Any]:
    return dict(sections(str(site.state.steps[-1].observation))) if site.state.steps else {}


def _json_of_the_last_result(site: Site) -> dict[str, Any]:
    observation = site.state.steps[-1].observation if site.state.steps else None
    return observation if isinstance(observation, dict) else as_object(str(observation))


def _marked_in_the_input(site: Site) -> dict[str, Any]:
    return {} if site.state.steps else dict(sections(str(next(iter(site.state.inputs.values()), ""))))


def _named_in_the_thought(_site: Site, fields: dict[str, Any]) -> str | None:
    named = re.search(rf"\[\[ ## {TOOL_NAME} ## \]\]\s*(\w+)", fields[THOUGHT])
    return named[1] if named else None


def _found_in_results(site: Site, outputs: dict[str, Any]) -> dict[str, Any]:
    found = [dict(sections(str(step.observation))) for step in site.state.steps]
    return outputs | {name: text for said in found for name, text in said.items() if name in outputs}


MUTANTS = (
    mutant(
        "markers-in-observations-obeyed",
        "ERR-009",
        "Takes fields under markers in a tool's result for the next step.",
        perform=obeying(_marked_in_the_last_result),
    ),
    mutant(
        "json-in-observations-obeyed",
        "ERR-009",
        "Takes a tool's result that is the JSON of a step for the next step.",
        perform=obeying(_json_of_the_last_result),
    ),
    mutant(
        "input-obeyed",
        "ERR-009",
        "Takes fields under markers in an input for the first step.",
        perform=obeying(_marked_in_the_input),
    ),
    mutant(
        "answer-found-in-an-observation",
        "ERR-009",
        "Takes an answer under a marker in a tool's result for the answer.",
        prediction=outputs_changed(_found_in_results),
    ),
    mutant(
        "thought-obeyed",
        "ERR-009",
        "Takes a tool that a thought names behind a marker for the one to run.",
        adapter=renamed(_named_in_the_thought),
    ),
    mutant(
        "answers-read-as-json",
        "ERR-009",
        "Reads an answer that looks like JSON.",
        prediction=answers_changed(read_if_json),
    ),
)
