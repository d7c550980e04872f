"""What a success reports: exactly the signature's outputs, with the values that the LM gave (SAN-007)."""

from collections.abc import Iterator

from pydantic import JsonValue

from react_tck.dialects.fields import THOUGHT, TOOL_ARGS, TOOL_NAME
from react_tck.dialects.labels import REACT_TEXT, plain_name
from react_tck.fakes.malformed import both_readings
from react_tck.judges.verdict import Violation
from react_tck.model.intent import Answer, Garbled, Raw, Submit
from react_tck.model.manifest import Manifest
from react_tck.model.outcome import Outcome
from react_tck.model.record import Asked
from react_tck.model.signature import Field
from react_tck.record.answers import is_answer, read_answer, read_text
from react_tck.record.evidence import Scene
from react_tck.record.values import arrives_intact, strip_texts, unify_line_ends
from react_tck.record.visibility import hides_value

#: Fields the loop has itself; what becomes of the user's own of that name is TOOL-015's affair.
INTERNAL = frozenset({"trajectory", THOUGHT, TOOL_NAME, TOOL_ARGS})


def find_unscripted_success(scene: Scene) -> Iterator[Violation]:
    """SAN-007: a success has exactly the signature's outputs, with the values the LM gave.

    The blank space around a text, and which line ends it has, are left out of that (ERR-023).
    """
    for outcome in scene.record.outcomes:
        if outcome.status == "ok":
            yield from find_changed_outputs(scene, outcome)


def find_changed_outputs(scene: Scene, outcome: Outcome) -> Iterator[Violation]:
    """Yield what a success reports otherwise than the LM gave it."""
    fields = [field for field in scene.case.signature.outputs if field.name not in INTERNAL]
    actual, said = f"it reported {outcome.outputs}", find_final_reply(scene)
    if outcome.outputs.keys() - INTERNAL != {field.name for field in fields}:
        expected = f"exactly the outputs {', '.join(field.name for field in fields)}"
        yield Violation(expected, actual, said)
        return
    if said is None:
        yield Violation("no success without an answer of the LM", actual)
        return
    for field in fields:
        value = outcome.outputs[field.name]
        if not _has_given_value(said, field, value):
            yield Violation(f"the output {field.name!r} as the LM gave it", actual, said)


def find_final_reply(scene: Scene) -> Asked | None:
    """Return the reply that the outcome of a call is held against."""
    return next((e for e in reversed(scene.record.requests) if _is_said_for_answer(e, scene.manifest)), None)


def _is_said_for_answer(asked: Asked, manifest: Manifest) -> bool:
    """Tell whether an outcome is held against this reply.

    Of an extraction that is every text, read or not: one that can't be read takes the place of those before it, though
    no call may end with it, which is all that the oracle asks. So is a step that is answered in the form of an answer,
    where the subject has no phase of its own for that.
    """
    in_extraction = asked.ask is not None and asked.ask.phase == "extraction"
    is_other = isinstance(asked.intent, Garbled) and asked.intent.form == "other-phase"
    may_answer = in_extraction or (is_other and "extraction" not in manifest.capabilities)
    return is_answer(asked, manifest) or (may_answer and isinstance(asked.intent, Raw | Garbled))


def _has_given_value(said: Asked, field: Field, value: JsonValue) -> bool:
    answer = read_answer(said)
    match said.intent:
        case Garbled() as garbled if answer and said.ask:
            both = both_readings(garbled, said.ask)
            # A lenient reader may take broken marks, quotes too, for a part of a text; of two values he takes one.
            given, texts = answer.outputs.get(field.name), (str(value), str(value).replace("\n> ", "\n"))
            shown = both is None and not all(hides_value(text, given) for text in texts)
            read = (meant for meant in both or (answer,) if isinstance(meant, Answer | Submit))
            is_told = field.is_text and _gave_as_text(said, value)
            return shown or is_told or any(_holds_value(meant, field, value) for meant in read)
        case Raw(text=text):
            return value is not None and not hides_value(text, value)
    return _holds_value(answer, field, value) if answer and field.name in answer.outputs else _gave_as_text(said, value)


def _holds_value(answer: Answer | Submit, field: Field, value: JsonValue) -> bool:
    if field.name not in answer.outputs:
        return False
    given, got = (unify_line_ends(strip_texts(each)) for each in (answer.outputs[field.name], value))
    return arrives_intact(given, got, field.json_schema)


def _gave_as_text(said: Asked, value: JsonValue) -> bool:
    """Tell whether the answer was a text, which is whatever the LM writes: no form of it is wrong."""
    if said.ask is None or plain_name(said.ask.dialect) not in ("native", REACT_TEXT) or value is None:
        return False
    return not hides_value(str(unify_line_ends(read_text(said))), unify_line_ends(value))
