"""What the tools do when they are run, and what they are known to need for it."""

from typing import Literal

from pydantic import JsonValue
from pytest_bdd import given

from react_tck.model.tool import Interrupts, Mutates, Raises, Reads, Reports, Returns
from react_tck.steps.language import sentence
from react_tck.steps.phrases import NEEDED_BY_RESULTS, RESULTS
from react_tck.steps.world import World


@given(sentence('the tool "{name}" returns {value:Json}'))
def tool_returns(world: World, name: str, value: JsonValue) -> None:
    """One more run's result, exactly this value; the last one stays."""
    world.arrangement.add_behaviour(name, Returns(value=value))


@given(sentence('the tool "{name}" hands back {what}'))
def tool_hands_back(world: World, name: str, what: str) -> None:
    """One more run's result, of some kind, JSON or not; a mistake in the feature if the kind is unknown."""
    world.needs(*NEEDED_BY_RESULTS.get(what, ()))
    world.arrangement.add_behaviour(name, RESULTS[what])


@given(sentence('the tool "{name}" returns a text of {length:d} characters'))
def tool_returns_long_text(world: World, name: str, length: int) -> None:
    """A text that differs wherever it is cut."""
    world.arrangement.add_behaviour(name, Returns(value=make_long_text(world.nonce, length)))


@given(sentence('the tool "{name}" raises {message:JsonText}'))
def tool_raises(world: World, name: str, message: str) -> None:
    """One more run's failure; the last one stays."""
    world.arrangement.add_behaviour(name, Raises(message=message))


@given(sentence('the tool "{name}" is interrupted by {by:w}'))
def tool_is_interrupted(world: World, name: str, by: Literal["KeyboardInterrupt", "CancelledError"]) -> None:
    """One more run's end, from outside; the last one stays."""
    world.needs("tool-interruptions")
    world.arrangement.add_behaviour(name, Interrupts(by=by))


@given(sentence('the tool "{name}" changes its args in place, and later what it returned'))
def tool_changes_things(world: World, name: str) -> None:
    """Every run appends to the lists in its args, and to what earlier runs returned; a wire carries copies of them."""
    world.needs("live-results")
    world.arrangement.add_behaviour(name, Mutates())


@given(sentence('the tool "{name}" reads the fields of its models'))
def tool_reads_models(world: World, name: str) -> None:
    """Every run returns what it reads in its args; of a mapping in the place of a model it can't read a field.

    A wire brings the args as JSON, from which nobody sees what the tool was given.
    """
    world.needs("model-args")
    world.arrangement.add_behaviour(name, Reads())


@given(sentence('the tool "{name}" reports which run it is'))
def tool_reports(world: World, name: str) -> None:
    """One more run, no two alike; the last one stays. A tool of which nothing is said does so, too."""
    world.arrangement.add_behaviour(name, Reports())


def make_long_text(nonce: str, length: int) -> str:
    """Numbered words, so that a piece missing anywhere shows."""
    words = " ".join(f"{number}~{nonce}" for number in range(length // 8))
    return words[:length].strip()
