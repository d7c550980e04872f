"""What the four classes share: the way of one call, from inputs to prediction, and that of resuming one (S1, S3)."""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, ClassVar, NoReturn

import dspy
from dspy.utils.exceptions import AdapterParseError, ContextWindowExceededError, LMError
from pydantic import TypeAdapter

from react_tck.model.case import Mode
from react_tck.reference import loop
from react_tck.reference.adapters.policies import is_transient_error
from react_tck.reference.confirmation import ConfirmationRequired
from react_tck.reference.confirmation.waiting import apply_response, make_clarification_tool, reopen_call, suspend_call
from react_tck.reference.drive import Episode, EpisodeFailed, adrive_episode, drive_episode
from react_tck.reference.dspy_tools import as_dspy, bound_of, has_custom_types
from react_tck.reference.effects import AskPredictor, UseTool
from react_tck.reference.loop.entries import as_json, turns_of
from react_tck.reference.loop.views.trajectory import as_mapping, in_format, observe_result, show_value
from react_tck.reference.seams import Beginning, Prompt, Seams, Site
from react_tck.reference.signatures.users import DEFAULT_MAX_STEPS, SignatureType
from react_tck.reference.tools import ArgsRefused, BoundTool


class LoopModule(dspy.Module):
    """A module that drives the loop. A system says how it begins, what it shows, how it reads and what it returns."""

    #: Where mutants act; the reference's own do nothing.
    seams: ClassVar[Seams] = Seams()
    ending: ClassVar[loop.Ending] = "finish"
    fitting: ClassVar[loop.Fitting] = "leave out"

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
        super().__init__()
        self._memory: dict[str, Any] = {}
        self.policy = policy or loop.Policy()
        site = self._make_site("sync", {})
        self.signature: SignatureType = self.seams.signature(site, self._check_signature, signature)
        self.max_steps = max_steps if max_iters is None else max_iters
        self.adapter = adapter
        self._builtin = [make_clarification_tool()] if enable_user_clarification else []
        self._set_tools(tools)

    def _set_tools(self, tools: Iterable[Callable[..., Any]]) -> None:
        """Take these tools, and make the predictors whose prompts list them."""
        site = self._make_site("sync", {})
        #: The tools that prompts list, as they were given.
        self.bound: dict[str, BoundTool] = self.seams.tools(
            site, lambda own: self._bind_tools([*own, *self._builtin]), tools
        )
        #: The tools that are run, that which ends a run among them; another one may be put in the place of each.
        self.tools: dict[str, dspy.Tool] = {name: as_dspy(tool) for name, tool in self._with_ending().items()}
        self._set_predictors(self.seams.program(site, self._make_predictors()))

    def forward(self, **inputs: Any) -> dspy.Prediction:
        """Run the agent. `max_steps` (or `max_iters`) among the inputs holds for this call only (LOOP-009).

        Raises:
            ValueError: if an input is missing or unknown (SIG-007).
            AdapterParseError: if the extraction's reply can't be read.
            ContextWindowExceededError: if a prompt doesn't fit, and can't be made to.
            EpisodeFailed: if the policy turns what happened into an error.
            ConfirmationRequired: if a tool needs a person's confirmation; `resume` takes it with the response.
        """
        return drive_episode(self._begin_call("sync", inputs))

    async def aforward(self, **inputs: Any) -> dspy.Prediction:
        """Run the agent as `forward` does, without blocking the event loop; `acall` calls it."""
        return await adrive_episode(self._begin_call("async", inputs))

    def resume(self, user_response: str, saved_state: ConfirmationRequired) -> dspy.Prediction:
        """Go on with a suspended call after a person's response.

        Args:
            user_response: `yes` or `y`, `no` or `n`, JSON with the key `edit`, or feedback for the agent; to a
                clarification, the answer.
            saved_state: what the call raised, or `ConfirmationRequired.load` of its dump.

        Raises:
            ResponseRefused: if the response is malformed or a repeated one, or the state isn't of this agent's.
            ConfirmationRequired: if a further call has to wait.
        """
        return drive_episode(self._begin_resumption("sync", user_response, saved_state))

    async def aresume(self, user_response: str, saved_state: ConfirmationRequired) -> dspy.Prediction:
        """Go on with a suspended call as `resume` does, without blocking the event loop."""
        return await adrive_episode(self._begin_resumption("async", user_response, saved_state))

    def _begin_call(self, mode: Mode, inputs: dict[str, Any]) -> Episode[dspy.Prediction]:
        site = self._make_site(mode, inputs)
        return self._run_episode(site, self.seams.begin(site, self._begin_run, inputs))

    def _begin_resumption(self, mode: Mode, said: str, saved: ConfirmationRequired) -> Episode[dspy.Prediction]:
        site = self._make_site(mode, {})
        return self._run_episode(site, self.seams.resume(site, partial(self._reopen_run, site, said), saved))

    def _run_episode(self, site: Site, beginning: Beginning) -> Episode[dspy.Prediction]:
        return self.seams.run(site, partial(self._run_loop, site), beginning)

    def _run_loop(self, site: Site, beginning: Beginning) -> Episode[dspy.Prediction]:
        """The loop: what is due is performed, and what comes of it leads on, until it is over or a call has to wait."""
        site.state, site.asked = beginning
        answered: dict[str, Any] = {}
        while not isinstance(site.state.action, loop.End):
            if isinstance(site.state.action, loop.AwaitResponse):
                site.state = self._suspend_run(site)
                continue
            event = yield from self.seams.perform(site, site.perform, site.state.action)
            site.state = self._advance_state(site, event)
            if isinstance(event, loop.Answered):
                answered = event.outputs
        if site.state.action.error is not None:
            raise EpisodeFailed(site.state.action.error)
        return self.seams.prediction(site, self._make_prediction(site, answered))

    def _perform_action(self, site: Site, action: loop.Action) -> Episode[loop.Event]:
        """What comes of an action: a tool is run, or the LM is asked and its reply is read."""
        if isinstance(action, loop.RunTool):
            return (yield from self._use_tool(site, action.call))
        site.prompt = self.seams.prompt(site, self._make_prompt(site.state, action, site.asked))
        settings = self._make_settings(self.seams.adapter(site, self._choose_adapter(site.prompt)))
        try:
            reply = yield AskPredictor(self._find_predictor(site.prompt.predictor), site.prompt.inputs, settings)
        except AdapterParseError as error:
            if not isinstance(action, loop.AskStep):
                raise
            return loop.StepMalformed(reason=self._describe_unreadable(error))
        except ContextWindowExceededError as error:
            if isinstance(action, loop.AskSummary):
                raise
            if not site.state.can_be_shortened:
                self._give_up(error)
            return loop.DoesNotFit()
        except LMError as error:
            if not isinstance(action, loop.AskStep) or self.policy.lm_fault == "error" or not is_transient_error(error):
                raise
            return loop.StepUnanswered(reason=str(error))
        match action:
            case loop.AskSummary():
                return loop.Summarised(text=reply.summary)
            case loop.AskExtraction():
                return self._read_answer(site, reply)
        return self._read_reply(site, reply)

    def _use_tool(self, site: Site, call: loop.Call) -> Episode[loop.Event]:
        """What comes of a tool call. Whatever a tool raises, or its result when shown, is the agent's to read."""
        try:
            result = self._resolve_result(site, (yield UseTool(self.tools[call.name], self._convert_args(site, call))))
            if call.name == self.ending:
                return loop.Committed(outputs=result)
            observed = self.seams.observation(site, observe_result, result)
            if has_custom_types(result):
                site.kept[show_value(observed)] = result
            return loop.ToolReturned(observation=observed)
        except ArgsRefused as error:
            return loop.ArgsMismatched(reason=str(error))
        except Exception as error:
            return loop.ToolFailed(reason=self._describe_failure(site, error))

    def _suspend_run(self, site: Site, kind: type[ConfirmationRequired] = ConfirmationRequired) -> loop.State:
        """What follows where a call waits: a person is asked. Raises ConfirmationRequired."""
        raise self.seams.suspension(site, suspend_call(site.state, self._describe_context(site), kind))

    def _reopen_run(self, site: Site, said: str, saved: ConfirmationRequired) -> Beginning:
        """Where a suspended call goes on: after the person's response.

        Raises:
            ResponseRefused: if the response or what was saved isn't one, or the response comes twice.
        """
        site.state, call = reopen_call(saved, self.ending, self._offered_tools)
        fields, given = self.signature.input_fields, saved.context["input_args"]
        inputs = {name: TypeAdapter(fields[name].annotation).validate_python(value) for name, value in given.items()}
        return Beginning(self._advance_state(site, apply_response(site, call, saved.confirmation_id, said)), inputs)

    def _advance_state(self, site: Site, event: loop.Event) -> loop.State:
        return self.seams.advance(site, partial(loop.advance, site.state), event)

    def _convert_args(self, site: Site, call: loop.Call) -> dict[str, Any]:
        """The args with which a tool's function is called. Raises ArgsRefused."""
        return self.seams.args(site, lambda asked: bound_of(self.tools[asked.name]).convert_args(asked.args), call)

    def _make_state(
        self, max_steps: int, inputs: dict[str, Any], history: loop.Entries = (), policy: loop.Policy | None = None
    ) -> loop.State:
        offered = self._offered_tools
        return loop.start(
            *(offered, max_steps, as_json(inputs)),
            history=history,
            awaited=tuple(name for name in offered if bound_of(self.tools[name]).require_confirmation),
            policy=policy or self.policy,
            ending=self.ending,
            fitting=self.fitting,
        )

    def _describe_context(self, site: Site) -> dict[str, Any]:
        """What a person may want to know of a run whose call waits: the turn under way isn't over."""
        trajectory = in_format(self._make_trajectory(site.state), self.policy.trajectory_format)
        return {"trajectory": trajectory, "iteration": turns_of(site.state.taken) - 1, "input_args": dict(site.asked)}

    def _make_site(self, mode: Mode, inputs: dict[str, Any]) -> Site:
        site = Site(self, self._memory, mode, inputs)
        site.perform = partial(self._perform_action, site)
        return site

    @property
    def max_iters(self) -> int:
        """The name that dspy's and udspy's agents have for `max_steps`."""
        return self.max_steps

    @max_iters.setter
    def max_iters(self, steps: int) -> None:
        self.max_steps = steps

    @property
    def _offered_tools(self) -> tuple[str, ...]:
        """The names of the tools without what ends a run."""
        return tuple(name for name in self.tools if name != self.ending)

    # What a system says of itself.
    def _make_settings(self, adapter: dspy.Adapter) -> dict[str, Any]:
        """dspy's settings under which the LM is asked; what isn't here is as the caller has it."""
        return {"adapter": adapter}

    def _resolve_result(self, site: Site, result: Any) -> Any:  # noqa: ARG002 - for who has to know the run
        """What a tool's function has given."""
        return result

    def _check_signature(self, signature: str | SignatureType) -> SignatureType:
        """The user's signature. Raises ValueError where the system can't work with it."""
        raise NotImplementedError

    def _bind_tools(self, tools: Iterable[Callable[..., Any]]) -> dict[str, BoundTool]:
        """The tools by name. Raises ValueError where a name is taken."""
        raise NotImplementedError

    def _with_ending(self) -> dict[str, BoundTool]:
        """These, and the tool that ends a run."""
        raise NotImplementedError

    def _make_predictors(self) -> dict[str, dspy.Module]:
        """The predictors to ask, by name: a conversation's by machine state."""
        raise NotImplementedError

    def _set_predictors(self, program: dict[str, dspy.Module]) -> None:
        for name, predictor in program.items():
            setattr(self, name, predictor)

    def _find_predictor(self, name: str) -> dspy.Module:
        return getattr(self, name)

    def _begin_run(self, inputs: dict[str, Any]) -> Beginning:
        """Where a call with these inputs begins. Raises ValueError for inputs that aren't the signature's."""
        raise NotImplementedError

    def _make_prompt(self, state: loop.State, action: loop.Action, inputs: dict[str, Any]) -> Prompt:
        """Who is asked, and what is shown."""
        raise NotImplementedError

    def _choose_adapter(self, prompt: Prompt) -> dspy.Adapter:
        """The adapter under which a prompt is asked."""
        raise NotImplementedError

    def _read_reply(self, site: Site, reply: dspy.Prediction) -> loop.Event:
        """What a step's reply says."""
        raise NotImplementedError

    def _read_answer(self, site: Site, reply: dspy.Prediction) -> loop.Answered:  # noqa: ARG002 - needed to type them
        """What the reply to the request for the outputs says."""
        return loop.Answered(outputs=dict(**reply))

    def _make_prediction(self, site: Site, answered: dict[str, Any]) -> dspy.Prediction:
        """What the caller gets, given what the extraction's reply had, if there was one."""
        raise NotImplementedError

    def _make_trajectory(self, state: loop.State) -> dict[str, Any]:
        """The steps so far, as the caller gets them."""
        return as_mapping(state.steps)

    def _describe_unreadable(self, error: AdapterParseError) -> str:
        """What the LM is told of a reply that can't be read."""
        return str(error)

    def _describe_failure(self, site: Site, error: Exception) -> str:  # noqa: ARG002 - for who has to know the run
        """What the LM is told of a tool's error: many say nothing without their type."""
        return f"{type(error).__name__}: {error}".removesuffix(": ")

    def _give_up(self, error: ContextWindowExceededError) -> NoReturn:
        """A prompt can't be made to fit."""
        raise error
