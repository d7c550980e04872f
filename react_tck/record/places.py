"""The places of a prompt, or of a trajectory that is a text, in which an observation or args stand, where it has any.

A place is known by its mark: `[[ ## observation_0 ## ]]`, `<observation_0>`, the key `"observation_0":`, the label
`Observation:` of `react-text`; a message of a tool is one as a whole. Blank space inside a value
is the value's. Whose it is between a mark and a value nobody can tell: that it is kept, ERR-022 and ERR-024 ask by
themselves.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Literal

from pydantic import JsonValue

from react_tck.dialects.fields import finite_json
from react_tck.dialects.labels import REACT_TEXT, labels_of, plain_name
from react_tck.dialects.markup import as_text
from react_tck.model.lm import Ask, LMRequest, Role
from react_tck.record.reactions import holds_value, strip_mark, wraps_value
from react_tck.record.visibility import list_spellings, text_shows

Part = Literal["args", "observation"]
_Kind = Literal["heading", "element", "key", "label", "message"]

_BLANK = " \t\r\n"
#: What may stand behind a value under a heading: the next one, a paragraph of another kind, the end of an element that
#: holds it all, nothing.
_ENDS = {
    "heading": re.compile(r"\s*(?:\Z|\[\[ ## |</\w)|[ \t]*\n[ \t]*\n"),
    "element": re.compile(r"\s*</"),
    "label": re.compile(r"\s*\Z|[ \t]*\n\s*\w[\w ]*:"),
}


@dataclass(frozen=True)
class Place:
    """Where a value begins in a text, and how it ends there; of a key and a message, the value that it has."""

    kind: _Kind
    #: Of a heading, an element or a label, all that follows it.
    content: JsonValue

    def has_value(self, value: JsonValue, tool: str | None = None) -> bool:
        """Tell whether the value stands there, and nothing else but a mark of the call of the tool that it is of."""
        return any(Place(self.kind, told)._is_value(value) for told in strip_mark(self.content, tool))

    def _is_value(self, value: JsonValue) -> bool:
        if self.kind in ("key", "message") or not isinstance(self.content, str):
            return holds_value(self.content, value)
        if isinstance(value, str):
            return any(self._begins_with(self.content, each) for each in (*list_spellings(value), *_quote_value(value)))
        return any(holds_value(self.content[:end].strip(_BLANK), value) for end in self._find_ends(self.content))

    def wraps_value(self, value: JsonValue, tool: str | None = None) -> bool:
        """Tell whether an object stands there that has the value inside it, as a library's own wrapping does."""
        told = (text for content in strip_mark(self.content, tool) for text in Place(self.kind, content)._list_texts())
        return any(wraps_value(each, value) for each in told)

    def _list_texts(self) -> Iterator[JsonValue]:
        """Yield what may stand there as a whole, for each end that it may have."""
        if self.kind in ("key", "message") or not isinstance(self.content, str):
            yield self.content
        else:
            yield from (self.content[:end] for end in self._find_ends(self.content))

    def tells_value(self, value: JsonValue, tool: str | None = None) -> bool:
        """Tell whether the value stands there, perhaps in a wrapping; an object or a list in whatever notation.

        In a message of a tool a text may also stand among words of the subject's own.
        """
        if self.has_value(value, tool) or self.wraps_value(value, tool):
            return True
        if isinstance(value, dict | list):
            return text_shows(as_text(self.content), value)
        is_framed = self.kind == "message" and isinstance(value, str) and value.strip() != ""
        return is_framed and any(each in str(self.content) for each in list_spellings(str(value)))

    def _begins_with(self, content: str, text: str) -> bool:
        rest, sought = content.lstrip(_BLANK), text.strip(_BLANK)
        if not sought:
            return _ENDS[self.kind].match(content) is not None
        return rest.startswith(sought) and _ENDS[self.kind].match(rest, len(sought)) is not None

    def _find_ends(self, content: str) -> Iterator[int]:
        """Yield where the value may end: behind the JSON that stands there, and where the next thing seems to begin.

        A value may hold what looks like an end, and a long one may hold many.
        """
        ends = _ENDS[self.kind]
        behind = _find_json_end(content, len(content) - len(content.lstrip(_BLANK)))
        if behind is not None and ends.match(content, behind):
            yield behind
        yield from (found.start() for found in islice(ends.finditer(content), _TRIED))


#: How many ends of a value are tried.
_TRIED = 5


