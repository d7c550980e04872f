"""`ReAct`: steps and extraction by `dspy.Predict` and `dspy.ChainOfThought`; it takes the place of `dspy.ReAct`."""

from collections.abc import Callable, Iterable
from typing import Any

import dspy
from dspy.utils.exceptions import ContextWindowExceededError

from react_tck.dialects.notations import is_nothing
from react_tck.model.base import JsonObject
from react_tck.reference import loop
from react_tck.reference.adapters.policies import match_tool_name, read_args
from react_tck.reference.adapters.strict_reading import make_strict
from react_tck.reference.loop.entries import turns_of
from react_tck.reference.loop.views.trajectory import (
    as_mapping,
    as_text,
    in_format,
    mark_left_out,
    observe_result,
    show_value,
)
from react_tck.reference.module import LoopModule
from react_tck.reference.seams import Beginning, Prompt, Site, phase_of
from react_tck.reference.signatures.react import (
    DEFAULT_MAX_STEPS,
    TRAJECTORY,
    SignatureType,
    extraction_signature,
    finish_description,
    history_field,
    replace_listing,
    step_signature,
    user_signature,
)
from react_tck.reference.tools import BoundTool, bind_tools
from react_tck.reference.wrong_use import check_adapter

#: Thought, tool, args and observation.
_KEYS_A_STEP = 4
#: Shown for an output that a past turn doesn't have, such as the extraction's reasoning.
_UNKNOWN = "(not kept)"


