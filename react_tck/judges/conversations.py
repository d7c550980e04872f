"""What holds of every conversation (S0): it is only ever appended to, under one system prompt, from state to state."""

from collections.abc import Iterator, Sequence
from itertools import cycle, pairwise, takewhile

from react_tck.dialects.fields import FINISH, REASONING, step_names
from react_tck.dialects.machina import (
    INTERRUPTION,
    STEP_FIELDS,
    STEP_STATES,
    machine_state,
    read_requirements,
    value_of,
)
from react_tck.dialects.markup import as_text, is_encodable
from react_tck.judges.histories import (
    find_missing_values,
    list_followed_scenes,
    list_scene_values,
    list_successes,
)
from react_tck.judges.observations import find_hidden_observations
from react_tck.judges.verdict import Violation
from react_tck.model.base import JsonObject
from react_tck.model.intent import Answer, CallTool, Finish
from react_tck.model.lm import Message
from react_tck.model.record import Asked, Resumed
from react_tck.record.approvals import read_decision
from react_tck.record.evidence import Evidence, Scene
from react_tck.record.places import list_first_lines
from react_tck.record.turns import Turn
from react_tck.record.values import fits_as_written
from react_tck.record.visibility import names_whole_word, read_case_name

#: From each state, where S0 lets the machine go; `user_query` to `finish` is a choice of who is held to S4, too.
_LEGAL = {
    None: ("user_query",),
    "user_query": ("tool_result", "finish"),
    "tool_result": ("tool_result", "interrupted", "finish"),
    "finished too early": ("tool_result", "interrupted"),
    "finishing": ("finish",),
}
#: What comes after such a request isn't what was due.
OTHER_STATE = "asks in another state"


def find_conversation_breaks(evidence: Evidence) -> Iterator[Violation]:
    """Yield what a conversation's requests take back, or put otherwise than as messages in turn."""
    if evidence.episode.case.options.system != "conversation":
        return
    scenes = tuple(evidence.scenes)
    yield from _assign_requirement(
        "CNV-003", find_prompt_changes([asked for scene in scenes for asked in _list_machina_requests(scene)])
    )
    for scene in scenes:
        asked = _list_machina_requests(scene)
        yield from _assign_requirement("CNV-001", find_role_violations(asked))
        yield from _assign_requirement(
            "CNV-002", (v for before, after in pairwise(asked) for v in find_dropped_messages(before, after))
        )
        yield from _assign_requirement("CNV-002", _find_unnamed_tools(scene, asked))
        yield from _assign_requirement("CNV-007", _find_wrong_requests(scene, asked))
        yield from _assign_requirement("CNV-009", _check_continuation(scenes, scene))
        yield from _find_history_losses(scenes, scene)
        yield from _find_illegal_moves(scene)
        yield from _assign_requirement("CNV-006", _find_interruption_losses(scene))


def find_role_violations(asked: list[Asked]) -> Iterator[Violation]:
    """Yield the requests that aren't a system prompt and then user and assistant messages, the last one the user's."""
    for each in asked:
        roles = [message.role for message in each.request.messages]
        expected = ["system", *(role for role, _ in zip(cycle(("user", "assistant")), roles[1:], strict=False))]
        if roles != expected or roles[-1] != "user":
            yield Violation(f"the messages are of {', '.join(expected)}", f"they are of {', '.join(roles)}", each)


def find_prompt_changes(asked: list[Asked]) -> Iterator[Violation]:
    """Yield the requests whose system prompt isn't, character by character, that of the first."""
    for each in asked[1:]:
        one, other = asked[0].request.system_text, each.request.system_text
        if one != other:
            yield Violation("the system prompt is that of the first request", _describe_difference(one, other), each)


def find_dropped_messages(before: Asked, after: Asked) -> Iterator[Violation]:
    """Tell whether a later request doesn't begin with all the messages of an earlier one."""
    old, new = before.request.messages, after.request.messages
    if new[: len(old)] != old:
        yield Violation(
            "the request begins with all messages of the one before", describe_first_change(old, new), after
        )


def describe_first_change(old: Sequence[Message], new: Sequence[Message]) -> str:
    """Return the first of the old messages that isn't among the new ones as it was."""
    for number, (message, other) in enumerate(zip(old, new, strict=False), 1):
        if message != other:
            one, another = (f"{m.role}: {m.content or ''}" for m in (message, other))
            return f"message {number} changed; {_describe_difference(one, another)}"
    return f"it has {len(new)} messages, not {len(old)}"


