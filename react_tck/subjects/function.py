"""A plain function from text to fields as a subject that can do nothing but parse.

Whatever ValueError it raises is its parse error; fields are asked for as texts only, as nobody tells it of types.
"""

import inspect
from collections.abc import Callable, Mapping
from typing import Any

from react_tck.model.case import Options
from react_tck.model.manifest import Manifest
from react_tck.model.parsing import Parsing
from react_tck.model.signature import Signature
from react_tck.subjects.api import ConstructionError, Endpoints, Instance, Subject
from react_tck.subjects.built import BuiltSubject

ParseText = Callable[[str], Mapping[str, Any]]


def is_parser(function: Callable[..., Any]) -> bool:
    """Whether it takes a text, where a factory of subjects takes nothing."""
    parameters = inspect.signature(function).parameters.values()
    return sum(parameter.default is parameter.empty for parameter in parameters) == 1


def function_subject(name: str, function: ParseText, dialect: str) -> Subject:
    """The function as a subject of one dialect, `chat` unless its attribute `dialect` names another."""
    manifest = Manifest(
        name=name,
        version="0",
        dialects=(dialect,),
        default_dialect=dialect,
        capabilities=("parse",),
        default_max_steps=1,
        parse_errors=("ValueError",),
    )
    return BuiltSubject(manifest, _refuse, lambda parsing: _asked_for(parsing, function(parsing.reply.content or "")))


def _asked_for(parsing: Parsing, fields: Mapping[str, Any]) -> Mapping[str, Any]:
    """It can't know what was asked for: fields beyond that are none of the kit's business, a missing one is refused."""
    if missing := next((name for name in parsing.fields if name not in fields), None):
        raise ValueError(f"there is no {missing!r}")
    return {name: fields[name] for name in parsing.fields}


def _refuse(_: Signature, __: Options, ___: Endpoints) -> Instance:
    raise ConstructionError("a parser is no agent")
