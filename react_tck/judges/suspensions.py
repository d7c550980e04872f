"""What holds of every suspended call (S3): it is the LM's, asked about in S3's words, with the steps before it."""

import ast
import re
from collections.abc import Iterator
from itertools import takewhile

from pydantic import JsonValue

from react_tck.dialects.fields import FINISH
from react_tck.dialects.markup import as_text, is_encodable
from react_tck.judges.verdict import Violation
from react_tck.model.base import JsonObject
from react_tck.model.intent import Fault
from react_tck.model.record import Asked, Resumed, Returned, ToolRan
from react_tck.record.approvals import is_taken, read_decision
from react_tck.record.evidence import Evidence, Scene
from react_tck.record.places import find_observations
from react_tck.record.visibility import hides_value, names_whole_word
from react_tck.texts import read_json

_QUESTION = re.compile(r"Confirm execution of (?P<tool>\S+) with args: (?P<args>.*)\? \(yes/no\)", re.DOTALL)


def find_bad_suspensions(evidence: Evidence) -> Iterator[Violation]:
    """Suspensions that are of no call of the LM's, ask otherwise, or have an id that another one had; what is lost."""
    seen: set[str] = set()
    for scene in evidence.scenes:
        for ended in scene.record.events:
            if isinstance(ended, Returned) and ended.outcome.suspension is not None:
                yield from _check_suspension(scene, ended, ended.outcome.suspension.get("tool_call"))
                yield from _find_reworded_question(scene, ended, ended.outcome.suspension)
                yield from _find_repeated_id(ended, str(ended.outcome.suspension.get("confirmation_id")), seen)
        # What doesn't fit a prompt may be left out of it.
        if not any(isinstance(asked.intent, Fault) for asked in scene.record.requests):
            yield from _find_missing_steps(scene, "CNF-001")
            yield from _find_unheard_responses(scene)
            yield from _find_trimmed_inputs(scene)
        elif scene.case.options.system in (None, "udspy") and any(asked.is_overflow for asked in scene.record.requests):
            yield from _find_missing_steps(scene, "TRJ-005")


def _find_repeated_id(ended: Returned, id_: str, seen: set[str]) -> Iterator[Violation]:
    if id_ in seen:
        yield Violation("every confirmation has an id of its own", f"{id_} comes again", ended, "CNF-007")
    seen.add(id_)


def _check_suspension(scene: Scene, ended: Returned, call: JsonValue) -> Iterator[Violation]:
    tool = scene.tools.get(_read_tool_name(call))
    if tool is None or not isinstance(call, dict):
        return
    if tool.name in scene.record.asking_tools:
        return
    if not tool.confirm:
        yield Violation("only tools that a person has to agree to wait", f"{tool.name!r} waits", ended, "CNF-001")
    said = [
        made.args for turn in scene.turns if turn.is_scripted for made in turn.reply_calls if made.tool == tool.name
    ]
    if said and call.get("args") not in said and all(turn.is_scripted for turn in scene.turns if turn.asked):
        yield Violation(f"the call that waits has the args {said[-1]}", f"it has {call.get('args')}", ended, "CNF-001")
    question = str((ended.outcome.suspension or {}).get("question"))
    if not is_confirmation_question(question, tool.name, call.get("args")):
        expected = f"the question is to confirm {tool.name!r} with {call.get('args')}"
        yield Violation(expected, f"it reads {question!r}", ended, "CNF-002")


def _find_reworded_question(scene: Scene, ended: Returned, suspension: JsonObject) -> Iterator[Violation]:
    """Yield a question of the agent's own that isn't put as it is (CNF-011)."""
    name = scene.manifest.clarification_tool
    if _read_tool_name(suspension.get("tool_call")) != name or not all(
        turn.is_scripted for turn in scene.turns if turn.asked
    ):
        return
    own = [made.args.get("question") for turn in scene.turns for made in turn.reply_calls if made.tool == name]
    # What is put to a person where there is no question is the subject's affair.
    if own and all(own) and suspension.get("question") not in own:
        actual = f"it reads {suspension.get('question')!r}"
        yield Violation(f"the question is the agent's own, {own[-1]!r}", actual, ended, "CNF-011")


def _find_missing_steps(scene: Scene, requirement_id: str) -> Iterator[Violation]:
    """Results of tools that had run when the LM chose the call that waits, and that its context doesn't show."""
    ran: list[ToolRan] = []
    shown: list[ToolRan] = []
    for event in scene.record.events:
        match event:
            case Asked():
                shown = list(ran)
            case ToolRan(error=None, odd=False, refused=None, result=result) if result is not None:
                ran += [event] if is_encodable(result) else []
            case Returned(outcome=outcome) if outcome.suspension is not None:
                context = outcome.suspension.get("context")
                told = as_text(context.get("trajectory")) if isinstance(context, dict) else ""
                for run in (run for run in shown if hides_value(told, run.tool) or hides_value(told, run.result)):
                    expected = f"the trajectory of the context shows {run.tool!r} and {run.result!r}"
                    yield Violation(expected, f"it is {told}", event, requirement_id)