def _find_unnamed_tools(scene: Scene, asked: list[Asked]) -> Iterator[Violation]:
    """Yield the requests in which the LM hasn't said, in its own messages, which tool it chose in the one before.

    Where they have the field of the tool's name, it has to stand there: what was said to the user may name it too.
    """
    for before, after in pairwise(asked):
        if not isinstance(before.intent, CallTool) or after.attempt or _is_edited(scene, before, after):
            continue
        name = read_case_name(before.intent.tool, scene.case)
        said = (m.content or "" for m in after.request.messages if m.role == "assistant")
        chosen = list_first_lines(after.request, "assistant", step_names(before.ask.fields)[1]) if before.ask else []
        text = "\n".join(chosen or said)
        if name.bare and not any(names_whole_word(text, meant) for meant in (name.bare, name.tool or name.bare)):
            yield Violation(f"the LM's own message names {name.bare!r}", "none does", after)


def _find_wrong_requests(scene: Scene, asked: list[Asked]) -> Iterator[Violation]:
    """Yield requests that don't ask for the fields of their state; who asks once more may do it in other words."""
    outputs = [field.name for field in scene.case.signature.outputs]
    for each in (each for each in asked if not each.attempt):
        yield from find_other_fields(each, outputs)
        yield from find_unmasked_fields(each, outputs)


def find_other_fields(asked: Asked, outputs: list[str]) -> Iterator[Violation]:
    """Whether a request asks for other fields than its state has, or not for the end; `reasoning` may stand first."""
    own, _ = _split_fields(asked, outputs)
    found, is_closed, _ = read_requirements(asked.request.messages[-1].content or "")
    if not is_closed:
        yield Violation("the fields asked for end with the completed marker", "they do not", asked)
    elif found not in (own, [REASONING, *own]):
        expected = f"the fields asked for are {', '.join(own)}, with or without reasoning before them"
        yield Violation(expected, f"they are {', '.join(found)}", asked)


def find_unmasked_fields(asked: Asked, outputs: list[str]) -> Iterator[Violation]:
    """Tell whether a request names other fields as not to be generated than those of the other states, all of them."""
    own, others = _split_fields(asked, outputs)
    masked = sorted({*others} - {*own})
    found = sorted(read_requirements(asked.request.messages[-1].content or "")[2])
    if found != masked:
        expected = f"the fields not to be generated are {', '.join(masked)}"
        yield Violation(expected, f"they are {', '.join(found) or 'not named'}", asked)


def _split_fields(asked: Asked, outputs: list[str]) -> tuple[list[str], list[str]]:
    """Return the fields of the request's state, reasoning apart, and those of the other states."""
    is_step = machine_state(asked.request) in STEP_STATES
    return ([*STEP_FIELDS], outputs) if is_step else (outputs, [*STEP_FIELDS])


def _is_edited(scene: Scene, before: Asked, after: Asked) -> bool:
    """Whether a person chose between the two: which of the two choices the LM's message names then is left open."""
    events = scene.record.events
    between = events[events.index(before) : events.index(after)]
    return any(isinstance(each, Resumed) and read_decision(each.resumption.response) == "edit" for each in between)


def _describe_difference(one: str, other: str) -> str:
    """Return where two texts begin to differ."""
    at = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    start = max(0, at - 20)
    return f"{one[start : at + 40]!r} became {other[start : at + 40]!r}"


def _list_machina_requests(scene: Scene) -> list[Asked]:
    """Return the requests of a call in the conversation's own dialect: who falls back to another one begins anew."""
    return [asked for asked in scene.record.requests if asked.ask and asked.ask.dialect == "machina"]


def _check_continuation(scenes: tuple[Scene, ...], scene: Scene) -> Iterator[Violation]:
    """Yield a call that goes on with an earlier one's history and hasn't its messages first."""
    followed = next((one for one in scenes if _is_followed(one, scene)), None)
    if followed is None or not _list_machina_requests(followed) or not _list_machina_requests(scene):
        return
    if followed.record.outcomes[-1].history is not None:
        yield from find_dropped_messages(_list_machina_requests(followed)[-1], _list_machina_requests(scene)[0])


def _is_followed(one: Scene, scene: Scene) -> bool:
    """Tell whether a call goes on from another one: it says so, or was given what that one handed back."""
    if scene.invocation.follows is not None or not scene.invocation.history:
        return one.number == scene.invocation.follows
    handed_back = one.record.outcomes[-1].history if one.record.outcomes else None
    return one.number < scene.number and handed_back == [*scene.invocation.history]


