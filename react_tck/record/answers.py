"""What a reply answers, as far as it can be read without a guess."""

from react_tck.dialects.fields import SUBMIT, fill_fields
from react_tck.dialects.labels import REACT_TEXT, labels_of, plain_name
from react_tck.dialects.markup import Markup, find_markup, has_markup
from react_tck.dialects.reading import reader_of
from react_tck.fakes.lm import CUT_TEXT
from react_tck.fakes.malformed import both_readings, read_leniently
from react_tck.model.intent import Answer, Calls, Fault, Garbled, Raw, Submit
from react_tck.model.lm import Ask
from react_tck.model.manifest import Manifest
from react_tck.model.record import Asked


def read_answer(asked: Asked) -> Answer | Submit | None:
    """Return the outputs that the reply gives, whatever it was asked for and however broken its form is.

    Of a field that stands twice it is the first value; of a text for which no tokens were left, what there is of it.
    """
    match asked.intent:
        case Calls(calls=calls, thought=thought):
            submitted = next((call.args for call in calls if call.tool == SUBMIT), None)
            return None if submitted is None else Submit(outputs=submitted, thought=thought)
        case Answer() | Submit() as answer:
            return answer
        case Garbled() as garbled if asked.ask:
            first, _ = both_readings(garbled, asked.ask) or (read_leniently(garbled, asked.ask), None)
            return first if isinstance(first, Answer | Submit) else _read_cut_answer(asked)
    return None


def _read_cut_answer(asked: Asked) -> Answer | None:
    """Return the outputs, if no tokens were left for the rest of the last one, a text of which there is some."""
    match asked.intent, asked.ask:
        case Garbled(form="truncated", meant=Answer() as meant), Ask(phase="extraction", dialect=dialect) as ask:
            fields = fill_fields(meant, ask)
            name = next(reversed(fields), "")
            text = meant.outputs.get(name)
            if isinstance(text, str) and has_markup(dialect):
                _, opening, written = read_text(asked).rpartition(find_markup(dialect).render_opening(name))
                begun = _take_written_part(text, written, find_markup(dialect)) if opening else ""
                return meant.model_copy(update={"outputs": {**meant.outputs, name: begun}}) if begun else None
    return None


def _take_written_part(text: str, written: str, marks: Markup) -> str:
    """As much of the text as is written there, without the half of what stands for a character."""
    end = marks.written("")[1:]  # such as a quote
    parts = (text[:length] for length in range(len(text), 0, -1))
    return next((part for part in parts if written.startswith(marks.written(part).removesuffix(end))), "")


def is_answer(asked: Asked, manifest: Manifest) -> bool:
    """Tell whether a call may end with the reply: it gives outputs, or is a text where any text is an answer."""
    may_be_text = isinstance(asked.intent, Garbled | Raw) or _may_be_returned(asked, manifest)
    return (may_be_text and is_text_answer(asked, manifest)) or read_answer(asked) is not None


def read_text(asked: Asked) -> str:
    """Return what the LM said beside its tool calls."""
    if is_cut_off(asked):
        return CUT_TEXT
    return asked.completion.content or "" if asked.completion else ""


def is_cut_off(asked: Asked) -> bool:
    """Tell whether no tokens were left for the rest of the reply: a fault where it is a call, else a text."""
    return isinstance(asked.intent, Fault) and asked.intent.fault == "finish-length"


def _may_be_returned(asked: Asked, manifest: Manifest) -> bool:
    return is_cut_off(asked) and "returned" in manifest.choices.get("cut-off-answer", "returned")


def is_text_answer(asked: Asked, manifest: Manifest) -> bool:
    """Tell whether the reply is a text where whatever text the LM says instead of calling a tool is its answer.

    A call whose args are broken is a call, whatever is said beside it.
    """
    if "extraction" in manifest.capabilities or asked.ask is None:
        return False
    if plain_name(asked.ask.dialect) == REACT_TEXT:
        return _is_labelled_answer(asked, asked.ask.dialect)
    if asked.ask.dialect != "native":
        return False
    if not is_cut_off(asked) and (asked.completion is None or asked.completion.tool_calls):
        return False
    return asked.ask.phase == "extraction" or _has_free_answer(asked, manifest)


def _is_labelled_answer(asked: Asked, dialect: str) -> bool:
    """Whether the label of an answer stands in a text of the LM's own, or in an answer that is cut off somewhere."""
    match asked.intent:
        case Raw() | Garbled(form="truncated", meant=Answer()):
            return f"{labels_of(dialect).final_answer}:".lower() in read_text(asked).lower()
    return False


def _has_free_answer(asked: Asked, manifest: Manifest) -> bool:
    answer = reader_of(manifest).read_answer(asked.request)
    return answer is not None and answer.dialect == "native" and answer.answer_tool is None
