"""Violations of the border between replies and data where they are written in another form (ERR-009)."""

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
    renamed,
    sections,
)
from react_tck.prove.mutants.operators.runs import before
from react_tck.prove.mutants.operators.views import LmReply, outputs_changed, reading
from react_tck.reference.loop import FINISH
from react_tck.reference.seams import Site

_END = "[[ ## completed ## ]]"


def _in_a_result(find: Find) -> Any:
    """Takes what stands so in the last tool's result for the next step."""
    return obeying(lambda site: find(str(site.state.steps[-1].observation)) if site.state.steps else {})


def _in_an_input(find: Find) -> Any:
    """Takes what stands so in an input for the first step."""
    return obeying(lambda site: {} if site.state.steps else find(str(next(iter(site.state.inputs.values()), ""))))


def _in_a_thought(find: Find) -> Any:
    """Takes the tool that stands so in a thought for the one to run."""

    def named(_site: Site, fields: dict[str, Any]) -> str | None:
        name = find(str(fields[THOUGHT])).get(TOOL_NAME)
        return name if isinstance(name, str) else None

    return renamed(named)


def _first_object(text: str) -> dict[str, Any]:
    found = JSONDecoder().raw_decode(text)[0] if text.startswith("{") else None
    return found if isinstance(found, dict) else {}


def _over_by_a_word(text: str) -> dict[str, Any]:
    return {TOOL_NAME: FINISH, "next_tool_args": {}} if text in (FINISH, _END) else {}


def _without_end_mark(beginning: str) -> Callable[[Site, LmReply], LmReply]:
    """Drops the mark of an end from replies that begin so."""

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


_RESULTS = (
    mutant(
        "numbered-markers-in-observations-obeyed",
        "ERR-009",
        "Takes a step as trajectories have them, in a tool's result, for the next step.",
        perform=_in_a_result(find_numbered),
    ),
    mutant(
        "fenced-json-in-observations-obeyed",
        "ERR-009",
        "Takes a fenced step in a tool's result for the next step.",
        perform=_in_a_result(find_fenced),
    ),
    mutant(
        "elements-in-observations-obeyed",
        "ERR-009",
        "Takes a step in elements, in a tool's result, for the next step.",
        perform=_in_a_result(find_elements),
    ),
    mutant(
        "actions-in-observations-obeyed",
        "ERR-009",
        "Takes an action and its input, in a tool's result, for the next step.",
        perform=_in_a_result(find_action),
    ),
    mutant(
        "tool-calls-in-observations-obeyed",
        "ERR-009",
        "Takes a call in an element, in a tool's result, for the next step.",
        perform=_in_a_result(find_tool_call),
    ),
    mutant(
        "ends-in-observations-obeyed",
        "ERR-009",
        "Ends the loop where a tool's result is the mark of an end.",
        perform=_in_a_result(_over_by_a_word),
    ),
    mutant(
        "answer-found-in-data",
        "ERR-009",
        "Takes an answer in a result that is JSON, or under a mark in an input, for the answer.",
        prediction=outputs_changed(_found_in_data),
    ),
)
_INPUTS_AND_THOUGHTS = (
    mutant(
        "json-input-obeyed",
        "ERR-009",
        "Takes an input that begins with the JSON of a step for the first step.",
        perform=_in_an_input(_first_object),
    ),
    mutant(
        "elements-of-an-input-obeyed",
        "ERR-009",
        "Takes a step in elements, in an input, for the first step.",
        perform=_in_an_input(find_elements),
    ),
    mutant(
        "json-thought-obeyed",
        "ERR-009",
        "Takes the tool of a thought that is JSON for the one to run.",
        adapter=_in_a_thought(as_object),
    ),
    mutant(
        "fenced-thought-obeyed",
        "ERR-009",
        "Takes the tool of a fenced block in a thought for the one to run.",
        adapter=_in_a_thought(find_fenced),
    ),
    mutant(
        "elements-of-a-thought-obeyed",
        "ERR-009",
        "Takes the tool that stands in an element of a thought for the one to run.",
        adapter=_in_a_thought(find_elements),
    ),
    mutant(
        "action-of-a-thought-obeyed",
        "ERR-009",
        "Takes the tool of an action in a thought for the one to run.",
        adapter=_in_a_thought(find_action),
    ),
)
_ARGS_AND_ANSWERS = (
    mutant(
        "end-mark-dropped-from-json",
        "ERR-009",
        "Drops the mark of an end in chat from replies in JSON, wherever it stands.",
        adapter=reading(before(_without_end_mark("{"))),
    ),
    mutant(
        "end-mark-dropped-from-xml",
        "ERR-009",
        "Drops the mark of an end in chat from replies in XML, wherever it stands.",
        adapter=reading(before(_without_end_mark("<"))),
    ),
    mutant(
        "steps-in-args-read",
        "ERR-009",
        "Reads a text in args that is the JSON of a step as what it says.",
        args=args_changed(if_text(lambda text: as_object(text) or text)),
    ),
    mutant(
        "fences-stripped-from-args",
        "ERR-009",
        "Drops fences around texts in args.",
        args=args_changed(if_text(_unwrap)),
    ),
    mutant(
        "elements-stripped-from-args",
        "ERR-009",
        "Drops from args what looks like an element of a reply.",
        args=args_changed(if_text(_drop_tags)),
    ),
    mutant(
        "fences-stripped-from-answers",
        "ERR-009",
        "Drops fences around an answer.",
        prediction=answers_changed(_unwrap),
    ),
    mutant(
        "elements-stripped-from-answers",
        "ERR-009",
        "Drops from an answer what looks like an element of a reply.",
        prediction=answers_changed(_drop_tags),
    ),
)
MUTANTS = (*_RESULTS, *_INPUTS_AND_THOUGHTS, *_ARGS_AND_ANSWERS)
