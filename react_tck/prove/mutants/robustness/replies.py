"""Violations of what becomes of steps that can't be read, or are broken somewhere (ERR-005, ERR-018 to ERR-020)."""

import json
from collections.abc import Callable
from typing import Any

import dspy

from react_tck.dialects.fields import THOUGHT, TOOL_ARGS, TOOL_CALLS, TOOL_NAME
from react_tck.prove.mutants.mutant import mutant
from react_tck.prove.mutants.operators.replies import (
    COMPLETED,
    Section,
    first_of_each,
    joined,
    mended,
    read_if_json,
    sections,
)
from react_tck.prove.mutants.operators.runs import Perform, call_of, event_changed, on, policy, raised, then, to
from react_tck.prove.mutants.operators.views import LmReply
from react_tck.reference import loop
from react_tck.reference.adapters.policies import read_args
from react_tck.reference.drive import Episode
from react_tck.reference.loop.policy import STRICT
from react_tck.reference.seams import Site


def _call_completed(_site: Site, reply: LmReply) -> str:
    import json_repair

    parts = sections(reply.text)
    if not parts or parts[-1][0] != TOOL_ARGS:
        return reply.text
    args = json_repair.loads(parts[-1][1])
    return joined([*parts[:-1], (TOOL_ARGS, json.dumps(args))])


def _tool_guessed(site: Site, reply: LmReply) -> str:
    parts = sections(reply.text)
    said = dict(parts)
    if TOOL_NAME in said or TOOL_ARGS not in said:
        return reply.text
    args = read_args(said[TOOL_ARGS], STRICT)
    fitting = [name for name, tool in site.agent.bound.items() if tool.args.keys() == args.keys()]
    return joined([(TOOL_NAME, name) for name in fitting[:1]] + parts)


def _without_args(_site: Site, reply: LmReply) -> str:
    parts = sections(reply.text)
    is_open = (COMPLETED, "") in parts and TOOL_ARGS in reply.fields and TOOL_ARGS not in dict(parts)
    return joined([(TOOL_ARGS, "{}"), *parts]) if is_open else reply.text


def _args_lost(is_lost: Callable[[list[str]], bool]) -> Any:
    """Take a step whose args stand elsewhere for one that has none, by what stands in fields nobody asked for."""

    def mend(_site: Site, reply: LmReply) -> str:
        read = read_if_json(reply.text)
        said: dict[str, Any] = read if isinstance(read, dict) else dict(sections(reply.text))
        beside = [str(value) for name, value in said.items() if name not in (*reply.fields, COMPLETED)]
        if TOOL_NAME not in said or TOOL_ARGS in said or not (beside and is_lost(beside)):
            return reply.text
        return json.dumps({**said, TOOL_ARGS: {}}) if said is read else joined([(TOOL_ARGS, "{}"), *said.items()])

    return mended("step", mend)


def _call_args_lost(is_lost: Callable[[list[Any]], bool]) -> Any:
    """Take a text call whose args stand elsewhere for one that has none, by what stands under keys nobody declared."""

    def bare(call: dict[str, Any]) -> dict[str, Any]:
        beside = [value for name, value in call.items() if name not in ("name", "args")]
        return {"name": call["name"], "args": {}} if "args" not in call and beside and is_lost(beside) else call

    def mend(_site: Site, reply: LmReply) -> str:
        read = read_if_json(reply.text)
        said: dict[str, Any] = read if isinstance(read, dict) else dict(sections(reply.text))
        if TOOL_CALLS not in said:
            return reply.text
        written = said[TOOL_CALLS] if said is read else read_if_json(said[TOOL_CALLS])
        if not isinstance(written, dict):
            return reply.text
        said[TOOL_CALLS] = {TOOL_CALLS: [bare(call) for call in written[TOOL_CALLS]]}
        return (
            json.dumps(said) if said is read else joined([*(said | {TOOL_CALLS: json.dumps(said[TOOL_CALLS])}).items()])
        )

    return mended("step", mend)


def _is_object(text: str) -> bool:
    return text.startswith("{")


def _other_args(_site: Site, reply: LmReply) -> str:
    parts = sections(reply.text)
    if all(name in (*reply.fields, COMPLETED) for name, _ in parts):
        return reply.text
    args = dict.fromkeys(read_args(dict(parts)[TOOL_ARGS], STRICT), 0)
    return joined([part for part in parts if part[0] != TOOL_ARGS] + [(TOOL_ARGS, json.dumps(args))])


def _retyped(change: Callable[[dict[str, Any]], dict[str, Any]]) -> Any:
    """Mends the values of a step that is written in JSON."""

    def mend(_site: Site, reply: LmReply) -> str:
        said = read_if_json(reply.text)
        return json.dumps({**said, **change(said)}) if isinstance(said, dict) and TOOL_NAME in said else reply.text

    return mended("step", mend)


def _first_listed(said: dict[str, Any]) -> dict[str, Any]:
    tool = said[TOOL_NAME]
    return {TOOL_NAME: tool[0]} if isinstance(tool, list) else {}


def _repeating(site: Site, event: loop.Event) -> loop.Event:
    if not (isinstance(event, loop.StepMalformed) and site.state.steps):
        return event
    last = site.state.steps[-1]
    return loop.StepChosen(thought=last.thought, calls=(call_of(last),))


def _over(_site: Site, event: loop.Event, following: loop.State) -> loop.State:
    return to(following, loop.End()) if isinstance(event, loop.StepMalformed) else following