def find_observations(request: LMRequest, ask: Ask | None = None) -> list[Place]:
    """Return the places of the observations that a request shows, in order; none where its form is not known."""
    found: list[Place] = []
    for message in request.messages:
        if message.role == "tool":
            found.append(Place("message", message.content or ""))
        elif message.role == "user":
            text = message.content or ""
            if (told := _read_reported_message(text)) is not None:
                found.append(told)
                continue
            is_labelled = ask is not None and plain_name(ask.dialect) == REACT_TEXT
            found += (
                _find_labelled_places(text, ask.dialect) if ask and is_labelled else find_places(text, "observation")
            )
    return found


def find_new_observations(before: LMRequest | None, request: LMRequest, ask: Ask | None = None) -> list[Place]:
    """Return the places that a request has and an earlier one of the same call had not."""
    return find_observations(request, ask)[len(find_observations(before, ask)) if before else 0 :]


def find_headed_places(request: LMRequest, role: Role, name: str) -> list[Place]:
    """Return the places under each heading of a field that messages of a role have."""
    texts = [message.content or "" for message in request.messages if message.role == role]
    heading = re.compile(rf"^\[\[ ## {re.escape(name)} ## \]\]", re.MULTILINE)
    return [Place("heading", text[found.end() :]) for text in texts for found in heading.finditer(text)]


def list_first_lines(request: LMRequest, role: Role, name: str) -> list[str]:
    """Return what stands on the first line under each heading of a field that messages of a role have."""
    following = (as_text(place.content) for place in find_headed_places(request, role, name))
    return [text.lstrip("\n").partition("\n")[0].strip() for text in following]


def _read_reported_message(text: str) -> Place | None:
    """Return a tool's message that is written as the user's: JSON that names the call, and what it brought."""
    if '"tool_call_id"' not in text:
        return None
    try:
        told = finite_json(text)
    except ValueError:
        return None
    if not isinstance(told, dict) or "tool_call_id" not in told:
        return None
    brought: JsonValue = {name: value for name, value in told.items() if name not in ("tool_call_id", "name")}
    return Place("key", told.get("result", brought))


def _find_labelled_places(text: str, dialect: str) -> list[Place]:
    """Return what stands behind the label of an observation, but where the form of a reply is shown."""
    labels = labels_of(dialect)
    shown = re.search(rf"^[^\S\n]*(?:[-*•][^\S\n]+)?{re.escape(labels.final_answer)}[^\S\n]*:", text, re.MULTILINE)
    mark = re.compile(rf"^{re.escape(labels.observation)}(?: \d+)?:", re.MULTILINE)
    return [Place("label", text[found.end() :]) for found in mark.finditer(text, shown.end() if shown else 0)]


def find_places(text: str, part: Part) -> list[Place]:
    """Return the places of one part of the steps in a text, in order, of the first form that it has."""
    for kind, mark in _MARKS[part].items():
        if places := [_make_place(kind, text, found.end()) for found in mark.finditer(text)]:
            return [place for place in places if place]
    return []


def _make_place(kind: _Kind, text: str, at: int) -> Place | None:
    if kind != "key":
        return Place(kind, text[at:])
    end = _find_json_end(text, at)
    try:
        return None if end is None else Place("key", finite_json(text[at:end]))
    except ValueError:
        return None


def _find_json_end(text: str, at: int) -> int | None:
    """Return where the JSON ends that begins at a place; None if none does."""
    try:
        return _DECODER.raw_decode(text, at)[1]
    except (ValueError, RecursionError):
        return None


def _compile_marks(part: Part) -> dict[_Kind, re.Pattern[str]]:
    numbered = rf"(?:{'|'.join(_NAMES[part])})(?:_\d+)?"
    return {
        "heading": re.compile(rf"^\[\[ ## {numbered} ## \]\]", re.MULTILINE),
        "element": re.compile(rf"^<{numbered}>", re.MULTILINE),
        "key": re.compile(rf'"{numbered}":\s*'),
    }


def _quote_value(value: str) -> tuple[str, ...]:
    return (json.dumps(value), json.dumps(value, ensure_ascii=False), repr(value))


#: Not the commoner ones of `PARTS`: an observation may have a key `result` of its own.
_NAMES: Mapping[Part, tuple[str, ...]] = {
    "args": ("next_tool_args", "tool_args", "tool_input", "action_input"),
    "observation": ("observation", "tool_result"),
}
_MARKS = {part: _compile_marks(part) for part in _NAMES}
_DECODER = json.JSONDecoder()
