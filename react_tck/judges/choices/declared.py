"""What a manifest declares of the choice points, held against what was seen (SAN-010)."""

from collections.abc import Container, Iterable, Iterator, Mapping

from react_tck.judges.choices.observers import DEFAULT_STEPS, OBSERVERS, observe_variants
from react_tck.judges.choices.replies import COERCED, COURSES, has_no_args, names_no_tool, observe_unfit_args
from react_tck.judges.errors import find_crashes
from react_tck.judges.verdict import Violation
from react_tck.model.intent import CallTool
from react_tck.model.record import Asked, Event, Returned, ToolRan
from react_tck.model.requirement import AS_DECLARED, DECLARED_OTHERWISE, OR, variants_of
from react_tck.record.evidence import Evidence
from react_tck.record.reactions import is_last_step

#: The choices that say how a call goes on: once one is contradicted, what comes after isn't what was due. Where the
#: steps have run out, LOOP-004 says that whatever is declared.
_COURSES = frozenset({"unknown-tool", "malformed-args", "args-notation", "malformed-reply", "tool-error"})

#: The choices whose place can be told without what followed.
_EVADABLE = ("unknown-tool", "malformed-args", "tool-error")


def is_as_declared(declared: str, observed: Iterable[str]) -> bool:
    """Whether nothing was observed but what is declared, of which there may be several with `, or ` between them.

    What is declared of no dialect in particular holds in all.
    """
    variants = variants_of(declared)
    return all(seen in variants or seen.partition(" in ")[0] in variants for seen in observed)


def is_reported_as_declared(declared: str, reported: Iterable[str]) -> bool:
    """Whether a report tells nothing but what is declared.

    Beside `coerce when lossless` it tells what became of args that can't be made to fit, of which that says nothing.
    """
    seen = set(reported)
    beside = COURSES.keys() if COERCED in seen.intersection(variants_of(declared)) else ()
    return is_as_declared(declared, seen.difference(beside))


def observe_evidence(evidence: Evidence, names: Container[str] = OBSERVERS) -> dict[str, set[str]]:
    """The variants that an episode shows at the choice points of these names.

    That a faulty reply ends a call with a crash is the failure of another requirement, and no variant of a choice.
    """
    plays = () if any(find_crashes(evidence)) else ((evidence.episode, evidence.record),)
    return observe_variants(plays, names)


def observe_beside(evidence: Evidence) -> tuple[set[str], set[str]]:
    """What becomes of args that can't be made to fit, and the choices of which a call does none of the variants.

    No declaration says the one; no declaration of the other would be true: a call succeeds there without an answer.
    """
    seen = None if any(find_crashes(evidence)) else observe_unfit_args(evidence.episode, evidence.record)
    evaded = {name for name in _EVADABLE if any(_find_empty_successes(evidence, name))}
    return set(variants_of(seen)) if seen else set(), evaded


def find_contradictions(evidence: Evidence) -> Iterator[Violation]:
    """Everything declared that was seen to be otherwise."""
    manifest = evidence.manifest
    steps = "no limit" if manifest.default_max_steps is None else str(manifest.default_max_steps)
    yield from find_other_choices(evidence, {**manifest.choices, DEFAULT_STEPS: steps})


def find_other_choices(evidence: Evidence, declared: Mapping[str, str]) -> Iterator[Violation]:
    """The choices that the episode shows to be otherwise than is declared, and the line that would be true of it.

    "As declared" needs an observation: a call that ends in a success where the choice was shows no variant of it.
    """
    for name, seen in observe_evidence(evidence, declared).items():
        if not is_as_declared(declared[name], seen):
            actual = f"observed: {', '.join(sorted(seen))}; if that is right, declare {write_choice_line(name, seen)}"
            at = _find_moment(evidence, name, declared[name]) if name in _COURSES else None
            yield _contradict(name, f"{name!r} as it is declared: {declared[name]}", actual, at)
    for name in declared:
        for ended in _find_empty_successes(evidence, name):
            actual = f"no variant of it: the call succeeded there, with the outputs {ended.outcome.outputs}"
            yield _contradict(name, f"{name!r} as it is declared: {declared[name]}", actual)


def _find_moment(evidence: Evidence, name: str, declared: str) -> Event:
    """The event that leaves the choice: by the next one it shows itself to be otherwise."""
    episode, events = evidence.episode, evidence.record.events
    for number in range(2, len(events)):
        so_far = evidence.record.model_copy(update={"events": events[:number]})
        if not is_as_declared(declared, observe_variants([(episode, so_far)], (name,)).get(name, ())):
            return events[number - 2]
    return events[-2]


def _find_empty_successes(evidence: Evidence, name: str) -> Iterator[Returned]:
    """The successes that follow at once where a choice was to be made, though nothing of an answer was said."""
    episode, record = evidence.episode, evidence.record
    for number, ended in enumerate(record.events[1:]):
        if not isinstance(ended, Returned) or ended.outcome.status != "ok":
            continue
        # Where the steps have run out, what was seen last may be the answer (`steps-exhausted`).
        is_due = _is_left_open(evidence, name, number) and not is_last_step(episode, record, number)
        if is_due and not _returns_what_was_said(record.events[number], ended):
            yield ended


def _returns_what_was_said(event: Event, ended: Returned) -> bool:
    """Whether an output is a text that the LM wrote beside its call: whether that is an answer is SAN-007's affair."""
    said = (event.completion.content or "") if isinstance(event, Asked) and event.completion else ""
    return any(isinstance(value, str) and value and value in said for value in (ended.outcome.outputs or {}).values())


def _is_left_open(evidence: Evidence, name: str, number: int) -> bool:
    """Whether the event of that number leaves the choice, and nothing that could be an answer."""
    event, before = evidence.record.events[number], evidence.record.events[number - 1]
    match name, event:
        case "unknown-tool", Asked():
            return names_no_tool(evidence.episode, event)
        case "malformed-args", Asked():
            return has_no_args(evidence.episode, event)
        case "tool-error", ToolRan(error=str()):
            # Beside another call there may be a submit.
            return isinstance(before, Asked) and isinstance(before.intent, CallTool)
    return False


def write_choice_line(name: str, variants: Iterable[str]) -> str:
    """The line that declares these variants."""
    said = OR.join(sorted(variants))
    return f"default_max_steps = {said}" if name == DEFAULT_STEPS else f'{name} = "{said}"'


def _contradict(name: str, expected: str, actual: str, at: Event | None = None) -> Violation:
    return Violation(expected, actual, at, DECLARED_OTHERWISE, f"{name} {AS_DECLARED}")
