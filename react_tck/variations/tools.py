"""What a subject is given for a tool, and what tools return."""

from collections.abc import Callable, Collection

from pydantic import JsonValue

from react_tck.model.base import JsonObject
from react_tck.model.episode import Episode
from react_tck.model.intent import CallTool, Intent
from react_tck.model.tool import Reports, Returns, Tool
from react_tck.variations.changes import change_replies, list_called_tools
from react_tck.variations.exclusions import CALLED, EVERYWHERE
from react_tck.variations.variation import Exclusion, Unvaried, Variation

#: Runs of a tool that return something of their own each; the last one's is returned again and again.
_RUNS = 12
_REPORTS = (Reports(),)
_ARGS_SAID = (
    r"\bargs?\b|schema|parameter|default|ran .*with|each call once|in this order|suspension is|to confirm|could read"
)
#: What every tool takes besides, and is given: a list; and null where the default is another.
_MORE: JsonObject = {
    "pages": {"type": "array", "items": {"type": "integer"}, "default": []},
    "edition": {"anyOf": [{"type": "string"}, {"type": "null"}], "default": "the newest"},
}
_GIVEN: JsonObject = {"pages": [12, 3], "edition": None}


def change_tools(**changes: object) -> Callable[[Episode], Episode]:
    """Have every tool be given to the subject in another way."""

    def change(episode: Episode) -> Episode:
        tools = tuple(tool.model_copy(update=changes) for tool in episode.case.tools)
        return episode.model_copy(update={"case": episode.case.model_copy(update={"tools": tools})})

    return change


def take_more_args(episode: Episode) -> Episode:
    """Have every tool take a list besides, and a text or null, of which the LM gives null.

    Raises:
        Unvaried: if the LM calls none of them.
    """
    names = {tool.name for tool in episode.case.tools}
    if names.isdisjoint(list_called_tools(episode.script.steps)):
        raise Unvaried("no tool is called that could be given more args")
    case = episode.case.model_copy(update={"tools": tuple(map(_add_parameters, episode.case.tools))})
    steps = tuple(change_replies(intent, _give_more(names)) for intent in episode.script.steps)
    return episode.model_copy(update={"case": case, "script": episode.script.model_copy(update={"steps": steps})})


def _add_parameters(tool: Tool) -> Tool:
    properties = tool.parameters["properties"]
    assert isinstance(properties, dict)
    return tool.model_copy(update={"parameters": {**tool.parameters, "properties": {**properties, **_MORE}}})


def _give_more(names: Collection[str]) -> Callable[[Intent], Intent]:
    def change(intent: Intent) -> Intent:
        if not isinstance(intent, CallTool) or intent.tool not in names:
            return intent
        return intent.model_copy(update={"args": {**intent.args, **_GIVEN}})

    return change


def return_instead(make_result: Callable[[str], JsonValue]) -> Callable[[Episode], Episode]:
    """Have tools of which the scenario doesn't say what they return give what is made of their own reports.

    Raises:
        Unvaried: if there is none.
    """

    def change(episode: Episode) -> Episode:
        plain = [
            tool.name for tool in episode.case.tools if episode.behaviours.get(tool.name, (Reports(),)) == (Reports(),)
        ]
        if not plain:
            raise Unvaried("the scenario says what each tool returns")
        made = {
            name: tuple(
                Returns(value=make_result(f"{name} result {run} ~{episode.nonce}")) for run in range(1, _RUNS + 1)
            )
            for name in plain
        }
        return episode.model_copy(update={"behaviours": {**episode.behaviours, **made}})

    return change


def _return_instead(name: str, what: str, make_result: Callable[[str], JsonValue]) -> Variation:
    return Variation(
        name,
        f"Tools return {what} in the place of a text.",
        only=CALLED,
        exclusions=(
            *EVERYWHERE,
            Exclusion(
                "sentences look for the text of a result",
                sentence="the result of each step|the tool brought|newest steps",
            ),
        ),
        settles=("tools",),
        change_episode=return_instead(make_result),
    )


VARIATIONS: tuple[Variation, ...] = (
    Variation(
        "async tools",
        "Every tool is a coroutine function.",
        only=CALLED,
        exclusions=(
            *EVERYWHERE,
            Exclusion("sentences say what is given for a tool", sentence="(async|callable|coroutine)"),
        ),
        needs=("async-tools",),
        change_episode=change_tools(is_async=True),
    ),
    Variation(
        "declared tools",
        "Every tool is a function of args of any name, with the schemas of its args beside it.",
        only=CALLED,
        exclusions=(
            *EVERYWHERE,
            Exclusion("sentences say what is given for a tool", sentence="(async|callable|coroutine|declared)"),
            Exclusion("a function of args of any name lacks none", sentence="args text"),
            Exclusion(
                "only a function's own parameters have defaults and are models", ("TOOL-003", "TOOL-009", "CNF-006")
            ),
        ),
        settles=("args",),
        needs=("declared-tools",),
        change_episode=change_tools(callable_form="declared"),
    ),
    Variation(
        "more args",
        "Every tool takes a list besides, and a text or null, of which the LM gives null.",
        only=CALLED,
        exclusions=(
            *EVERYWHERE,
            Exclusion("sentences say which args there are", sentence=_ARGS_SAID),
            Exclusion("what is read of a broken reply depends on where it breaks", sentence="is cut off|is garbled"),
        ),
        change_episode=take_more_args,
    ),
    _return_instead(
        "mapping results",
        "a mapping that holds a text, a list and a null",
        lambda report: {"found": report, "places": [1, 2.5, {"open": True}], "next": None},
    ),
    _return_instead("list results", "a list of a text, a mapping and a list", lambda report: [report, {"at": 1}, []]),
    _return_instead("null results", "nothing", lambda _: None),
)
