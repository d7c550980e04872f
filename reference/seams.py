"""The seams of the modules: the places where a value passes on which an operator can act.

A mutant is the reference with operators in some of its seams; in the reference itself they all do nothing. An `Edit`
takes a value and gives another one. An `Around` is given the genuine function too, and calls it once, twice or not at
all. Every operator is told the `Site` at which it acts.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, TypeVar

from pydantic import JsonValue

from react_tck.model.case import Mode
from react_tck.reference.drive import Episode
from react_tck.reference.loop import Action, AskExtraction, AskStep, AskSummary, Call, Event, State

ValueT = TypeVar("ValueT")
GivenT = TypeVar("GivenT")
MadeT = TypeVar("MadeT")

Phase = Literal["step", "extraction", "summary"]


class Beginning(NamedTuple):
    """Where a run begins: the loop's state, and the call's inputs as the user's signature has them."""

    state: State
    inputs: dict[str, Any]


class Prompt(NamedTuple):
    """What the LM is asked: by the predictor of this name, with these inputs."""

    phase: Phase
    predictor: str
    inputs: dict[str, Any]


@dataclass
class Site:
    """Where an operator acts; one for every call of an agent, and one for its construction, which has no state."""

    #: The module; its class is one of the four.
    agent: Any
    #: The agent's own, kept from call to call: for operators that remember.
    memory: dict[str, Any]
    mode: Mode = "sync"
    #: What the call was given; nothing on construction and on resumption.
    inputs: dict[str, Any] = field(default_factory=dict)
    #: The call's inputs as the signature has them.
    asked: dict[str, Any] = field(init=False)
    #: Where the run stands.
    state: State = field(init=False)
    #: What the LM was asked last, or is being asked.
    prompt: Prompt = field(init=False)
    #: The genuine way to perform any action in this run, its seams included.
    perform: Callable[[Action], Episode[Event]] = field(init=False)

    #: What tools gave, by the text that prompts show of it, where it is more than JSON: images, for the caller.
    kept: dict[str, Any] = field(default_factory=dict)

    @property
    def phase(self) -> Phase:
        """What the request under way asks for."""
        return self.prompt.phase


Edit = Callable[[Site, ValueT], ValueT]
Around = Callable[[Site, Callable[[GivenT], MadeT], GivenT], MadeT]


def pass_through(_site: Site, value: ValueT) -> ValueT:
    """Return the edit that changes nothing."""
    return value


def call_genuine(_site: Site, proceed: Callable[[GivenT], MadeT], given: GivenT) -> MadeT:
    """Return the operator that does what the reference does."""
    return proceed(given)


@dataclass(frozen=True)
class Seams:
    """An operator for every seam, in the order in which a run meets them."""

    #: The user's signature, as given, to the one that is worked with; may refuse it.
    signature: Around[Any, Any] = call_genuine
    #: The user's tools, as given, to the tools by name; may refuse them.
    tools: Around[Iterable[Any], dict[str, Any]] = call_genuine
    #: The predictors by name; a conversation's by machine state.
    program: Edit[dict[str, Any]] = pass_through
    #: A call's inputs, to where its run begins; may refuse them.
    begin: Around[dict[str, Any], Beginning] = call_genuine
    #: A suspended call, to where its run goes on; may refuse it.
    resume: Around[Any, Beginning] = call_genuine
    #: What a person said to a suspended call, to what is made of it: a `Decision`.
    response: Around[str, Any] = call_genuine
    #: The whole run, from its beginning to the prediction.
    run: Around[Beginning, Episode[Any]] = call_genuine
    #: What is due in the loop, performed: to the event that comes of it.
    perform: Around[Action, Episode[Event]] = call_genuine
    #: The predictor that is asked, and its inputs.
    prompt: Edit[Prompt] = pass_through
    #: The adapter under which it is asked: how messages are written, and how replies are read.
    adapter: Edit[Any] = pass_through
    #: A tool call, to the args with which the tool's function is called; may refuse them.
    args: Around[Call, dict[str, Any]] = call_genuine
    #: What a tool's function returned, to the observation.
    observation: Around[Any, JsonValue] = call_genuine
    #: The event, to the loop's next state.
    advance: Around[Event, State] = call_genuine
    #: The exception that suspends a call: question, tool call, context, and the state to resume from.
    suspension: Edit[Any] = pass_through
    #: The prediction that the caller gets: outputs, trajectory, history.
    prediction: Edit[Any] = pass_through


def phase_of(action: Action) -> Phase:
    """Return what a request that performs this action asks for."""
    phases: dict[type[Any], Phase] = {AskStep: "step", AskExtraction: "extraction", AskSummary: "summary"}
    return phases[type(action)]
