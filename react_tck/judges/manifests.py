"""What the manifest declares is what is observed, whatever level the requirement of a choice has (SAN-010)."""

from collections.abc import Iterator

from react_tck.judges.choices import is_as_declared, observe_variants
from react_tck.judges.errors import find_crashes
from react_tck.judges.verdict import Violation
from react_tck.model.manifest import Manifest
from react_tck.model.record import Returned
from react_tck.record.evidence import Evidence, Scene


def find_contradictions(evidence: Evidence) -> Iterator[Violation]:
    """Everything declared that was seen to be otherwise."""
    manifest = evidence.manifest
    declared = {**manifest.choices, "max-steps-default": _describe_max_steps(manifest)}
    # That a faulty reply ends a call with a crash is the failure of another requirement, and no variant of a choice.
    has_crashed = any(True for _ in find_crashes(evidence))
    seen_here = {} if has_crashed else observe_variants([(evidence.episode, evidence.record)], declared)
    for name, seen in seen_here.items():
        if not is_as_declared(declared[name], seen):
            yield _build_violation(
                name, f"{name!r} as it is declared: {declared[name]}", f"observed: {', '.join(sorted(seen))}"
            )
    # What another system than the tool loop has is for its own requirements to say.
    if evidence.episode.case.options.system is None:
        for scene in evidence.scenes:
            yield from _find_missing_capability(scene)


def _describe_max_steps(manifest: Manifest) -> str:
    return "no limit" if manifest.default_max_steps is None else str(manifest.default_max_steps)


def _find_missing_capability(scene: Scene) -> Iterator[Violation]:
    """The capability that a success shows not to be there."""
    ended = next((e for e in scene.record.events if isinstance(e, Returned) and e.outcome.status == "ok"), None)
    if ended is None:
        return
    # That a success comes without an extraction is for the requirements to blame that say when one is due.
    is_missing = ended.outcome.trajectory_format == "none" and not _takes_the_name(scene)
    if is_missing and "trajectory" in scene.manifest.capabilities:
        expected = "the capability 'trajectory', as it is declared"
        yield _build_violation("trajectory", expected, "the call succeeded without a trajectory")


def _takes_the_name(scene: Scene) -> bool:
    """Whether an output of the user's is called so: what becomes of it is TOOL-005's affair."""
    return any(field.name == "trajectory" for field in scene.case.signature.outputs)


def _build_violation(name: str, expected: str, actual: str) -> Violation:
    return Violation(expected, actual, requirement_id="SAN-010", kind=f"{name} is not as declared")
