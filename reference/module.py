"""What the four classes share: the way of one call, from inputs to prediction, and that of resuming one (S1, S3)."""

import logging
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import dspy
from dspy.utils.exceptions import AdapterParseError, ContextWindowExceededError, LMError

from react_tck.model.case import Mode
from react_tck.reference import loop
from react_tck.reference.adapters.policies import is_transient_error
from react_tck.reference.confirmation import ConfirmationRequired
from react_tck.reference.confirmation.suspension import (
    apply_response,
    make_clarification_tool,
    reopen_call,
    suspend_call,
)
from react_tck.reference.drive import Episode, EpisodeFailed, adrive_episode, drive_episode
from react_tck.reference.dspy_tools import bound_of, has_custom_types, hold_tools, restore_value
from react_tck.reference.effects import AskPredictor, UseTool
from react_tck.reference.loop.entries import as_json, turns_of
from react_tck.reference.loop.views.trajectory import in_format, observe_result, show_value
from react_tck.reference.seams import Beginning, Site
from react_tck.reference.signatures.react import DEFAULT_MAX_STEPS, SignatureType
from react_tck.reference.system import System
from react_tck.reference.tools import ArgsRefused, BoundTool
from react_tck.reference.wrong_use import check_options, check_steps, refuse_positions

_LOG = logging.getLogger(__name__)


