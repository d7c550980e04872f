"""The file of replies, as we read it and as an editor does by its schema."""

import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from pydantic import ValidationError

from react_tck.model.cue import CueSheet
from react_tck.model.protocol import schema_texts

SCHEMA = json.loads(schema_texts()["cue-sheet.schema.json"])


def test_editors_object_where_the_kit_does(subtests: pytest.Subtests) -> None:
    cases: list[tuple[list[Any], bool]] = [
        ([], True),
        ([{"says": "5"}, {"calls": [{"tool": "add"}]}, {"fails": 429}, {"fails": "timeout"}], True),
        ([{"garbles": {"tool": "add", "args": "{"}, "when": "sum", "times": "always"}], True),
        ([{"answers": {"count": 5}, "times": 3, "usage": {"prompt_tokens": 9}}], True),
        ([{"says": "5", "when": {"text": "sum", "role": "user", "model": "m", "tool": "add", "turn": 2}}], True),
        ([{"says": "5", "when": {"after": "add", "matches": "[a-z]"}}], True),
        ([{"says": "5", "when": {"role": "human"}}], False),
        ([{"says": "5", "when": {"turn": 0}}], False),
        ([{"says": "5", "when": {"modle": "m"}}], False),
        ([{"says": "5", "when": 5}], False),
        ([{}], False),
        ([{"says": "5", "fails": 429}], False),
        ([{"say": "5"}], False),
        ([{"says": 5}], False),
        ([{"fails": 418}], False),
        ([{"fails": "sunspots"}], False),
        ([{"calls": []}], False),
        ([{"calls": [{"tol": "add"}]}], False),
        ([{"calls": [{"tool": "add", "sticky": True}]}], False),
        ([{"says": "5", "times": 0}], False),
        ([{"says": "5", "times": "often"}], False),
        ([{"says": "5", "usage": {"prompt_tokens": -1}}], False),
    ]
    for replies, fits in cases:
        with subtests.test(replies=replies, fits=fits):
            sheet = {"$schema": "cue-sheet.schema.json", "replies": replies}
            try:
                CueSheet.model_validate(sheet)
                read = True
            except ValidationError:
                read = False

            assert (read, Draft202012Validator(SCHEMA).is_valid(sheet)) == (fits, fits)


def test_an_editor_can_say_what_everything_is() -> None:
    Draft202012Validator.check_schema(SCHEMA)
    assert [name for name, field in SCHEMA["$defs"]["Cue"]["properties"].items() if "description" not in field] == []
