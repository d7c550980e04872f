"""Then: what the step requests demand and show."""

from pytest_bdd import parsers, then

from react_tck.dialects.fields import FINISH, TOOL_ARGS, TOOL_NAME
from react_tck.judges.verdict import check
from react_tck.model.base import JsonObject
from react_tck.model.tool import Tool
from react_tck.steps.core.prompt_reading import allowed_tools, demands_json_object, hidden_argument
from react_tck.steps.core.request_checks import (
    has_inputs,
    listed,
    shows_in_order,
    shows_inputs,
    shows_steps,
    shows_value,
    step_requests,
    with_steps_before,
)
from react_tck.steps.language import TYPES
from react_tck.steps.world import World


@then(parsers.parse("every step request allows exactly {tools:Names} and finish as next_tool_name", extra_types=TYPES))
def allows_exactly(world: World, tools: tuple[str, ...]) -> None:
    """Wherever the request lists the values of `next_tool_name`, it lists these."""
    wanted = frozenset((*tools, FINISH))
    for asked in step_requests(world):
        # A list of anything else than tools is no constraint on them.
        lists = [names for names in allowed_tools(asked.request, world.manifest.answer_tool) if names & wanted]
        expected = f"{TOOL_NAME} is constrained to exactly {listed(wanted)}"
        check(bool(lists), expected, "the request lists no allowed values for it", asked)
        wrong = next((names for names in lists if names != wanted), None)
        check(wrong is None, expected, f"the request allows {listed(wrong or frozenset())}", asked)


@then("every step request requires next_tool_args to be a JSON object")
def requires_json_object(world: World) -> None:
    """Said of the field itself, in the prompt or by a native tool's schema."""
    for asked in step_requests(world):
        is_json, is_object = demands_json_object(asked.request)
        check(is_json, f"the request says that {TOOL_ARGS} is JSON", "it does not", asked)
        check(is_object, f"the request says that {TOOL_ARGS} is an object", "it does not", asked)


@then(parsers.parse("every step request asks for exactly {fields:Names}", extra_types=TYPES))
def asks_for_exactly(world: World, fields: tuple[str, ...]) -> None:
    """These output fields, in any order."""
    for asked in step_requests(world):
        found = asked.ask.fields if asked.ask else ()
        expected = f"the step asks for {', '.join(fields)}"
        check(sorted(found) == sorted(fields), expected, f"it asks for {', '.join(found)}", asked)


@then(parsers.parse("every step request has exactly the inputs {names:Names}", extra_types=TYPES))
def step_has_inputs(world: World, names: tuple[str, ...]) -> None:
    """These input fields, in any order."""
    for asked in step_requests(world):
        has_inputs(asked, names)


@then(parsers.parse("every step request describes the tools {names:Names}", extra_types=TYPES))
def describes_tools(world: World, names: tuple[str, ...]) -> None:
    """By name and description."""
    for asked in step_requests(world):
        for name in names:
            description = _tool(world, name).description
            shows_value(asked, name, f"the tool {name!r}")
            shows_value(asked, description, f"the description of {name!r}, {description!r}")


@then(parsers.parse('every step request shows the arguments of "{name}" with their types', extra_types=TYPES))
def shows_arguments(world: World, name: str) -> None:
    """Each argument near its type, nested ones included."""
    for asked in step_requests(world):
        hidden = hidden_argument(asked.request.text, _tool(world, name).parameters)
        expected = f"the request shows every argument of {name!r} with its type"
        check(hidden is None, expected, f"it does not show {hidden}", asked)


@then(parsers.parse('every step request shows "{text}"'))
def step_shows(world: World, text: str) -> None:
    """Exactly this text."""
    for asked in step_requests(world):
        shows_value(asked, text)


@then(parsers.parse("every step request shows the input {inputs:Object}", extra_types=TYPES))
def steps_show_inputs(world: World, inputs: JsonObject) -> None:
    """The values as they were given."""
    for asked in step_requests(world):
        shows_inputs(world, asked, inputs)


@then("every step request shows the result of the step before it")
def shows_last_result(world: World) -> None:
    """The observation of the step before, in every step that has one."""
    for asked, taken in with_steps_before(world, step_requests(world)):
        shows_value(asked, taken[-1][1].result)


@then("every step request shows the results of all steps before it")
def shows_all_results(world: World) -> None:
    """The observations of every step so far."""
    for asked, taken in with_steps_before(world, step_requests(world)):
        for _, run in taken:
            shows_value(asked, run.result)


@then("every step request shows each result under the step that brought it")
def shows_results_under_steps(world: World) -> None:
    """A thought, its result, the next thought, its result."""
    for asked, taken in with_steps_before(world, step_requests(world)):
        shows_in_order(asked, [text for call, run in taken for text in (call.thought, str(run.result))])


@then("every step request shows the thought, tool, args and result of each step before it")
def steps_show_steps(world: World) -> None:
    """The whole trajectory so far."""
    for asked, taken in with_steps_before(world, step_requests(world)):
        shows_steps(asked, taken)


def _tool(world: World, name: str) -> Tool:
    return world.arrangement.tools[name]
