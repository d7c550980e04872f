"""The reference as a subject."""

from collections.abc import Callable
from typing import Any

import react_tck
from react_tck.model.case import Options, System
from react_tck.model.manifest import Manifest
from react_tck.model.signature import Signature
from react_tck.reference.parser import Parser
from react_tck.subjects.built import BuiltSubject
from react_tck.subjects.protocol import Doors, Instance, Subject

MANIFEST = Manifest(
    name="reference",
    version=react_tck.__version__,
    dialects=("chat", "json", "xml", "machina", "native"),
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
        "conversation",
        "transcript",
        "parallel-tool-calls",
        "compaction",
        "save-load",
        "confirmation",
        "clarification",
        "portable-state",
        "inspection",
        "udspy-surface",
        "truncation",
        "parse",
        "caller-objects",
        "concurrent-calls",
    ),
    choices={
        "unknown-tool": "observe and continue",
        "malformed-args": "observe",
        "schema-mismatch": "coerce when lossless",
        "malformed-reply": "retries 1, then observe",
        "tool-error": "observe",
        "trajectory-format": "mapping",
        "finish-recorded": "yes",
        "max-steps-default": "20",
        "max-steps-zero": "extract at once",
        "extraction": "chain-of-thought, or none (submit)",
        "fallback": "extract",
        "finish-from-first-state": "legal",
    },
    default_max_steps=20,
    retries=1,
    parse_errors=("ParseError",),
)


def subject(
    mutated: Callable[[type[Any]], type[Any]] | None = None,
    manifest: Manifest = MANIFEST,
    parser: type[Parser] = Parser,
) -> Subject:
    """The subject; `mutated` makes something else of the reference's four classes."""
    from react_tck.subjects import dspy_door as door
    from react_tck.subjects.reference_instance import ReferenceInstance

    classes = {system: mutated(react) if mutated else react for system, react in _systems().items()}

    def build(signature: Signature, options: Options, doors: Doors) -> Instance:
        made, tools = door.signature(signature), _tools(doors)
        doors.caller.hand("the signature", made)
        doors.caller.hand("the tools", tools)
        module = classes[options.system](made, tools, **_given(options))
        return ReferenceInstance(module, signature, options, doors, door.OWN)

    return BuiltSubject(manifest, build, parser().read)


def _given(options: Options) -> dict[str, Any]:
    """The options that aren't left to the class."""
    from react_tck.subjects import dspy_door as door

    given = {
        "max_iters" if options.system == "udspy" else "max_steps": options.max_steps,
        "adapter": door.adapter(options.module_adapter),
        "predictor_class": door.predictor(options.predictor) if options.predictor else None,
        "enable_user_clarification": options.clarification,
    }
    return {name: value for name, value in given.items() if value is not None}


def _tools(doors: Doors) -> list[Callable[..., Any]]:
    from react_tck.reference.tools import tool

    confirmed = tool(require_confirmation=True)
    pairs = zip(doors.tools, doors.callables, strict=True)
    return [confirmed(function) if kit.tool.confirm else function for kit, function in pairs]


def _systems() -> dict[System | None, type[Any]]:
    from react_tck.reference import ConversationReAct, ReAct, TranscriptReAct, UdspyReAct

    return {None: ReAct, "conversation": ConversationReAct, "transcript": TranscriptReAct, "udspy": UdspyReAct}
