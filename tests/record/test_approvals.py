"""What a person has said to a call that waits."""

import pytest

from react_tck.model.case import Resumption
from react_tck.model.record import Resumed
from react_tck.record.approvals import Decision, Question, read_decision


@pytest.mark.parametrize(
    ("responses", "tools"),
    [
        ((), {"add"}),
        (("yes",), {"add"}),
        (('{"edit": {"args": {"a": 1}}}',), {"add"}),
        # Found by fuzzing: what the other tool was given was held against the record of what the LM had asked for.
        (('{"edit": {"name": "search", "args": {"a": "Rome"}}}', "yes"), {"add", "search"}),
        (("{", "not so"), {"add"}),
    ],
)
def test_the_tools_that_a_question_is_about(responses: tuple[str, ...], tools: set[str]) -> None:
    said = tuple(Resumed(invocation=0, resumption=Resumption(response=response)) for response in responses)
    assert Question({"name": "add", "args": {}}, said).tools == tools


@pytest.mark.parametrize(
    ("response", "read"),
    [
        (" Yes ", "yes"),
        ("y", "yes"),
        ("NO", "no"),
        ('{"edit": {"args": {"a": 1}}}', "edit"),
        ("use the other one", "feedback"),
        ("[]", "feedback"),
        ("", None),
        ("{", None),
        ('{"edit": {}}', None),
        ('{"edit": {"args": 1}}', None),
    ],
)
def test_what_a_person_says(response: str, read: Decision | None) -> None:
    assert read_decision(response) == read
