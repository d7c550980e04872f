"""What all values of the model share."""

import re
from difflib import get_close_matches
from typing import Annotated, Any, get_args

from pydantic import AfterValidator, BaseModel, ConfigDict, JsonValue, ValidationError
from pydantic_core import ErrorDetails

JsonObject = dict[str, JsonValue]

#: Characters shown of a value that is wrong.
_SHOWN = 60


class Value(BaseModel):
    """A frozen value that refuses unknown keys, so that a typo in a message is an error, not a default."""

    model_config = ConfigDict(frozen=True, extra="forbid")


#: Digits of a whole number that Python reads and writes; of more, it raises.
DIGITS = 4300


def read_number(digits: str) -> int | None:
    """Return the whole number that somebody wrote, be it below zero; None of more digits than can be read.

    >>> from react_tck.model.base import read_number
    >>> read_number("-12"), read_number("9" * 5000)
    (-12, None)
    """
    return int(digits) if len(digits) <= DIGITS else None


def list_mistakes(error: ValidationError) -> list[str]:
    """Return what is wrong in a value, a sentence each, with the place where it is."""
    said = ((".".join(map(str, each["loc"])), each["msg"].removeprefix("Value error, ")) for each in error.errors())
    return [f"{place}: {message}" if place else message for place, message in said]


def describe_mistakes(model: type[BaseModel], error: ValidationError) -> list[str]:
    """Return what is wrong in a value written by hand, a sentence each: place, value, what would be right."""
    return [_describe_mistake(model, each) for each in error.errors()]


def _describe_mistake(model: type[BaseModel], wrong: ErrorDetails) -> str:
    *above, last = wrong["loc"] or ("",)
    match wrong["type"]:
        case "extra_forbidden":
            known = _find_keys(model, above)
            meant = "".join(f" (is {near!r} meant?)" for near in get_close_matches(str(last), known, n=1))
            return f"{_format_place(above)} has {str(last)!r}, which is none of {', '.join(known)}{meant}"
        case "missing":
            return f"{_format_place(above)} has no {str(last)!r}"
        case "value_error":
            return f"{_format_place(wrong['loc'])}: {wrong['msg'].removeprefix('Value error, ')}"
    shown = repr(wrong["input"])
    shown = shown if len(shown) <= _SHOWN else f"{shown[:_SHOWN]}…"
    return f"{_format_place(wrong['loc'])} is {shown}: {wrong['msg'].replace('Input should', 'it should')}"


def _format_place(loc: "tuple[int | str, ...] | list[int | str]") -> str:
    """Return the place of a value as text, such as `replies[0].calls[1].tool`; `it` for the whole."""
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in loc).removeprefix(".") or "it"


def _find_keys(model: type[BaseModel], loc: "list[int | str]") -> list[str]:
    """Return the keys that the values at this place have."""
    here = [model]
    for part in loc:
        tagged = [each for each in here if len(here) > 1 and part == _find_kind(each)]
        inside = [_find_models(each.model_fields[part].annotation) for each in here if part in each.model_fields]
        if not isinstance(part, int):
            here = tagged or [each for models in inside for each in models]
    return list(dict.fromkeys(field.alias or name for each in here for name, field in each.model_fields.items()))


def _find_kind(model: type[BaseModel]) -> object:
    kind = model.model_fields.get("kind")
    return kind.default if kind else None


def _find_models(annotation: Any) -> list[type[BaseModel]]:
    """Return the models in a type such as `tuple[A | B, ...] | None`."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [model for part in get_args(annotation) for model in _find_models(part)]


#: Where an object stands in memory, as Python puts it into texts; the path and the key of an episode's lane, and where
#: the kit's server listens.
_ADDRESS = re.compile(
    r"\b0x[0-9a-fA-F]{6,}\b"
    r"|(?:https?://)?(?:127\.0\.0\.1|localhost)\b['\"]?(?::|, ?(?:port[=: ]*)?)\d+(?:/[\w-]{22}(?![\w-]))?"
    r"|/[\w-]{22}(?=/(?:v1|tools)\b)"
    r"|\btck-[\w-]{22}(?![\w-])"
    r"|\bport[=: ]+\d+"
)
_SOMEWHERE = "(an address)"


def without_addresses(text: str) -> str:
    """Return the text, with a word for each of them."""
    return _ADDRESS.sub(_SOMEWHERE, text)


def _as_utf8(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode()


#: What a subject may have said: half a surrogate pair in it is written as an escape, for JSON and UTF-8 have none.
Said = Annotated[str, AfterValidator(_as_utf8)]
#: What was seen of a play, and is to be the same in the next.
Seen = Annotated[Said, AfterValidator(without_addresses)]
