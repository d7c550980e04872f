"""An episode as it is drawn: an event a beat, and what was due where it first went wrong."""

import json
from collections.abc import Sequence

from react_tck.model.case import Case
from react_tck.model.episode import Episode
from react_tck.model.intent import Answer, BadArgs, Calls, CallTool, Empty, Fault, Finish, Garbled, Raw, Reply, Submit
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
from react_tck.model.report import Beat, Course, Lane

#: Events that are drawn before the one that departs, and after it; all of an episode that is no longer.
_BEFORE, _AFTER, _WHOLE = 6, 2, 12
#: Characters of what is said in a beat.
_WIDTH = 160


def draw_course(episode: Episode, record: Record, at: Event | None, due: Sequence[Beat]) -> Course:
    """Return the episode around the event that departs, or else its end; `due` is what was to happen there."""
    events = record.events
    index = next((number for number, event in enumerate(events) if event is at), None)
    middle = len(events) if index is None else index
    first, last = 0, len(events)
    if last > _WHOLE:
        first, last = max(0, middle - _BEFORE), min(last, middle + 1 + _AFTER)
    return Course(
        before=first,
        beats=tuple(_draw_beat(event, episode.case) for event in events[first:last]),
        after=len(events) - last,
        departure=None if index is None else index - first,
        due=tuple(Beat(lane=beat.lane, does=_shorten_text(beat.does)) for beat in due),
    )


def describe_deed(event: Event) -> str:
    """Describe in a few words what the agent did in the event."""
    match event:
        case Asked(ask=ask, attempt=attempt):
            what = "the extraction" if ask and ask.phase == "extraction" else "a step"
            return f"asks for {what}{' again' if attempt else ''}"
        case ToolRan(tool=tool, args=args, error=error):
            return f"runs {tool}({_write_json(args)}){', which raises' if error is not None else ''}"
        case PersonAsked(tool=tool, args=args):
            return f"runs {tool}({_write_json(args)}), which asks a person"
        case Resumed(resumption=resumption):
            return f"is resumed with {_write_json(resumption.response)}"
        case Returned(outcome=outcome) if outcome.status == "suspended":
            return f"waits for a response to {_write_json((outcome.suspension or {}).get('tool_call'))}"
        case Returned(outcome=outcome) if outcome.error:
            return f"ends with {outcome.error.type}: {outcome.error.message.partition(chr(10))[0]}"
        case Returned(outcome=outcome):
            return f"ends {outcome.status} with {_write_json(outcome.outputs)}"
    return event.kind


def find_lane(event: Event) -> Lane:
    """Find whom the agent turns to in the event."""
    return "LM" if isinstance(event, Asked) else "tools" if isinstance(event, ToolRan | PersonAsked) else "agent"


def _draw_beat(event: Event, case: Case) -> Beat:
    does = _describe_call(event, case) if isinstance(event, Called) else describe_deed(event)
    return Beat(lane=find_lane(event), does=_shorten_text(does), reply=_shorten_text(_describe_reply(event)))


def _describe_call(event: Called, case: Case) -> str:
    return f"is called with {_write_json(case.invocations[event.invocation].inputs)}"


def _describe_reply(event: Event) -> str:
    match event:
        case Asked(refusal=str(refusal)):
            return f"refused: {refusal}"
        case Asked(intent=intent) if intent is not None:
            return _describe_intent(intent)
        case ToolRan(refused=str(sent)):
            return f"never reached: {_write_json(sent)} is no JSON object"
        case ToolRan(error=str(error)):
            return f"raises {error}"
        case ToolRan(result=result):
            return _write_json(result)
        case PersonAsked(question=question):
            return f"asks {question}"
        case Hung(message=what) | Changed(what=what):
            return what
        case Refused(error=error):
            return error.message
    return ""


def _describe_intent(intent: Reply) -> str:
    """Return what the LM meant to say, whatever the dialect makes of it."""
    match intent:
        case CallTool(tool=tool, args=args):
            return f"{tool}({_write_json(args)})"
        case Calls(calls=calls):
            return " and ".join(map(_describe_intent, calls)) or "no call"
        case Finish(args=args):
            return f"finish({_write_json(args)})"
        case Submit(outputs=outputs):
            return f"submit({_write_json(outputs)})"
        case Answer(outputs=outputs):
            return _write_json(outputs)
        case BadArgs(tool=tool, text=text):
            return f"{tool}({text})"
        case Garbled(form=form, meant=meant):
            return f"{_describe_intent(meant)}, garbled: {form}"
        case Raw(text=text):
            return text
        case Empty():
            return "nothing"
        case Fault(fault=fault):
            return f"fails: {fault}"


def _write_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _shorten_text(text: str) -> str:
    return text if len(text) <= _WIDTH else f"{text[:_WIDTH]}…"
