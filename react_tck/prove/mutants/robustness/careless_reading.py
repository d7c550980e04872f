"""Violations of what is read in a step that is broken somewhere (ERR-005, ERR-020)."""

import json
from collections.abc import Callable
from typing import Any

import dspy

from react_tck.dialects.fields import THOUGHT, TOOL_ARGS, TOOL_NAME
from react_tck.prove.mutants.mutant import mutant
from react_tck.prove.mutants.operators.replies import COMPLETED, Section, joined, mended, read_if_json, sections
from react_tck.prove.mutants.operators.runs import Perform, on
from react_tck.prove.mutants.operators.views import LmReply
from react_tck.reference import loop
from react_tck.reference.drive import Episode
from react_tck.reference.seams import Site


def _zeros_for_no_args(site: Site, reply: LmReply) -> str:
    parts = sections(reply.text)
    said = dict(parts)
    if not parts or TOOL_ARGS in said or COMPLETED not in said:
        return reply.text
    tool = said.get(TOOL_NAME, next(iter(site.agent.bound)))
    args = dict.fromkeys(site.agent.bound[tool].args, 0) if tool in site.agent.bound else {}
    return joined([(THOUGHT, said.get(THOUGHT, "")), (TOOL_NAME, tool), (TOOL_ARGS, json.dumps(args))])


def _zeros_if(is_odd: Callable[[list[Section]], bool]) -> Any:
    """Runs the tool with zeros where a step's fields are so."""

    def mend(_site: Site, reply: LmReply) -> str:
        parts = sections(reply.text)
        said = dict(reversed(parts))
        args = read_if_json(said.get(TOOL_ARGS, ""))
        if not (isinstance(args, dict) and is_odd(parts)):
            return reply.text
        zeros = json.dumps(dict.fromkeys(args, 0))
        return joined([*reversed((said | {TOOL_ARGS: zeros}).items())])

    return mended("step", mend)


def _has_twice(parts: list[Section]) -> bool:
    return len({name for name, _ in parts}) < len(parts)


def _has_marks_in_its_thought(parts: list[Section]) -> bool:
    return "[[ ## " in dict(parts).get(THOUGHT, "")


def _element_closed(_site: Site, reply: LmReply) -> str:
    opened = f"<{TOOL_ARGS}>"
    if opened not in reply.text or f"</{TOOL_ARGS}>" in reply.text:
        return reply.text
    return f'{reply.text}"}}\n</{TOOL_ARGS}>'


def _layout_counted_on(_site: Site, perform: Perform, action: loop.Action) -> Episode[loop.Event]:
    event = yield from perform(action)
    said = dspy.settings.lm.history[-1]["outputs"][0]
    names = [name for name, _ in sections(said if isinstance(said, str) else said.get("text") or "")]
    if (names and names[0] != THOUGHT) or str(said).startswith(("    ", "```")):
        raise IndexError("list index out of range")
    return event


MUTANTS = (
    mutant(
        "unread-step-as-zeros",
        "ERR-005",
        "Runs the tool that is named, or the first, with zeros where a step has no args.",
        adapter=mended("step", _zeros_for_no_args),
    ),
    mutant(
        "fields-said-twice-as-zeros",
        "ERR-005",
        "Runs the tool that is named first, with zeros, where a field stands in a step twice.",
        adapter=_zeros_if(_has_twice),
    ),
    mutant(
        "marks-in-thoughts-as-zeros",
        "ERR-005",
        "Runs the tool with zeros where a thought holds a mark.",
        adapter=_zeros_if(_has_marks_in_its_thought),
    ),
    mutant(
        "cut-off-element-closed",
        "ERR-005",
        "Closes the element that is open in a step that is cut off, and runs the tool.",
        adapter=mended("step", _element_closed),
    ),
    mutant(
        "layout-breaks-off",
        "ERR-020",
        "Counts on fields in their order, at the beginning of a line and in no fence, and breaks off otherwise.",
        perform=on(loop.AskStep, _layout_counted_on),
    ),
)
