"""Operators that tables about unreadable replies, misfitting args and lost outputs share."""

import json
import re
from collections.abc import Callable
from functools import partial
from typing import Any

from react_tck.dialects.fields import TOOL_ARGS, TOOL_NAME
from react_tck.prove.mutants.operators.runs import Perform, Proceed, after, before, chosen, on_request, when
from react_tck.prove.mutants.operators.views import LmReply, outputs_changed, reading
from react_tck.reference import loop
from react_tck.reference.adapters.policies import read_args
from react_tck.reference.drive import Episode
from react_tck.reference.loop.policy import STRICT
from react_tck.reference.seams import Around, Edit, Phase, Site

_FIELD = re.compile(r"^\[\[ ## (\w+) ## \]\][^\S\n]*$", re.MULTILINE)
_MARKER = re.compile(r"\[\[ ## \w+ ## \]\]")
COMPLETED = "completed"

#: A field's name and the text under its marker.
Section = tuple[str, str]

#: An operator, where a run ends by `finish`: not in a transcript.
where_finish_ends = partial(when, lambda site: site.agent.ending == loop.FINISH)


# Replies, in the dialect `chat`


def mended(phase: Phase, mend: Callable[[Site, LmReply], str]) -> Edit[Any]:
    """Mend what the LM says to such a request before it is read."""
    return on_request(phase, reading(before(lambda site, reply: reply._replace(text=mend(site, reply)))))


def sections(text: str) -> list[Section]:
    """Return the fields of a reply, as often as they stand there."""
    pieces = _FIELD.split(text)
    return [(name, value.strip()) for name, value in zip(pieces[1::2], pieces[2::2], strict=True)]


def joined(parts: list[Section]) -> str:
    """Return a reply of these fields, with its end where it has none."""
    ended = parts if any(name == COMPLETED for name, _ in parts) else [*parts, (COMPLETED, "")]
    return "\n\n".join(f"[[ ## {name} ## ]]\n{text}" for name, text in ended)


def first_of_each(_site: Site, reply: LmReply) -> str:
    """Return the reply with the first field of each name."""
    parts = sections(reply.text)
    return joined(list(dict(reversed(parts)).items())[::-1]) if parts else reply.text


def without_markers(text: str) -> str:
    """Return the text without what looks like a marker."""
    return _MARKER.sub("", text)


# The fields of a step, once they are read


def renamed(instead: Callable[[Site, dict[str, Any]], str | None]) -> Edit[Any]:
    """Another tool than a step names, where there is one to take instead."""

    def changed(site: Site, fields: dict[str, Any]) -> dict[str, Any]:
        name = instead(site, fields) if TOOL_NAME in fields else None
        return fields | {TOOL_NAME: name} if name else fields

    return reading(after(changed))


def reread(again: Callable[[Site, str], Any]) -> Edit[Any]:
    """Args that can't be read are read again; what then isn't an object stays as it was."""

    def read(site: Site, proceed: Proceed, reply: LmReply) -> dict[str, Any]:
        fields: dict[str, Any] = proceed(reply)
        if TOOL_ARGS not in fields:
            return fields
        if isinstance(fields[TOOL_ARGS], dict):
            site.memory["args"] = fields[TOOL_ARGS]
            return fields
        try:
            site.memory["args"] = read_args(fields[TOOL_ARGS], STRICT)
        except ValueError:
            args = again(site, fields[TOOL_ARGS])
            return fields | {TOOL_ARGS: args} if isinstance(args, dict) else fields
        return fields

    return reading(read)


# Steps


def is_unknown(site: Site, event: loop.Event) -> bool:
    """Tell whether the LM chose a tool that isn't there."""
    call = chosen(event)
    return call is not None and call.name not in (*site.state.tools, site.state.ending)


def has_failed(step: loop.Step) -> bool:
    """Tell whether the step brought an error."""
    return str(step.observation).startswith("Error")


# Args and values


def of_users_tools(operator: Around[loop.Call, dict[str, Any]]) -> Around[loop.Call, dict[str, Any]]:
    """Return an operator in the seam `args`, for calls of all tools but the one that ends a run."""
    return lambda site, proceed, call: (
        proceed(call) if call.name == site.state.ending else operator(site, proceed, call)
    )


def values_changed(change: Callable[[Any], Any]) -> Callable[[Site, dict[str, Any]], dict[str, Any]]:
    """Return an edit of each of the values that have names."""
    return lambda _, values: {name: change(value) for name, value in values.items()}


def args_changed(change: Callable[[Any], Any]) -> Around[loop.Call, dict[str, Any]]:
    """Other args than the LM gave, once they are found to fit."""
    return of_users_tools(after(values_changed(change)))


def if_text(change: Callable[[str], Any]) -> Callable[[Any], Any]:
    """Return the change, made to texts only."""
    return lambda value: change(value) if isinstance(value, str) else value


def answers_changed(change: Callable[[str], Any]) -> Edit[Any]:
    """Other texts than the answer has."""
    return outputs_changed(values_changed(if_text(change)))


def read_if_json(text: str) -> Any:
    """Return the value that the text is the JSON of; the text, if it isn't."""
    try:
        return json.loads(text)
    except ValueError:
        return text


# Where something fails


def where_it_fails(
    kind: type[Exception], instead: Callable[[Site, Any], loop.Event]
) -> Around[loop.Action, Episode[loop.Event]]:
    """Yield an event in the place of such an error; it may be another error too."""

    def performed(site: Site, perform: Perform, action: loop.Action) -> Episode[loop.Event]:
        try:
            return (yield from perform(action))
        except kind as error:
            return instead(site, error)

    return performed


def every_output(site: Site, value: Any) -> loop.Answered:
    """Return an answer that has this value for every output."""
    return loop.Answered(outputs=dict.fromkeys(site.agent.signature.output_fields, value))
