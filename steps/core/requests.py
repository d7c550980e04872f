"""Then: what the requests demand and show."""

from typing import Literal

from parse import with_pattern
from pydantic import JsonValue
from pytest_bdd import then, when

from react_tck.dialects.fields import FINAL_ANSWER, FINISH, step_names
from react_tck.fakes.tools import TOOLBOX
from react_tck.judges.oracle.scope import refuses_empty_input
from react_tck.judges.verdict import check
from react_tck.model.base import JsonObject
from react_tck.model.record import Asked
from react_tck.record.evidence import Scene
from react_tck.record.places import find_headed_places, list_first_lines
from react_tck.record.visibility import hides_value, names_whole_word, text_shows
from react_tck.steps.core.prompt_reading import (
    allowed_tools,
    demands_json_object,
    has_parameter,
    hidden_argument,
    is_required,
    lists_tool,
    may_constrain_tools,
)
from react_tck.steps.core.request_checks import (
    Selection,
    every_request,
    has_inputs,
    join_names,
    read_selection,
    shows_in_order,
    shows_inputs,
    shows_thought,
    shows_value,
    step_requests,
    with_steps_before,
)
from react_tck.steps.language import sentence
from react_tck.steps.world import World

_WHOLE_STEP = "thought, tool, args and result"


@with_pattern(f"{_WHOLE_STEP}|thought|result")
def parts_of_step(text: str) -> str:
    """What a step consists of, or some of it."""
    return text


@with_pattern("each step|the step")
def steps_before(text: str) -> str:
    """All steps before a request, or the one before it."""
    return text


@with_pattern("(?:, unless the error of the tool ended the call)?")
def unless_ended(text: str) -> bool:
    """Not asked of a subject whose choice `tool-error` is an error."""
    return bool(text)


def _ended_by_tool(world: World) -> bool:
    world.needs("extraction")
    has_ended = world.outcome.status == "error" and not world.extraction_requests
    world.unseen = "the error of the tool ended the call" if has_ended else world.unseen
    return has_ended


@then(
    sentence(
        "{may_refuse:OrRefused}{requests:Selection} shows the input {inputs:Object}{unless:UnlessEnded}",
        Selection=read_selection,
        UnlessEnded=unless_ended,
    )
)
def shows_the_inputs(world: World, may_refuse: bool, requests: Selection, inputs: JsonObject, unless: bool) -> None:
    """The values as they were given."""
    if (may_refuse and world.record.refusal) or (unless and _ended_by_tool(world)):
        return
    for asked in requests(world):
        shows_inputs(world, asked, inputs)


@then(
    sentence(
        "{requests:Selection} shows {value:Literal}{unless:UnlessEnded}",
        Selection=read_selection,
        UnlessEnded=unless_ended,
    )
)
def shows_the_value(world: World, requests: Selection, value: JsonValue, unless: bool) -> None:
    """Exactly this text, or another value in whatever spelling."""
    if unless and _ended_by_tool(world):
        return
    for asked in requests(world):
        shows_value(asked, value)


@then(sentence('{requests:Selection} gives {value:Literal} for the input "{name:w}"', Selection=read_selection))
def gives_the_input(world: World, requests: Selection, value: JsonValue, name: str) -> None:
    """Under the heading of the input; where it has none, nobody can tell so small a value from the text around it.

    An empty text is left out where other inputs have headings, and it has none. Who refuses it, naming the input,
    before the LM is asked, has shown nobody anything else.
    """
    if refuses_empty_input(Scene(world.episode, world.manifest, world.last_call, world.record)):
        return
    others = world.episode.case.invocations[world.last_call].inputs.keys() - {name}
    for asked in requests(world):
        given = find_headed_places(asked.request, "user", name)
        is_left_out = value == "" and any(find_headed_places(asked.request, "user", other) for other in others)
        is_there = any(place.has_value(value) for place in given) if given else not is_left_out
        actual = f"it gives {list_first_lines(asked.request, 'user', name)}"
        check(is_there, f"the request gives {value!r} for {name!r}", actual, asked)


@when(sentence("it is called with a {name:w} of {length:d} characters"))
def called_with_long_text(world: World, name: str, length: int) -> None:
    """Words that are counted, so that no part of it can be missing unnoticed."""
    words = "".join(f"word {number} " for number in range(length))
    world.call({name: words[:length]})


