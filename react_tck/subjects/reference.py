"""The reference as a subject."""

from collections.abc import Callable, Sequence
from typing import Any

import react_tck
from react_tck.model.case import Options
from react_tck.model.manifest import Manifest
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
)


def subject(react: type[Any] | None = None, manifest: Manifest = MANIFEST) -> Subject:
    """The subject; `react` is `reference.ReAct` or a mutant of it."""
    from react_tck.reference.react import ReAct
    from react_tck.subjects import dspy_door
    from react_tck.subjects.dspy_react import dspy_subject

    made = react or ReAct

    def make(signature: Any, tools: Sequence[Callable[..., Any]], options: Options) -> Any:
        limits: dict[str, Any] = {} if options.max_steps is None else {"max_steps": options.max_steps}
        return made(signature, tools, adapter=dspy_door.adapter(options.module_adapter), **limits)

    return dspy_subject(manifest, make)