class ReAct(LoopModule):
    """A tool-using agent over any signature.

    >>> import dspy
    >>> from react_tck.reference import ReAct
    >>> add = {"next_thought": "Add.", "next_tool_name": "add", "next_tool_args": {"a": 2, "b": 3}}
    >>> end = {"next_thought": "Done.", "next_tool_name": "finish", "next_tool_args": {}}
    >>> lm = dspy.utils.DummyLM([add, end, {"reasoning": "2 + 3 is 5.", "answer": 5}])
    >>> with dspy.context(lm=lm):
    ...     made = ReAct("question -> answer: int", [dspy.Tool(lambda a, b: a + b, name="add")])(question="2+3?")
    >>> made.answer, made.trajectory["observation_0"]
    (5, 5)

    Args:
        signature: arrow string, signature class, or signature value.
        tools: functions, methods, callable objects or `dspy.Tool`s; async ones too.
        max_steps: turns of the loop before the outputs are extracted from what there is.
        max_iters: the name `dspy.ReAct` has for `max_steps`.
        adapter: used for both internal calls instead of the globally configured one.
        step_adapter: used for steps instead of that.
        policy: what to do where the specification leaves a choice.
        enable_user_clarification: whether the agent may ask the user, by the built-in tool `user_clarification`.

    Raises:
        TypeError: for something else than is named here.
        ValueError: for a signature without outputs, a name that is taken twice or built in, or fewer steps than none.
    """

    react: Any
    extract: Any

    def __init__(
        self,
        signature: str | SignatureType,
        tools: Iterable[Callable[..., Any]],
        max_steps: int = DEFAULT_MAX_STEPS,
        *,
        max_iters: int | None = None,
        adapter: dspy.Adapter | None = None,
        step_adapter: dspy.Adapter | None = None,
        policy: loop.Policy | None = None,
        enable_user_clarification: bool = False,
    ) -> None:
        check_adapter(self._name, step_adapter)
        self.step_adapter = step_adapter
        super().__init__(
            signature,
            tools,
            max_steps,
            max_iters=max_iters,
            adapter=adapter,
            policy=policy,
            enable_user_clarification=enable_user_clarification,
        )

    def truncate_trajectory(self, trajectory: dict[str, Any]) -> dict[str, Any]:
        """Return what is shown of a trajectory that doesn't fit: all but its oldest step. A subclass may shorten
        otherwise.

        It is given a copy of the whole trajectory, once for every time that a prompt of the call didn't fit.

        Raises:
            ContextWindowExceededError: if there is but one step, as in dspy.
        """
        if len(trajectory) <= _KEYS_A_STEP:
            raise ContextWindowExceededError(message="the prompt doesn't fit, and the trajectory has but one step")
        return dict(list(trajectory.items())[_KEYS_A_STEP:])

    def _format_trajectory(self, trajectory: dict[str, Any]) -> str:
        """Return the text of a trajectory in prompts. A subclass may write it otherwise."""
        return as_text(trajectory)

    def load_state(self, state: dict[str, Any], **options: Any) -> None:
        """Take over what was saved, but for the tools: the agent has its own (SAV-002)."""
        own = {name: predictor.signature.instructions for name, predictor in self.named_predictors()}
        super().load_state(state, **options)
        for name, predictor in self.named_predictors():
            instructions = replace_listing(predictor.signature.instructions, own[name])
            predictor.signature = predictor.signature.with_instructions(instructions)

    def _adapt_policy(self, policy: loop.Policy) -> loop.Policy:
        """Return the policy: only a conversation has states, one of which is no place to finish from (LOOP-007)."""
        return policy.model_copy(update={"finish_from_first_state": "legal"})

    def _check_signature(self, signature: str | SignatureType) -> SignatureType:
        return user_signature(signature)

    def _bind_tools(self, tools: Iterable[Callable[..., Any]]) -> dict[str, BoundTool]:
        return bind_tools(tools, reserved=loop.FINISH)

    def _with_ending(self) -> dict[str, BoundTool]:
        finished = self.policy.finished
        finish = BoundTool(loop.FINISH, finish_description(self.signature), {}, lambda **_: finished)
        return {**self.bound, loop.FINISH: self.bound.get(loop.FINISH, finish)}

    def _make_predictors(self) -> dict[str, dspy.Module]:
        extractor = dspy.ChainOfThought if self.policy.extraction == "chain-of-thought" else dspy.Predict
        step = step_signature(self.signature, self.bound)
        return {"react": dspy.Predict(step), "extract": extractor(extraction_signature(self.signature))}

    def _begin_run(self, inputs: dict[str, Any]) -> Beginning:
        max_steps, inputs = self._take_inputs(inputs)
        return Beginning(self._make_state(max_steps, inputs), inputs)

    def _make_prompt(self, state: loop.State, action: loop.Action, inputs: dict[str, Any]) -> Prompt:
        trajectory = as_mapping(state.steps)
        for _ in range(state.left_out):
            trajectory = self.truncate_trajectory(trajectory)
        phase, shown = phase_of(action), {**inputs, TRAJECTORY: self._format_trajectory(trajectory)}
        if name := history_field(self.signature):
            history = inputs[name].messages
            shown[name] = _format_history(history) if phase == "step" else self._fill_outputs(history)
        return Prompt(phase, "react" if phase == "step" else "extract", shown)

    def _fill_outputs(self, history: list[dict[str, Any]]) -> dspy.History:
        """Return the turns with every output of the extraction's signature, so that none is shown as `None`."""
        unknown = dict.fromkeys(self.extract.predictors()[0].signature.output_fields, _UNKNOWN)
        return dspy.History(messages=[{**unknown, **turn} for turn in history])

    def _choose_adapter(self, prompt: Prompt) -> dspy.Adapter:
        """Return the adapter in force, made to read as the policy has it."""
        own = self.step_adapter if prompt.phase == "step" else None
        return make_strict(own or self.adapter or dspy.settings.adapter or dspy.ChatAdapter(), self.policy)

    def _read_reply(self, site: Site, reply: dspy.Prediction) -> loop.Event:
        said = read_fields(reply, "next_thought", "next_tool_name", "next_tool_args")
        return self._read_step(site, *said.values())

    def _read_step(self, site: Site, thought: Any, tool: Any, said: Any, response: Any = "") -> loop.Event:
        """Return the step, its args read from their text; what isn't one, of another predictor, is made one."""
        if tool is None or said is None:
            missing = "tool" if tool is None else "args"
            return loop.StepMalformed(reason=self._describe_unreadable(ValueError(f"the reply has no {missing}")))
        thought, response = ("" if text is None else str(text) for text in (thought, response))
        tool = match_tool_name(str(tool), (*self._offered_tools, loop.FINISH), self.policy)
        text = said if isinstance(said, str) else show_value(observe_result(said))
        try:
            args = said if isinstance(said, dict) else read_args(text, self.policy)
        except ValueError as error:
            if tool in self.bound and tool != loop.FINISH:
                return loop.ArgsMalformed(thought=thought, tool=tool, reason=str(error), is_empty=is_nothing(text))
            args = {}  # neither `finish` nor a tool that isn't there takes any
        return self._make_step(site, thought, tool, args, response)

    def _make_step(self, site: Site, thought: str, tool: str, args: JsonObject, response: str = "") -> loop.StepChosen:
        """One call a step; its id is made from the step's number, from 0."""
        call = loop.Call(id=f"call_{turns_of(site.state.taken)}", name=tool, args=args)
        return loop.StepChosen(thought=thought, calls=(call,), response=response)

    def _make_prediction(self, site: Site, answered: dict[str, Any]) -> dspy.Prediction:
        kept = {
            key: site.kept.get(show_value(value), value) for key, value in self._make_trajectory(site.state).items()
        }
        trajectory = in_format(kept | mark_left_out(site.state.left_out), self.policy.trajectory_format)
        return dspy.Prediction(**{TRAJECTORY: trajectory, **answered})


def read_fields(reply: Any, *names: str) -> dict[str, Any]:
    """Return what a predictor gave for each of the names, whatever it is that gave it; none where it gave nothing."""
    return {name: getattr(reply, name, None) for name in names}


def _format_history(history: list[dict[str, Any]]) -> str:
    """Earlier turns of the conversation as text, a line a field."""
    turns = (
        "\n".join([f"Turn {number}", *(f"{name}: {value}" for name, value in turn.items())])
        for number, turn in enumerate(history, 1)
    )
    return "\n\n".join(turns) or "(none)"
