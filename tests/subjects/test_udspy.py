"""udspy is driven as its users drive it."""

import pytest

from react_tck.model.report import Verdict
from tests.support.subject_checks import verdicts

pytest.importorskip("udspy", reason="needs the extra 'udspy'")


def test_who_agrees_makes_the_same_call_again_with_its_steps() -> None:
    title = "The loop continues with the steps that its call was given"
    assert verdicts("udspy", title)[title] is Verdict.PASSED


def test_an_edit_that_the_bridge_cant_read_is_refused_and_never_handed_on_as_feedback() -> None:
    from react_tck.subjects.libraries.udspy import bridge

    for response in ('{"edit": {"name": "translate", "args": {', '{"edit": "translate"}', '{"edit": {"args": [1]}}'):
        with pytest.raises(ValueError, match="edit"):
            bridge.answer_confirmation("1", "translate", response)
