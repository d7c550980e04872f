"""The reference's four classes as subjects, and subjects made of them by a change."""

from collections.abc import Callable
from typing import Any

import react_tck
from react_tck.model.case import Options, System
from react_tck.model.manifest import Manifest
from react_tck.model.signature import Signature
from react_tck.reference.loop import Policy
from react_tck.reference.parser import ReferenceParser
from react_tck.subjects.adapted import make_lm
from react_tck.subjects.api import Endpoints, Instance, Subject
from react_tck.subjects.libraries.reference.manifests import (
    ALL,
    CONVERSATION,
    POLICY,
    REACT,
    TRANSCRIPT,
    UDSPY,
    apply_policy,
)
from react_tck.subjects.python import BuiltSubject

#: The class for a case that wants this system.
Classes = Callable[[System | None], type[Any]]


def subject(policy: Policy = POLICY, manifest: Manifest = REACT) -> Subject:
    """Return the reference's `ReAct` as a subject, under this policy."""
    return _make_class_subject(None, manifest, policy)


def transcript(policy: Policy = POLICY) -> Subject:
    """`TranscriptReAct`, whatever system a case is about."""
    return _make_class_subject("transcript", TRANSCRIPT, policy)


def conversation(policy: Policy = POLICY) -> Subject:
    """`ConversationReAct`, whatever system a case is about."""
    return _make_class_subject("conversation", CONVERSATION, policy)


def udspy(policy: Policy = POLICY) -> Subject:
    """`UdspyReAct`, whatever system a case is about."""
    return _make_class_subject("udspy", UDSPY, policy)


def make_changed_subject(
    name: str, change: Callable[[type[Any]], type[Any]], parser: type[ReferenceParser] = ReferenceParser
) -> Subject:
    """Return all four classes, each changed, of which a case chooses."""
    classes = {system: change(react) for system, react in _list_classes().items()}
    return _make_subject(ALL.model_copy(update={"name": name}), classes.__getitem__, POLICY, parser)


def _make_class_subject(system: System | None, manifest: Manifest, policy: Policy) -> Subject:
    react = _list_classes()[system]
    return _make_subject(apply_policy(manifest, policy), lambda _: react, policy, ReferenceParser)


def _make_subject(manifest: Manifest, class_of: Classes, policy: Policy, parser: type[ReferenceParser]) -> Subject:
    from react_tck.subjects.libraries.dspy import bridge
    from react_tck.subjects.libraries.reference.instance import ReferenceInstance

    def build_instance(signature: Signature, options: Options, endpoints: Endpoints) -> Instance:
        task = react_tck.Task(signature.model_dump(), options.model_dump(), endpoints.caller.note_object)
        made, tools = bridge.make_signature(task), _make_tools(endpoints)
        task.watch("the signature", made)
        task.watch("the tools", tools)
        module = class_of(options.system)(made, tools, policy=policy, **_collect_options(options))
        return ReferenceInstance(module, task, make_lm(endpoints.lm))

    return BuiltSubject(manifest, build_instance, parser().read)


def _collect_options(options: Options) -> dict[str, Any]:
    """Return the options that aren't left to the class."""
    from react_tck.subjects.libraries.dspy import bridge

    given = {
        "max_iters": options.max_steps,
        "adapter": bridge.make_adapter(options.module_adapter),
        "predictor_class": bridge.find_predictor(options.predictor) if options.predictor else None,
        "enable_user_clarification": options.clarification,
    }
    return {name: value for name, value in given.items() if value is not None}


def _make_tools(endpoints: Endpoints) -> list[Callable[..., Any]]:
    from react_tck.reference.confirmation import ConfirmationRequired
    from react_tck.reference.tools import tool
    from react_tck.subjects.libraries.dspy import bridge

    confirmed, tools = tool(require_confirmation=True), endpoints.task_tools
    for each in tools:
        each.asking_error = ConfirmationRequired
    made = ((tool, bridge.make_tool(tool, tool.function)) for tool in tools)
    return [confirmed(given) if its.confirm else given for its, given in made]


def _list_classes() -> dict[System | None, type[Any]]:
    from react_tck.reference import ConversationReAct, ReAct, TranscriptReAct, UdspyReAct

    return {None: ReAct, "conversation": ConversationReAct, "transcript": TranscriptReAct, "udspy": UdspyReAct}
