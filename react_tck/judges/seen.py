"""What happened in an episode, each part of its record read once: what the rules of `in_play` are about."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from react_tck.dialects.fields import FINISH, SUBMIT
from react_tck.model.intent import CallTool, Reply
from react_tck.model.record import Asked, Resumed, Returned, ToolRan
from react_tck.model.signature import Form
from react_tck.model.tool import Tool
from react_tck.record.approvals import Decision, read_decision
from react_tck.record.evidence import Evidence, Scene
from react_tck.record.turns import Turn

#: What a person's response is to the call that waits.
Response = Decision | Literal["answer", "refused"]


@dataclass(frozen=True)
class Seen:
    """An episode and its record, with the questions that the rules of `in_play` ask of them."""

    evidence: Evidence

    @cached_property
    def scenes(self) -> tuple[Scene, ...]:
        """The calls of the episode, each with its part of the record."""
        return tuple(self.evidence.scenes)

    @cached_property
    def turns(self) -> tuple[tuple[Scene, Turn], ...]:
        """The turns of all calls, in order, each with the call that it belongs to."""
        return tuple((scene, turn) for scene in self.scenes for turn in scene.turns)

    @cached_property
    def calls(self) -> tuple[tuple[Scene, CallTool], ...]:
        """The calls that the LM meant to make, whatever came of them, `finish` and `submit` apart."""
        made = ((scene, call) for scene, turn in self.turns if turn.is_scripted for call in turn.reply_calls)
        return tuple((scene, call) for scene, call in made if call.tool not in (FINISH, SUBMIT))

    @cached_property
    def runs(self) -> tuple[ToolRan, ...]:
        """The tool runs of all calls, in order."""
        return self.evidence.record.tool_runs

    @property
    def tools(self) -> tuple[Tool, ...]:
        """The tools of the case."""
        return self.evidence.episode.case.tools

    @cached_property
    def responses(self) -> frozenset[Response]:
        """What a person's responses were to the calls that waited for them."""
        return frozenset(response for scene in self.scenes for response in _list_responses(scene))

    @property
    def is_over(self) -> bool:
        """Whether a call came back."""
        return any(isinstance(event, Returned) for event in self.evidence.record.events)

    @property
    def has_overflow(self) -> bool:
        """Whether a prompt was refused as too long."""
        return any(asked.is_overflow for asked in self.evidence.record.requests)

    @property
    def has_image(self) -> bool:
        """Whether an input is an image."""
        return any(field.is_image for field in self.evidence.episode.case.signature.inputs)

    @property
    def tells_of_runs(self) -> bool:
        """Whether a call that succeeded, and its trajectory, tell what came of tools."""
        outcomes = self.evidence.record.outcomes
        return bool(self.runs) and any(each.status == "ok" and each.trajectory is not None for each in outcomes)

    def has_outcome(self, status: str) -> bool:
        """Tell whether some call ended so."""
        return any(outcome.status == status for outcome in self.evidence.record.outcomes)

    def has_reply(self, phase: str, *kinds: type[Reply]) -> bool:
        """Tell whether such a reply was given to a request of a phase."""
        return any(isinstance(asked.intent, kinds) for asked in self.list_requests(phase))

    def asks_with_instructions(self, phase: str) -> bool:
        """Tell whether a request of a phase was answered, of an agent whose signature has instructions."""
        return bool(self.evidence.episode.case.signature.instructions) and bool(self.list_requests(phase))

    def describes_outputs(self, form: Form) -> bool:
        """Tell whether the signature has this form, and says something of an output."""
        signature = self.evidence.episode.case.signature
        return signature.form is form and any(field.description for field in signature.outputs)

    def list_requests(self, phase: str) -> list[Asked]:
        """Return the requests of a phase that were answered."""
        return [
            asked
            for asked in self.evidence.record.requests
            if asked.intent and asked.ask and _is_in_phase(asked, phase)
        ]


def _is_in_phase(asked: Asked, phase: str) -> bool:
    return asked.ask is not None and asked.ask.phase == phase


def _list_responses(scene: Scene) -> Iterator[Response]:
    waiting: CallTool | None = None
    for event in scene.record.events:
        if isinstance(event, Returned):
            waiting = _read_waiting_call(event) or (waiting if event.outcome.status == "error" else None)
        elif isinstance(event, Resumed):
            yield _classify_response(scene, waiting, event)


def _read_waiting_call(ended: Returned) -> CallTool | None:
    """Return the call that a suspension tells of, as far as it does."""
    told = ended.outcome.suspension.get("tool_call") if ended.outcome.suspension else None
    if not isinstance(told, dict):
        return None
    name, args = told.get("name"), told.get("args")
    return CallTool(tool=str(name), args=args if isinstance(args, dict) else {})


def _classify_response(scene: Scene, waiting: CallTool | None, resumed: Resumed) -> Response:
    said = resumed.resumption.response.strip()
    if waiting is None or resumed.resumption.confirmation_id is not None or not said:
        return "refused"
    if waiting.tool not in scene.tools:
        return "answer"
    return read_decision(said) or "refused"
