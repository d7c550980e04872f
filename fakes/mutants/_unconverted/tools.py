"""Violations of how tools are described, run and named (TOOL-002 to TOOL-005)."""

import inspect
import json
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import dspy
from dspy.signatures.signature import ensure_signature

from react_tck.fakes.mutants.mutant import mutant
from react_tck.fakes.mutants.rebound import Rebound, Tools, declares, rebuilt
from react_tck.model.base import JsonObject
from react_tck.reference import loop
from react_tck.reference.drive import Episode
from react_tck.reference.react import EpisodeFailed, ReAct, Use
from react_tck.reference.signatures import SignatureType
from react_tck.reference.tools import BoundTool, bind
from react_tck.reference.trajectory import as_mapping, observation


@mutant("optional-parameters-not-shown", "TOOL-002")
class OptionalParametersNotShown(Rebound):
    """Shows the parameters without a default only."""

    def _rebound(self, tool: BoundTool) -> BoundTool:
        return replace(
            tool, args={name: schema for name, schema in tool.args.items() if not declares(schema, "default")}
        )


@mutant("only-first-tools-parameters-shown", "TOOL-002")
class OnlyFirstToolsParametersShown(ReAct):
    """Shows the parameters of the first tool, and of the others the names."""

    def _bind(self, tools: Iterable[Callable[..., Any]]) -> Tools:
        bound = super()._bind(tools)
        return {name: tool if n == 0 else replace(tool, args={}) for n, (name, tool) in enumerate(bound.items())}


@mutant("defaults-not-shown", "TOOL-002")
class DefaultsNotShown(Rebound):
    """Shows the parameters without their defaults."""

    def _rebound(self, tool: BoundTool) -> BoundTool:
        return replace(tool, args={name: _without(schema, "default") for name, schema in tool.args.items()})


@mutant("fields-of-nested-objects-not-shown", "TOOL-002")
class FieldsOfNestedObjectsNotShown(Rebound):
    """Shows that a parameter is an object, and not what is in it."""

    def _rebound(self, tool: BoundTool) -> BoundTool:
        shown: JsonObject = {n: _without(schema, "properties", "required") for n, schema in tool.args.items()}
        return replace(tool, args=shown)


def _without(schema: Any, *keys: str) -> JsonObject:
    return {key: value for key, value in schema.items() if key not in keys}


class _Picky(ReAct):
    """Looks at results before it takes them for observations."""

    def _use(self, call: loop.RunTool) -> Episode[loop.Event]:
        result = yield Use(self.tools[call.tool], call.args)
        return loop.ToolReturned(observation=observation(self._looked_at(result)))

    def _looked_at(self, result: Any) -> Any:
        raise NotImplementedError


@mutant("null-result-ends-the-run", "TOOL-003")
class NullResultEndsTheRun(_Picky):
    """Takes a result of nothing for a failure of the run."""

    def _looked_at(self, result: Any) -> Any:
        if result is None:
            raise EpisodeFailed("the tool returned nothing")
        return result


@mutant("async-null-result-ends-the-run", "TOOL-003")
class AsyncNullResultEndsTheRun(NullResultEndsTheRun):
    """Takes a result of nothing for a failure of the run, in async calls only."""

    _is_async = False

    async def aforward(self, **inputs: Any) -> Any:
        self._is_async = True
        return await super().aforward(**inputs)

    def _looked_at(self, result: Any) -> Any:
        return super()._looked_at(result) if self._is_async else result


@mutant("bytes-crash", "TOOL-003")
class BytesCrash(_Picky):
    """Takes all bytes for UTF-8."""

    def _looked_at(self, result: Any) -> Any:
        return result.decode() if isinstance(result, bytes) else result


@mutant("unserialisable-result-crashes", "TOOL-003")
class UnserialisableResultCrashes(_Picky):
    """Takes every result for something JSON can hold."""

    def _looked_at(self, result: Any) -> Any:
        return json.loads(json.dumps(result, allow_nan=False))