@then(sentence("{requests:Selection} shows the whole {name:w}", Selection=read_selection))
def shows_whole_input(world: World, requests: Selection, name: str) -> None:
    """As it was given to the call."""
    value = world.episode.case.invocations[world.last_call].inputs[name]
    for asked in requests(world):
        shows_value(asked, value, f"the whole {name}, {len(str(value))} characters")


@then(sentence("the LM reads {value:Literal} unescaped in {requests:Selection}", Selection=read_selection))
def reads_unescaped(world: World, value: JsonValue, requests: Selection) -> None:
    """Character by character: in the midst of JSON too, which can carry every letter as it is.

    That the text isn't there at all is the failure of another requirement.
    """
    for asked in requests(world):
        is_hidden = hides_value(asked.request.text, value)
        world.unseen = "the request doesn't show it" if is_hidden else world.unseen
        is_escaped = str(value) not in asked.request.text and not is_hidden
        check(not is_escaped, f"the request carries {value!r} as it is", "it has it with escapes only", asked)


@then(sentence('the LM is shown "{text}"'))
def lm_is_shown(world: World, text: str) -> None:
    """In one request at least."""
    shown = any(text_shows(asked.request.text, text) for asked in world.record.requests)
    check(shown, f"the LM is shown {text!r} in some request", f"none of {len(world.record.requests)} shows it")


@with_pattern("says|never says")
def read_saying(text: str) -> bool:
    """Whether it is to be said."""
    return text == "says"


@then(sentence('the system prompt {says:Saying} "{text}"', 'the system prompt says "Be brief."', Saying=read_saying))
def system_prompt_says(world: World, says: bool, text: str) -> None:
    """Each request's, which is made of its messages of the role `system`."""
    for asked in every_request(world):
        holds = text_shows(asked.request.system_text, text) is says
        check(holds, f"every system prompt {'says' if says else 'lacks'} {text!r}", "this one doesn't do so", asked)


@then(sentence('the LM is never shown "{text}"'))
def lm_is_never_shown(world: World, text: str) -> None:
    """The text stands in no request of the episode."""
    for asked in world.record.requests:
        check(not text_shows(asked.request.text, text), f"no request shows {text!r}", "this one does", asked)


@then(
    sentence(
        "{requests:Selection} shows the {parts:Parts} of {which:Which} before it{unless:UnlessEnded}",
        Selection=read_selection,
        Parts=parts_of_step,
        Which=steps_before,
        UnlessEnded=unless_ended,
    )
)
def shows_parts(
    world: World, requests: Selection, parts: str, which: Literal["each step", "the step"], unless: bool
) -> None:
    """The trajectory so far, or what the last step brought."""
    if unless and _ended_by_tool(world):
        return
    for asked, taken in with_steps_before(world, requests(world)):
        for call, run in taken if which == "each step" else taken[-1:]:
            if parts != "result":
                shows_thought(world, asked, call)
            if parts == _WHOLE_STEP:
                shows_value(asked, call.tool, f"the tool {call.tool!r}")
                shows_value(asked, call.args, f"the args {call.args}")
            if parts != "thought":
                shows_value(asked, run.observation, f"the observation {run.observation!r}")


@then(sentence("{requests:Selection} shows, in order, the result of each step before it", Selection=read_selection))
def shows_results_in_order(world: World, requests: Selection) -> None:
    """Each result behind the one before it, two that are equal too; the newest first, where the steps stand so."""
    for asked, taken in with_steps_before(world, requests(world)):
        # Where nothing was said beside a call, there is no thought to be found.
        places = [asked.request.text.find(call.thought) if call.thought else -1 for call, _ in taken]
        is_newest_first = -1 not in places and places == sorted(places, reverse=True)
        results = [str(run.result) for _, run in taken]
        shows_in_order(asked, results[::-1] if is_newest_first else results)


@then(sentence("{requests:Selection} has exactly the inputs {inputs:Names}", Selection=read_selection))
def has_exactly_the_inputs(world: World, requests: Selection, inputs: tuple[str, ...]) -> None:
    """These input fields, in any order."""
    for asked in requests(world):
        has_inputs(asked, inputs)


