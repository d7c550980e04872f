"""Violations around predictors, signatures and the final state of a conversation (CNV-008, CNV-011, CNV-013)."""

from typing import Any

import dspy

from react_tck.fakes.mutants.conversation_base import Exchange, Inputs, Told
from react_tck.fakes.mutants.mutant import mutant
from react_tck.reference import loop
from react_tck.reference.conversation import ConversationReAct
from react_tck.reference.conversation_adapter import ConversationAdapter
from react_tck.reference.conversation_signatures import state_signature
from react_tck.reference.drive import Episode
from react_tck.reference.loop_conversation import (
    MACHINE_STATE,
    STEP_STATES,
    TOOL_NAME,
    TOOL_RESULT,
    UNREADABLE,
    MachineState,
)
from react_tck.reference.signatures import SignatureType

# CNV-008


class _Predictor(ConversationReAct):
    """Uses a predictor of its own, whatever it is given."""

    own: Any

    def _make_predictors(self) -> None:
        self.predictor_class = type(self).own
        super()._make_predictors()


@mutant("always-chain-of-thought", "CNV-008")
class AlwaysChainOfThought(_Predictor):
    """Uses ChainOfThought, whatever it is given."""

    own = dspy.ChainOfThought


@mutant("always-predict", "CNV-008")
class AlwaysPredict(_Predictor):
    """Uses Predict, whatever it is given."""

    own = dspy.Predict


@mutant("no-interruption-under-predict", "CNV-008")
class NoInterruptionUnderPredict(ConversationReAct):
    """With Predict, enters the state `finish` when the steps have run out."""

    def _state(self, state: loop.State) -> MachineState:
        now = super()._state(state)
        return "finish" if now == "interrupted" and self.predictor_class is dspy.Predict else now


class _ReasonsOfItsOwn(ConversationAdapter):
    def format_assistant_message_content(self, signature: SignatureType, outputs: Inputs, *rest: Any) -> str:
        content = super().format_assistant_message_content(signature, outputs, *rest)
        is_unreadable = outputs.get(TOOL_NAME) == UNREADABLE
        return f"[[ ## reasoning ## ]]\n(lost)\n\n{content}" if is_unreadable else content


@mutant("reasoning-kept-under-predict", "CNV-008")
class ReasoningKeptUnderPredict(ConversationReAct):
    """Writes reasoning into the exchange of a malformed reply, whatever the predictor."""

    adapter_class = _ReasonsOfItsOwn


# CNV-011


@mutant("only-the-first-input-kept", "CNV-011")
class OnlyTheFirstInputKept(ConversationReAct):
    """Keeps the first input of the user's query in the conversation, and drops the others."""

    def _exchanges(self, state: loop.State, inputs: Inputs) -> list[Exchange]:
        others = list(self._own_inputs(inputs))[1:]
        exchanges = super()._exchanges(state, inputs)
        return [{name: value for name, value in exchange.items() if name not in others} for exchange in exchanges]


class _FirstOutput(ConversationAdapter):
    def _required(self, state: MachineState) -> list[str]:
        return super()._required(state)[: None if state in STEP_STATES else 2]


@mutant("only-the-first-output-asked-for", "CNV-011")
class OnlyTheFirstOutputAskedFor(ConversationReAct):
    """Asks for reasoning and the first output, and forgets the others."""

    adapter_class = _FirstOutput


@mutant("fields-by-their-usual-names-only", "CNV-011")
class FieldsByTheirUsualNamesOnly(ConversationReAct):
    """Takes a `question`, and nothing that is called otherwise."""

    def _begin(self, inputs: Inputs) -> tuple[loop.State, Inputs]:
        if "question" not in inputs:
            raise ValueError("missing input 'question'")
        return super()._begin(inputs)


@mutant("typed-outputs-as-text", "CNV-011")
class TypedOutputsAsText(ConversationReAct):
    """Returns every output as text."""

    def _extraction(self, state: loop.State, inputs: Inputs) -> Episode[dspy.Prediction]:
        prediction = yield from super()._extraction(state, inputs)
        for name in self.signature.output_fields:
            prediction[name] = str(prediction[name])
        return prediction


@mutant("arrow-strings-only", "CNV-011")
class ArrowStringsOnly(ConversationReAct):
    """Takes no signature but an arrow string."""

    def _user_signature(self, signature: str | SignatureType) -> SignatureType:
        if not isinstance(signature, str):
            raise TypeError("the signature must be a string")
        return super()._user_signature(signature)


# CNV-013


@mutant("finish-answers-with-the-response", "CNV-013")
class FinishAnswersWithTheResponse(ConversationReAct):
    """Takes what the LM said when it finished for every output, and doesn't ask."""

    def _extraction(self, state: loop.State, inputs: Inputs) -> Episode[dspy.Prediction]:
        if self._state(state) != "finish":
            return (yield from super()._extraction(state, inputs))
        return dspy.Prediction(**dict.fromkeys(self.signature.output_fields, state.steps[-1].response))


@mutant("finish-is-one-more-step", "CNV-013")
class FinishIsOneMoreStep(ConversationReAct):
    """Takes `finish` for a tool, and goes on."""

    def _advance(self, state: loop.State, event: loop.Event) -> loop.State:
        if not isinstance(event, loop.StepChosen) or event.tool != loop.FINISH:
            return super()._advance(state, event)
        running = state.model_copy(update={"action": loop.RunTool(**dict(event))})
        return super()._advance(running, loop.ToolReturned(observation="finished"))


@mutant("finish-says-nothing", "CNV-013")
class FinishSaysNothing(Told):
    """Enters the state `finish` without a tool result."""

    def _told(self, asked: Exchange, _state: loop.State, _inputs: Inputs) -> Exchange:
        return {**asked, TOOL_RESULT: ""} if asked[MACHINE_STATE] == "finish" else asked


@mutant("finish-without-reasoning", "CNV-013")
class FinishWithoutReasoning(ConversationReAct):
    """Asks for the outputs without reasoning, whatever the predictor."""

    def _make_predictors(self) -> None:
        super()._make_predictors()
        self.states["finish"] = dspy.Predict(state_signature("finish", self.signature, self.tools))
