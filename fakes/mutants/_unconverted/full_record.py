"""Violations of how the trajectory is kept: whole, and as it was (TRJ-005, TRJ-006)."""

from typing import Any

from react_tck.fakes.mutants.mutant import mutant
from react_tck.fakes.mutants.retold import Retold
from react_tck.model.base import JsonObject
from react_tck.reference import loop
from react_tck.reference.drive import Episode
from react_tck.reference.react import Use
from react_tck.reference.tools import BoundTool
from react_tck.reference.trajectory import observation

_LONG = 1000


@mutant("trajectory-truncated", "TRJ-005")
class TrajectoryTruncated(Retold):
    """Returns the last ten steps only."""

    def _steps(self, state: loop.State) -> tuple[loop.Step, ...]:
        return state.steps[-10:]


@mutant("long-observations-cut", "TRJ-005")
class LongObservationsCut(Retold):
    """Shortens long observations in the trajectory it returns."""

    def _retold(self, state: loop.State) -> Any:
        return {key: self._shortened_value(value) for key, value in super()._retold(state).items()}

    def _shortened_value(self, value: Any) -> Any:
        return f"{value[:_LONG]}..." if isinstance(value, str) and len(value) > _LONG else value


@mutant("long-args-cut", "TRJ-005")
class LongArgsCut(Retold):
    """Shortens the middle of long args in the trajectory it returns."""

    def _steps(self, state: loop.State) -> tuple[loop.Step, ...]:
        return tuple(step.model_copy(update={"args": self._cut(step.args)}) for step in state.steps)

    def _cut(self, args: dict[str, Any]) -> dict[str, Any]:
        long = {name: value for name, value in args.items() if len(str(value)) > _LONG}
        return args | {name: f"{str(value)[:_LONG]}...{str(value)[-_LONG:]}" for name, value in long.items()}


@mutant("forgotten-steps-not-returned", "TRJ-005")
class ForgottenStepsNotReturned(Retold):
    """Returns the trajectory without the steps it left out of a prompt."""

    def _steps(self, state: loop.State) -> tuple[loop.Step, ...]:
        return state.shown


class _Remembering(Retold):
    """Keeps an object of every tool run, and returns it for what `key` names."""

    key: str

    def _begin(self, inputs: dict[str, Any]) -> tuple[loop.State, dict[str, Any]]:
        self._kept: list[Any] = []
        return super()._begin(inputs)

    def _retold(self, state: loop.State) -> Any:
        used = [index for index, step in enumerate(state.steps) if step.tool in self.tools]
        kept = zip(used, self._kept, strict=True)
        return super()._retold(state) | {f"{self.key}_{index}": value for index, value in kept}


class _Aliasing(BoundTool):
    """A tool that gets lists and objects uncopied."""

    def _converted(self, args: JsonObject) -> dict[str, Any]:
        converted = super()._converted(args)
        same = {name: args[name] for name, value in converted.items() if type(value) in (dict, list)}
        return converted | same


@mutant("trajectory-aliases-args", "TRJ-006")
class TrajectoryAliasesArgs(_Remembering):
    """Keeps the args it gave to the tool, not a copy."""

    key = "tool_args"

    def _bind(self, tools: Any) -> dict[str, BoundTool]:
        bound = super()._bind(tools).items()
        return {name: _Aliasing(t.name, t.description, t.args, t.function) for name, t in bound}

    def _use(self, call: loop.RunTool) -> Episode[loop.Event]:
        self._kept.append(call.args)
        return super()._use(call)


@mutant("trajectory-aliases-observation", "TRJ-006")
class TrajectoryAliasesObservation(_Remembering):
    """Keeps the object the tool returned, not a copy."""

    key = "observation"

    def _use(self, call: loop.RunTool) -> Episode[loop.Event]:
        try:
            result = yield Use(self.tools[call.tool], call.args)
        except Exception as error:
            self._kept.append(f"Error executing {call.tool}: {error}")
            return loop.ToolFailed(reason=str(error))
        self._kept.append(result)
        return loop.ToolReturned(observation=observation(result))
