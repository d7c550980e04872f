"""`ConversationReAct`: the loop as an append-only conversation with one system prompt (S0)."""

from collections.abc import Callable, Iterable
from typing import Any, ClassVar

import dspy

from react_tck.reference import loop
from react_tck.reference.adapters.conversation import ConversationAdapter
from react_tck.reference.adapters.strict_reading import make_strict
from react_tck.reference.loop.entries import turns_of
from react_tck.reference.loop.views import conversation as view
from react_tck.reference.react import ReAct, read_fields
from react_tck.reference.seams import Beginning, Prompt, Site, phase_of
from react_tck.reference.signatures.conversation import HISTORY, conversation_signature, state_signature
from react_tck.reference.signatures.react import SignatureType, history_field
from react_tck.reference.wrong_use import check_predictor, check_predictor_class

DEFAULT_MAX_STEPS = 10
#: In a prediction: how many steps were taken.
STEPS = "steps"


class ConversationReAct(ReAct):
    """A tool-using agent that keeps its whole conversation: every request extends the one before it.

    The prediction's `history` holds the conversation so far; given back with the next call, the conversation goes on.

    >>> import dspy
    >>> from react_tck.reference import ConversationReAct
    >>> end = {"reasoning": "I know.", "tool_name": "finish", "tool_args": {}, "response": "Wait."}
    >>> lm = dspy.utils.DummyLM([end, {"reasoning": "2 + 3", "answer": 5}, end, {"reasoning": "5 + 1", "answer": 6}])
    >>> with dspy.context(lm=lm):
    ...     agent = ConversationReAct("question -> answer: int", [])
    ...     first = agent(question="2+3?")
    ...     second = agent(question="And one more?", history=first.history)
    >>> first.answer, second.answer, len(first.history.messages), len(second.history.messages)
    (5, 6, 2, 4)

    Args:
        signature: arrow string, signature class, or signature value; it need not name a history.
        tools: functions, methods, callable objects or `dspy.Tool`s; async ones too.
        max_steps: steps of one call before it is interrupted.
        predictor_class: `dspy.ChainOfThought`, or `dspy.Predict` for replies without reasoning.
        max_iters: the name `dspy.ReAct` has for `max_steps`.
        policy: what to do where the specification leaves a choice.
        enable_user_clarification: whether the agent may ask a person.

    Raises:
        TypeError: for something else than is named here.
        ValueError: for fewer than one step, a signature without outputs, or a name that is taken twice or built in.
    """

    adapter_class: ClassVar[type[ConversationAdapter]] = ConversationAdapter
    fitting: ClassVar[loop.Fitting] = "nothing"
    #: From `user_query` no way leads to `interrupted` (CNV-005).
    least_steps: ClassVar[int] = 1
    answers_without_step: ClassVar[bool] = False

    def __init__(
        self,
        signature: str | SignatureType,
        tools: Iterable[Callable[..., Any]],
        max_steps: int = DEFAULT_MAX_STEPS,
        predictor_class: Callable[[SignatureType], dspy.Module] = dspy.ChainOfThought,
        *,
        max_iters: int | None = None,
        policy: loop.Policy | None = None,
        enable_user_clarification: bool = False,
    ) -> None:
        check_predictor_class(self._name, predictor_class)
        self.predictor_class = predictor_class
        super().__init__(
            signature,
            tools,
            max_steps,
            max_iters=max_iters,
            policy=policy,
            enable_user_clarification=enable_user_clarification,
        )

    def load_state(self, state: dict[str, Any], **options: Any) -> None:
        """Take over what was saved, but for the tools, which the field for a tool's name lists too (SAV-003)."""
        own = {name: predictor.signature.output_fields for name, predictor in self.named_predictors()}
        super().load_state(state, **options)
        for name, predictor in self.named_predictors():
            if view.TOOL_NAME in own[name]:
                told = own[name][view.TOOL_NAME].json_schema_extra["desc"]
                predictor.signature = predictor.signature.with_updated_fields(view.TOOL_NAME, desc=told)

    def _adapt_policy(self, policy: loop.Policy) -> loop.Policy:
        """Return the policy: that the machine finished is part of the conversation."""
        return policy.model_copy(update={"finish_recorded": True})

    def _check_signature(self, signature: str | SignatureType) -> SignatureType:
        return conversation_signature(signature)

    def _make_predictors(self) -> dict[str, dspy.Module]:
        signatures = {state: state_signature(state, self.signature, self.bound) for state in view.STATES}
        made: dict[str, Any] = {state: self.predictor_class(signature) for state, signature in signatures.items()}
        for predictor in made.values():
            check_predictor(self._name, self.predictor_class, predictor)
        return made

    def _set_predictors(self, program: dict[str, dspy.Module]) -> None:
        self.state_predictors: Any = program
        self._first_signatures = {state: asked.predictors()[0].signature for state, asked in program.items()}

    def _find_predictor(self, name: str) -> dspy.Module:
        return self.state_predictors[name]

    def _begin_run(self, inputs: dict[str, Any]) -> Beginning:
        inputs = {**inputs, self.history_field_name: inputs.get(self.history_field_name) or dspy.History(messages=[])}
        max_steps, inputs = self._take_inputs(inputs)
        _refuse_no_history(self.history_field_name, inputs)
        return Beginning(self._make_state(max_steps, inputs), inputs)

    def _make_prompt(self, state: loop.State, action: loop.Action, inputs: dict[str, Any]) -> Prompt:
        asked = {name: value for name, value in inputs.items() if name != self.history_field_name}
        told = inputs.get(self.history_field_name)
        earlier = [*(told.messages if told else ()), *view.list_exchanges(state, asked, reasoning=self._has_reasoning)]
        now = view.machine_state(state)
        shown = {**view.make_user_fields(now, state, asked), HISTORY: dspy.History(messages=earlier)}
        return Prompt(phase_of(action), now, shown)

    def _choose_adapter(self, prompt: Prompt) -> dspy.Adapter:  # noqa: ARG002 - one for all states
        return make_strict(self.custom_adapter, self.policy)

    def _read_reply(self, site: Site, reply: dspy.Prediction) -> loop.Event:
        said = read_fields(reply, view.REASONING, "tool_name", "tool_args", "response")
        if said["response"] is None:
            return loop.StepMalformed(reason=view.MALFORMED)
        return self._read_step(site, *said.values())

    def _describe_unreadable(self, error: Exception) -> str:  # noqa: ARG002 - no adapter's words belong into a conversation
        return view.MALFORMED

    def _make_prediction(self, site: Site, answered: dict[str, Any]) -> dspy.Prediction:
        asked = dict(site.prompt.inputs)
        earlier = asked.pop(HISTORY).messages
        history = dspy.History(messages=[*earlier, {**asked, **answered}])
        outputs = {name: value for name, value in answered.items() if name in self.signature.output_fields}
        return super()._make_prediction(site, {STEPS: turns_of(site.state.taken), **outputs, HISTORY: history})

    def _make_trajectory(self, state: loop.State) -> dict[str, Any]:
        return view.record_steps(state, reasoning=self._has_reasoning)

    def _describe_context(self, site: Site) -> dict[str, Any]:
        """Without a history where the conversation begins: the caller gave none."""
        context = super()._describe_context(site)
        given = {
            n: value for n, value in context["input_args"].items() if n != self.history_field_name or value.messages
        }
        return {**context, "input_args": given}

    @property
    def state_signatures(self) -> dict[Any, SignatureType]:
        """What each state asks for, as its predictor has it now; any callable may have taken the place of one."""
        return {state: self._find_signature(state) for state in self.state_predictors}

    def _find_signature(self, state: Any) -> SignatureType:
        asked, known = self.state_predictors[state], self._first_signatures
        now: SignatureType = asked.predictors()[0].signature if isinstance(asked, dspy.Module) else known[state]
        return now

    @property
    def custom_adapter(self) -> ConversationAdapter:
        """What writes the conversation; made anew, since an optimizer may have changed the predictors."""
        return self.adapter_class(self.state_signatures)

    @property
    def _has_reasoning(self) -> bool:
        return view.REASONING in self._find_signature("user_query").output_fields

    @property
    def tool_registry(self) -> dict[str, dspy.Tool]:
        """The name that `ReActMachina` has for `tools`."""
        return self.tools

    @property
    def history_field_name(self) -> str:
        """The input that carries the conversation."""
        return history_field(self.signature) or HISTORY


def _refuse_no_history(name: str, inputs: dict[str, Any]) -> None:
    if not isinstance(inputs[name], dspy.History):
        raise ValueError(f"{name!r} is a conversation, a dspy.History; it is a {type(inputs[name]).__name__}")
