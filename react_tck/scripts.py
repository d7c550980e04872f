"""Scripts of the LM in files, JSON or YAML: replies, a script of intents, or what was recorded."""

from collections.abc import Callable, Mapping
from difflib import get_close_matches
from functools import partial
from pathlib import Path
from typing import Any

from pydantic import ValidationError, field_validator
from pydantic_core import from_json

from react_tck.dialects import DIALECTS
from react_tck.dialects.fields import strict_json
from react_tck.dialects.labels import labels_of, plain_name
from react_tck.files import read_file
from react_tck.model.base import describe_mistakes
from react_tck.model.cue import CueSheet
from react_tck.model.intent import Script
from react_tck.model.lm import Recording
from react_tck.texts import Place, UnreadableText, check_bounds, find_line, read_yaml

_YAML = (".yaml", ".yml")
#: Mistakes told of a script that has more of them.
_TOLD = 5


class NoScript(ValueError):
    """It isn't a script of any kind; the message says where, what stands there, and what would be right."""


class ServedScript(Script):
    """A script of intents and, if not all, the dialects in which the agent may ask."""

    dialects: tuple[str, ...] = tuple(DIALECTS)

    @field_validator("dialects")
    @classmethod
    def _are_known(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        for name in names:
            if plain_name(name) not in DIALECTS:
                raise ValueError(f"there is no dialect {name!r}; there are {', '.join(DIALECTS)}")
            labels_of(name)
        return names


#: Each kind by the keys that only it has.
_KINDS: Mapping[tuple[str, ...], type[CueSheet | Recording | ServedScript]] = {
    ("replies",): CueSheet,
    ("exchanges",): Recording,
    ("steps", "answers"): ServedScript,
}


def read_script(file: Path) -> CueSheet | Recording | ServedScript:
    """Return the script in a file; YAML where its name ends so, else JSON.

    Raises:
        CannotRead: if there is no text in it.
        NoScript: if the text isn't a script.
    """
    text = read_file(file)
    find = partial(_find_line_in_yaml if file.suffix in _YAML else find_line, text)
    return script_of(_parse_values(file, text), str(file), find)


def script_of(
    values: object, name: str = "the script", find: Callable[[Place], int] | None = None
) -> CueSheet | Recording | ServedScript:
    """Return the script that these values are, of the kind that their keys say; by this name it is told of.

    A mistake in a file is told with its line.

    Raises:
        NoScript: if they are none.
    """
    kind = _find_kind(values, name)
    try:
        return kind.model_validate(values)
    except ValidationError as error:
        # A line is looked for only where it is told.
        places = (f"{name}:{find(each['loc'])}" if find else name for each in error.errors()[:_TOLD])
        raise NoScript("\n".join(map(": ".join, zip(places, describe_mistakes(kind, error), strict=False)))) from None


def _find_line_in_yaml(text: str, place: Place) -> int:
    import yaml

    node: Any = yaml.compose(text, yaml.SafeLoader)
    for part in place:
        inner = ((key.value, value) for key, value in node.value) if isinstance(node, yaml.MappingNode) else ()
        node = dict(enumerate(node.value) if isinstance(node, yaml.SequenceNode) else inner).get(part, node)
    return int(node.start_mark.line) + 1


def _find_kind(values: object, name: str) -> type[CueSheet | Recording | ServedScript]:
    right = "`replies`; `steps` and `answers`; or the `exchanges` of a recording"
    if not isinstance(values, Mapping):
        raise NoScript(f"{name} is {_describe_value(values)}, not an object with {right}")
    found = [kind for keys, kind in _KINDS.items() if any(key in values for key in keys)]
    if len(found) != 1:
        keys = [key for keys in _KINDS for key in keys]
        meant = [near for key in values for near in get_close_matches(str(key), keys, n=1)]
        near = f"; is {meant[0]!r} meant?" if meant and not found else ""
        raise NoScript(f"{name} has the keys {_describe_value(list(values))}; a script has {right}{near}")
    return found[0]


def _describe_value(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:60]}…"


def _parse_values(file: Path, text: str) -> Any:
    if file.suffix in _YAML:
        return _parse_yaml(file, text)
    try:
        values = from_json(text)
        strict_json(text)  # to which a key that stands twice is a mistake
    except ValueError as error:
        raise NoScript(f"{file} is not JSON: {error}") from None
    try:
        return check_bounds(values)
    except UnreadableText as error:
        raise NoScript(f"{file}: {error}") from None


def _parse_yaml(file: Path, text: str) -> Any:
    try:
        return read_yaml(text)
    except ImportError:
        raise NoScript(
            f"{file} is YAML, for which PyYAML has to be installed: pip install 'react-tck[yaml]', or write it as JSON"
        ) from None
    except UnreadableText as error:
        raise NoScript(f"{file}: {error}") from None
