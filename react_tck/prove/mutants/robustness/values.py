"""Violations of the way of values through prompt, args, observation and outputs (ERR-010, ERR-014, ERR-022 to 024)."""

import codecs
import html
import json
import re
import unicodedata
from collections.abc import Callable
from typing import Any

from react_tck.dialects.markup import is_encodable
from react_tck.prove.mutants.mutant import mutant
from react_tck.prove.mutants.operators.prompts import by_trajectory
from react_tck.prove.mutants.operators.replies import answers_changed, args_changed, if_text, values_changed
from react_tck.prove.mutants.operators.runs import after, of_tool, on_request
from react_tck.prove.mutants.operators.views import inputs, outputs_changed
from react_tck.record.values import strip_texts
from react_tck.reference.seams import Around, Beginning, Edit, Prompt, Site
from react_tck.reference.signatures.react import TRAJECTORY

_Change = Callable[[str], str]


def _args(change: _Change) -> Any:
    """Alters the texts among the args."""
    return args_changed(if_text(change))


def _observations(change: _Change) -> Around[Any, Any]:
    """Alters the texts that tools return."""
    return after(lambda _, seen: if_text(change)(seen))


def _inputs(change: _Change) -> Edit[Prompt]:
    """Alters the texts among the inputs where they are shown."""

    def altered(site: Site, shown: dict[str, Any]) -> dict[str, Any]:
        texts = {name for name, value in site.state.inputs.items() if isinstance(value, str)} & shown.keys()
        return shown | {name: if_text(change)(shown[name]) for name in texts}

    return on_request("step", inputs(altered))


def _with_stripped_inputs(_site: Site, beginning: Beginning) -> Beginning:
    return beginning._replace(inputs=values_changed(if_text(str.strip))(_site, beginning.inputs))


def _asserted_encodable(_site: Site, prompt: Prompt) -> Prompt:
    assert all(is_encodable(value) for value in prompt.inputs.values())
    return prompt


def _replacing(text: str) -> str:
    return re.sub(r"\\\d|\$[&1$]", "", text)


def _replaced_within(value: Any) -> Any:
    match value:
        case str():
            return _replacing(value)
        case dict():
            return {key: _replaced_within(inner) for key, inner in value.items()}
    return value


def _are_characters(seen: Any) -> bool:
    return isinstance(seen, list) and all(type(item) is int and 6 < item < 127 for item in seen)


def _until_nul(text: str) -> str:
    return text.partition("\0")[0]


def _ascii(text: str) -> str:
    return text.encode("ascii", "ignore").decode()


def _unescaped(text: str) -> str:
    return codecs.decode(_ascii(text), "unicode_escape") if re.search(r"\\[nu]", text) else text


def _cut(text: str) -> str:
    return text[:10_000]  # more than any prompt needs, somebody thought


