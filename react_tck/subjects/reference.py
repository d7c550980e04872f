"""The reference as a subject."""

from collections.abc import Callable, Sequence
from typing import Any

import react_tck
from react_tck.model.case import Options, System
from react_tck.model.manifest import Manifest
from react_tck.reference.parser import Parser
from react_tck.subjects.protocol import Subject

MANIFEST = Manifest(
    name="reference",
    version=react_tck.__version__,
    dialects=("chat", "json", "xml"),
    default_dialect="chat",
    capabilities=(
        "arrow-signature",
        "class-signature",
        "value-signature",
        "typed-fields",
        "nested-fields",
        "history",
        "global-adapter",
        "module-adapter",
        "call-max-steps",
        "async",
        "async-tools",
        "callable-tools",
        "trajectory",
        "extraction",
        "parse",
        "caller-objects",
        "concurrent-calls",
    ),
    choices={
        "unknown-tool": "observe",
        "malformed-reply": "retries 1, then observe",
        "tool-error": "observe",
        "trajectory-format": "mapping",
        "finish-recorded": "yes",
        "max-steps-default": "20",
        "max-steps-zero": "extract at once",
        "extraction": "chain-of-thought",
    },
    default_max_steps=20,
    retries=1,
    parse_errors=("ParseError",),
)


def subject(react: type[Any] | None = None, manifest: Manifest = MANIFEST, parser: type[Parser] = Parser) -> Subject:
    """The subject; `react` is a mutant, which takes the place of the class of the reference it is made of."""
    from react_tck.subjects import dspy_door
    from react_tck.subjects.dspy_react import dspy_subject

    classes = _with(react, _systems())

    def make(signature: Any, tools: Sequence[Callable[..., Any]], options: Options) -> Any:
        limits: dict[str, Any] = {} if options.max_steps is None else {"max_steps": options.max_steps}
        made = classes[options.system]
        return made(signature, tools, adapter=dspy_door.adapter(options.module_adapter), **limits)

    return dspy_subject(manifest, make, parser().read)


def _systems() -> dict[System | None, type[Any]]:
    from react_tck.reference.react import ReAct

    return {None: ReAct}


def _with(mutant: type[Any] | None, classes: dict[System | None, type[Any]]) -> dict[System | None, type[Any]]:
    if mutant is None:
        return classes
    # The most special of the classes it is made of.
    _, system = max((len(made.__mro__), name or "") for name, made in classes.items() if issubclass(mutant, made))
    return {name: mutant if (name or "") == system else made for name, made in classes.items()}
