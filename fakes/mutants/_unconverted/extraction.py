"""Violations of the extraction (EXT-…)."""

from typing import Any

import dspy

from react_tck.fakes.mutants.mutant import mutant
from react_tck.reference import loop
from react_tck.reference.drive import Episode
from react_tck.reference.react import ReAct
from react_tck.reference.signatures import TRAJECTORY, SignatureType
from react_tck.reference.trajectory import as_text

_BLANK = "(not given)"


def _finished(state: loop.State) -> bool:
    return bool(state.steps) and state.steps[-1].tool == loop.FINISH


def _users(steps: tuple[loop.Step, ...]) -> tuple[loop.Step, ...]:
    return tuple(step for step in steps if step.tool != loop.FINISH)


@mutant("extraction-without-inputs", "EXT-001")
class ExtractionWithoutInputs(ReAct):
    """Gives the extraction the trajectory alone."""

    def _extraction_inputs(self, state: loop.State, inputs: dict[str, Any]) -> dict[str, Any]:
        return super()._extraction_inputs(state, dict.fromkeys(inputs, _BLANK))


@mutant("extraction-without-second-input", "EXT-001")
class ExtractionWithoutSecondInput(ReAct):
    """Gives the extraction the first of the user's inputs only."""

    def _extractor(self, signature: SignatureType) -> dspy.Module:
        for name in list(self.signature.input_fields)[1:]:
            signature = signature.delete(name)
        return super()._extractor(signature)


@mutant("extraction-without-trajectory", "EXT-001")
class ExtractionWithoutTrajectory(ReAct):
    """Asks the extraction the user's question, without the trajectory."""

    def _extraction_inputs(self, state: loop.State, inputs: dict[str, Any]) -> dict[str, Any]:
        return super()._extraction_inputs(state, inputs) | {TRAJECTORY: _BLANK}


@mutant("extraction-sees-the-last-step-only", "EXT-001")
class ExtractionSeesTheLastStepOnly(ReAct):
    """Gives the extraction the last step of the trajectory only."""

    def _extraction_inputs(self, state: loop.State, inputs: dict[str, Any]) -> dict[str, Any]:
        last = _users(state.steps)[-1:]
        return super()._extraction_inputs(state, inputs) | {TRAJECTORY: as_text(last)}


@mutant("last-step-not-extracted-from", "EXT-001")
class LastStepLostAtMaxSteps(ReAct):
    """Loses the step in which the steps run out."""

    def _extraction_inputs(self, state: loop.State, inputs: dict[str, Any]) -> dict[str, Any]:
        kept = state.steps if _finished(state) else state.steps[:-1]
        return super()._extraction_inputs(state, inputs) | {TRAJECTORY: as_text(kept)}


@mutant("nothing-passed-on-without-steps", "EXT-001")
class NothingPassedOnWithoutSteps(ReAct):
    """Passes nothing on to the extraction if no tool ran."""

    def _extraction_inputs(self, state: loop.State, inputs: dict[str, Any]) -> dict[str, Any]:
        return super()._extraction_inputs(state, inputs if _users(state.steps) else dict.fromkeys(inputs, _BLANK))


@mutant("failed-steps-left-out", "EXT-001")
class FailedStepsLeftOut(ReAct):
    """Leaves the steps whose tool failed out of what the extraction gets."""

    def _extraction_inputs(self, state: loop.State, inputs: dict[str, Any]) -> dict[str, Any]:
        kept = tuple(step for step in state.steps if not str(step.observation).startswith("Error"))
        return super()._extraction_inputs(state, inputs) | {TRAJECTORY: as_text(kept)}


@mutant("args-overwrite-extraction-inputs", "EXT-001")
class ArgsOverwriteExtractionInputs(ReAct):
    """Merges the tools' args into the inputs of the extraction."""

    def _extraction_inputs(self, state: loop.State, inputs: dict[str, Any]) -> dict[str, Any]:
        args = {key: value for step in state.steps for key, value in step.args.items() if key in inputs}
        return super()._extraction_inputs(state, {**inputs, **args})


class _OutputsChanged(ReAct):
    """Returns other outputs than the extraction gave."""

    def _prediction(self, state: loop.State, reply: dspy.Prediction) -> dspy.Prediction:
        prediction = super()._prediction(state, reply)
        outputs = {name: prediction[name] for name in self.signature.output_fields}
        trajectory = {TRAJECTORY: prediction[TRAJECTORY]}
        return dspy.Prediction(**trajectory, **self._changed(outputs, state))

    def _changed(self, outputs: dict[str, Any], state: loop.State) -> dict[str, Any]:
        raise NotImplementedError


