"""What mutants share that make something else of the tools."""

from collections.abc import Callable, Iterable
from typing import Any

from react_tck.reference.react import ReAct
from react_tck.reference.tools import BoundTool

Tools = dict[str, BoundTool]


class Rebound(ReAct):
    """Makes something else of the tools; `_rebound` makes it of one."""

    def _bind(self, tools: Iterable[Callable[..., Any]]) -> Tools:
        return {name: self._rebound(tool) for name, tool in super()._bind(tools).items()}

    def _rebound(self, tool: BoundTool) -> BoundTool:
        raise NotImplementedError


def rebuilt(kind: type[BoundTool], tool: BoundTool) -> BoundTool:
    """The same tool, of another class."""
    return kind(tool.name, tool.description, tool.args, tool.function)


def declares(schema: Any, key: str) -> bool:
    """Whether a parameter's schema has this key."""
    return key in schema
