"""A decorated class as the kit drives it: an instance of the class for every agent that is built."""

import asyncio
import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pydantic import JsonValue, ValidationError

from react_tck.api.lm import LM, TIMEOUT
from react_tck.api.results import Result, outcome_of
from react_tck.api.task import Task
from react_tck.api.tools import TaskTool, Tools
from react_tck.fakes.server.wire import Limits
from react_tck.fakes.tools import Caller
from react_tck.model.base import JsonObject
from react_tck.model.case import Invocation, Options, Resumption
from react_tck.model.manifest import Description, Manifest
from react_tck.model.outcome import Outcome, make_error_outcome
from react_tck.model.protocol import Endpoint, Parsing
from react_tck.model.record import Notice
from react_tck.model.signature import Signature
from react_tck.subjects.api import Endpoints, HarnessBroken, OperationRefused, raising
from react_tck.subjects.lanes import Lanes, endpoint_of
from react_tck.subjects.python import BuiltSubject, as_json_value

#: Seconds for which an LM in this process says nothing. Clients of the kit's wait for that however long it takes, so
#: that a busy machine is never mistaken for it; it is long enough for one with a limit of its own to reach it.
_SILENCE = 2.0


class ClassSubject(BuiltSubject):
    """The subject that a class is. Whoever asks for an address of the LM starts the kit's server."""

    def __init__(self, made: type, manifest: Manifest) -> None:
        super().__init__(
            manifest, self._build_instance, self._parse_reply if "parse" in manifest.capabilities else None
        )
        self._made = made
        self._manifest = manifest
        self.lanes = Lanes(Limits(hold=_SILENCE))

    @property
    def place(self) -> str:
        """File and line of the method that is called; of the class, where it has none."""
        code = inspect.unwrap(getattr(self._made, "call", None) or getattr(self._made, "acall", None) or self._made)
        try:
            return f"{inspect.getsourcefile(code)}:{inspect.getsourcelines(code)[1]}"
        except (OSError, TypeError):  # it was made while the program ran
            return ""

    def close(self) -> None:
        """End the server, if there is one."""
        self.lanes.close()

    def _build_instance(self, signature: Signature, options: Options, endpoints: Endpoints) -> "ClassInstance":
        if not hasattr(self._made, "build"):
            raise ValueError(f"{self._made.__name__} is a parser, and no agent")
        functions = endpoints.tool_functions
        given = [TaskTool(*pair) for pair in zip(endpoints.tools, functions, strict=True)]
        served = endpoints.endpoint
        lm = LM(endpoints.lm, lambda: served or self._serve_lm(endpoints), TIMEOUT if served else None)
        agent = self._made()
        caller = endpoints.caller if "caller-objects" in self._manifest.capabilities else Caller()
        caller.note_object("the tools", list(functions))
        agent.build(Task(signature, options, caller.note_object), Tools(given), lm)
        return ClassInstance(agent, options, caller)

    def _serve_lm(self, endpoints: Endpoints) -> Endpoint:
        return endpoint_of(self.lanes.open_lane(endpoints))

    def _parse_reply(self, parsing: Parsing) -> Mapping[str, Any]:
        parser = self._made()
        given = _select_arguments(parser.parse, {"dialect": parsing.dialect})
        found = parser.parse(parsing.reply.content or "", dict(parsing.fields), **given)
        if not isinstance(found, Mapping):
            raise HarnessBroken(
                f"{_name_method(parser, 'parse')} returned {found!r}; return the fields by name, or raise"
            )
        return found


