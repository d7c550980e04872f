"""The reference as a subject, and its mutants: its manifest, their behaviour."""

from collections.abc import Callable
from types import new_class
from typing import Any, get_args

import react_tck
from react_tck.fakes.mutants.mutant import Mutant
from react_tck.model.case import Options, System
from react_tck.model.manifest import Capability, Manifest
from react_tck.model.signature import Signature
from react_tck.reference.parser import ReferenceParser
from react_tck.subjects.api import Endpoints, Instance, Subject
from react_tck.subjects.python import BuiltSubject

MANIFEST = Manifest(
    name="reference",
    version=react_tck.__version__,
    dialects=("chat", "json", "xml", "machina", "native"),
    default_dialect="chat",
    # Whatever the kit knows, the reference can do.
    capabilities=get_args(Capability),
    choices={
        "unknown-tool": "observe and continue",
        "malformed-args": "observe",
        "schema-mismatch": "coerce when lossless",
        "malformed-reply": "retries 1, then observe",
        "tool-error": "observe",
        "tool-name-matching": "exact",
        "args-notation": "JSON only",
        "empty-args": "observe",
        # A provider's client reads the args of a native call before the adapter can.
        "repeated-field": "refused, or last in native",
        "cut-off-answer": "returned",
        "lm-fault": "error",
        "steps-exhausted": "extract",
        "step-adapter": "same as extraction",
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
    parser: type[ReferenceParser] = ReferenceParser,
) -> Subject:
    """The subject; `mutated` makes something else of the reference's four classes."""
    from react_tck.subjects.libraries.dspy import bridge
    from react_tck.subjects.libraries.reference.instance import ReferenceInstance

    classes = {system: mutated(react) if mutated else react for system, react in _systems().items()}

    def build(signature: Signature, options: Options, endpoints: Endpoints) -> Instance:
        made, tools = bridge.signature(signature), _tools(endpoints)
        endpoints.caller.hand("the signature", made)
        endpoints.caller.hand("the tools", tools)
        module = classes[options.system](made, tools, **_given(options))
        return ReferenceInstance(module, signature, options, endpoints, bridge.OWN)

    return BuiltSubject(manifest, build, parser().read)


def mutant(wanted: Mutant) -> Subject:
    """The mutant, claiming all that the reference can do."""
    manifest = MANIFEST.model_copy(update={"name": f"mutant:{wanted.name}"})

    def mutated(react: type[Any]) -> type[Any]:
        bases = (wanted.mixin, react) if wanted.mixin else (react,)
        return new_class(react.__name__, bases, exec_body=lambda made: made.update(seams=wanted.seams))

    return subject(mutated, manifest, wanted.parser or ReferenceParser)


def _given(options: Options) -> dict[str, Any]:
    """The options that aren't left to the class."""
    from react_tck.subjects.libraries.dspy import bridge

    given = {
        "max_iters" if options.system == "udspy" else "max_steps": options.max_steps,
        "adapter": bridge.adapter(options.module_adapter),
        "predictor_class": bridge.predictor(options.predictor) if options.predictor else None,
        "enable_user_clarification": options.clarification,
    }
    return {name: value for name, value in given.items() if value is not None}


def _tools(endpoints: Endpoints) -> list[Callable[..., Any]]:
    from react_tck.reference.tools import tool

    confirmed = tool(require_confirmation=True)
    pairs = zip(endpoints.tools, endpoints.callables, strict=True)
    return [confirmed(function) if kit.tool.confirm else function for kit, function in pairs]


def _systems() -> dict[System | None, type[Any]]:
    from react_tck.reference import ConversationReAct, ReAct, TranscriptReAct, UdspyReAct

    return {None: ReAct, "conversation": ConversationReAct, "transcript": TranscriptReAct, "udspy": UdspyReAct}
