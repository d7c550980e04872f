"""What a subject is given for a tool, and what tools return."""

from collections.abc import Callable

from pydantic import JsonValue

from react_tck.model.episode import Episode
from react_tck.model.tool import Reports, Returns
from react_tck.variations.exclusions import CALLED, EVERYWHERE
from react_tck.variations.variation import Exclusion, Unvaried, Variation

#: Runs of a tool that return something of their own each; the last one's is returned again and again.
_RUNS = 12
_REPORTS = (Reports(),)


def make_tools_async(episode: Episode) -> Episode:
    """Have every tool be a coroutine function."""
    tools = tuple(tool.model_copy(update={"is_async": True}) for tool in episode.case.tools)
    return episode.model_copy(update={"case": episode.case.model_copy(update={"tools": tools})})


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
        change_episode=make_tools_async,
    ),
    _return_instead(
        "mapping results",
        "a mapping that holds a text, a list and a null",
        lambda report: {"found": report, "places": [1, 2.5, {"open": True}], "next": None},
    ),
    _return_instead("list results", "a list of a text, a mapping and a list", lambda report: [report, {"at": 1}, []]),
    _return_instead("null results", "nothing", lambda _: None),
)