@mutant("falsy-results-dropped", "TOOL-003")
class FalsyResultsDropped(_Picky):
    """Takes zero, false and everything empty for no result."""

    def _looked_at(self, result: Any) -> Any:
        return result or ""


@mutant("method-tools-refused", "TOOL-004")
class MethodToolsRefused(ReAct):
    """Takes functions only."""

    def _bind(self, tools: Iterable[Callable[..., Any]]) -> Tools:
        given = list(tools)
        if not all(map(inspect.isfunction, given)):
            raise TypeError("a tool must be a function")
        return super()._bind(given)


@mutant("callable-objects-nameless", "TOOL-004")
class CallableObjectsNameless(ReAct):
    """Calls a callable object by its class's name, not by its own."""

    def _bind(self, tools: Iterable[Callable[..., Any]]) -> Tools:
        return super()._bind([tool if inspect.isroutine(tool) else self._renamed(tool) for tool in tools])

    def _renamed(self, tool: Any) -> Any:
        return replace(bind(tool), name=type(tool).__name__)


class _NotAwaited(BoundTool):
    """A tool whose coroutines are dropped."""

    def run(self, args: JsonObject) -> Any:
        return _dropped(self.function(**self._converted(args)))


class _NotAwaitedEither(BoundTool):
    """A tool whose coroutines are dropped in async calls."""

    async def arun(self, args: JsonObject) -> Any:
        return _dropped(self.function(**self._converted(args)))


def _dropped(result: Any) -> Any:
    if not inspect.iscoroutine(result):
        return result
    result.close()
    return "a coroutine"


@mutant("async-tool-not-awaited", "TOOL-004")
class AsyncToolNotAwaited(Rebound):
    """Takes the coroutine of an async tool for its result, in sync calls."""

    def _rebound(self, tool: BoundTool) -> BoundTool:
        return rebuilt(_NotAwaited, tool)


@mutant("async-tool-not-awaited-in-async-calls", "TOOL-004")
class AsyncToolNotAwaitedInAsyncCalls(Rebound):
    """Takes the coroutine of an async tool for its result, in async calls."""

    def _rebound(self, tool: BoundTool) -> BoundTool:
        return rebuilt(_NotAwaitedEither, tool)


@mutant("duplicate-tool-replaced", "TOOL-005")
class DuplicateToolReplaced(ReAct):
    """Keeps the last of several tools of one name."""

    def _bind(self, tools: Iterable[Callable[..., Any]]) -> Tools:
        return {tool.name: tool for tool in map(bind, tools)}


@mutant("duplicate-tool-ignored", "TOOL-005")
class DuplicateToolIgnored(ReAct):
    """Keeps the first of several tools of one name."""

    def _bind(self, tools: Iterable[Callable[..., Any]]) -> Tools:
        return {tool.name: tool for tool in reversed([*map(bind, tools)])}


@mutant("finish-tool-replaced", "TOOL-005")
class FinishToolReplaced(ReAct):
    """Puts its own `finish` in the place of the user's tool of that name."""

    def _bind(self, tools: Iterable[Callable[..., Any]]) -> Tools:
        return super()._bind([tool for tool in tools if bind(tool).name != loop.FINISH])


@mutant("reserved-field-overwritten", "TOOL-005")
class ReservedFieldOverwritten(ReAct):
    """Takes any field names, and puts its own fields in the place of the user's."""

    def _user_signature(self, signature: str | SignatureType) -> SignatureType:
        made: SignatureType = ensure_signature(signature)
        return made

    def _prediction(self, state: loop.State, reply: dspy.Prediction) -> dspy.Prediction:
        own: dict[str, Any] = {"trajectory": as_mapping(state.steps)}
        if "next_thought" in reply and state.steps:
            own["next_thought"] = state.steps[-1].thought
        return dspy.Prediction(**{**reply, **own})