def _find_history_losses(scenes: tuple[Scene, ...], scene: Scene) -> Iterator[Violation]:
    """Yield what the history that a successful call returns lacks of the calls that it goes on from."""
    for before in list_followed_scenes(scenes, scene) if _list_machina_requests(scene) else ():
        said = (*list_scene_values(before), *before.record.outcomes[-1].outputs.values())
        values = [value for value in said if is_encodable(value)]
        for ended in list_successes(scene):
            if ended.outcome.history is not None:
                text = as_text(ended.outcome.history)
                yield from find_missing_values(text, values, "the history", ended, "CNV-009")


def _find_illegal_moves(scene: Scene) -> Iterator[Violation]:
    """Yield every move of the machine that isn't legal. What came of a step is the state `tool_result`, a failure too.

    That `finish` leads to FINISH and nowhere else, CNV-013 says; a state is asked in again where a reply was no answer.
    """
    now: str | None = None
    is_answered = False
    for turn in scene.turns:
        if turn.asked is None or turn.asked not in _list_machina_requests(scene):
            continue
        following, legal = machine_state(turn.asked.request), _LEGAL.get(now, ())
        if following not in legal and (is_answered or not turn.asked.attempt):
            expected = f"from {now or 'the start'} to {' or '.join(legal) or 'no other'}"
            requirement_id = "CNV-013" if now == "finishing" else "CNV-005"
            yield Violation(expected, f"to {following}", turn.asked, requirement_id, OTHER_STATE)
        elif (now, following) == ("tool_result", "finish") and _is_to_be_interrupted(scene, turn):
            expected = f"it is interrupted, since all {scene.max_steps} steps were taken"
            yield Violation(expected, f"to {following}", turn.asked, "CNV-006", OTHER_STATE)
        now = _compute_state_after(following, turn)
        if now == "user_query" and scene.manifest.first_finish == "illegal":
            now = "finished too early"
        is_answered = _gives_every_output(scene, turn.asked)


def _is_to_be_interrupted(scene: Scene, turn: Turn) -> bool:
    """Tell whether no step was left before the turn, and the LM hadn't said `finish` in the last, however it was read.

    Who declares it may extract where the last reply can't be read.
    """
    before = takewhile(lambda each: each is not turn, scene.turns)
    steps = [each.asked for each in before if each.asked and each.asked.ask and each.asked.ask.phase == "step"]
    if not steps or _says_finish(steps[-1]) or "extract" in scene.manifest.choices.get("malformed-reply", ""):
        return False
    return sum(not each.attempt for each in steps) >= scene.max_steps


def _says_finish(asked: Asked) -> bool:
    said = asked.completion.model_dump(mode="json", include={"content", "tool_calls"}) if asked.completion else {}
    return FINISH in as_text(said)


def _gives_every_output(scene: Scene, asked: Asked) -> bool:
    """Whether the reply is an answer that leaves nothing to ask for: each output is there, fits, and isn't empty."""
    fields, said = scene.case.signature.outputs, asked.intent
    schema: JsonObject = {"properties": {field.name: field.json_schema for field in fields}}
    return (
        isinstance(said, Answer)
        and all(said.outputs.get(field.name) not in (None, "") for field in fields)
        and fits_as_written(said.outputs, schema)
    )


def _find_interruption_losses(scene: Scene) -> Iterator[Violation]:
    """Yield what the machine isn't shown when it is interrupted: results that were gathered, or what to do now."""
    interrupted = [each for each in _list_machina_requests(scene) if machine_state(each.request) == "interrupted"]
    yield from (violation for violation in find_hidden_observations(scene) if violation.at in interrupted)
    for asked in interrupted:
        if not value_of(asked.request.messages[-1].content or "", INTERRUPTION):
            yield Violation(f"the message gives a value for {INTERRUPTION!r}", "it gives none", asked)


def _compute_state_after(state: str | None, turn: Turn) -> str | None:
    """From where the machine moves on; where it may not finish at once, `finish` is a step that failed."""
    if isinstance(turn.asked and turn.asked.intent, Finish) and state in STEP_STATES:
        return state if state == "user_query" else "finishing"
    return "tool_result" if state in STEP_STATES else state


def _assign_requirement(requirement_id: str, found: Iterator[Violation]) -> Iterator[Violation]:
    yield from (violation.with_requirement(requirement_id) for violation in found)
