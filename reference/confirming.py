"""Suspending and resuming, for every module whose loop's state is a value (S3)."""

import json
from typing import Any, Generic, TypeVar
from uuid import uuid4

import dspy
from pydantic import TypeAdapter, ValidationError

from react_tck.model.base import JsonObject
from react_tck.reference import loop, loop_transcript
from react_tck.reference.confirmation import CONFIRMATIONS, ConfirmationRequired, ResponseRefused, Status, ToolCall
from react_tck.reference.drive import Episode, adrive, drive
from react_tck.reference.response import CLARIFY, Response, read
from react_tck.reference.signatures import SignatureType
from react_tck.reference.tools import BoundTool

_DESCRIPTION = "Ask the user when something needed is missing or unclear. The observation is the answer."


StateT = TypeVar("StateT", loop.State, loop_transcript.State)


class Confirming(Generic[StateT]):
    """What a module gets from this: `resume` and `aresume`. What it gives: its loop, its tools, its signature."""

    signature: SignatureType
    tools: dict[str, BoundTool]
    _state_class: type[StateT]

    def resume(self, user_response: str, saved_state: ConfirmationRequired) -> dspy.Prediction:
        """Go on with a suspended call after a person's response.

        Args:
            user_response: `yes` or `y`, `no` or `n`, JSON with the key `edit`, or feedback for the agent; to a
                clarification, the answer.
            saved_state: what the call raised, or `ConfirmationRequired.load` of its dump.

        Raises:
            ResponseRefused: if the response is malformed or a repeated one, or the state isn't of this agent's.
            ConfirmationRequired: if a further call has to wait.
        """
        return drive(self._resumed(user_response, saved_state))

    async def aresume(self, user_response: str, saved_state: ConfirmationRequired) -> dspy.Prediction:
        """The same, awaiting."""
        return await adrive(self._resumed(user_response, saved_state))

    def _run(self, state: StateT, inputs: dict[str, Any]) -> Episode[dspy.Prediction]:
        """The loop from this state on; the module's own."""
        raise NotImplementedError

    def _advance(self, state: StateT, event: Any) -> StateT:
        """The state after an event of the loop's."""
        raise NotImplementedError

    def _trajectory(self, state: StateT) -> dict[str, Any]:
        """The steps so far, as the caller gets them."""
        raise NotImplementedError

    def _iteration(self, state: StateT) -> int:
        """How many turns there were before the one whose call waits."""
        raise NotImplementedError

    def _call_id(self, state: StateT) -> str:
        """The id of the call that waits."""
        raise NotImplementedError

    def _resumed(self, user_response: str, saved: ConfirmationRequired) -> Episode[dspy.Prediction]:
        state, inputs = self._reopened(saved)
        response = self._read(user_response, state)
        self._settle(saved.confirmation_id, response.status)
        return (yield from self._run(self._advance(state, response.event), inputs))

    def _awaited(self) -> tuple[str, ...]:
        """The tools that wait for a person's response."""
        return tuple(name for name, tool in self._user_tools().items() if tool.require_confirmation)

    def _suspension(self, state: StateT, inputs: dict[str, Any]) -> ConfirmationRequired:
        """What is raised to suspend the call."""
        assert isinstance(state.action, loop.AwaitResponse)
        confirmation_id = self._confirmation_id(state)
        CONFIRMATIONS.ask(confirmation_id)
        return ConfirmationRequired(
            self._question(state.action),
            confirmation_id=confirmation_id,
            tool_call=self._tool_call(state.action, self._call_id(state)),
            context=self._context(state, inputs) | {"state": self._saved(state, confirmation_id)},
        )

    def _tool_call(self, call: loop.AwaitResponse, call_id: str) -> ToolCall:
        return ToolCall(name=call.tool, args=call.args, call_id=call_id)

    def _user_tools(self) -> dict[str, BoundTool]:
        """The tools without what is built in."""
        return self.tools

    def _context(self, state: StateT, inputs: dict[str, Any]) -> dict[str, Any]:
        return {
            "trajectory": self._trajectory(state),
            "iteration": self._iteration(state),
            "input_args": dict(inputs),
        }

    def _confirmation_id(self, _state: StateT) -> str:
        return str(uuid4())

    def _question(self, call: loop.AwaitResponse) -> str:
        if call.tool == CLARIFY:
            return str(call.args.get("question") or json.dumps(call.args, ensure_ascii=False))
        return f"Confirm execution of {call.tool} with args: {json.dumps(call.args, ensure_ascii=False)}? (yes/no)"

    def _saved(self, state: StateT, confirmation_id: str) -> JsonObject:
        # With the id, so that a response can't be given to another confirmation than it was asked for.
        return {"confirmation_id": confirmation_id, "loop": state.model_dump(mode="json")}

    def _reopened(self, saved: ConfirmationRequired) -> tuple[StateT, dict[str, Any]]:
        """The loop's state and the call's inputs.

        Raises:
            ResponseRefused: if they aren't a suspended call of this agent's, or of that id.
        """
        state = saved.context.get("state")
        if not isinstance(state, dict) or state.get("confirmation_id") != saved.confirmation_id:
            raise ResponseRefused(f"the confirmation id {saved.confirmation_id!r} is unknown")
        reopened = self._restored(state["loop"])
        if not isinstance(reopened.action, loop.AwaitResponse) or not set(reopened.tools) <= set(self._user_tools()):
            raise ResponseRefused(f"the saved state is not of an agent with the tools {', '.join(self.tools)}")
        return reopened, self._inputs_of(saved)

    def _restored(self, saved: JsonObject) -> StateT:
        try:
            return self._state_class.model_validate(saved)
        except ValidationError as error:
            raise ResponseRefused(f"the saved state can't be read: {error}") from error

    def _inputs_of(self, saved: ConfirmationRequired) -> dict[str, Any]:
        fields = self.signature.input_fields
        given = saved.context["input_args"].items()
        return {name: TypeAdapter(fields[name].annotation).validate_python(value) for name, value in given}

    def _read(self, user_response: str, state: StateT) -> Response:
        assert isinstance(state.action, loop.AwaitResponse)
        return read(user_response, state.action, tuple(name for name in state.tools if name != CLARIFY))

    def _settle(self, confirmation_id: str, status: Status) -> None:
        CONFIRMATIONS.settle(confirmation_id, status)


def clarification() -> BoundTool:
    """The built-in tool with which the agent asks a person; it never runs, for its answer comes from outside."""
    args: JsonObject = {"question": {"type": "string"}}
    return BoundTool(CLARIFY, _DESCRIPTION, args, _unasked, require_confirmation=True)


def _unasked(question: str) -> str:
    raise AssertionError(f"nobody was asked: {question}")
