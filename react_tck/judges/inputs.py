"""A call whose inputs are not those of the signature is refused before the LM is asked (SIG-007)."""

from collections.abc import Iterator

from react_tck.judges.verdict import Violation
from react_tck.record.evidence import Scene


def find_unrefused_inputs(scene: Scene) -> Iterator[Violation]:
    """The first request of a call whose inputs aren't those of the signature."""
    signature, given = scene.case.signature, scene.invocation.inputs
    if not scene.record.requests or scene.invocation.suspension is not None or signature.takes_inputs(given):
        return
    named = [field.name for field in signature.inputs]
    wrong = [f"it lacks {name!r}" for name in named if name not in given and name != signature.history_field]
    wrong += [f"the signature has no input {name!r}" for name in given if name not in named]
    expected = f"the call is refused: {' and '.join(wrong)}"
    yield Violation(expected, "the LM was asked", scene.record.requests[0], "SIG-007")
