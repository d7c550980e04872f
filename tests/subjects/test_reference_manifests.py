"""What the reference's four classes say of themselves, apart and together."""

from typing import get_args

import pytest

pytest.importorskip("dspy")

from react_tck.adapter.declare import Capability
from react_tck.reference.loop import Policy
from react_tck.subjects.libraries.reference import react
from react_tck.subjects.libraries.reference.manifests import ALL

SUBJECTS = (react.subject, react.transcript, react.conversation, react.udspy)


def test_together_they_can_do_all_that_the_kit_knows() -> None:
    claimed = {capability for make in SUBJECTS for capability in make().initialize().capabilities}
    assert claimed == {*get_args(Capability)} == {*ALL.capabilities}


def test_only_a_transcript_has_a_fallback_and_forces_a_submit_unless_the_policy_is_strict() -> None:
    said = {make.__name__: make(Policy()).initialize().choices.get("fallback") for make in SUBJECTS}
    assert said == {"subject": None, "transcript": "forced submit", "conversation": None, "udspy": None}
    assert react.transcript().initialize().choices["fallback"] == "extract"
