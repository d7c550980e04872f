"""What a system says of itself to the way of a call that all four classes share: how it begins, asks and ends."""

from collections.abc import Callable, Iterable
from typing import Any, ClassVar, NoReturn

import dspy
from dspy.utils.exceptions import ContextWindowExceededError

from react_tck.reference import loop
from react_tck.reference.confirmation import ConfirmationRequired
from react_tck.reference.loop.views.trajectory import as_mapping
from react_tck.reference.seams import Beginning, Prompt, Seams, Site
from react_tck.reference.signatures.react import SignatureType, check_inputs, drop_unknown_inputs, own_max_steps
from react_tck.reference.tools import BoundTool
from react_tck.reference.wrong_use import check_steps


class System(dspy.Module):
    """A system's own part; `LoopModule` has what is common to them."""

    #: Where mutants act; the reference's own do nothing.
    seams: ClassVar[Seams] = Seams()
    ending: ClassVar[loop.Ending] = "finish"
    fitting: ClassVar[loop.Fitting] = "leave out"
    #: Fewer steps are no limit, but a mistake.
    least_steps: ClassVar[int] = 0
    #: Whether the outputs are asked for where no step can be had, as dspy's agents have it.
    answers_without_step: ClassVar[bool] = True

    policy: loop.Policy
    signature: SignatureType
    max_steps: int
    tools: dict[str, Any]

    @property
    def max_iters(self) -> int:
        """The name that dspy's and udspy's agents have for `max_steps`."""
        return self.max_steps

    @max_iters.setter
    def max_iters(self, steps: int) -> None:
        self.max_steps = steps

    @property
    def _name(self) -> str:
        """The class that the user wrote."""
        return type(self).__name__

    @property
    def _offered_tools(self) -> tuple[str, ...]:
        """The names of the tools without what ends a run."""
        return tuple(name for name in self.tools if name != self.ending)

    def _take_inputs(self, inputs: dict[str, Any], *, goes_on: bool = False) -> tuple[int, dict[str, Any]]:
        """Return the most steps that a call may take, and its inputs; what goes on with a history may have none.

        Raises:
            ValueError: if an input is missing, or is unknown and the policy refuses it, or there are too few steps.
            TypeError: if the number of steps isn't one.
        """
        given, asked = own_max_steps(self.signature, inputs, self.max_steps)
        steps = check_steps(self._name, given, self.least_steps)
        if self.policy.unknown_inputs == "warned":
            asked = drop_unknown_inputs(self._name, self.signature, asked)
        if asked or not goes_on:
            check_inputs(self.signature, asked)
        return steps, asked

    def _make_settings(self, adapter: dspy.Adapter) -> dict[str, Any]:
        """dspy's settings under which the LM is asked; what isn't here is as the caller has it."""
        return {"adapter": adapter}

    def _resolve_result(self, site: Site, result: Any) -> Any:  # noqa: ARG002 - for who has to know the run
        """Return what a tool's function has given."""
        return result

    @property
    def _asking_errors(self) -> tuple[type[Any], ...]:
        """What a tool raises to ask a person (CNF-016)."""
        return (ConfirmationRequired,)

    def _adapt_policy(self, policy: loop.Policy) -> loop.Policy:
        """Return the policy, but for what the system decides itself."""
        return policy

    def _check_signature(self, signature: str | SignatureType) -> SignatureType:
        """Return the user's signature. Raises ValueError where the system can't work with it."""
        raise NotImplementedError

    def _bind_tools(self, tools: Iterable[Callable[..., Any]]) -> dict[str, BoundTool]:
        """Return the tools by name. Raises ValueError where a name is taken."""
        raise NotImplementedError

    def _is_tool(self, given: Any) -> bool:
        """Tell whether what was given for a tool is one that users find again by its name."""
        return isinstance(given, dspy.Tool)

    def _with_ending(self) -> dict[str, BoundTool]:
        """Return these, and the tool that ends a run."""
        raise NotImplementedError

    def _make_predictors(self) -> dict[str, dspy.Module]:
        """Return the predictors to ask, by name: a conversation's by machine state."""
        raise NotImplementedError

    def _set_predictors(self, program: dict[str, dspy.Module]) -> None:
        for name, predictor in program.items():
            setattr(self, name, predictor)

    def _find_predictor(self, name: str) -> dspy.Module:
        return getattr(self, name)

    def _begin_run(self, inputs: dict[str, Any]) -> Beginning:
        """Return where a call with these inputs begins. Raises ValueError for inputs that aren't the signature's."""
        raise NotImplementedError

    def _make_prompt(self, state: loop.State, action: loop.Action, inputs: dict[str, Any]) -> Prompt:
        """Who is asked, and what is shown."""
        raise NotImplementedError

    def _choose_adapter(self, prompt: Prompt) -> dspy.Adapter:
        """Return the adapter under which a prompt is asked."""
        raise NotImplementedError

    def _read_reply(self, site: Site, reply: dspy.Prediction) -> loop.Event:
        """Return what a step's reply says."""
        raise NotImplementedError

    def _read_answer(self, site: Site, reply: dspy.Prediction) -> loop.Answered:  # noqa: ARG002 - needed to type them
        """Return what the reply to the request for the outputs says."""
        return loop.Answered(outputs=dict(**reply))

    def _make_prediction(self, site: Site, answered: dict[str, Any]) -> dspy.Prediction:
        """Return what the caller gets, given the outputs as they came."""
        raise NotImplementedError

    def _make_trajectory(self, state: loop.State) -> dict[str, Any]:
        """Return the steps so far, as the caller gets them."""
        return self._tell_steps(state.steps)

    def _tell_steps(self, steps: tuple[loop.Step, ...]) -> dict[str, Any]:
        """Return steps under the keys that a trajectory has."""
        return as_mapping(steps)

    def _describe_unreadable(self, error: Exception) -> str:
        """Return what the LM is told of a reply that can't be read."""
        return str(error)

    def _describe_failure(self, site: Site, error: Exception) -> str:  # noqa: ARG002 - for who has to know the run
        """Return what the LM is told of a tool's error: many say nothing without their type."""
        return f"{type(error).__name__}: {error}".removesuffix(": ")

    def _give_up(self, error: ContextWindowExceededError) -> NoReturn:
        """Raise the error of a prompt that can't be made to fit."""
        raise error