class ClassInstance:
    """An agent that has been built."""

    def __init__(self, agent: Any, options: Options, caller: Caller) -> None:
        self._agent = agent
        self._options = options
        self._caller = caller
        #: The very history that each call has returned, in their order; None where it gave none.
        self._histories: list[Any] = []

    def call(self, invocation: Invocation) -> Outcome:
        """Call it in the mode the invocation asks for; a class that is asynchronous only, in a loop of its own."""
        if self._is_async(invocation.mode, "call"):
            return asyncio.run(self.acall(invocation))
        inputs, keywords = self._prepare_call(self._agent.call, invocation)
        self._histories.append(None)
        return self._run_operation("call", lambda: self._agent.call(inputs, **keywords))

    async def acall(self, invocation: Invocation) -> Outcome:
        """Call it in the event loop that runs."""
        inputs, keywords = self._prepare_call(self._agent.acall, invocation)
        self._histories.append(None)
        try:
            result = await self._agent.acall(inputs, **keywords)
        except Exception as error:
            raising.get()(error)
            return make_error_outcome(error)
        return self._record_result("acall", result)

    def resume(self, suspension: JsonObject, resumption: Resumption) -> Outcome:
        """Go on with a suspended call; here that may be the first of all."""
        given = (suspension, resumption.response)
        if self._is_async(resumption.mode, "resume"):
            return self._run_operation("aresume", lambda: asyncio.run(self._agent.aresume(*given)))
        return self._run_operation("resume", lambda: self._agent.resume(*given))

    def status(self, confirmation_id: str) -> str:
        """Return what became of a confirmation.

        Raises:
            OperationRefused: if the class doesn't say.
        """
        if not hasattr(self._agent, "status"):
            raise OperationRefused(f"{type(self._agent).__name__} has no `status(confirmation_id)`")
        return str(self._agent.status(confirmation_id))

    def describe(self) -> Description:
        """Its tools and signatures.

        Raises:
            HarnessBroken: if that is no description.
        """
        said = self._agent.describe()
        try:
            return Description.model_validate(said)
        except ValidationError as error:
            wrong = error.errors()[0]
            where = ".".join(map(str, wrong["loc"])) or "it"
            raise HarnessBroken(
                f"{_name_method(self._agent, 'describe')} returned no description: {where}: {wrong['msg']}; it is "
                '{"tools": {name: description}, "signatures": {name: {"inputs": […], "outputs": […]}}}'
            ) from error

    @property
    def heard(self) -> Sequence[Notice]:
        """What its library's callbacks have been told.

        Raises:
            HarnessBroken: if those are no notices.
        """
        said = self._agent.heard()
        if not isinstance(said, Sequence) or not all(isinstance(each, Notice) for each in said):
            raise HarnessBroken(
                f"{_name_method(self._agent, 'heard')} returned {said!r}; return a list of react_tck.Notice"
            )
        return said

    def dump(self) -> JsonValue:
        """Return the agent's state as JSON, as the `dump` of the user's class gives it; `load` takes it back."""
        state: JsonValue = as_json_value(self._agent.dump())
        return state

    def load(self, state: JsonValue) -> None:
        """Take over what was saved."""
        self._agent.load(state)

    def _is_async(self, mode: str, method: str) -> bool:
        """Tell whether a call in this mode goes to the asynchronous one of two methods."""
        return hasattr(self._agent, f"a{method}") and (mode == "async" or not hasattr(self._agent, method))

    def _prepare_call(
        self, method: Callable[..., Any], invocation: Invocation
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        inputs: dict[str, Any] = dict(invocation.inputs)
        self._caller.note_object("the inputs", inputs)
        history: Any = None if invocation.history is None else list(invocation.history)
        if invocation.follows is not None:
            history = self._histories[invocation.follows]
        if history is not None:
            self._caller.note_object("the history", history)
        adapter = invocation.adapter or self._options.adapter
        given = {"max_steps": invocation.max_steps, "history": history, "adapter": adapter}
        return inputs, _select_arguments(method, given)

    def _run_operation(self, method: str, operation: Callable[[], Result]) -> Outcome:
        try:
            result = operation()
        except Exception as error:
            raising.get()(error)
            return make_error_outcome(error)
        return self._record_result(method, result)

    def _record_result(self, method: str, result: object) -> Outcome:
        self._histories[-1:] = [getattr(result, "history", None)]
        return outcome_of(result, _name_method(self._agent, method))


def _select_arguments(method: Callable[..., Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the method takes of this; what isn't given it has a default for."""
    parameters = inspect.signature(method).parameters
    return {name: value for name, value in given.items() if name in parameters and value is not None}


def _name_method(agent: object, method: str) -> str:
    return f"{type(agent).__name__}.{method}"