@then(sentence("every step request allows exactly {tools:Names} and finish as the tool"))
def allows_exactly(world: World, tools: tuple[str, ...]) -> None:
    """Wherever the request lists the values of the field that names the tool, it lists these.

    Where it says them in a form that isn't known, or sends the LM to a list that stands elsewhere, it names each of
    them, and lists no other tool of the kit's.
    """
    wanted = frozenset((*tools, FINISH))
    others = TOOLBOX.keys() - wanted
    for asked in step_requests(world):
        # A list of anything else than tools is no constraint on them.
        lists = [
            names for names in allowed_tools(asked.request, world.manifest.answer_tool, asked.ask) if names & wanted
        ]
        expected = f"{_step_fields(asked)[1]} is constrained to exactly {join_names(wanted)}"
        is_constrained = bool(lists) or may_constrain_tools(asked.request, wanted, asked.ask)
        check(is_constrained, expected, "the request lists no allowed values for it", asked)
        other = next((name for name in sorted(others) if not lists and lists_tool(asked.request.text, name)), None)
        check(other is None, expected, f"the request lists {other!r} among the tools", asked)
        wrong = next((names for names in lists if names != wanted), None)
        check(wrong is None, expected, f"the request allows {join_names(wrong or frozenset())}", asked)


@then("every step request requires the args to be a JSON object")
def requires_json_object(world: World) -> None:
    """Said of the field itself, in the prompt or by a native tool's schema."""
    for asked in step_requests(world):
        is_json, is_object = demands_json_object(asked.request, asked.ask)
        args = _step_fields(asked)[2]
        check(is_json, f"the request says that {args} is JSON", "it does not", asked)
        check(is_object, f"the request says that {args} is an object", "it does not", asked)


@then("every step request asks for a thought, a tool and its args, and for nothing else")
def asks_for_step(world: World) -> None:
    """Under the names that the dialect has for them, in any order."""
    for asked in step_requests(world):
        found, fields = asked.ask.fields if asked.ask else (), _step_fields(asked)
        expected = f"the step asks for {', '.join(fields)}"
        check(sorted({*found} - {FINAL_ANSWER}) == sorted(fields), expected, f"it asks for {', '.join(found)}", asked)


@then(sentence("{may_refuse:OrRefused}every step request describes all tools"))
def describes_tools(world: World, may_refuse: bool) -> None:
    """By name and description; none is left out in silence."""
    if may_refuse and (world.record.refusal or (not world.record.requests and world.outcome.status == "error")):
        world.is_seen_unasked = True
        return
    for asked in step_requests(world):
        for tool in world.episode.case.tools:
            shows_value(asked, tool.name, f"the tool {tool.name!r}")
            shows_value(asked, tool.description, f"the description of {tool.name!r}, {tool.description!r}")


@then(sentence("every step request shows the parameters {parameters:Names}"))
def shows_parameters(world: World, parameters: tuple[str, ...]) -> None:
    """The names of the parameters stand in every step request as whole words."""
    for asked in step_requests(world):
        for parameter in parameters:
            shown = names_whole_word(asked.request.text, parameter)
            check(shown, f"every step request shows the parameter {parameter!r}", "this one does not", asked)


@then(sentence('{may_refuse:OrRefused}every step request shows no parameter "{name}"'))
def shows_no_parameter(world: World, may_refuse: bool, name: str) -> None:
    """None of the tools has one of that name, whatever its function is made of."""
    if may_refuse and world.record.refusal:
        return
    for asked in step_requests(world):
        actual = "this one does"
        check(not has_parameter(asked.request.text, name), f"no step request shows a parameter {name!r}", actual, asked)


@then(sentence('no step request says that the parameter "{name}" is required'))
def not_required(world: World, name: str) -> None:
    """Neither in a list of those that are, nor beside the parameter."""
    for asked in step_requests(world):
        expected = f"no step request says that the parameter {name!r} is required"
        check(not is_required(asked.request.text, name), expected, "this one does", asked)


@then(sentence('every step request shows the arguments of "{name}" with their types'))
def shows_arguments(world: World, name: str) -> None:
    """Each argument near its type, nested ones included."""
    for asked in step_requests(world):
        hidden = hidden_argument(asked.request.text, world.arrangement.tools[name].parameters)
        expected = f"the request shows every argument of {name!r} with its type"
        check(hidden is None, expected, f"it does not show {hidden}", asked)


def _step_fields(asked: Asked) -> tuple[str, str, str]:
    """The names for thought, tool and args in the dialect of the request."""
    return step_names(asked.ask.fields if asked.ask else ())