def _find_unheard_responses(scene: Scene) -> Iterator[Violation]:
    """Feedback, and answers to the agent's own question, that none of the requests behind them shows.

    The first of them may be the one before it, asked again by who doesn't keep the LM's reply (udspy).
    """
    pending: JsonValue = None
    events = scene.record.events
    for index, event in enumerate(events):
        if isinstance(event, Returned) and event.outcome.suspension is not None:
            pending = event.outcome.suspension.get("tool_call")
        if isinstance(event, Resumed) and (due := _find_requirement(scene, pending, event)):
            until = takewhile(lambda later: not isinstance(later, Returned | Resumed), events[index + 1 :])
            asked = [later for later in until if isinstance(later, Asked) and not later.attempt]
            said = event.resumption.response
            if len(asked) > 1 and not any(_shows_response(each, said, _read_tool_name(pending), due) for each in asked):
                yield Violation(f"the agent is told {said!r}", "no request shows it", asked[-1], due)


def _shows_response(asked: Asked, said: str, tool: str, due: str) -> bool:
    """Tell whether a request shows what a person said; an answer, which is an observation, in the place of one."""
    places = find_observations(asked.request, asked.ask) if due == "CNF-011" else []
    return not hides_value(asked.request.text, said) and (
        not places or any(place.tells_value(said, tool) for place in places)
    )


def _find_trimmed_inputs(scene: Scene) -> Iterator[Violation]:
    """Yield inputs that requests show with blank space around them, and behind a response without (ERR-024)."""
    texts = [text for text in scene.invocation.inputs.values() if isinstance(text, str) and text != text.strip()]
    before: list[Asked] = []
    is_resumed = False
    for event in scene.record.events:
        is_resumed = is_resumed or isinstance(event, Resumed)
        if isinstance(event, Asked) and not is_resumed:
            before.append(event)
        elif isinstance(event, Asked) and event.ask:
            earlier = [asked.request.text for asked in before if asked.ask == event.ask]
            shown = [text for text in texts if earlier and all(text in request for request in earlier)]
            for text in (text for text in shown if text not in event.request.text):
                yield Violation(
                    f"a resumed call's request shows {text!r} as those before", "it doesn't", event, "ERR-024"
                )


def _find_requirement(scene: Scene, call: JsonValue, response: Resumed) -> str | None:
    """Return the requirement by which the agent is told the response in a person's words, if one says so."""
    name, said = _read_tool_name(call), read_decision(response.resumption.response) if is_taken(response) else None
    if name == scene.manifest.clarification_tool:
        return "CNF-011" if said and said != "edit" else None
    needs_a_yes = name in scene.tools and scene.tools[name].confirm
    return "CNF-005" if needs_a_yes and said == "feedback" else None


def _read_tool_name(call: JsonValue) -> str:
    return str(call.get("name")) if isinstance(call, dict) else ""


def is_confirmation_question(question: str, tool: str, args: JsonValue) -> bool:
    """Tell whether the question reads as S3 has it, the args as JSON or as Python writes them."""
    found = _QUESTION.fullmatch(question)
    return found is not None and found["tool"] == tool and _parse_args(found["args"]) == args


def _parse_args(args: str) -> object:
    for reader in (read_json, ast.literal_eval):
        try:
            return reader(args)
        except (ValueError, SyntaxError):
            continue
    return None


def find_unasked_offers(scene: Scene) -> Iterator[Violation]:
    """Yield requests that offer what isn't enabled (CNF-011), or another way to end a transcript (TRN-002).

    Of the latter only native tools tell: in a text, `finish` is a word like others.
    """
    name, case = scene.manifest.clarification_tool, scene.case
    # What the LM itself has called is told of in what follows.
    is_called = any(call.tool == name for turn in scene.turns for call in turn.reply_calls)
    is_off = case.options.clarification is False and not is_called
    is_transcript = case.options.system == "transcript" and all(tool.name != FINISH for tool in case.tools)
    for asked in scene.record.requests:
        if is_off and names_whole_word(asked.request.text, name):
            yield Violation(f"{name!r} is not offered unless enabled", "it is", asked, "CNF-011")
        if is_transcript and any(offer.name == FINISH for offer in asked.request.tools):
            yield Violation(f"{FINISH!r} is not offered beside `submit`", "it is", asked, "TRN-002")
