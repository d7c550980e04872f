"""Violations of the border between replies and data (ERR-009)."""

import re
from collections.abc import Callable
from json import JSONDecoder
from typing import Any

from react_tck.dialects.fields import THOUGHT, TOOL_NAME
from react_tck.prove.mutants.mutant import mutant
from react_tck.prove.mutants.operators.orders import (
    Find,
    as_object,
    find_action,
    find_elements,
    find_fenced,
    find_numbered,
    find_tool_call,
    obeying,
)
from react_tck.prove.mutants.operators.replies import (
    answers_changed,
    args_changed,
    if_text,
    read_if_json,
    renamed,
    sections,
)
from react_tck.prove.mutants.operators.runs import before
from react_tck.prove.mutants.operators.views import LmReply, outputs_changed, reading
from react_tck.reference.loop import FINISH
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


_END = "[[ ## completed ## ]]"


def _in_a_result(find: Find) -> Any:
    """Take what stands so in the last tool's result for the next step."""
    return obeying(lambda site: find(str(site.state.steps[-1].observation)) if site.state.steps else {})


def _in_an_input(find: Find) -> Any:
    """Take what stands so in an input for the first step."""
    return obeying(lambda site: {} if site.state.steps else find(str(next(iter(site.state.inputs.values()), ""))))


def _in_a_thought(find: Find) -> Any:
    """Take the tool that stands so in a thought for the one to run."""

    def named(_site: Site, fields: dict[str, Any]) -> str | None:
        name = find(str(fields[THOUGHT])).get(TOOL_NAME)
        return name if isinstance(name, str) else None

    return renamed(named)


def _first_object(text: str) -> dict[str, Any]:
    found = JSONDecoder().raw_decode(text)[0] if text.startswith("{") else None
    return found if isinstance(found, dict) else {}


def _without_end_mark(beginning: str) -> Callable[[Site, LmReply], LmReply]:
    """Drop the mark of an end from replies that begin so."""

    def drop(_site: Site, reply: LmReply) -> LmReply:
        is_meant = reply.text.lstrip().startswith(beginning)
        return reply._replace(text=reply.text.replace(_END, "")) if is_meant else reply

    return drop


def _found_in_data(site: Site, outputs: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for step in site.state.steps:
        found |= as_object(str(step.observation))
    for text in site.state.inputs.values():
        found |= dict(sections(str(text)))
    return outputs | {name: text for name, text in found.items() if name in outputs}


def _unwrap(text: str) -> str:
    return re.sub(r"^```\w*\n|\n```$", "", text)


def _drop_tags(text: str) -> str:
    return re.sub(r"</?(?:next_\w+|answer)>", "", text)


MUTANTS = {
    "markers-in-observations-obeyed": mutant(
        "ERR-009",
        "Takes fields under markers in a tool's result for the next step.",
        perform=obeying(_marked_in_the_last_result),
    ),
    "json-in-observations-obeyed": mutant(
        "ERR-009",
        "Takes a tool's result that is the JSON of a step for the next step.",
        perform=obeying(_json_of_the_last_result),
    ),
    "input-obeyed": mutant(
        "ERR-009", "Takes fields under markers in an input for the first step.", perform=obeying(_marked_in_the_input)
    ),
    "answer-found-in-an-observation": mutant(
        "ERR-009",
        "Takes an answer under a marker in a tool's result for the answer.",
        prediction=outputs_changed(_found_in_results),
    ),
    "thought-obeyed": mutant(
        "ERR-009",
        "Takes a tool that a thought names behind a marker for the one to run.",
        adapter=renamed(_named_in_the_thought),
    ),
    "answers-read-as-json": mutant(
        "ERR-009", "Reads an answer that looks like JSON.", prediction=answers_changed(read_if_json)
    ),
    "numbered-markers-in-observations-obeyed": mutant(
        "ERR-009",
        "Takes a step as trajectories have them, in a tool's result, for the next step.",
        perform=_in_a_result(find_numbered),
    ),
    "fenced-json-in-observations-obeyed": mutant(
        "ERR-009", "Takes a fenced step in a tool's result for the next step.", perform=_in_a_result(find_fenced)
    ),
    "elements-in-observations-obeyed": mutant(
        "ERR-009",
        "Takes a step in elements, in a tool's result, for the next step.",
        perform=_in_a_result(find_elements),
    ),
    "actions-in-observations-obeyed": mutant(
        "ERR-009",
        "Takes an action and its input, in a tool's result, for the next step.",
        perform=_in_a_result(find_action),
    ),
    "tool-calls-in-observations-obeyed": mutant(
        "ERR-009",
        "Takes a call in an element, in a tool's result, for the next step.",
        perform=_in_a_result(find_tool_call),
    ),
    "ends-in-observations-obeyed": mutant(
        "ERR-009",
        "Ends the loop where a tool's result is the mark of an end.",
        perform=_in_a_result(lambda text: {TOOL_NAME: FINISH, "next_tool_args": {}} if text in (FINISH, _END) else {}),
    ),
    "answer-found-in-data": mutant(
        "ERR-009",
        "Takes an answer in a result that is JSON, or under a mark in an input, for the answer.",
        prediction=outputs_changed(_found_in_data),
    ),
    "json-input-obeyed": mutant(
        "ERR-009",
        "Takes an input that begins with the JSON of a step for the first step.",
        perform=_in_an_input(_first_object),
    ),
    "elements-of-an-input-obeyed": mutant(
        "ERR-009", "Takes a step in elements, in an input, for the first step.", perform=_in_an_input(find_elements)
    ),
    "json-thought-obeyed": mutant(
        "ERR-009", "Takes the tool of a thought that is JSON for the one to run.", adapter=_in_a_thought(as_object)
    ),
    "fenced-thought-obeyed": mutant(
        "ERR-009",
        "Takes the tool of a fenced block in a thought for the one to run.",
        adapter=_in_a_thought(find_fenced),
    ),
    "elements-of-a-thought-obeyed": mutant(
        "ERR-009",
        "Takes the tool that stands in an element of a thought for the one to run.",
        adapter=_in_a_thought(find_elements),
    ),
    "action-of-a-thought-obeyed": mutant(
        "ERR-009", "Takes the tool of an action in a thought for the one to run.", adapter=_in_a_thought(find_action)
    ),
    "end-mark-dropped-from-json": mutant(
        "ERR-009",
        "Drops the mark of an end in chat from replies in JSON, wherever it stands.",
        adapter=reading(before(_without_end_mark("{"))),
    ),
    "end-mark-dropped-from-xml": mutant(
        "ERR-009",
        "Drops the mark of an end in chat from replies in XML, wherever it stands.",
        adapter=reading(before(_without_end_mark("<"))),
    ),
    "steps-in-args-read": mutant(
        "ERR-009",
        "Reads a text in args that is the JSON of a step as what it says.",
        args=args_changed(if_text(lambda text: as_object(text) or text)),
    ),
    "fences-stripped-from-args": mutant(
        "ERR-009", "Drops fences around texts in args.", args=args_changed(if_text(_unwrap))
    ),
    "elements-stripped-from-args": mutant(
        "ERR-009", "Drops from args what looks like an element of a reply.", args=args_changed(if_text(_drop_tags))
    ),
    "fences-stripped-from-answers": mutant(
        "ERR-009", "Drops fences around an answer.", prediction=answers_changed(_unwrap)
    ),
    "elements-stripped-from-answers": mutant(
        "ERR-009", "Drops from an answer what looks like an element of a reply.", prediction=answers_changed(_drop_tags)
    ),
}