@mutant("second-output-not-returned", "EXT-002")
class SecondOutputNotReturned(_OutputsChanged):
    """Returns the first output only."""

    def _changed(self, outputs: dict[str, Any], state: loop.State) -> dict[str, Any]:  # noqa: ARG002 - one shape
        return dict(list(outputs.items())[:1])


@mutant("first-output-for-all", "EXT-002")
class FirstOutputForAll(_OutputsChanged):
    """Returns the first output's value for each of them."""

    def _changed(self, outputs: dict[str, Any], state: loop.State) -> dict[str, Any]:  # noqa: ARG002 - one shape
        return dict.fromkeys(outputs, next(iter(outputs.values())))


@mutant("last-observation-as-answer", "EXT-002")
class LastObservationAsAnswer(_OutputsChanged):
    """Returns what the last tool returned instead of what was extracted."""

    def _changed(self, outputs: dict[str, Any], state: loop.State) -> dict[str, Any]:
        observed = [step.observation for step in _users(state.steps)]
        return dict.fromkeys(outputs, observed[-1]) if observed else outputs


@mutant("finish-args-as-answer", "EXT-002")
class FinishArgsAsAnswer(_OutputsChanged):
    """Takes outputs from the args of `finish` where they have them."""

    def _changed(self, outputs: dict[str, Any], state: loop.State) -> dict[str, Any]:
        args = state.steps[-1].args if _finished(state) else {}
        return {name: args.get(name, value) for name, value in outputs.items()}


@mutant("outputs-of-the-first-call", "EXT-002")
class OutputsOfTheFirstCall(_OutputsChanged):
    """Returns the outputs of its first call in every later one."""

    def _changed(self, outputs: dict[str, Any], state: loop.State) -> dict[str, Any]:  # noqa: ARG002 - one shape
        first: dict[str, Any] = self.__dict__.setdefault("_first", outputs)
        return first


@mutant("extraction-twice", "EXT-003")
class ExtractionTwice(ReAct):
    """Extracts twice and returns the second result."""

    def _extraction(self, state: loop.State, inputs: dict[str, Any]) -> Episode[dspy.Prediction]:
        yield from super()._extraction(state, inputs)
        return (yield from super()._extraction(state, inputs))


@mutant("extraction-twice-at-max-steps", "EXT-003")
class ExtractionTwiceAtMaxSteps(ReAct):
    """Extracts when the steps run out, and once more after the loop."""

    def _extraction(self, state: loop.State, inputs: dict[str, Any]) -> Episode[dspy.Prediction]:
        if not _finished(state):
            yield from super()._extraction(state, inputs)
        return (yield from super()._extraction(state, inputs))


@mutant("extraction-after-every-step", "EXT-003")
class ExtractionAfterEveryStep(ReAct):
    """Extracts after every step to see whether that is enough, and goes on."""

    def _step(self, state: loop.State, inputs: dict[str, Any]) -> Episode[loop.Event]:
        if state.steps:
            yield from self._extraction(state, inputs)
        return (yield from super()._step(state, inputs))


@mutant("extraction-in-the-first-call-only", "EXT-003")
class ExtractionInTheFirstCallOnly(ReAct):
    """Keeps the first call's extraction for every later call."""

    def _extraction(self, state: loop.State, inputs: dict[str, Any]) -> Episode[dspy.Prediction]:
        if "_kept" not in self.__dict__:
            self.__dict__["_kept"] = yield from super()._extraction(state, inputs)
        kept: dspy.Prediction = self.__dict__["_kept"]
        return kept


@mutant("reasoning-asked-for-last", "EXT-004")
class ReasoningAskedForLast(ReAct):
    """Asks for the reasoning after the outputs it should lead to."""

    def _extractor(self, signature: SignatureType) -> dspy.Module:
        return dspy.Predict(signature.append("reasoning", dspy.OutputField(), type_=str))


@mutant("second-output-not-asked-for", "EXT-004")
class SecondOutputNotAskedFor(ReAct):
    """Asks the extraction for the first output only."""

    def _extractor(self, signature: SignatureType) -> dspy.Module:
        for name in list(self.signature.output_fields)[1:]:
            signature = signature.delete(name)
        return super()._extractor(signature)


@mutant("undeclared-predict", "EXT-004")
class UndeclaredPredict(ReAct):
    """Declares chain of thought, and extracts with a plain predict."""

    def _extractor(self, signature: SignatureType) -> dspy.Module:
        return dspy.Predict(signature)
