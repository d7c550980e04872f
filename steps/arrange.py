"""Given: the agent, its tools, and what the LM will say."""

import json
import re
from typing import Any, Literal

from parse import with_pattern
from pydantic import JsonValue
from pytest_bdd import given, when

from react_tck.fakes.lm import BUDGET
from react_tck.fakes.tools import make_tool
from react_tck.judges.verdict import Untestable
from react_tck.model.base import JsonObject
from react_tck.model.case import Mode
from react_tck.model.intent import Answer, CallTool, Finish
from react_tck.model.manifest import SIGNATURE_FORMS
from react_tck.model.signature import Field, Form, Signature, render_arrow
from react_tck.model.tool import Interrupts, Mutates, Raises, Reads, Reports, Returns
from react_tck.steps.language import sentence
from react_tck.steps.phrases import NEEDED_BY_RESULTS, RESULTS
from react_tck.steps.world import World

#: How an arrow string would write the type, for subjects that know no other form.
_ANNOTATIONS: dict[str, str] = {
    "string": "str",
    "integer": "int",
    "number": "float",
    "boolean": "bool",
    "array": "list",
    "object": "dict",
}
_CALLABLES = {"function": "function", "method": "method", "callable object": "object"}


@with_pattern(r"\d+(?: more than the default)?")
def read_limit(text: str) -> tuple[int, bool]:
    """`3`, or `3 more than the default`."""
    return int(text.split()[0]), "default" in text


@with_pattern(r"an? (?:async )?(?:function|method|callable object)")
def callable_kind(text: str) -> str:
    """Whatever Python can call: `a function`, `an async method`, `a callable object` and so on."""
    return re.sub("^an? ", "", text)


@given(sentence('a ReAct over {form:InForm}"{arrow:Quoted}"{tools:WithTools}'))
def arrange_react(world: World, form: Form | None, arrow: str, tools: tuple[str, ...]) -> None:
    """A signature in this form or the first that the subject takes, its fields written as an arrow, with tools."""
    signature = world.manifest.parse_signature(arrow)
    if form is not None:
        signature = signature.model_copy(update={"form": form})
    world.needs(SIGNATURE_FORMS[signature.form])
    fields = (*signature.inputs, *signature.outputs)
    if any(field.history for field in fields):
        world.needs("history")
    if any(not field.is_text and not field.history for field in fields):
        world.needs("typed-fields")
    world.arrangement.signature = signature
    have_tools(world, tools)


@given(sentence("a ReAct over the {form:Form} with these fields:"))
def react_with_fields(world: World, form: Form, datatable: list[list[str]]) -> None:
    """A row a field: its name, whether input or output, its JSON Schema, its description."""
    world.needs(SIGNATURE_FORMS[form])
    rows = [dict(zip(datatable[0], row, strict=True)) for row in datatable[1:]]
    inputs, outputs = (tuple(_read_field(row) for row in rows if row["kind"] == kind) for kind in ("input", "output"))
    if not all(field.is_text for field in (*inputs, *outputs)):
        world.needs("typed-fields", "nested-fields")
    arrow = render_arrow(inputs, outputs)
    world.arrangement.signature = Signature(form=form, arrow=arrow, inputs=inputs, outputs=outputs)


@given("the steps ask for a thought, a tool and its args as fields")
def steps_have_fields(world: World) -> None:
    """A conversation or a transcript has sentences of its own."""
    world.needs("step-signature")


@given(sentence("its instructions read {text:JsonText}"))
def instructions_read(world: World, text: str) -> None:
    """The instructions are the signature's own."""
    world.arrangement.change_signature(instructions=text)


@given(sentence("the {tools:Tools}"))
def have_tools(world: World, tools: tuple[str, ...]) -> None:
    """Tools of the toolbox, by name; in a team's own features, those under `@react_tck.tool` too."""
    world.have_tools(tools)


@given("the tools:")
def have_described_tools(world: World, datatable: list[list[str]]) -> None:
    """Tools of the scenario's own; `parameters` are JSON Schemas by name, those without a default required."""
    header, *rows = datatable
    for row in rows:
        column = dict(zip(header, row, strict=True))
        tool = make_tool(column["name"], column["description"], json.loads(column["parameters"]))
        world.arrangement.tools[tool.name] = tool


@given(sentence('another tool is named "{name}" and described as "{description:Quoted}"'))
def have_namesake(world: World, name: str, description: str) -> None:
    """A tool whose name another one has already."""
    namesake = world.arrangement.tools[name].model_copy(update={"description": description})
    world.arrangement.namesakes.append(namesake)


