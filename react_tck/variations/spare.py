"""A tool that no scenario has: what a variation does with it is no sentence's affair."""

from react_tck.fakes.toolbox import make_tool
from react_tck.model.episode import Episode
from react_tck.model.intent import CallTool
from react_tck.model.tool import Behaviour

SPARE = make_tool("glance", "Looks out of the window.", {"minutes": {"type": "integer"}})


def call_spare(**args: int) -> CallTool:
    """A step in which the LM calls it."""
    return CallTool(tool=SPARE.name, args={**args}, thought="out of the window")


def add_spare(episode: Episode, behaviour: Behaviour) -> Episode:
    """Have the agent built with the tool, too, which does this when it runs."""
    case = episode.case.model_copy(update={"tools": (*episode.case.tools, SPARE)})
    behaviours = {**episode.behaviours, SPARE.name: (behaviour,)}
    return episode.model_copy(update={"case": case, "behaviours": behaviours})
