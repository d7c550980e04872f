"""`UdspyReAct`: ReAct with the surface of udspy's (S3)."""

import sys
from collections.abc import AsyncIterator, Callable, Iterable
from importlib import import_module
from typing import Any

import dspy
from dspy.utils.exceptions import AdapterParseError

from react_tck.reference import loop
from react_tck.reference.adapters.native import calls_natively, make_native_adapter
from react_tck.reference.adapters.policies import unwrap_args
from react_tck.reference.adapters.strict_reading import make_strict
from react_tck.reference.confirmation import ConfirmationRequired
from react_tck.reference.confirmation.suspension import apply_response
from react_tck.reference.drive import Episode
from react_tck.reference.dspy_tools import AgentTool, as_dspy, bound_of
from react_tck.reference.loop.views.trajectory import as_mapping, show_value
from react_tck.reference.react import ReAct, read_fields
from react_tck.reference.seams import Prompt, Site
from react_tck.reference.signatures.react import (
    REASONING,
    TOOL_CALLS,
    TOOLS,
    SignatureType,
    native_signature,
    outputs_of,
)
from react_tck.reference.tools import BoundTool

DEFAULT_MAX_ITERS = 10
_FINISHED = "Task completed"
#: How often udspy asks for what can't be read, once more and once more.
_ATTEMPTS = 3


