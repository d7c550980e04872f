"""The reference part of docs/API.md, made of signatures and docstrings: `python -m tests.support.api_reference`."""

import ast
import inspect
import re
from collections.abc import Callable, Iterator
from enum import Enum
from pathlib import Path
from types import ModuleType
from typing import Any

from pydantic import BaseModel

import react_tck

DOCUMENT = Path(__file__).parents[2] / "docs" / "API.md"
HEADING = "## Reference\n"
#: The order of the page: what is written, what it is handed, what it returns, how it is run.
NAMES = (
    *(
        "subject",
        "Task",
        "Tools",
        "TaskTool",
        "annotation_of",
        "LM",
        "LMReply",
        "LMFault",
        "Done",
        "Exhausted",
        "Suspended",
        "Notice",
    ),
    *("tool", "run", "is_conformant", "Report", "Verdict", "conformance", "wire", "SubjectError", "ScriptedLM"),
)
_SECTION = re.compile(r"^(Args|Attributes|Raises):$")
_ENTRY = re.compile(r"^ {4}(\w+): (.*)$")


def reference() -> str:
    """The text below the heading."""
    return "\n".join(line for name in NAMES for line in _entry(name))


def _entry(name: str) -> Iterator[str]:
    thing = getattr(react_tck, name)
    if isinstance(thing, ModuleType):
        yield from _callable(f"{name}.serve", thing.serve)
    elif not isinstance(thing, type):
        yield from _callable(name, thing)
    else:
        yield f"\n### `{name}`\n"
        yield from _described(thing)
        yield from _listed(thing)
        for member, value in _members(thing):
            yield from _member(name, member, value)


def _listed(made: type) -> Iterator[str]:
    """What a value of the model consists of."""
    if issubclass(made, Enum):
        yield f"One of {', '.join(f'`{each.name}`' for each in made)}.\n"
    if issubclass(made, BaseModel):
        yield f"It has {', '.join(f'`{name}`' for name in made.model_fields)}; its schema is installed with the kit.\n"


def _callable(name: str, function: Callable[..., Any]) -> Iterator[str]:
    yield f"\n### `{name}`\n"
    yield f"```python\n{name}{_signature(function)}\n```\n"
    yield from _described(function)


def _members(made: type) -> Iterator[tuple[str, Any]]:
    """Its own methods and properties, in the order in which they stand there; values of the model have schemas."""
    for name, value in vars(made).items():
        if not name.startswith("_") and (inspect.isfunction(value) or isinstance(value, property)):
            yield name, value
        elif not name.startswith("_") and type(value).__name__ == "cached_property":
            yield name, property(value.func)


def _member(owner: str, name: str, value: Any) -> Iterator[str]:
    is_property = isinstance(value, property)
    function = value.fget if is_property else value
    head = f"`{owner}.{name}`" if is_property else f"`{owner}.{name}{_signature(function)}`"
    first, *rest = _described(function)
    yield f"{head}: {first}" if first else head
    yield from rest


def _signature(function: Callable[..., Any]) -> str:
    """As it is written, so that every Python gives the same text."""
    source = inspect.cleandoc("\n" + inspect.getsource(function))
    made = next(node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef))
    args = re.sub(r"^self(, )?", "", ast.unparse(made.args))
    returns = "" if made.returns is None else f" -> {ast.unparse(made.returns)}"
    return f"({args}){returns}".replace("'", '"')


def _described(thing: Any) -> Iterator[str]:
    """Its docstring, what it lists as lists, its examples as code."""
    is_example = False
    for line in (inspect.getdoc(thing) or "").splitlines():
        if line.startswith(">>> ") and not is_example:
            is_example = True
            yield "```pycon"
        elif is_example and not line:
            is_example = False
            yield "```"
        if is_example:
            yield line
        elif section := _SECTION.match(line):
            yield f"{section[1]}:\n"
        elif entry := _ENTRY.match(line):
            yield f"- `{entry[1]}`: {entry[2]}"
        else:
            yield re.sub(r"^ {8}", "  ", line)
    if is_example:
        yield "```"
    yield ""


def document() -> str:
    """docs/API.md as it should be."""
    written, _, _ = DOCUMENT.read_text(encoding="utf-8").partition(HEADING)
    return f"{written}{HEADING}{reference().rstrip()}\n"


if __name__ == "__main__":
    DOCUMENT.write_text(document(), encoding="utf-8")