class LoopModule(System):
    """A module that drives the loop. A system says how it begins, what it shows, how it reads and what it returns."""

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
        listed = check_options(self._name, signature, tools, adapter, policy)
        super().__init__()
        self._memory: dict[str, Any] = {}
        self.policy = self._adapt_policy(policy or loop.Policy())
        site = self._make_site("sync", {})
        self.signature: SignatureType = self.seams.signature(site, self._check_signature, signature)
        self.max_steps = check_steps(self._name, max_steps if max_iters is None else max_iters, self.least_steps)
        self.adapter = adapter
        self._builtin = [make_clarification_tool()] if enable_user_clarification else []
        self._set_tools(listed)

    def _set_tools(self, tools: Iterable[Callable[..., Any]]) -> None:
        """Take these tools, and make the predictors whose prompts list them."""
        site = self._make_site("sync", {})
        #: The tools that prompts list, as they were given.
        self.bound: dict[str, BoundTool] = self.seams.tools(
            site, lambda own: self._bind_tools([*own, *self._builtin]), tools
        )
        #: The tools that are run, that which ends a run among them: the user's own objects, where they are tools.
        #: Another one may be put in the place of each.
        self.tools: dict[str, Any] = hold_tools(self._with_ending(), filter(self._is_tool, tools))
        self._set_predictors(self.seams.program(site, self._make_predictors()))

    def forward(self, *given: Any, **inputs: Any) -> dspy.Prediction:
        """Run the agent. `max_steps` (or `max_iters`) among the inputs holds for this call only (LOOP-009).

        Raises:
            TypeError: if inputs are `given` by position: they have names.
            ValueError: if an input is missing, or is unknown and the policy refuses it (SIG-007).
            AdapterParseError: if the extraction's reply can't be read.
            ContextWindowExceededError: if the prompt for the outputs doesn't fit, and can't be made to.
            EpisodeFailed: if the policy turns what happened into an error.
            ConfirmationRequired: if a tool needs a person's confirmation; `resume` takes it with the response.
        """
        refuse_positions(self._name, self.signature, given)
        return drive_episode(self._begin_call("sync", inputs))

    async def aforward(self, *given: Any, **inputs: Any) -> dspy.Prediction:
        """Run the agent as `forward` does, without blocking the event loop; `acall` calls it."""
        refuse_positions(self._name, self.signature, given)
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
        """Run the loop: what is due is performed, what comes of it leads on, until it is over or a call must wait."""
        site.state, site.asked = beginning
        answered: dict[str, Any] = {}
        while not isinstance(site.state.action, loop.End):
            if isinstance(site.state.action, loop.AwaitResponse):
                site.state = self._suspend_run(site)
                continue
            event = yield from self.seams.perform(site, site.perform, site.state.action)
            site.state = self._advance_state(site, event)
            if isinstance(event, loop.Answered | loop.Committed):
                answered = event.outputs
        if site.state.action.error is not None:
            raise EpisodeFailed(site.state.action.error)
        return self.seams.prediction(site, self._make_prediction(site, answered))

    def _perform_action(self, site: Site, action: loop.Action) -> Episode[loop.Event]:
        """Yield what comes of an action: a tool is run, or the LM is asked and its reply is read."""
        if isinstance(action, loop.RunTool):
            return (yield from self._use_tool(site, action.call))
        site.prompt = self.seams.prompt(site, self._make_prompt(site.state, action, site.asked))
        settings = self._make_settings(self.seams.adapter(site, self._choose_adapter(site.prompt)))
        try:
            reply = yield AskPredictor(self._find_predictor(site.prompt.predictor), site.prompt.inputs, settings)
            if isinstance(action, loop.AskStep):
                return self._read_reply(site, reply)
        except AdapterParseError as error:
            if not isinstance(action, loop.AskStep):
                raise
            return loop.StepMalformed(reason=self._describe_unreadable(error))
        except ContextWindowExceededError as error:
            if site.state.can_be_shortened and not isinstance(action, loop.AskSummary):
                return loop.DoesNotFit()
            return self._end_steps(action, error) or self._give_up(error)
        except LMError as error:
            if not isinstance(action, loop.AskStep) or self.policy.lm_fault == "error" or not is_transient_error(error):
                raise
            return loop.StepUnanswered(reason=str(error))
        except ValueError as error:
            if ended := self._end_steps(action, error):
                return ended
            raise
        if isinstance(action, loop.AskSummary):
            return loop.Summarised(text=reply.summary)
        return self._read_answer(site, reply)

    def _end_steps(self, action: loop.Action, error: Exception) -> loop.StepGivenUp | None:
        """Return what follows where no step can be had; nothing, where the system has it that the caller is told."""
        due = action.then if isinstance(action, loop.AskSummary) else action
        if not (isinstance(due, loop.AskStep) and self.answers_without_step):
            return None
        _LOG.warning("%s takes no further step: %s", self._name, error)
        return loop.StepGivenUp(reason=str(error) or type(error).__name__)

    def _use_tool(self, site: Site, call: loop.Call) -> Episode[loop.Event]:
        """Yield what comes of a tool call. Whatever a tool raises, or its result when shown, is the agent's to read."""
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
        except self._asking_errors as error:
            return loop.ToolAsked(question=error.question, confirmation_id=error.confirmation_id)
        except Exception as error:
            return loop.ToolFailed(reason=self._describe_failure(site, error))

    def _suspend_run(self, site: Site, kind: type[ConfirmationRequired] = ConfirmationRequired) -> loop.State:
        """Return what follows where a call waits: a person is asked. Raises ConfirmationRequired."""
        raise self.seams.suspension(site, suspend_call(site.state, self._describe_context(site), kind))

    def _reopen_run(self, site: Site, said: str, saved: ConfirmationRequired) -> Beginning:
        """Return where a suspended call goes on: after the person's response.

        Raises:
            ResponseRefused: if the response or what was saved isn't one, or the response comes twice.
        """
        site.state, call = reopen_call(saved, self.ending, self._offered_tools)
        fields, given = self.signature.input_fields, saved.context["input_args"]
        inputs = {name: restore_value(fields[name].annotation, value) for name, value in given.items()}
        return Beginning(self._advance_state(site, apply_response(site, call, saved.confirmation_id, said)), inputs)

    def _advance_state(self, site: Site, event: loop.Event) -> loop.State:
        return self.seams.advance(site, partial(loop.advance, site.state), event)

    def _convert_args(self, site: Site, call: loop.Call) -> dict[str, Any]:
        """Return the args with which a tool's function is called. Raises ArgsRefused."""
        return self.seams.args(site, lambda asked: self._find_bound(asked.name).convert_args(asked.args), call)

    def _find_bound(self, name: str) -> BoundTool:
        """Return what is run for a tool of this name, which a user may have changed, or put in the place of another."""
        known, now = self.bound.get(name), bound_of(self.tools[name])
        return known if known is not None and known == now else now

    def _make_state(self, max_steps: int, inputs: dict[str, Any], history: loop.Entries = ()) -> loop.State:
        offered = self._offered_tools
        return loop.start(
            *(offered, max_steps, as_json(inputs)),
            history=history,
            awaited=tuple(name for name in offered if bound_of(self.tools[name]).require_confirmation),
            policy=self.policy,
            ending=self.ending,
            fitting=self.fitting,
        )

    def _describe_context(self, site: Site) -> dict[str, Any]:
        """Return what a person may want to know of a run whose call waits: the turn under way isn't over."""
        trajectory = in_format(self._make_trajectory(site.state), self.policy.trajectory_format)
        return {"trajectory": trajectory, "iteration": turns_of(site.state.taken) - 1, "input_args": dict(site.asked)}

    def _make_site(self, mode: Mode, inputs: dict[str, Any]) -> Site:
        site = Site(self, self._memory, mode, inputs)
        site.perform = partial(self._perform_action, site)
        return site
