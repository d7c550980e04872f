"""What holds of every suspended call (S3): it is the LM's, it is asked about in S3's words, under an id of its own."""

import ast
import json
import re
from collections.abc import Iterator
from itertools import takewhile

from pydantic import JsonValue

from react_tck.judges.verdict import Violation
from react_tck.model.intent import Fault
from react_tck.model.record import Asked, Resumed, Returned
from react_tck.record.approvals import decision, is_taken
from react_tck.record.evidence import Evidence, Scene
from react_tck.record.visibility import hides

_QUESTION = re.compile(r"Confirm execution of (?P<tool>\S+) with args: (?P<args>.*)\? \(yes/no\)", re.DOTALL)


def misput(evidence: Evidence) -> Iterator[Violation]:
    """Suspensions that are of no call of the LM's, ask otherwise, or have an id that another one had; lost feedback."""
    seen: set[str] = set()
    for scene in evidence.scenes:
        for ended in scene.record.events:
            if isinstance(ended, Returned) and ended.outcome.suspension is not None:
                yield from _misput(scene, ended, ended.outcome.suspension.get("tool_call"))
                yield from _repeated(ended, str(ended.outcome.suspension.get("confirmation_id")), seen)
        if not any(isinstance(asked.intent, Fault) for asked in scene.record.requests):
            yield from _unheard(scene)


def _repeated(ended: Returned, id_: str, seen: set[str]) -> Iterator[Violation]:
    if id_ in seen:
        yield Violation("every confirmation has an id of its own", f"{id_} comes again", ended, "CNF-007")
    seen.add(id_)


def _misput(scene: Scene, ended: Returned, call: JsonValue) -> Iterator[Violation]:
    tool = scene.tools.get(str(call.get("name"))) if isinstance(call, dict) else None
    if tool is None or not isinstance(call, dict):
        return
    if not tool.confirm:
        yield Violation("only tools that a person has to agree to wait", f"{tool.name!r} waits", ended, "CNF-001")
    said = [made.args for turn in scene.turns if turn.is_scripted for made in turn.said if made.tool == tool.name]
    if said and call.get("args") not in said and all(turn.is_scripted for turn in scene.turns if turn.asked):
        yield Violation(f"the call that waits has the args {said[-1]}", f"it has {call.get('args')}", ended, "CNF-001")
    question = str((ended.outcome.suspension or {}).get("question"))
    if not confirms(question, tool.name, call.get("args")):
        expected = f"the question is to confirm {tool.name!r} with {call.get('args')}"
        yield Violation(expected, f"it reads {question!r}", ended, "CNF-002")


def _unheard(scene: Scene) -> Iterator[Violation]:
    """Feedback that none of the requests behind it shows (CNF-005).

    The first of them may be the one before it, asked again by who doesn't keep the LM's reply (udspy).
    """
    pending: JsonValue = None
    events = scene.record.events
    for index, event in enumerate(events):
        if isinstance(event, Returned) and event.outcome.suspension is not None:
            pending = event.outcome.suspension.get("tool_call")
        if isinstance(event, Resumed) and _is_feedback(event) and _needs_a_yes(scene, pending):
            until = takewhile(lambda later: not isinstance(later, Returned | Resumed), events[index + 1 :])
            asked = [later for later in until if isinstance(later, Asked) and not later.attempt]
            said = event.resumption.response
            if len(asked) > 1 and all(hides(each.request.text, said) for each in asked):
                yield Violation(f"the agent is told {said!r}", "no request shows it", asked[-1], "CNF-005")


def _is_feedback(event: Resumed) -> bool:
    return is_taken(event) and decision(event.resumption.response) == "feedback"


def _needs_a_yes(scene: Scene, call: JsonValue) -> bool:
    tool = scene.tools.get(str(call.get("name"))) if isinstance(call, dict) else None
    return tool is not None and tool.confirm


def confirms(question: str, tool: str, args: JsonValue) -> bool:
    """Whether the question reads as S3 has it, the args as JSON or as Python writes them."""
    found = _QUESTION.fullmatch(question)
    return found is not None and found["tool"] == tool and _read(found["args"]) == args


def _read(args: str) -> object:
    for reader in (json.loads, ast.literal_eval):
        try:
            return reader(args)
        except (ValueError, SyntaxError):
            continue
    return None
