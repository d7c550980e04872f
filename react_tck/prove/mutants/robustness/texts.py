"""Violations of texts on their way through args, results, answers and inputs (ERR-010, ERR-017, ERR-022 to ERR-024)."""

import codecs
import html
import json
import re
from typing import Any

from react_tck.prove.mutants.mutant import mutant
from react_tck.prove.mutants.operators.replies import (
    answers_changed,
    args_changed,
    if_text,
    read_if_json,
    values_changed,
)
from react_tck.prove.mutants.operators.runs import after
from react_tck.prove.mutants.operators.views import inputs, outputs_changed
from react_tck.reference.seams import Site


def _drop_control_characters(text: str) -> str:
    return re.sub(r"[\x00-\x08\x0e-\x1f\x7f]", "", text)


def _unescape(text: str) -> str:
    return codecs.decode(text, "unicode_escape") if re.search(r"\\[nu]", text) else text


def _shown(change: Any) -> Any:
    """Alters the texts among the inputs where they are shown."""

    def altered(site: Site, shown: dict[str, Any]) -> dict[str, Any]:
        texts = {name for name, value in site.state.inputs.items() if isinstance(value, str)} & shown.keys()
        return shown | {name: if_text(change)(shown[name]) for name in texts}

    return inputs(altered)


def _returned(change: Any) -> Any:
    """Alters what tools return."""
    return after(lambda _, seen: change(seen))


def _without_nothing(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _without_nothing(inner) for name, inner in value.items() if inner is not None}
    return [_without_nothing(inner) for inner in value if inner is not None] if isinstance(value, list) else value


def _nothing_unless_encoded(value: Any) -> Any:
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return ""
    return value


def _lines_joined(value: Any) -> Any:
    return [" ".join(text.splitlines()) for text in value] if isinstance(value, list) else value


MUTANTS = {
    "json-in-args-read": mutant(
        "ERR-010", "Reads a text in args that is JSON as what it says.", args=args_changed(if_text(read_if_json))
    ),
    "empty-args-as-nothing": mutant(
        "ERR-010",
        "Passes nothing where a text in args is empty.",
        args=args_changed(if_text(lambda text: text or None)),
    ),
    "control-characters-dropped-from-observations": mutant(
        "ERR-022",
        "Drops control characters from results, line ends and tabs apart.",
        observation=_returned(if_text(_drop_control_characters)),
    ),
    "nothing-dropped-from-observations": mutant(
        "ERR-022", "Leaves out what is null inside a result.", observation=_returned(_without_nothing)
    ),
    "control-characters-dropped-from-outputs": mutant(
        "ERR-023",
        "Drops control characters from outputs, line ends and tabs apart.",
        prediction=answers_changed(_drop_control_characters),
    ),
    "outputs-unescaped": mutant(
        "ERR-023", "Reads escapes in outputs once more.", prediction=answers_changed(_unescape)
    ),
    "entities-of-outputs-unescaped": mutant(
        "ERR-023", "Reads entities in outputs as HTML does.", prediction=answers_changed(html.unescape)
    ),
    "empty-outputs-filled": mutant(
        "ERR-023",
        "Gives `N/A` for an output that is an empty text.",
        prediction=answers_changed(lambda text: text or "N/A"),
    ),
    "control-characters-dropped-from-inputs": mutant(
        "ERR-024",
        "Shows the LM inputs without control characters, line ends and tabs apart.",
        prompt=_shown(_drop_control_characters),
    ),
    "entities-of-inputs-unescaped": mutant(
        "ERR-024", "Shows the LM inputs with their entities read as HTML does.", prompt=_shown(html.unescape)
    ),
    "results-without-an-encoding-lost": mutant(
        "ERR-017",
        "Shows the LM nothing of a result that can't be encoded.",
        observation=_returned(_nothing_unless_encoded),
    ),
    "lines-of-listed-outputs-joined": mutant(
        "ERR-023",
        "Makes blanks of all that may end a line in the texts of a list.",
        prediction=outputs_changed(values_changed(_lines_joined)),
    ),
}