@given(sentence('the tool "{name}" is {kind:Callable}', Callable=callable_kind))
def tool_is_of_kind(world: World, name: str, kind: str) -> None:
    """A function, or what can be called like one; its caller may have to await it."""
    is_async, form = kind.startswith("async "), _CALLABLES[kind.removeprefix("async ")]
    if form != "function":
        world.needs("callable-tools")
    if is_async:
        world.needs("async-tools")
    world.arrangement.change_tool(name, is_async=is_async, callable_form=form)


@given(sentence('the tool "{name}" is declared by the schemas of its args'))
def tool_is_declared(world: World, name: str) -> None:
    """A Python subject gets a function that takes args of any name, and the schemas beside it."""
    world.needs("declared-tools")
    world.arrangement.change_tool(name, callable_form="declared")


@given(sentence('the tool "{name}" takes args of any other name too'))
def tool_is_open(world: World, name: str) -> None:
    """Its schema is open; a Python subject gets a function with `**kwargs`."""
    parameters = world.arrangement.tools[name].parameters
    world.arrangement.change_tool(name, parameters={**parameters, "additionalProperties": True})


@given(sentence("max_steps is {steps:Limit}", Limit=read_limit))
def max_steps(world: World, steps: tuple[int, bool]) -> None:
    """The number of steps that the agent is constructed with (LOOP-008).

    A limit that says that none is given, as 0 may, is the default: where that can't be played, this can't.
    """
    number, is_relative = steps
    if world.manifest.read_step_limit(number) != number:
        default_max_steps(world)
    world.arrangement.set_options(max_steps=number + (default_max_steps(world) if is_relative else 0))


@given(sentence('the global adapter is "{dialect}"'))
def global_adapter(world: World, dialect: str) -> None:
    """The adapter configured for everything (ADP-001)."""
    world.needs("global-adapter")
    world.needs_dialect(dialect)
    world.arrangement.set_options(adapter=dialect)


@given(sentence('replies are asked for in "{dialect}"'))
def replies_in(world: World, dialect: str) -> None:
    """By default, or because the adapter is configured so."""
    if world.manifest.default_dialect != dialect:
        global_adapter(world, dialect)


@given(sentence('the module\'s own adapter is "{dialect}"'))
def module_adapter(world: World, dialect: str) -> None:
    """The adapter given to this module alone (ADP-002)."""
    world.needs("module-adapter")
    world.needs_dialect(dialect)
    world.arrangement.set_options(module_adapter=dialect)


@given(sentence('the LM calls "{tool:Quoted}"'))
@given(sentence('the LM calls "{tool:Quoted}" with {args:Object}'))
def lm_calls(world: World, tool: str, args: JsonObject | None = None) -> None:
    """One step: a thought of its own, the tool, the args."""
    world.arrangement.steps.append(CallTool(tool=tool, args=args or {}, thought=world.make_thought()))


@given(sentence('while no result of "{tool}" is shown the LM calls it with {args:Object}'))
def lm_calls_until_shown(world: World, tool: str, args: JsonObject) -> None:
    """One step, and the same again to each request of the call that shows nothing of what the tool returned.

    So a model answers who begins anew. Once a prompt didn't fit, it may show less, and nothing is said again.
    """
    step = CallTool(tool=tool, args=args, thought=world.make_thought(), until_shown=True)
    world.arrangement.steps.append(step)


@given(sentence('the LM calls "{tool}" with a {parameter:w} of {length:d} characters'))
def lm_calls_with_long_text(world: World, tool: str, parameter: str, length: int) -> None:
    """A step whose args are long."""
    lm_calls(world, tool, {parameter: make_long_text(world.nonce, length)})


@given(sentence('the LM keeps calling "{tool}" with {args:Object}'))
def lm_keeps_calling(world: World, tool: str, args: JsonObject) -> None:
    """The same step for ever."""
    step = CallTool(tool=tool, args=args, thought=world.make_thought(), sticky=True)
    world.arrangement.steps.append(step)


@given(sentence('the LM calls "add" {count:d} times'))
def lm_adds(world: World, count: int) -> None:
    """As many steps, each with args of its own."""
    for number in range(1, count + 1):
        lm_calls(world, "add", {"a": number, "b": 1})


@given(sentence('the LM takes {count:d} steps with the tool "{tool}" and {args:Object}'))
def lm_takes_steps(world: World, count: int, tool: str, args: JsonObject) -> None:
    """So many steps with one tool, each with a thought of its own."""
    for _ in range(count):
        lm_calls(world, tool, args)


