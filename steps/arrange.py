"""Given: the agent, its tools, and what the LM will say."""

from typing import Any

from pydantic import JsonValue
from pytest_bdd import given, parsers

from react_tck.fakes.toolbox import TOOLBOX
from react_tck.model.base import JsonObject
from react_tck.model.intent import Answer, CallTool, Finish
from react_tck.model.manifest import Capability
from react_tck.model.signature import Form, parse_arrow
from react_tck.model.tool import Raises, Returns
from react_tck.steps.language import TYPES
from react_tck.steps.world import World

#: What a subject has to declare to be given a signature in this form.
CAPABILITIES: dict[Form, Capability] = {
    Form.ARROW: "arrow-signature",
    Form.CLASS: "class-signature",
    Form.VALUE: "value-signature",
}


@given(parsers.parse('a ReAct over "{arrow:Quoted}"', extra_types=TYPES))
@given(parsers.parse('a ReAct over "{arrow:Quoted}" with the tool {tools:Names}', extra_types=TYPES))
@given(parsers.parse('a ReAct over "{arrow:Quoted}" with the tools {tools:Names}', extra_types=TYPES))
def react(world: World, arrow: str, tools: tuple[str, ...] = ()) -> None:
    """An arrow signature, with tools of the toolbox."""
    _over(world, Form.ARROW, arrow)
    have_tools(world, tools)


@given(parsers.parse('a ReAct over the {form:Form} "{arrow:Quoted}"', extra_types=TYPES))
def react_in_form(world: World, form: Form, arrow: str) -> None:
    """A signature in one of its forms, its fields written as an arrow."""
    _over(world, form, arrow)


@given(parsers.parse("the tools {tools:Names}", extra_types=TYPES))
@given(parsers.parse("the tool {tools:Names}", extra_types=TYPES))
def have_tools(world: World, tools: tuple[str, ...]) -> None:
    """Tools of the toolbox, by name."""
    world.arrangement.tools |= {name: TOOLBOX[name] for name in tools}


@given(parsers.parse("max_steps is {steps:d}"))
def max_steps(world: World, steps: int) -> None:
    """Given at construction (LOOP-008)."""
    _option(world, "max_steps", steps)


@given(parsers.parse('the global adapter is "{dialect}"'))
def global_adapter(world: World, dialect: str) -> None:
    """The adapter configured for everything (ADP-001)."""
    world.needs("global-adapter")
    world.needs_dialect(dialect)
    _option(world, "adapter", dialect)


@given(parsers.parse('the module\'s own adapter is "{dialect}"'))
def module_adapter(world: World, dialect: str) -> None:
    """The adapter given to this module alone (ADP-002)."""
    world.needs("module-adapter")
    world.needs_dialect(dialect)
    _option(world, "module_adapter", dialect)


@given(parsers.parse('the LM calls "{tool:Quoted}"', extra_types=TYPES))
@given(parsers.parse('the LM calls "{tool:Quoted}" with {args:Object}', extra_types=TYPES))
def lm_calls(world: World, tool: str, args: JsonObject | None = None) -> None:
    """One step: a thought of its own, the tool, the args."""
    world.arrangement.steps.append(CallTool(tool=tool, args=args or {}, thought=world.thought()))


@given(parsers.parse('the LM thinks {thought:Json} and calls "{tool:Quoted}" with {args:Object}', extra_types=TYPES))
def lm_thinks(world: World, thought: str, tool: str, args: JsonObject) -> None:
    """One step with a thought of the scenario's own."""
    world.arrangement.steps.append(CallTool(tool=tool, args=args, thought=f"{thought} ~{world.nonce}"))


@given(parsers.parse('the LM keeps calling "{tool}" with {args:Object}', extra_types=TYPES))
def lm_keeps_calling(world: World, tool: str, args: JsonObject) -> None:
    """The same step for ever."""
    step = CallTool(tool=tool, args=args, thought=world.thought(), sticky=True)
    world.arrangement.steps.append(step)


@given("the LM finishes")
@given(parsers.parse("the LM finishes with {args:Object}", extra_types=TYPES))
def lm_finishes(world: World, args: JsonObject | None = None) -> None:
    """The step that ends the loop."""
    world.arrangement.steps.append(Finish(args=args or {}, thought=world.thought()))


@given("the LM answers")
@given(parsers.parse("the LM answers {outputs:Object}", extra_types=TYPES))
def lm_answers(world: World, outputs: JsonObject | None = None) -> None:
    """The extraction's reply; without outputs, some value of each output's type."""
    marked = world.marked_outputs(outputs or _samples(world))
    world.arrangement.answers.append(Answer(outputs=marked, reasoning=f"reasoning ~{world.nonce}"))


@given(parsers.parse('the tool "{name}" returns {value:Json}', extra_types=TYPES))
def tool_returns(world: World, name: str, value: JsonValue) -> None:
    """One more run's result, exactly this value; the last one stays."""
    _behave(world, name, Returns(value=value))


@given(parsers.parse('the tool "{name}" raises "{message}"'))
def tool_raises(world: World, name: str, message: str) -> None:
    """One more run's failure; the last one stays."""
    _behave(world, name, Raises(message=message))


def _over(world: World, form: Form, arrow: str) -> None:
    signature = parse_arrow(arrow).model_copy(update={"form": form})
    world.needs(CAPABILITIES[form])
    fields = (*signature.inputs, *signature.outputs)
    if any(field.history for field in fields):
        world.needs("history")
    if any(not field.is_text and not field.history for field in fields):
        world.needs("typed-fields")
    world.arrangement.signature = signature


def _option(world: World, name: str, value: Any) -> None:
    world.arrangement.options = world.arrangement.options.model_copy(update={name: value})


def _behave(world: World, name: str, behaviour: Returns | Raises) -> None:
    behaviours = world.arrangement.behaviours
    behaviours[name] = (*behaviours.get(name, ()), behaviour)


def _samples(world: World) -> JsonObject:
    return {field.name: _sample(field.json_schema) for field in world.arrangement.signature.outputs}


def _sample(schema: JsonObject) -> Any:
    if "enum" in schema:
        members: Any = schema["enum"]
        return members[0]
    samples: dict[Any, Any] = {"integer": 7, "number": 0.5, "boolean": True, "array": [], "object": {}}
    return samples.get(schema.get("type"), "an answer")
