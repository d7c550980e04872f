"""Which manifests can't be meant, and what is asked of the subject of one."""

import re
from collections.abc import Iterator

from react_tck.catalogue.registry import load_registry
from react_tck.dialects import DIALECTS
from react_tck.dialects.labels import labels_of, plain_name
from react_tck.fakes.lm import BUDGET
from react_tck.fakes.server.server import LoopbackMissing, check_loopback
from react_tck.judges.table import collect_violations
from react_tck.judges.verdict import Violation
from react_tck.model.manifest import SHOWN_BY, Manifest
from react_tck.model.requirement import SPECIFICATIONS
from react_tck.record.evidence import Evidence
from react_tck.subjects.api import HarnessBroken, Subject

#: More steps than this is no limit, and what has more characters is no name.
_MOST_STEPS, _LONGEST_NAME = 100_000, 200


def manifest_of(subject: Subject) -> Manifest:
    """Return the manifest.

    Raises:
        HarnessBroken: if there is none, if it can't be meant, or if nobody could be judged on this machine.
    """
    try:
        check_loopback()
    except LoopbackMissing as error:
        raise HarnessBroken(str(error)) from error
    manifest = subject.initialize()
    if problem := next(find_manifest_problems(manifest), ""):
        raise HarnessBroken(f"the manifest of {manifest.name[:_LONGEST_NAME]} can't be meant: {problem}")
    return manifest


def is_asked(requirement_id: str, manifest: Manifest) -> bool:
    """Tell whether a requirement is asked of the subject of a manifest: the registry says of whom it is."""
    return not manifest.find_exemption(load_registry().by_id[requirement_id])


def collect_asked_violations(evidence: Evidence) -> dict[str, Violation]:
    """Collect what judges see violated in an episode of all that is asked of its subject, by requirement."""
    found = collect_violations(evidence)
    return {id_: violation for id_, violation in found.items() if is_asked(id_, evidence.manifest)}


def find_manifest_problems(manifest: Manifest) -> Iterator[str]:
    """Yield a sentence for everything in a manifest that can't be."""
    yield from _find_name_problems(manifest)
    yield from _find_dialect_problems(manifest)
    steps, retries = manifest.default_max_steps, manifest.retries
    if steps is not None and not 1 <= steps <= _MOST_STEPS:
        yield f"default_max_steps is {steps}; it is 1 to {_MOST_STEPS}, or null where nothing limits the steps"
    if not 0 <= retries < BUDGET:
        yield f"retries is {retries}; it is 0 to {BUDGET - 1}, for the kit answers {BUDGET} requests of an episode"
    yield from _find_choice_problems(manifest)
    yield from _find_claim_problems(manifest)
    yield from _find_deviation_problems(manifest)
    yield from _find_pattern_problems(manifest)


def _find_name_problems(manifest: Manifest) -> Iterator[str]:
    name, version = manifest.name, manifest.version
    if not name.strip():
        yield f"name is {name[:_LONGEST_NAME]!r}; it is 1 to {_LONGEST_NAME} characters"
    if len(name) > _LONGEST_NAME:
        yield f"name has {len(name)} characters; it is 1 to {_LONGEST_NAME}"
    if len(version) > _LONGEST_NAME:
        yield f"version has {len(version)} characters; it is {_LONGEST_NAME} at the most"
    if manifest.answer_tool is not None and not manifest.answer_tool.strip():
        yield f"answer_tool is {manifest.answer_tool[:_LONGEST_NAME]!r}; it is a tool's name, or null"


def _find_dialect_problems(manifest: Manifest) -> Iterator[str]:
    known = ", ".join(DIALECTS)
    if not manifest.dialects:
        yield f"it claims no dialect; there are {known}"
    for dialect in manifest.dialects:
        if plain_name(dialect) not in DIALECTS:
            yield f"there is no dialect {dialect!r}; there are {known}"
            continue
        try:
            labels_of(dialect)
        except ValueError as error:
            yield str(error)
    if manifest.dialects and manifest.default_dialect not in manifest.dialects:
        claimed = ", ".join(manifest.dialects)
        yield f"the default dialect {manifest.default_dialect!r} is none of those it claims, {claimed}"


def _find_claim_problems(manifest: Manifest) -> Iterator[str]:
    if manifest.claims == ():
        yield f"it claims no specification, so nothing would bind it; there are {', '.join(SPECIFICATIONS)}"
    for claim in manifest.claims or ():
        capability = SHOWN_BY.get(claim)
        if capability and capability not in manifest.capabilities:
            yield f"it claims {claim!r} and doesn't declare the capability {capability!r}, which that takes"


def _find_deviation_problems(manifest: Manifest) -> Iterator[str]:
    for what, entries in manifest.deviations.items():
        for id_ in (entry.partition(" ")[0] for entry in entries):
            requirement = load_registry().by_id.get(id_)
            if requirement is None:
                yield f"the deviation {what!r} names {id_!r}, and there is no such requirement"
            elif requirement.is_sanitizer:
                yield f"the deviation {what!r} names {id_}, which is judged in every episode and can't be left out"


def _find_pattern_problems(manifest: Manifest) -> Iterator[str]:
    for pattern in manifest.varies:
        shown = repr(pattern[:_LONGEST_NAME])
        try:
            re.compile(pattern)
        except (re.error, OverflowError) as error:
            yield f"what varies, {shown}, is no regular expression: {error}"
        except RecursionError:
            yield f"what varies, {shown}, is no regular expression: it is nested too deeply"


def _find_choice_problems(manifest: Manifest) -> Iterator[str]:
    known = load_registry().choices_by_name
    for name, variant in manifest.choices.items():
        if name not in known:
            yield f"there is no choice {name!r}; there are {', '.join(known)}"
        elif not known[name].allows_variant(variant):
            variants = ", ".join(map(repr, known[name].variants))
            yield f"the choice {name!r} is declared {variant!r}; its variants are {variants}"
