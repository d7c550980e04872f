"""The real `ReActMachina` as a subject.

dspy-react-machina 0.1.2 asks for Python 3.12 and runs on 3.11. Where Python is older than it asks for:
`pip install --no-deps --ignore-requires-python dspy-react-machina==0.1.2`, beside dspy.
"""

from collections.abc import Callable, Sequence
from importlib.metadata import version
from typing import Any

from react_tck.model.case import Options
from react_tck.model.manifest import Manifest
from react_tck.subjects.api import Subject


def subject() -> Subject:
    """The subject. Its adapter is its own, and a limit is given at construction only."""
    from react_tck.subjects.libraries.dspy import bridge
    from react_tck.subjects.libraries.dspy.instance import dspy_subject

    def make(signature: Any, tools: Sequence[Callable[..., Any]], options: Options) -> Any:
        import dspy_react_machina

        given: dict[str, Any] = {} if options.max_steps is None else {"max_steps": options.max_steps}
        if options.predictor:
            given["predictor_class"] = bridge.predictor(options.predictor)
        return dspy_react_machina.ReActMachina(signature, list(tools), **given)

    # Its predictions count their steps.
    return dspy_subject(_manifest(), make, own=bridge.OWN | {"steps"})


def _manifest() -> Manifest:
    return Manifest(
        name="ReActMachina",
        version=version("dspy-react-machina"),
        homepage="https://github.com/armoucar/dspy-react-machina",
        # Where a reply can't be read, dspy's chat adapter asks once more, for JSON.
        dialects=("machina", "json"),
        default_dialect="machina",
        capabilities=(
            "arrow-signature",
            "class-signature",
            "value-signature",
            "typed-fields",
            "nested-fields",
            # No `history`: a `dspy.History` is one that an earlier call returned, of messages with states of their own.
            "async",
            "async-tools",
            "tool-interruptions",
            "callbacks",
            "callable-tools",
            "trajectory",
            "extraction",
            "conversation",
        ),
        choices={
            "unknown-tool": "error",
            "malformed-reply": "retries 1, then error, or retries 0, then observe",
            "malformed-args": "error",
            "args-notation": "repaired when certain",
            "empty-args": "error",
            "repeated-field": "first in machina, or last in machina",
            "cut-off-answer": "returned",
            "lm-fault": "error",
            "steps-exhausted": "extract",
            "step-adapter": "same as extraction",
            "tool-error": "error",
            "trajectory-format": "mapping",
            "finish-recorded": "yes",
            "max-steps-default": "10",
            "max-steps-zero": "refuse",
            "extraction": "chain-of-thought",
            "finish-from-first-state": "legal",
        },
        default_max_steps=10,
        retries=1,
    )
