"""`TranscriptReAct`: the history is what the caller keeps, and the outputs are submitted, typed (S2)."""

from collections.abc import Callable, Iterable
from typing import Any, ClassVar, NoReturn

import dspy
from dspy.utils.exceptions import ContextWindowExceededError

from react_tck.dialects.notations import is_nothing
from react_tck.reference import loop
from react_tck.reference.adapters.policies import match_tool_name, read_args, unwrap_args
from react_tck.reference.adapters.strict_reading import make_strict, parse_calls
from react_tck.reference.adapters.transcript import make_transcript_adapter
from react_tck.reference.dspy_tools import has_custom_types
from react_tck.reference.history import entries_of, write_history
from react_tck.reference.loop.views.trajectory import dump_entries, in_format
from react_tck.reference.module import LoopModule
from react_tck.reference.seams import Beginning, Prompt, Site, phase_of
from react_tck.reference.signatures.react import DEFAULT_MAX_STEPS, TRAJECTORY, SignatureType
from react_tck.reference.signatures.transcript import (
    HISTORY,
    TERMINATION,
    THOUGHT,
    TOOL_CALLS,
    TOOLS,
    answer_signature,
    submit_tool,
    summary_signature,
    task_signature,
    turn_signature,
)
from react_tck.reference.tools import BoundTool, bind_tools

_COMPACT = "compact"
#: By these options of a request the LM is made to submit, as `dspy.ReActV2` has them: reasoning would rule that out.
_FORCED = {"tool_choice": {"type": "function", "function": {"name": loop.SUBMIT}}, "reasoning_effort": None}


