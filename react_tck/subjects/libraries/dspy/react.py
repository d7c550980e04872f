"""The real `dspy.ReAct` and `dspy.ReActV2` as subjects."""

from collections.abc import Callable, Sequence
from importlib.metadata import version
from typing import Any

from react_tck.model.case import Options
from react_tck.model.manifest import Manifest
from react_tck.subjects.api import Subject


def subject() -> Subject:
    """`dspy.ReAct`. It takes no adapter of its own, so `module-adapter` isn't declared."""
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
            "tool-interruptions",
            "callbacks",
            "callable-tools",
            "trajectory",
            "extraction",
            "step-signature",
            "truncation",
            "save-load",
            "parse",
            "caller-objects",
            "concurrent-calls",
        ),
        choices={
            "unknown-tool": "error",
            # NaN is a number to it, which then doesn't fit the tool.
            "malformed-args": "error, or observe",
            "schema-mismatch": "observe",
            # The chat and XML adapters ask once more, by the JSON adapter.
            "malformed-reply": "retries 1, then error",
            "tool-error": "observe",
            # A name that has to be one of several is read without quotes, yet not without backticks or asterisks.
            "tool-name-matching": "exact, or quotes and space ignored",
            # json_repair mends most; a fence or a comment around args is refused.
            "args-notation": "repaired when certain, or JSON only",
            "empty-args": "error",
            # The first section of a name, and the last value of a key.
            "repeated-field": "first in chat, or last in chat",
            "cut-off-answer": "returned",
            "lm-fault": "error",
            "steps-exhausted": "extract",
            "step-adapter": "same as extraction",
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


def subject_v2() -> Subject:
    """`dspy.ReActV2`. It has neither an extraction nor a trajectory, and takes no adapter of its own."""
    import dspy

    from react_tck.subjects.libraries.dspy.instance import dspy_subject

    def make(signature: Any, tools: Sequence[Callable[..., Any]], options: Options) -> Any:
        limits = {} if options.max_steps is None else {"max_iters": options.max_steps}
        return dspy.ReActV2(signature, list(tools), **limits)

    return dspy_subject(_manifest_v2(), make)


def _manifest_v2() -> Manifest:
    return Manifest(
        name="dspy.ReActV2",
        version=version("dspy"),
        homepage="https://dspy.ai",
        dialects=("chat", "json", "xml", "native"),
        default_dialect="chat",
        capabilities=(
            "arrow-signature",
            "class-signature",
            "value-signature",
            "typed-fields",
            "nested-fields",
            "global-adapter",
            "call-max-steps",
            "async",
            "async-tools",
            "tool-interruptions",
            "callbacks",
            "callable-tools",
            "transcript",
            "parallel-tool-calls",
            "image-inputs",
            "save-load",
        ),
        choices={
            "unknown-tool": "observe and continue",
            # Two tries (chat, JSON), and as many for the submit that it forces afterwards, in the same words. A call of
            # which json_repair leaves nothing makes it force the submit at once, which reads like a further step.
            "malformed-reply": "retries 3, then error, or retries 0, then observe",
            "malformed-args": "error, or observe",
            "schema-mismatch": "observe",
            "tool-name-matching": "exact",
            # json_repair mends most; natively, and with a fence or a comment around args, they are refused.
            "args-notation": "repaired when certain, or JSON only",
            "empty-args": "empty object, or error",
            # The first section of a name, and the last value of a key.
            "repeated-field": "first in chat, or last in chat",
            "lm-fault": "error",
            "steps-exhausted": "extract",
            "step-adapter": "same as extraction",
            "tool-error": "observe",
            "max-steps-default": "20",
            "max-steps-zero": "extract at once",
            "extraction": "none (submit)",
            "fallback": "forced submit",
        },
        default_max_steps=20,
        retries=3,
    )