class UdspyReAct(ReAct):
    """A tool-using agent over any signature; it takes the place of `udspy.ReAct`.

    Steps are taken by native tool calls where the LM and the adapter can, else in the adapter's form. A LM of
    `udspy.settings` is asked for JSON, as udspy asks it, unless there is an adapter; for native calls one is
    `dspy.ChatAdapter(use_native_function_calling=True)`.

    Args:
        signature: arrow string, or a signature class of dspy's or udspy's.
        tools: functions, or tools of `@tool`, udspy's or the reference's.
        max_iters: turns of the loop before the outputs are extracted from what there is.
        enable_user_clarification: whether the agent may ask the user, by the built-in tool `user_clarification`.
        enable_ask_to_user: the name that udspy's documentation has for it.
        adapter: used for both internal calls instead of the globally configured one.
        policy: what to do where the specification leaves a choice; with `trajectory_format="list"`, trajectories are
            as udspy 0.1.8 returns them.
        kwargs: options of every request to the LM, such as `temperature`; `model` holds for LMs of udspy's.

    Raises:
        TypeError: for something else than is named here.
        ValueError: for a signature without outputs, a name that is taken twice or built in, or fewer steps than none.
    """

    native: Any

    def __init__(
        self,
        signature: str | SignatureType,
        tools: Iterable[Callable[..., Any]] | None,
        *,
        max_iters: int = DEFAULT_MAX_ITERS,
        enable_user_clarification: bool = False,
        enable_ask_to_user: bool = False,
        adapter: dspy.Adapter | None = None,
        policy: loop.Policy | None = None,
        **kwargs: Any,
    ) -> None:
        self._model = kwargs.pop("model", None)
        self._options = kwargs
        super().__init__(
            signature,
            [] if tools is None else tools,
            max_iters,
            adapter=adapter,
            policy=policy,
            enable_user_clarification=enable_user_clarification or enable_ask_to_user,
        )

    @property
    def react_signature(self) -> SignatureType:
        """The signature of a step: of `reasoning` and a call, where steps are native calls; else it lists the tools."""
        made: SignatureType = self.react_module.signature
        return made

    @property
    def extract_signature(self) -> SignatureType:
        """The signature by which the final answer is extracted."""
        made: SignatureType = self.extract.predictors()[0].signature
        return made

    @property
    def user_signature(self) -> SignatureType:
        """The signature as it was given."""
        return self.signature

    @property
    def react_module(self) -> dspy.Module:
        """What is asked for a step: by a native call, where those are made."""
        return self._find_predictor("native" if self._calls_natively else "react")

    @property
    def extract_module(self) -> dspy.Module:
        """The predictor of the final answer."""
        return self._find_predictor("extract")

    def forward(self, *given: Any, resume_state: Any = None, **inputs: Any) -> dspy.Prediction:
        """Run the agent, or go on with a call that waits: `resume_state` is a `ResumeState` of udspy's, or the
        exception itself, which stands for a yes.
        """
        if resume_state is None:
            return super().forward(*given, **inputs)
        return self.resume(*_read_response(resume_state))

    async def aforward(self, *given: Any, resume_state: Any = None, **inputs: Any) -> dspy.Prediction:
        """Run the agent as `forward` does, without blocking the event loop; a stream of udspy's is told the end."""
        if resume_state is None:
            made = await super().aforward(*given, **inputs)
        else:
            made = await self.aresume(*_read_response(resume_state))
        if theirs := _find_udspy():
            theirs.tell_prediction(self, made)
        return made

    async def aexecute(self, *, stream: bool = False, history: Any = None, **inputs: Any) -> dspy.Prediction:  # noqa: ARG002 - a stream is there or not
        """Run the agent as `aforward` does; the name that udspy's modules have for it."""
        return await self.acall(**inputs, **({} if history is None else {"history": history}))

    def astream(self, **inputs: Any) -> AsyncIterator[Any]:
        """Return the events of a call, of udspy's types: pieces of replies, what tools tell, predictions, the agent's
        last.

        Raises ConfirmationRequired, and what else a call does, when it is iterated.
        """
        events: AsyncIterator[Any] = import_module("react_tck.reference.udspy_objects").stream_events(self, inputs)
        return events

    def init_module(self, tools: Iterable[Callable[..., Any]] | None = None) -> None:
        """Take other tools: the built-in ones stay, and prompts list what there is now. Raises ValueError."""
        builtin = {loop.FINISH, *(tool.name for tool in self._builtin)}
        given = [tool for tool in tools or [] if not (isinstance(tool, AgentTool) and tool.name in builtin)]
        self._set_tools(given)

    def suspend(self, exception: ConfirmationRequired) -> ConfirmationRequired:
        """Return what `resume` takes of a call that waits: what it raised."""
        return exception

    async def asuspend(self, exception: ConfirmationRequired) -> ConfirmationRequired:
        """As `suspend`, for callers that await it."""
        return exception

    @property
    def _calls_natively(self) -> bool:
        adapter = self.adapter or dspy.settings.adapter
        if self._asks_udspys_lm:
            return adapter is not None and bool(adapter.use_native_function_calling)
        return calls_natively(adapter)

    @property
    def _asks_udspys_lm(self) -> bool:
        return dspy.settings.lm is None and _find_udspy() is not None

    def _adapt_policy(self, policy: loop.Policy) -> loop.Policy:
        return super()._adapt_policy(policy).model_copy(update={"finished": _FINISHED})

    def _check_signature(self, signature: Any) -> SignatureType:
        return super()._check_signature(
            _convert_signature(signature) if hasattr(signature, "get_input_fields") else signature
        )

    def _bind_tools(self, tools: Iterable[Callable[..., Any]]) -> dict[str, BoundTool]:
        description = f"Call this when you have all information needed to produce {outputs_of(self.signature)}"
        return {**super()._bind_tools(tools), loop.FINISH: BoundTool(loop.FINISH, description, {}, lambda: _FINISHED)}

    def _is_tool(self, given: Any) -> bool:
        """Those of dspy's have no `description`, which users of udspy read."""
        theirs = _find_udspy()
        return isinstance(given, AgentTool) or (theirs is not None and isinstance(given, theirs.UdspysTool))

    def _make_predictors(self) -> dict[str, dspy.Module]:
        made = {**super()._make_predictors(), "native": dspy.Predict(native_signature(self.signature))}
        for module in made.values():
            for predictor in module.predictors():
                predictor.config = {**predictor.config, **self._options}
        return made

    def _make_prompt(self, state: loop.State, action: loop.Action, inputs: dict[str, Any]) -> Prompt:
        prompt = super()._make_prompt(state, action, inputs)
        if prompt.phase != "step" or not self._calls_natively:
            return prompt
        return Prompt("step", "native", {**prompt.inputs, TOOLS: [*map(_as_dspys, self.tools.values())]})

    def _choose_adapter(self, prompt: Prompt) -> dspy.Adapter:
        if prompt.predictor != "native":
            # A LM of udspy's is asked as udspy asks it.
            usual = dspy.JSONAdapter() if dspy.settings.lm is None else dspy.ChatAdapter()
            return make_strict(self.adapter or dspy.settings.adapter or usual, self.policy)
        return make_strict(make_native_adapter(self.adapter or dspy.settings.adapter), self.policy)

    def _read_reply(self, site: Site, reply: dspy.Prediction) -> loop.Event:
        if site.prompt.predictor != "native":
            return super()._read_reply(site, reply)
        said = read_fields(reply, REASONING, TOOL_CALLS)
        calls = getattr(said[TOOL_CALLS], "tool_calls", None) or []
        if len(calls) != 1:
            return loop.StepMalformed(reason=f"The reply calls {len(calls)} tools; call exactly one.")
        step = self._read_step(site, said[REASONING], calls[0].name, unwrap_args(calls[0].args))
        if not isinstance(step, loop.StepChosen) or not calls[0].id:
            return step
        return step.model_copy(update={"calls": (step.calls[0].model_copy(update={"id": calls[0].id}),)})

    def _make_settings(self, adapter: dspy.Adapter) -> dict[str, Any]:
        """With the LM of `udspy.settings`, where dspy has none."""
        settings = super()._make_settings(adapter)
        return {**settings, "lm": _find_udspy().UdspyLM(self._model)} if self._asks_udspys_lm else settings

    def _perform_action(self, site: Site, action: loop.Action) -> Episode[loop.Event]:
        """Yield what comes of an action. A LM of udspy's is asked again for what can't be read."""
        for _ in range(1, _ATTEMPTS if self._asks_udspys_lm else 1):
            try:
                event = yield from super()._perform_action(site, action)
            except AdapterParseError:
                continue
            if not isinstance(event, loop.StepMalformed):
                return event
        return (yield from super()._perform_action(site, action))

    def _suspend_run(self, site: Site, kind: type[ConfirmationRequired] = ConfirmationRequired) -> loop.State:
        """Ask a person by udspy's own exception, who may have responded by udspy's own means."""
        theirs, waiting = _find_udspy(), site.state.action
        if theirs is None or not isinstance(waiting, loop.AwaitResponse):
            return super()._suspend_run(site, kind)
        if told := theirs.answer_to(waiting.call):
            return self._advance_state(site, apply_response(site, waiting.call, *told))
        return super()._suspend_run(site, theirs.UdspyConfirmation)

    def _resolve_result(self, site: Site, result: Any) -> Any:
        """Return what a tool has given; a callback of udspy's is called, and may give the agent other tools."""
        theirs = _find_udspy()
        if theirs is None or not isinstance(result, theirs.ModuleCallback):
            return result
        context = self._describe_context(site)
        said = result(theirs.ReactContext(self, context["trajectory"], context["input_args"]))
        now = self._make_state(site.state.max_steps, {})
        site.state = site.state.model_copy(update={"tools": now.tools, "awaited": now.awaited})
        return said

    @property
    def _asking_errors(self) -> tuple[type[Any], ...]:
        theirs = _find_udspy()
        return (*super()._asking_errors, theirs.UdspysConfirmationRequired) if theirs else super()._asking_errors

    def _use_tool(self, site: Site, call: loop.Call) -> Episode[loop.Event]:
        """Yield what comes of a call. A tool that asks by udspy's means hears from udspy that a person has agreed."""
        event, due, theirs = (yield from super()._use_tool(site, call)), site.state.action, _find_udspy()
        if not theirs or not isinstance(event, loop.ToolAsked) or event.question != getattr(due, "agreed", None):
            return event
        with theirs.agree_to(event.confirmation_id):
            return (yield from super()._use_tool(site, call))

    def _describe_failure(self, site: Site, error: Exception) -> str:
        """Return what the LM is told of a tool's error."""
        return str(error) or super()._describe_failure(site, error)

    def _make_prediction(self, site: Site, answered: dict[str, Any]) -> dspy.Prediction:
        made = super()._make_prediction(site, answered)
        order = (*self.signature.output_fields, REASONING, *made)  # as udspy has it
        return dspy.Prediction(**{name: made[name] for name in order if name in made})

    def _tell_steps(self, steps: tuple[loop.Step, ...]) -> dict[str, Any]:
        told = tuple(step.model_copy(update={"observation": show_value(step.observation)}) for step in steps)
        # Two kinds of udspy's own: documented as keys with `reasoning`, released as a list with `thought` (UDS-001).
        return as_mapping(told, thought=REASONING if self.policy.trajectory_format == "mapping" else "thought")


def _find_udspy() -> Any:
    """udspy's own objects, if udspy has been imported."""
    return import_module("react_tck.reference.udspy_objects") if "udspy" in sys.modules else None


def _as_dspys(tool: Any) -> dspy.Tool:
    """Return a tool as adapters hand it to an LM; udspy's aren't dspy's."""
    return tool if isinstance(tool, dspy.Tool) else as_dspy(bound_of(tool))


def _read_response(state: Any) -> tuple[str, ConfirmationRequired]:
    """Return what a person has said, and of which call."""
    return ("yes", state) if isinstance(state, ConfirmationRequired) else (state.user_response, state.exception)


def _convert_signature(signature: Any) -> SignatureType:
    """Return a signature class of udspy's as dspy's."""
    inputs, outputs = signature.get_input_fields(), signature.get_output_fields()
    fields = {
        **{name: (field.annotation, dspy.InputField(desc=field.description)) for name, field in inputs.items()},
        **{name: (field.annotation, dspy.OutputField(desc=field.description)) for name, field in outputs.items()},
    }
    made: SignatureType = dspy.Signature(fields, signature.__doc__ or None)
    return made
