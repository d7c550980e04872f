"""An episode as a person reads it: the case in a few lines, then an event a line."""

import json
from collections.abc import Iterator

from react_tck.model.base import JsonObject
from react_tck.model.case import Case, Invocation
from react_tck.model.episode import Episode
from react_tck.model.intent import Fault
from react_tck.model.record import Asked, Called, Changed, Event, Hung, Record, Refused, Resumed, Returned, ToolRan

#: Events shown before and after the one of the first divergence.
_AROUND = 3
_WIDTH = 400
#: Requests that lead nowhere, shown beside the events.
_STRAYS = 5
#: Of each message of the request that a verdict is about.
_WIDE = 4000


def transcript(episode: Episode, record: Record, at: Event | None = None) -> str:
    """The case and the events around the first divergence, or all of them if it isn't at one event."""
    return "\n".join([*_case(episode), *_events(episode.case, record.events, at), *_strays(record)])


def on_one_line(text: str) -> str:
    """A name as it is printed: what would end the line or move the cursor is written as an escape."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def _case(episode: Episode) -> Iterator[str]:
    case = episode.case
    yield f"case {on_one_line(case.id)}"
    yield f"  signature {case.signature.form}: {on_one_line(case.signature.arrow)}"
    yield f"  tools: {', '.join(on_one_line(tool.name) for tool in case.tools) or 'none'}"
    options = {key: value for key, value in case.options.model_dump().items() if value is not None}
    if options:
        yield f"  options: {_json(options)}"


def _events(case: Case, events: tuple[Event, ...], at: Event | None) -> Iterator[str]:
    index = next((i for i, event in enumerate(events) if event is at), None)
    first = 0 if index is None else max(0, index - _AROUND)
    last = len(events) if index is None else min(len(events), index + _AROUND + 1)
    if first:
        yield f"  … {first} events before"
    for number in range(first, last):
        marker = ">>" if number == index else "  "
        yield f"{marker} {number + 1:>2} {_event(case, events[number])}"
        if number == index:
            yield from _whole_request(events[number])
    if last < len(events):
        yield f"  … {len(events) - last} events after"


def _strays(record: Record) -> Iterator[str]:
    for stray in record.strays[:_STRAYS]:
        when = "after the outcome" if stray.late else "in the call"
        yield f"  astray in call {stray.invocation + 1}, {when}: {_cut(stray.what)}"
    if (more := len(record.strays) - _STRAYS) > 0:
        yield f"  … {more} more astray"


def _event(case: Case, event: Event) -> str:
    match event:
        case Called(invocation=number):
            return f"call {number + 1} begins{_manner(case.invocations[number])}"
        case Resumed(invocation=invocation, resumption=resumption):
            return f"call {invocation + 1} is resumed with {_json(resumption.response)}"
        case Asked():
            return _asked(event)
        case ToolRan(tool=tool, refused=str(sent)):
            return f"tool {tool} was to run with {_cut(_json(sent))}, which is no JSON object"
        case ToolRan(tool=tool, args=args, error=None):
            return f"tool {on_one_line(tool)}({_cut(_json(args))}) -> {_cut(_json(event.result))}"
        case ToolRan(tool=tool, args=args):
            return f"tool {on_one_line(tool)}({_cut(_json(args))}) raised {event.error}"
        case Hung(message=message):
            return f"the call did not come back: {_cut(message)}"
        case Changed(what=what, before=before, after=after):
            return f"{what} were changed: {_cut(_json(before))} became {_cut(_json(after))}"
        case Refused(error=error):
            return f"construction refused: {_cut(error.message)}"
        case Returned(outcome=outcome) if outcome.error:
            return f"outcome {outcome.status}: {_cut(outcome.error.type)}: {_cut(outcome.error.message)}"
        case Returned(outcome=outcome) if outcome.suspension:
            return f"outcome {outcome.status}: {_cut(str(outcome.suspension.get('question')))}"
        case Returned(outcome=outcome):
            return f"outcome {outcome.status}: {_cut(_json(outcome.outputs))}"


def _manner(invocation: Invocation) -> str:
    """What is said of a call besides its inputs."""
    told = invocation.model_dump(include={"mode", "max_steps", "history", "follows"}, exclude_defaults=True)
    return f" ({', '.join(f'{name} {_cut(_json(value))}' for name, value in told.items())})" if told else ""


def _whole_request(event: Event) -> Iterator[str]:
    """Each message of the request that the verdict is about, from the system's on."""
    for message in event.request.messages if isinstance(event, Asked) else ():
        content = message.content if isinstance(message.content, str) else _json(message.content)
        yield f"        {message.role}: {_cut(_json(content), _WIDE)}"


def _asked(event: Asked) -> str:
    wanted = f"{event.ask.phase}, {event.ask.dialect}" if event.ask else "unclassified"
    asked = f"LM asked ({wanted}): …{_tail(event)}"
    if event.refusal:
        return f"{asked}\n        kit refused: {event.refusal}"
    if isinstance(event.intent, Fault):
        return f"{asked}\n        LM failed: {event.intent.fault}"
    reply = event.completion.model_dump_json(exclude_defaults=True) if event.completion else "nothing"
    return f"{asked}\n        LM said ({event.intent.kind if event.intent else ''}): {_cut(reply)}"


def _tail(event: Asked) -> str:
    """The end of the last message, where what is new stands."""
    text = event.request.messages[-1].content or "" if event.request.messages else ""
    return json.dumps(text[-_WIDTH:], ensure_ascii=False)


def _json(value: JsonObject | object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _cut(text: str, width: int = _WIDTH) -> str:
    return text if len(text) <= width else f"{text[:width]}… ({len(text)} characters)"
