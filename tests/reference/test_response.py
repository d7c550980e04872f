"""What a response means, what becomes of confirmations, and what may run because of it."""

import pytest

from react_tck.reference.confirmation import (
    ResponseRefused,
    read_response,
)
from react_tck.reference.loop import Call

CALL = Call(name="delete", args={"path": "a"})
TOOLS = ("delete", "search")


def test_what_is_no_response_is_refused(subtests: pytest.Subtests) -> None:
    for response in [
        "",
        "  ",
        "{",
        '{"edit": {}}',
        '{"edit": []}',
        '{"edit": {"tool": "x"}}',
        '{"other": 1}',
        '{"edit": {"name": "x"}}',
    ]:
        with subtests.test(response=response), pytest.raises(ResponseRefused):
            read_response(response, CALL, TOOLS)