class TranscriptReAct(LoopModule):
    """A tool-using agent over any signature; it takes the place of `dspy.ReActV2`.

    A call takes `history=` beside its inputs, and a prediction has `history` and `termination_reason` beside its
    outputs; `Policy(derived_trajectory="given")` adds a `trajectory`.

    >>> import dspy
    >>> from react_tck.reference import TranscriptReAct
    >>> add = {"next_thought": "Add.", "tool_calls": [{"name": "add", "args": {"a": 2, "b": 3}}]}
    >>> end = {"next_thought": "Done.", "tool_calls": [{"name": "submit", "args": {"answer": 5}}]}
    >>> with dspy.context(lm=dspy.utils.DummyLM([add, end])):
    ...     agent = TranscriptReAct("question -> answer: int", [dspy.Tool(lambda a, b: a + b, name="add")])
    ...     made = agent(question="2+3?")
    >>> made.answer, made.termination_reason, len(made.history.messages)
    (5, 'submit', 2)

    Args:
        signature: arrow string, signature class, or signature value.
        tools: functions, methods, callable objects or `dspy.Tool`s; async ones too.
        max_steps: turns of the loop before the outputs are asked for.
        max_iters: the name `dspy.ReActV2` has for `max_steps`.
        adapter: used for all internal calls instead of the globally configured one.
        policy: what to do where the specification leaves a choice.
        enable_user_clarification: whether the agent may ask the user, by the built-in tool `user_clarification`.

    Raises:
        TypeError: for something else than is named here.
        ValueError: for a signature without outputs, a name that is taken twice or reserved (TRN-012), or fewer steps
            than none.
    """

    ending: ClassVar[loop.Ending] = "submit"
    fitting: ClassVar[loop.Fitting] = "summarise"
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
        policy: loop.Policy | None = None,
        enable_user_clarification: bool = False,
    ) -> None:
        super().__init__(
            signature,
            tools,
            max_steps,
            max_iters=max_iters,
            adapter=adapter,
            policy=policy,
            enable_user_clarification=enable_user_clarification,
        )

    def load_state(self, state: dict[str, Any], **options: Any) -> None:
        """Take over what was saved; the original's own has but one predictor."""
        super().load_state({**self.dump_state(), **state}, **options)

    def _check_signature(self, signature: str | SignatureType) -> SignatureType:
        return task_signature(signature)

    def _bind_tools(self, tools: Iterable[Callable[..., Any]]) -> dict[str, BoundTool]:
        return bind_tools(tools, reserved=loop.SUBMIT)

    def _with_ending(self) -> dict[str, BoundTool]:
        return {**self.bound, loop.SUBMIT: submit_tool(self.signature)}

    def _make_predictors(self) -> dict[str, dspy.Module]:
        react = {"react": dspy.Predict(turn_signature(self.signature))}
        if self.policy.fallback == "forced submit":
            return react
        return {**react, "extract": dspy.Predict(answer_signature(self.signature))}

    def _find_predictor(self, name: str) -> dspy.Module:
        if name != _COMPACT:
            return super()._find_predictor(name)
        # No attribute: whether a summary was any good shows in no metric, so optimisers have nothing to learn of it.
        made = dspy.Predict(summary_signature())
        made.lm = getattr(self.react, "lm", None)
        return made

    def _begin_run(self, inputs: dict[str, Any]) -> Beginning:
        history = entries_of(inputs.get(HISTORY), self.signature)
        asked = {name: value for name, value in inputs.items() if name != HISTORY}
        max_steps, asked = self._take_inputs(asked, goes_on=bool(history))
        state = self._make_state(max_steps, asked, history)
        return Beginning(state, state.inputs)

    def _make_prompt(self, state: loop.State, action: loop.Action, inputs: dict[str, Any]) -> Prompt:  # noqa: ARG002 - as JSON
        if isinstance(action, loop.AskSummary):
            transcript = "\n".join(str(entry) for entry in dump_entries(action.entries))
            return Prompt("summary", _COMPACT, {"transcript": transcript})
        forced = isinstance(action, loop.AskExtraction) and self.policy.fallback == "forced submit"
        entries = (*state.history, _tell_to_submit(action)) if forced else state.history
        # The inputs of this call are shown as the history's last request; dspy wants them by name all the same.
        named = state.inputs or dict.fromkeys(self.signature.input_fields)
        shown = {**named, HISTORY: dspy.History(messages=dump_entries(entries))}
        if forced:
            shown["config"] = _FORCED
        elif isinstance(action, loop.AskExtraction):
            return Prompt(phase_of(action), "extract", shown)
        return Prompt(phase_of(action), "react", {**shown, TOOLS: [*self.tools.values()]})

    def _choose_adapter(self, prompt: Prompt) -> dspy.Adapter:
        if prompt.phase == "summary":
            return make_strict(self.adapter or dspy.settings.adapter or dspy.ChatAdapter(), self.policy)
        return make_transcript_adapter(self.adapter, self.signature, self.policy)

    def _read_reply(self, site: Site, reply: dspy.Prediction) -> loop.Event:  # noqa: ARG002 - ids are the provider's
        thought = _read_thought(reply)
        calls: list[loop.Call] = []
        for call in self._read_calls(reply):
            said = unwrap_args(call.args)
            try:
                args = said if isinstance(said, dict) else read_args(said, self.policy)
            except ValueError as error:
                # As where calls are text, nothing of the turn is done; and nobody is asked about what can't be read.
                return loop.ArgsMalformed(
                    thought=thought, tool=call.name, reason=str(error), is_empty=is_nothing(str(said))
                )
            calls.append(call.model_copy(update={"args": args}))
        if calls:
            return loop.StepChosen(thought=thought, calls=tuple(calls))
        return loop.StepMalformed(reason=f"it calls no tool; when all is known, call `{loop.SUBMIT}`.")

    def _read_answer(self, site: Site, reply: dspy.Prediction) -> loop.Answered:
        """Return the outputs of a forced submit. Raises ValueError if there is none, or they aren't as declared."""
        if self.policy.fallback == "extract":
            return super()._read_answer(site, reply)
        for index, call in enumerate(self._read_calls(reply)):
            if call.name == loop.SUBMIT:
                # Without a provider's id, dspy has one of the turn behind the last that is allowed.
                call_id = call.id or f"call_{site.state.max_steps}_{index}"
                outputs = self._convert_args(site, call)
                return loop.Answered(outputs=outputs, thought=_read_thought(reply), call_id=call_id)
        why = _explain_extraction(site.state.action)
        raise ValueError(f"{why}, and the LM did not call `{loop.SUBMIT}` when it was made to")

    def _read_calls(self, reply: dspy.Prediction) -> tuple[loop.Call, ...]:
        """Return a reply's calls, by the names of the tools that are meant. Raises ValueError for what are none."""
        if not hasattr(reply, TOOL_CALLS):
            raise ValueError(f"what was given for a step has no {TOOL_CALLS!r}")
        said = getattr(reply, TOOL_CALLS)
        read = said if isinstance(said, dspy.ToolCalls) or said is None else parse_calls(said, self.policy)
        made = read.tool_calls if read else []
        names = [match_tool_name(call.name, self.tools, self.policy) for call in made]
        named = zip(names, made, strict=True)
        return tuple(loop.Call(id=call.id or "", name=name, args=call.args) for name, call in named)

    def _make_prediction(self, site: Site, answered: dict[str, Any]) -> dspy.Prediction:
        state = site.state
        assert isinstance(state.action, loop.End)
        # However they came, the outputs are typed as the signature declares them (TRN-009); dspy's own are kept.
        own = {name: value for name, value in answered.items() if has_custom_types(value)}
        submitted = loop.Call(name=loop.SUBMIT, args=state.outputs or {})
        outputs = self._convert_args(site, submitted.model_copy(update={"args": submitted.args | own}))
        made = {**outputs, HISTORY: write_history(state.history), TERMINATION: state.action.termination}
        if self.policy.derived_trajectory == "given":
            made[TRAJECTORY] = in_format(self._make_trajectory(state), self.policy.trajectory_format)
        return dspy.Prediction(**made)

    def _give_up(self, error: ContextWindowExceededError) -> NoReturn:
        error.add_note("The history doesn't fit, and nothing in it may be summarised.")
        raise error


def _explain_extraction(action: loop.Action) -> str:
    """Return why the outputs are asked for: no step was left, or what ended the steps before."""
    because = action.because if isinstance(action, loop.AskExtraction) else ""
    return f"no further step was taken ({because})" if because else "no step was left"


def _tell_to_submit(action: loop.Action) -> loop.Remark:
    """Return what the LM is told that has to submit: where calls are text, nothing else tells it."""
    is_over = isinstance(action, loop.AskExtraction) and not action.because
    told = "No step is left." if is_over else "No further step is taken."
    return loop.Remark(remark=f"{told} Call `{loop.SUBMIT}` now, from what is known.")


def _read_thought(reply: Any) -> str:
    """Return what was thought, as a text; empty if the predictor gave none."""
    thought = getattr(reply, THOUGHT, None)
    return "" if thought is None else str(thought)