def _zeros_for_no_args(site: Site, reply: LmReply) -> str:
    parts = sections(reply.text)
    said = dict(parts)
    if not parts or TOOL_ARGS in said or COMPLETED not in said:
        return reply.text
    tool = said.get(TOOL_NAME, next(iter(site.agent.bound)))
    args = dict.fromkeys(site.agent.bound[tool].args, 0) if tool in site.agent.bound else {}
    return joined([(THOUGHT, said.get(THOUGHT, "")), (TOOL_NAME, tool), (TOOL_ARGS, json.dumps(args))])


def _zeros_if(is_odd: Callable[[list[Section]], bool]) -> Any:
    """Run the tool with zeros where a step's fields are so."""

    def mend(_site: Site, reply: LmReply) -> str:
        parts = sections(reply.text)
        said = dict(reversed(parts))
        args = read_if_json(said.get(TOOL_ARGS, ""))
        if not (isinstance(args, dict) and is_odd(parts)):
            return reply.text
        zeros = json.dumps(dict.fromkeys(args, 0))
        return joined([*reversed((said | {TOOL_ARGS: zeros}).items())])

    return mended("step", mend)


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


MUTANTS = {
    "first-of-contradicted-fields": mutant(
        "SAN-010",
        "Takes the first of two fields that contradict each other in a step, and declares that it refuses them.",
        adapter=mended("step", first_of_each),
    ),
    "truncated-call-run": mutant(
        "ERR-005", "Completes a call that is cut off, and runs it.", adapter=mended("step", _call_completed)
    ),
    "tool-guessed-by-its-args": mutant(
        "ERR-005",
        "Finds the tool that takes such args where the reply names none.",
        adapter=mended("step", _tool_guessed),
    ),
    "missing-args-as-none-at-all": mutant(
        "ERR-005", "Runs the tool with its defaults where the reply has no args.", adapter=mended("step", _without_args)
    ),
    "malformed-reply-breaks-off": mutant(
        "ERR-020",
        "Looks a field up that isn't there.",
        perform=raised(loop.StepMalformed, lambda _: KeyError(TOOL_NAME)),
    ),
    "malformed-reply-repeats-the-last-call": mutant(
        "ERR-005", "Makes the call before once more where a reply can't be read.", perform=event_changed(_repeating)
    ),
    "malformed-reply-extracts": mutant(
        "SAN-010",
        "Goes to the extraction where a reply can't be read, and declares that it goes on.",
        begin=policy(malformed_reply="extract"),
    ),
    "malformed-reply-ends-in-a-success": mutant(
        "ERR-019", "Ends the run where a reply can't be read, and calls that a success.", advance=then(_over)
    ),
    "args-under-another-key-lost": mutant(
        "ERR-018",
        "Runs the tool with its defaults where the args stand under a key that it doesn't know.",
        adapter=_args_lost(lambda beside: any(map(_is_object, beside))),
    ),
    "flat-args-lost": mutant(
        "ERR-018",
        "Runs the tool with its defaults where the args stand flat among the fields of the step.",
        adapter=_args_lost(lambda beside: not any(map(_is_object, beside))),
    ),
    "text-call-args-under-another-key-lost": mutant(
        "ERR-018",
        "Runs the tool with its defaults where a call in text has its args under a key that it doesn't know.",
        adapter=_call_args_lost(lambda beside: any(isinstance(value, dict) for value in beside)),
    ),
    "text-call-flat-args-lost": mutant(
        "ERR-018",
        "Runs the tool with its defaults where a call in text has its args flat beside its name.",
        adapter=_call_args_lost(lambda beside: not any(isinstance(value, dict) for value in beside)),
    ),
    "null-thought-taken-for-text": mutant(
        "ERR-016",
        "Takes a thought that is null for a text that says so, and takes the step.",
        adapter=_retyped(lambda said: {THOUGHT: str(said[THOUGHT])}),
    ),
    "first-of-listed-tools": mutant(
        "ERR-016", "Takes the first name where the tool's name is a list.", adapter=_retyped(_first_listed)
    ),
    "readable-step-changed": mutant(
        "ERR-005",
        "Reads a step that has one field too many with the wrong one among its args.",
        adapter=mended("step", _other_args),
    ),
    "unread-step-as-zeros": mutant(
        "ERR-005",
        "Runs the tool that is named, or the first, with zeros where a step has no args.",
        adapter=mended("step", _zeros_for_no_args),
    ),
    "fields-said-twice-as-zeros": mutant(
        "ERR-005",
        "Runs the tool that is named first, with zeros, where a field stands in a step twice.",
        adapter=_zeros_if(lambda parts: len({name for name, _ in parts}) < len(parts)),
    ),
    "marks-in-thoughts-as-zeros": mutant(
        "ERR-005",
        "Runs the tool with zeros where a thought holds a mark.",
        adapter=_zeros_if(_has_marks_in_its_thought),
    ),
    "cut-off-element-closed": mutant(
        "ERR-005",
        "Closes the element that is open in a step that is cut off, and runs the tool.",
        adapter=mended("step", _element_closed),
    ),
    "layout-breaks-off": mutant(
        "ERR-020",
        "Counts on fields in their order, at the beginning of a line and in no fence, and breaks off otherwise.",
        perform=on(loop.AskStep, _layout_counted_on),
    ),
}
