"""Violations of the parser's requirements (PRS-001, PRS-002)."""

import html
import json
import re
from collections.abc import Mapping
from contextlib import suppress

from pydantic import JsonValue

from react_tck.dialects.fields import ParseError
from react_tck.fakes.mutants.mutant import mutant
from react_tck.model.base import JsonObject
from react_tck.model.parsing import Parsing
from react_tck.reference.parser import Parser

_SAMPLES: Mapping[str, JsonValue] = {"integer": 0, "number": 0.0, "boolean": False, "array": [], "object": {}}


def _content(parsing: Parsing) -> str:
    return parsing.reply.content or ""


def _with_content(parsing: Parsing, content: str) -> Parsing:
    return parsing.model_copy(update={"reply": parsing.reply.model_copy(update={"content": content})})


class _Changing(Parser):
    """Changes texts once they are read; `_changed` says how."""

    def read(self, parsing: Parsing) -> JsonObject:
        fields = super().read(parsing)
        return {name: self._changed(value) if isinstance(value, str) else value for name, value in fields.items()}

    def _changed(self, text: str) -> JsonValue:
        raise NotImplementedError


@mutant("parser-drops-empty-texts", "PRS-001")
class DropsEmptyTexts(Parser):
    """Takes a field with an empty text for one that isn't there."""

    def read(self, parsing: Parsing) -> JsonObject:
        fields = super().read(parsing)
        if empty := next((name for name, value in fields.items() if value == ""), None):
            raise ParseError(f"the reply has no field {empty!r}")
        return fields


@mutant("parser-breaks-lines-anywhere", "PRS-001")
class BreaksLinesAnywhere(_Changing):
    """Makes a line feed of everything that Python breaks lines on."""

    def _changed(self, text: str) -> JsonValue:
        return "\n".join(text.splitlines())


@mutant("parser-drops-control-characters", "PRS-001")
class DropsControlCharacters(_Changing):
    """Leaves out whatever can't be printed."""

    def _changed(self, text: str) -> JsonValue:
        return re.sub(r"[\x00-\x08\x0e-\x1f\x7f]", "", text)


@mutant("parser-decodes-json-in-texts", "PRS-001")
class DecodesJsonInTexts(_Changing):
    """Reads a text that happens to be JSON as what it says."""

    def _changed(self, text: str) -> JsonValue:
        try:
            value: JsonValue = json.loads(text)
        except ValueError:
            return text
        return value


@mutant("parser-unescapes-twice", "PRS-001")
class UnescapesTwice(_Changing):
    """Resolves entities in texts that have none left."""

    def _changed(self, text: str) -> JsonValue:
        return html.unescape(text)


@mutant("parser-takes-marks-in-values", "PRS-001")
class TakesMarksInValues(Parser):
    """Takes a mark in the middle of a line for the beginning of a field."""

    def read(self, parsing: Parsing) -> JsonObject:
        content = re.sub(r"(?<=\S) (\[\[ ## \w+ ## \]\])", r"\n\1\n", _content(parsing))
        return super().read(_with_content(parsing, content) if parsing.dialect == "chat" else parsing)


@mutant("parser-cuts-long-texts", "PRS-001")
class CutsLongTexts(_Changing):
    """Keeps the first thousand characters of a text."""

    def _changed(self, text: str) -> JsonValue:
        return text[:1000]


@mutant("parser-strips-quotes", "PRS-001")
class StripsQuotes(_Changing):
    """Takes quotes around a text for the LM's and drops them."""

    def _changed(self, text: str) -> JsonValue:
        return text.strip("\"'`")


@mutant("parser-folds-to-ascii", "PRS-001")
class FoldsToAscii(_Changing):
    """Leaves out every character that isn't ASCII."""

    def _changed(self, text: str) -> JsonValue:
        return text.encode("ascii", "ignore").decode()


@mutant("parser-loses-trailing-text", "PRS-001")
class LosesTrailingText(_Changing):
    """Ends a text at its first comma with a space after it."""

    def _changed(self, text: str) -> JsonValue:
        return text.partition(", ")[0]


@mutant("parser-crashes-on-nothing", "PRS-002")
class CrashesOnNothing(Parser):
    """Looks at the first line of a reply, and breaks if there is none."""

    def read(self, parsing: Parsing) -> JsonObject:
        first = _content(parsing).splitlines()[0]
        return super().read(parsing if first else _with_content(parsing, _content(parsing).lstrip()))


@mutant("parser-crashes-on-deep-nesting", "PRS-002")
class CrashesOnDeepNesting(Parser):
    """Reads JSON first, and isn't prepared for more brackets than Python's stack holds."""

    def read(self, parsing: Parsing) -> JsonObject:
        with suppress(ValueError):
            json.loads(_content(parsing))
        return super().read(parsing)


class _Lenient(Parser):
    """Has something to say instead of the error that a field is missing; `_instead` says what."""

    def read(self, parsing: Parsing) -> JsonObject:
        try:
            return super().read(parsing)
        except ParseError as error:
            missing = re.match("the reply has no field '(.*)'", str(error))
            if missing is None:
                raise
            return self._instead(parsing, missing[1])

    def _instead(self, parsing: Parsing, missing: str) -> JsonObject:
        raise NotImplementedError

    def _others(self, parsing: Parsing, missing: str) -> JsonObject:
        others = {name: schema for name, schema in parsing.fields.items() if name != missing}
        return self.read(parsing.model_copy(update={"fields": others}))


@mutant("parser-raises-key-errors", "PRS-002")
class RaisesKeyErrors(_Lenient):
    """Looks a missing field up as if it were there."""

    def _instead(self, parsing: Parsing, missing: str) -> JsonObject:  # noqa: ARG002 - whatever the rest
        raise KeyError(missing)


@mutant("parser-leaves-fields-out", "PRS-002")
class LeavesFieldsOut(_Lenient):
    """Gives the fields that are there, without those that are missing."""

    def _instead(self, parsing: Parsing, missing: str) -> JsonObject:
        return self._others(parsing, missing)


@mutant("parser-gives-none-for-a-field", "PRS-002")
class GivesNoneForAField(_Lenient):
    """Gives None for a field that is missing."""

    def _instead(self, parsing: Parsing, missing: str) -> JsonObject:
        return {**self._others(parsing, missing), missing: None}


@mutant("parser-makes-missing-fields-up", "PRS-002")
class MakesMissingFieldsUp(_Lenient):
    """Fills a field that is missing with an empty value of its type."""

    def _instead(self, parsing: Parsing, missing: str) -> JsonObject:
        kind = str(parsing.fields[missing].get("type"))
        return {**self._others(parsing, missing), missing: _SAMPLES.get(kind, "")}


@mutant("parser-gives-fields-nobody-asked-for", "PRS-002")
class GivesFieldsNobodyAskedFor(_Lenient):
    """Gives the whole reply as `answer` where a field is missing."""

    def _instead(self, parsing: Parsing, missing: str) -> JsonObject:  # noqa: ARG002 - whichever it is
        return {"answer": _content(parsing), "is_fallback": True}


@mutant("parser-takes-quadratic-time", "PRS-002")
class TakesQuadraticTime(Parser):
    """Looks at the rest of the text again for every 16 characters of it."""

    def read(self, parsing: Parsing) -> JsonObject:
        content = _content(parsing)
        marks = sum(content.count("[[ ## never ## ]]", at) for at in range(0, len(content), 16))
        return super().read(parsing) if marks == 0 else {}
