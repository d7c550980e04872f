"""The real `dspy.ReAct` as a subject."""

from collections.abc import Callable
from importlib.metadata import version
from typing import Any

from react_tck.model.case import Options
from react_tck.model.manifest import Manifest
from react_tck.subjects.api import Subject


def subject() -> Subject:
    """The subject. `dspy.ReAct` takes no adapter of its own, so `module-adapter` isn't declared."""
    import dspy

    from react_tck.subjects.libraries.dspy.instance import dspy_subject, read

    def make(signature: Any, tools: list[Callable[..., Any]], options: Options) -> Any:
        limits = {} if options.max_steps is None else {"max_iters": options.max_steps}
        return dspy.ReAct(signature, tools, **limits)

    return dspy_subject(_manifest(), make, read)


def _manifest() -> Manifest:
    return Manifest(
        name="dspy.ReAct",
        version=version("dspy"),
        homepage="https://dspy.ai",
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
            "call-max-steps",
            "async",
            "async-tools",
            "callable-tools",
            "trajectory",
            "extraction",
            "truncation",
            "save-load",
            "parse",
            "caller-objects",
            "concurrent-calls",
        ),
        choices={
            "unknown-tool": "error",
            "malformed-args": "error",
            "schema-mismatch": "observe",
            "malformed-reply": "retries 1, then error",
            "tool-error": "observe",
            "trajectory-format": "mapping",
            "finish-recorded": "yes",
            "max-steps-default": "20",
            "max-steps-zero": "extract at once",
            "extraction": "chain-of-thought",
        },
        default_max_steps=20,
        retries=1,
        parse_errors=("AdapterParseError",),
    )
