"""udspy is driven as its users drive it."""

import pytest

from react_tck.model.report import Verdict
from tests.support.subject_checks import verdicts

pytest.importorskip("udspy", reason="needs the extra 'udspy'")


def test_who_agrees_makes_the_same_call_again_with_its_steps() -> None:
    title = "The loop continues with the steps that its call was given"
    assert verdicts("udspy", title)[title] is Verdict.PASSED
