"""The kit's tools as a user's class gets them."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, overload

from react_tck.fakes.callables import KitTool


class TaskTool:
    """One tool.

    Attributes:
        name: what the LM calls it by.
        description: a sentence.
        parameters: the JSON Schema of its args, an object.
        is_async: whether `function` is a coroutine function (capability `async-tools`).
        confirm: whether it may run only after a person has agreed (capability `confirmation`).
        function: the tool as a user would have written it: a function with parameters, types and defaults; or, with
            the capability `callable-tools`, a method or a callable object.
        is_declared: whether `function` takes args of any name, which `parameters` alone declare (capability
            `declared-tools`): give your library both.
    """

    def __init__(self, kit: KitTool, function: Callable[..., Any]) -> None:
        self._kit = kit
        self.name: str = kit.tool.name
        self.description: str = kit.tool.description
        self.parameters: dict[str, Any] = dict(kit.tool.parameters)
        self.is_async: bool = kit.tool.is_async
        self.confirm: bool = kit.tool.confirm
        self.is_declared: bool = kit.tool.is_declared
        self.function: Callable[..., Any] = function

    @property
    def schema(self) -> dict[str, Any]:
        """The tool as OpenAI's API is offered it."""
        described = {"name": self.name, "description": self.description, "parameters": self.parameters}
        return {"type": "function", "function": described}

    def run(self, args: dict[str, Any]) -> Any:
        """Run it with args as the LM wrote them, and give its result.

        Raises:
            Exception: whatever the tool raises.
        """
        return self._kit.run(args)


class Tools(Sequence[TaskTool]):
    """The tools of a task, in order; two of them may have one name."""

    def __init__(self, tools: Sequence[TaskTool]) -> None:
        self._tools = tuple(tools)

    @overload
    def __getitem__(self, index: int) -> TaskTool: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[TaskTool]: ...

    def __getitem__(self, index: int | slice) -> TaskTool | Sequence[TaskTool]:
        return self._tools[index]

    def __len__(self) -> int:
        return len(self._tools)

    def __iter__(self) -> Iterator[TaskTool]:
        return iter(self._tools)

    def as_functions(self) -> list[Callable[..., Any]]:
        """Functions with names, docstrings, types and defaults, as users write tools."""
        return [tool.function for tool in self._tools]

    def as_schemas(self) -> list[dict[str, Any]]:
        """Return what OpenAI's API takes as `tools`."""
        return [tool.schema for tool in self._tools]
