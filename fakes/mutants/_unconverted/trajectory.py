"""Violations of what the trajectory tells (TRJ-001 to TRJ-004)."""

from itertools import count
from typing import Any

import dspy

from react_tck.fakes.mutants.mutant import mutant
from react_tck.fakes.mutants.retold import Retold
from react_tck.reference import loop
from react_tck.reference.react import ReAct


class _Cut(Retold):
    """Leaves a part out of every step."""

    part: str

    def _retold(self, state: loop.State) -> Any:
        return {key: value for key, value in super()._retold(state).items() if not key.startswith(self.part)}


def _without(prediction: dspy.Prediction) -> dspy.Prediction:
    return dspy.Prediction(**{name: value for name, value in prediction.items() if name != "trajectory"})


@mutant("trajectory-missing", "TRJ-001")
class TrajectoryMissing(ReAct):
    """Returns the outputs alone."""

    def _prediction(self, state: loop.State, reply: dspy.Prediction) -> dspy.Prediction:
        return _without(super()._prediction(state, reply))


@mutant("trajectory-only-when-finished", "TRJ-001")
class TrajectoryOnlyWhenFinished(ReAct):
    """Returns no trajectory if the steps ran out."""

    def _prediction(self, state: loop.State, reply: dspy.Prediction) -> dspy.Prediction:
        finished = bool(state.steps) and state.steps[-1].tool == loop.FINISH
        prediction = super()._prediction(state, reply)
        return prediction if finished else _without(prediction)


@mutant("trajectory-only-after-tools", "TRJ-001")
class TrajectoryOnlyAfterTools(ReAct):
    """Returns no trajectory if no tool was used."""

    def _prediction(self, state: loop.State, reply: dspy.Prediction) -> dspy.Prediction:
        used = any(step.tool != loop.FINISH for step in state.steps)
        prediction = super()._prediction(state, reply)
        return prediction if used else _without(prediction)


@mutant("trajectory-missing-from-async-calls", "TRJ-001")
class TrajectoryMissingFromAsyncCalls(ReAct):
    """Returns the outputs alone from the async entry point."""

    async def aforward(self, **inputs: Any) -> dspy.Prediction:
        return _without(await super().aforward(**inputs))


@mutant("thought-lost", "TRJ-002")
class ThoughtLost(_Cut):
    """Records steps without their thoughts."""

    part = "thought_"


@mutant("tool-name-lost", "TRJ-002")
class ToolNameLost(_Cut):
    """Records steps without the names of their tools."""

    part = "tool_name_"


@mutant("args-lost-from-trace", "TRJ-002")
class ArgsLostFromTrace(Retold):
    """Records every step with empty args."""

    def _steps(self, state: loop.State) -> tuple[loop.Step, ...]:
        return tuple(step.model_copy(update={"args": {}}) for step in state.steps)


@mutant("observation-lost", "TRJ-002")
class ObservationLost(_Cut):
    """Records steps without their observations."""

    part = "observation_"


@mutant("trajectory-reordered", "TRJ-002")
class TrajectoryReordered(Retold):
    """Records the steps by the names of their tools."""

    def _steps(self, state: loop.State) -> tuple[loop.Step, ...]:
        return tuple(sorted(state.steps, key=lambda step: step.tool))


@mutant("phantom-step", "TRJ-002")
class PhantomStep(Retold):
    """Records a step that was never taken."""

    def _steps(self, state: loop.State) -> tuple[loop.Step, ...]:
        first = next(iter(self.tools))
        return (*state.steps, loop.Step(thought="", tool=first, args={}, observation=""))


@mutant("thoughts-lost-outside-chat", "TRJ-002")
class ThoughtsLostOutsideChat(Retold):
    """Finds thoughts in the chat dialect only."""

    def _steps(self, state: loop.State) -> tuple[loop.Step, ...]:
        if isinstance(dspy.settings.adapter, dspy.JSONAdapter | dspy.XMLAdapter):
            return tuple(step.model_copy(update={"thought": ""}) for step in state.steps)
        return state.steps


@mutant("last-step-lost-at-max-steps", "TRJ-002")
class LastStepLostAtMaxSteps(Retold):
    """Leaves the last step out if the steps ran out."""

    def _steps(self, state: loop.State) -> tuple[loop.Step, ...]:
        finished = bool(state.steps) and state.steps[-1].tool == loop.FINISH
        return state.steps if finished else state.steps[:-1]


@mutant("repeated-step-merged", "TRJ-002")
class RepeatedStepMerged(Retold):
    """Records the same call only once."""

    def _steps(self, state: loop.State) -> tuple[loop.Step, ...]:
        return tuple({(step.tool, str(step.args)): step for step in state.steps}.values())


@mutant("failed-step-left-out", "TRJ-002")
class FailedStepLeftOut(Retold):
    """Doesn't record a step whose tool raised."""

    def _steps(self, state: loop.State) -> tuple[loop.Step, ...]:
        return tuple(step for step in state.steps if not str(step.observation).startswith("Error"))


@mutant("step-without-args-left-out", "TRJ-002")
class StepWithoutArgsLeftOut(Retold):
    """Takes a step without args for no step."""

    def _steps(self, state: loop.State) -> tuple[loop.Step, ...]:
        return tuple(step for step in state.steps if step.args)


@mutant("trajectory-of-earlier-calls-kept", "TRJ-002")
class TrajectoryOfEarlierCallsKept(Retold):
    """Returns the steps of all calls the instance has had."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._all: tuple[loop.Step, ...] = ()

    def _steps(self, state: loop.State) -> tuple[loop.Step, ...]:
        self._all += state.steps
        return self._all


@mutant("trace-depends-on-run", "TRJ-003")
class TraceDependsOnRun(Retold):
    """Numbers the runs, and notes the number beside every step."""

    _runs = count()

    def _retold(self, state: loop.State) -> Any:
        run = next(self._runs)
        return super()._retold(state) | {f"run_{index}": run for index in range(len(state.steps))}


@mutant("question-in-trace", "TRJ-003")
class QuestionInTrace(Retold):
    """Notes beside the first step what was asked."""

    def _begin(self, inputs: dict[str, Any]) -> tuple[loop.State, dict[str, Any]]:
        self._asked = str(inputs)
        return super()._begin(inputs)

    def _retold(self, state: loop.State) -> Any:
        return super()._retold(state) | {"task_0": self._asked}


@mutant("trajectory-keys-unnumbered", "TRJ-004")
class TrajectoryKeysUnnumbered(Retold):
    """Returns a mapping of one list for all thoughts, one for all tools, and so on."""

    def _retold(self, state: loop.State) -> Any:
        names = ("thought", "tool", "args", "observation")
        return {name: [getattr(step, name) for step in state.steps] for name in names}


@mutant("finish-recorded-in-part", "TRJ-004")
class FinishRecordedInPart(Retold):
    """Records of `finish` the thought and the name only."""

    def _retold(self, state: loop.State) -> Any:
        last = len(state.steps) - 1
        return {
            k: v for k, v in super()._retold(state).items() if k not in (f"tool_args_{last}", f"observation_{last}")
        }


@mutant("finish-recorded-only-after-tools", "TRJ-004")
class FinishRecordedOnlyAfterTools(Retold):
    """Records `finish` unless it was the first step."""

    def _steps(self, state: loop.State) -> tuple[loop.Step, ...]:
        return state.steps if len(state.steps) > 1 else ()