@given("the LM finishes")
@given(sentence("the LM finishes with {args:Object}"))
def lm_finishes(world: World, args: JsonObject | None = None) -> None:
    """The step that ends the loop."""
    world.arrangement.steps.append(Finish(args=args or {}, thought=world.make_thought()))


@given("the LM answers")
@given(sentence("the LM answers {outputs:Object}"))
def lm_answers(world: World, outputs: JsonObject | None = None) -> None:
    """The extraction's reply; without outputs, some value of each output's type."""
    marked = world.marked_outputs(outputs or _make_samples(world))
    world.arrangement.answers.append(Answer(outputs=marked, reasoning=world.mark_text("reasoning")))


@given(sentence("the LM answers exactly {outputs:Object}"))
def lm_answers_exactly(world: World, outputs: JsonObject) -> None:
    """The extraction's reply, its texts as they stand."""
    world.arrangement.answers.append(Answer(outputs=outputs, reasoning=world.mark_text("reasoning")))


def default_max_steps(world: World) -> int:
    """The default that the manifest documents.

    Raises:
        Untestable: if there is none, or it is more than an episode of the kit's has.
    """
    default = world.manifest.default_max_steps
    if default is None:
        raise Untestable("nothing limits the steps unless somebody says how many")
    if default >= BUDGET:
        raise Untestable(
            f"the default of {default} steps is more than the kit plays in an episode: fewer than {BUDGET}"
        )
    return default


def _read_field(row: dict[str, str]) -> Field:
    schema: JsonObject = json.loads(row["schema"])
    annotation = _ANNOTATIONS.get(str(schema.get("type")), "str")
    return Field(name=row["field"], annotation=annotation, json_schema=schema, description=row["description"])


def _make_samples(world: World) -> JsonObject:
    return {field.name: _make_sample(field.json_schema) for field in world.arrangement.signature.outputs}


def _make_sample(schema: JsonObject) -> Any:
    if "enum" in schema:
        members: Any = schema["enum"]
        return members[0]
    samples: dict[Any, Any] = {"integer": 7, "number": 0.5, "boolean": True, "array": [], "object": {}}
    return samples.get(schema.get("type"), "an answer")


@with_pattern(r"(?:again )?(?:asynchronously )?")
def entry_point(text: str) -> Mode:
    """`again `, `asynchronously `, both, or nothing; that it is called again is for the reader to know."""
    return "async" if "asynchronously" in text else "sync"


@with_pattern("it|another one")
def called_one(text: str) -> str:
    """The instance there is, or a new one of the same arrangement."""
    return text


@when("it is constructed")
def construct_subject(world: World) -> None:
    """The subject is constructed from what is arranged, and not called yet."""
    world.construct()


@when(sentence("{who:Who} is called {how:How}with {inputs:Object}", Who=called_one, How=entry_point))
def call_subject(world: World, who: Literal["it", "another one"], how: Mode, inputs: JsonObject) -> None:
    """Through one of its entry points; another one in an episode of its own."""
    _start_call(world, who, how, inputs)


@when(
    sentence(
        "{who:Who} is called {how:How}with {inputs:Object} and max_steps {steps:d}", Who=called_one, How=entry_point
    )
)
def called_with_max_steps(
    world: World, who: Literal["it", "another one"], how: Mode, inputs: JsonObject, steps: int
) -> None:
    """Called with a limit of its own (LOOP-009)."""
    world.needs("call-max-steps")
    _start_call(world, who, how, inputs, max_steps=steps)


@when(
    sentence(
        '{who:Who} is called {how:How}with {inputs:Object} under the global adapter "{dialect}"',
        Who=called_one,
        How=entry_point,
    )
)
def called_under_adapter(
    world: World, who: Literal["it", "another one"], how: Mode, inputs: JsonObject, dialect: str
) -> None:
    """Called when another adapter is configured than at construction (ADP-005)."""
    world.needs("global-adapter")
    world.needs_dialect(dialect)
    _start_call(world, who, how, inputs, adapter=dialect)


@when(sentence("it is called with {inputs:Object}, unless it refused to be constructed"))
def called_unless_refused(world: World, inputs: JsonObject) -> None:
    """Constructed; called only if that was accepted."""
    if world.construct().session.is_constructed:
        world.call(inputs)


def _start_call(world: World, who: Literal["it", "another one"], how: Mode, inputs: JsonObject, **options: Any) -> None:
    if how == "async":
        world.needs("async")
    if who == "another one":
        world.start_over()
    world.call(inputs, mode=how, **options)


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
