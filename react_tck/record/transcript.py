"""An episode as a person reads it: the case in a few lines, then an event a line."""

import json
from collections.abc import Iterator

from react_tck.model.base import JsonObject
from react_tck.model.case import Case, Invocation
from react_tck.model.episode import Episode
from react_tck.model.intent import Fault
from react_tck.model.record import (
    Asked,
    Called,
    Changed,
    Event,
    Hung,
    PersonAsked,
    Record,
    Refused,
    Resumed,
    Returned,
    ToolRan,
)

#: Events shown before and after the one of the first divergence.
_AROUND = 3
_WIDTH = 400
#: Requests that lead nowhere, shown beside the events.
_STRAYS = 5
#: Of each message of the request that a verdict is about.
_WIDE = 4000


def write_transcript(episode: Episode, record: Record, at: Event | None = None) -> str:
    """Return the case and the events around the first divergence, or all of them if it isn't at one event."""
    return "\n".join(
        [*_describe_case(episode), *_describe_events(episode.case, record.events, at), *_describe_strays(record)]
    )


def escape_line(text: str) -> str:
    """Return a name as it is printed: what would end the line or move the cursor is written as an escape."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def _describe_case(episode: Episode) -> Iterator[str]:
    case = episode.case
    yield f"case {escape_line(case.id)}"
    yield f"  signature {case.signature.form}: {escape_line(case.signature.arrow)}"
    yield f"  tools: {', '.join(escape_line(tool.name) for tool in case.tools) or 'none'}"
    options = {key: value for key, value in case.options.model_dump().items() if value is not None}
    if episode.variations:
        yield f"  played under: {', '.join(episode.variations)}"
    if options:
        yield f"  options: {_write_json(options)}"


def _describe_events(case: Case, events: tuple[Event, ...], at: Event | None) -> Iterator[str]:
    index = next((i for i, event in enumerate(events) if event is at), None)
    first = 0 if index is None else max(0, index - _AROUND)
    last = len(events) if index is None else min(len(events), index + _AROUND + 1)
    if first:
        yield f"  … {first} events before"
    for number in range(first, last):
        marker = ">>" if number == index else "  "
        yield f"{marker} {number + 1:>2} {_describe_event(case, events[number])}"
        if number == index:
            yield from _describe_request(events[number])
    if last < len(events):
        yield f"  … {len(events) - last} events after"


def _describe_strays(record: Record) -> Iterator[str]:
    for stray in record.strays[:_STRAYS]:
        when = "after the outcome" if stray.late else "in the call"
        yield f"  astray in call {stray.invocation + 1}, {when}: {_shorten_text(stray.what)}"
    if (more := len(record.strays) - _STRAYS) > 0:
        yield f"  … {more} more astray"


def _describe_event(case: Case, event: Event) -> str:
    match event:
        case Called(invocation=number):
            return f"call {number + 1} begins{_describe_manner(case.invocations[number])}"
        case Resumed(invocation=invocation, resumption=resumption):
            return f"call {invocation + 1} is resumed with {_write_json(resumption.response)}"
        case Asked():
            return _describe_asked(event)
        case ToolRan(tool=tool, refused=str(sent)):
            return f"tool {tool} was to run with {_shorten_text(_write_json(sent))}, which is no JSON object"
        case ToolRan(tool=tool, args=args, error=None):
            given, result = _shorten_text(_write_json(args)), _shorten_text(_write_json(event.result))
            return f"tool {escape_line(tool)}({given}) -> {result}"
        case ToolRan(tool=tool, args=args):
            return f"tool {escape_line(tool)}({_shorten_text(_write_json(args))}) raised {event.error}"
        case PersonAsked(tool=tool, args=args):
            return f"tool {escape_line(tool)}({_shorten_text(_write_json(args))}) asks a person: {event.question}"
        case Hung(message=message):
            return f"the call did not come back: {_shorten_text(message)}"
        case Changed(what=what, before=before, after=after):
            return (
                f"{what} were changed: {_shorten_text(_write_json(before))} became {_shorten_text(_write_json(after))}"
            )
        case Refused(error=error):
            return f"construction refused: {_shorten_text(error.message)}"
        case Returned(outcome=outcome) if outcome.error:
            return (
                f"outcome {outcome.status}: {_shorten_text(outcome.error.type)}: {_shorten_text(outcome.error.message)}"
            )
        case Returned(outcome=outcome) if outcome.suspension:
            return f"outcome {outcome.status}: {_shorten_text(str(outcome.suspension.get('question')))}"
        case Returned(outcome=outcome):
            return f"outcome {outcome.status}: {_shorten_text(_write_json(outcome.outputs))}"


def _describe_manner(invocation: Invocation) -> str:
    """Return what is said of a call besides its inputs."""
    told = invocation.model_dump(include={"mode", "max_steps", "history", "follows"}, exclude_defaults=True)
    return (
        f" ({', '.join(f'{name} {_shorten_text(_write_json(value))}' for name, value in told.items())})" if told else ""
    )


def _describe_request(event: Event) -> Iterator[str]:
    """Yield each message of the request that the verdict is about, from the system's on."""
    for message in event.request.messages if isinstance(event, Asked) else ():
        content = message.content if isinstance(message.content, str) else _write_json(message.content)
        yield f"        {message.role}: {_shorten_text(_write_json(content), _WIDE)}"


def _describe_asked(event: Asked) -> str:
    wanted = f"{event.ask.phase}, {event.ask.dialect}" if event.ask else "unclassified"
    asked = f"LM asked ({wanted}): …{_show_tail(event)}"
    if event.refusal:
        return f"{asked}\n        kit refused: {event.refusal}"
    if isinstance(event.intent, Fault):
        return f"{asked}\n        LM failed: {event.intent.fault}"
    reply = event.completion.model_dump_json(exclude_defaults=True) if event.completion else "nothing"
    return f"{asked}\n        LM said ({event.intent.kind if event.intent else ''}): {_shorten_text(reply)}"


def _show_tail(event: Asked) -> str:
    """Return the end of the last message, where what is new stands."""
    text = event.request.messages[-1].content or "" if event.request.messages else ""
    return json.dumps(text[-_WIDTH:], ensure_ascii=False)


def _write_json(value: JsonObject | object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _shorten_text(text: str, width: int = _WIDTH) -> str:
    return text if len(text) <= width else f"{text[:width]}… ({len(text)} characters)"
