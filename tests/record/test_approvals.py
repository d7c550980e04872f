"""What a person has said to a call that waits."""

import pytest

from react_tck.model.case import Resumption
from react_tck.model.record import Resumed
from react_tck.record.approvals import Decision, Question, read_decision


def test_the_tools_that_a_question_is_about(subtests: pytest.Subtests) -> None:
    cases: list[tuple[tuple[str, ...], set[str]]] = [
        ((), {"add"}),
        (("yes",), {"add"}),
        (('{"edit": {"args": {"a": 1}}}',), {"add"}),
        # Found by fuzzing: what the other tool was given was held against the record of what the LM had asked for.
        (('{"edit": {"name": "search", "args": {"a": "Rome"}}}', "yes"), {"add", "search"}),
        (("{", "not so"), {"add"}),
    ]
    for responses, tools in cases:
        with subtests.test(responses=responses, tools=tools):
            said = tuple(Resumed(invocation=0, resumption=Resumption(response=response)) for response in responses)
            assert Question({"name": "add", "args": {}}, said).tools == tools


def test_what_a_person_says(subtests: pytest.Subtests) -> None:
    cases: list[tuple[str, Decision | None]] = [
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
    ]
    for response, read in cases:
        with subtests.test(response=response, read=read):
            assert read_decision(response) == read