def _numbers_cut(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    return {name: inner & 0xFFFFFFFF if isinstance(inner, int) else inner for name, inner in value.items()}


def _escaped(text: str) -> str:
    return json.dumps(text)[1:-1].replace("\\n", "\n").replace('\\"', '"')


def _steps_escaped(_site: Site, shown: dict[str, Any]) -> dict[str, Any]:
    return shown | {TRAJECTORY: _escaped(shown[TRAJECTORY])} if TRAJECTORY in shown else shown


def _flat(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    return {name: str(inner) if isinstance(inner, dict) else inner for name, inner in value.items()}


MUTANTS = {
    "args-normalised": mutant(
        "ERR-010", "Composes the characters in args.", args=_args(lambda text: unicodedata.normalize("NFC", text))
    ),
    "control-characters-dropped": mutant(
        "ERR-010",
        "Drops control characters from args, line ends and tabs apart.",
        args=_args(lambda text: re.sub(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]", "", text)),
    ),
    "entities-unescaped": mutant("ERR-010", "Reads entities in args as HTML does.", args=_args(html.unescape)),
    "escapes-unescaped": mutant("ERR-010", "Reads escapes in args once more.", args=_args(_unescaped)),
    "args-cut-at-ten-thousand": mutant(
        "ERR-010", "Cuts texts in args that are longer than anybody needs.", args=_args(_cut)
    ),
    "word-for-nothing-read": mutant(
        "ERR-010",
        "Reads a text in args that is a word for nothing, such as none, as nothing.",
        args=args_changed(if_text(lambda text: None if text.lower() in ("none", "null") else text)),
    ),
    "observations-stripped-to-ascii": mutant(
        "ERR-022", "Drops from results whatever isn't ASCII.", observation=_observations(_ascii)
    ),
    "observation-tags-dropped": mutant(
        "ERR-022",
        "Drops from results what looks like a tag.",
        observation=_observations(lambda text: re.sub(r"<[^>]*>", "", text)),
    ),
    "observations-cut-at-ten-thousand": mutant(
        "ERR-022", "Cuts results that are longer than anybody needs.", observation=_observations(_cut)
    ),
    "small-numbers-shown-as-text": mutant(
        "ERR-022",
        "Shows a list of small whole numbers as the text that they would be, as Elixir does.",
        observation=after(lambda _, seen: "".join(map(chr, seen)) if seen and _are_characters(seen) else seen),
    ),
    "long-lists-shown-in-part": mutant(
        "ERR-022",
        "Shows the first fifty items of a list, as Elixir does.",
        observation=after(lambda _, seen: [*seen[:50], "..."] if isinstance(seen, list) and len(seen) > 50 else seen),
    ),
    "results-put-in-as-a-replacement": mutant(
        "ERR-022",
        "Puts results into a prompt by a replacement, in which $1 and \\\\1 mean a group.",
        observation=_observations(_replacing),
    ),
    "args-put-in-as-a-replacement": mutant(
        "ERR-010",
        "Puts texts in args together by a replacement, in which $1 and \\\\1 mean a group.",
        args=args_changed(_replaced_within),
    ),
    "inputs-put-in-as-a-replacement": mutant(
        "ERR-024",
        "Puts inputs into a prompt by a replacement, in which $1 and \\\\1 mean a group.",
        prompt=_inputs(_replacing),
    ),
    "args-by-position": mutant(
        "ERR-010",
        "Hands on the args of `add` in the order in which they come.",
        args=of_tool(
            "add", lambda _site, _proceed, call: dict(zip(sorted(call.args), call.args.values(), strict=True))
        ),
    ),
    "value-of-a-result-alone": mutant(
        "ERR-022",
        "Shows of a result that has a key `value` what stands there, and nothing beside it.",
        observation=after(lambda _, seen: seen["value"] if isinstance(seen, dict) and "value" in seen else seen),
    ),
    "results-by-their-truth": mutant(
        "ERR-022",
        "Shows the LM and records nothing of a result that is false in Python.",
        observation=after(lambda _, seen: seen if seen or seen is None else "(nothing)"),
    ),
    "observations-stripped": mutant(
        "ERR-022", "Drops the blank space around results.", observation=_observations(str.strip)
    ),
    "args-stripped": mutant("ERR-010", "Drops the blank space around texts in args.", args=_args(str.strip)),
    "whole-numbers-cut-to-32-bits": mutant(
        "ERR-010", "Passes on the lower 32 bits of a whole number.", args=after(lambda _, args: _numbers_cut(args))
    ),
    "inputs-escaped": mutant(
        "ERR-014", "Writes what isn't ASCII among the inputs with escapes.", prompt=by_trajectory(_inputs(_escaped))
    ),
    "steps-escaped": mutant(
        "ERR-014", "Shows the LM its earlier steps as JSON that holds nothing but ASCII.", prompt=inputs(_steps_escaped)
    ),
    "outputs-stripped-to-ascii": mutant(
        "ERR-023", "Drops from outputs whatever isn't ASCII.", prediction=answers_changed(_ascii)
    ),
    "outputs-quoted-away": mutant(
        "ERR-023", "Drops quotes around outputs.", prediction=answers_changed(lambda text: text.strip('"'))
    ),
    "outputs-stripped": mutant(
        "ERR-023", "Drops the blank space around outputs.", prediction=answers_changed(str.strip)
    ),
    "null-as-text-emptied": mutant(
        "ERR-023",
        "Takes the text null in an answer for no text.",
        prediction=answers_changed(lambda text: "" if text == "null" else text),
    ),
    "listed-outputs-stripped": mutant(
        "ERR-023",
        "Drops the blank space around the texts in a list of the answer.",
        prediction=outputs_changed(
            values_changed(lambda value: strip_texts(value) if isinstance(value, list) else value)
        ),
    ),
    "inputs-stripped": mutant(
        "ERR-024", "Shows the LM the inputs without the blank space around them.", prompt=_inputs(str.strip)
    ),
    "empty-inputs-filled": mutant(
        "ERR-024", "Shows the LM `N/A` for an input that is an empty text.", prompt=_inputs(lambda text: text or "N/A")
    ),
    "nested-args-flattened": mutant("ERR-010", "Passes objects inside objects on as texts.", args=args_changed(_flat)),
    "prompts-encoded-strictly": mutant(
        "ERR-017", "Asserts that whatever it shows can be encoded.", prompt=_asserted_encodable
    ),
    "inputs-end-at-nul": mutant("ERR-017", "Takes NUL for the end of an input.", prompt=_inputs(_until_nul)),
    "observations-end-at-nul": mutant(
        "ERR-017", "Takes NUL for the end of what a tool returned.", observation=_observations(_until_nul)
    ),
    "inputs-stripped-on-resume": mutant(
        "ERR-024",
        "Shows the inputs of a call that was suspended without the blank space around them.",
        resume=after(_with_stripped_inputs),
    ),
}
