"""What a subject is given follows from what it declares."""

import pytest

from react_tck.adapter.declare import Capability
from react_tck.model.case import Invocation, Options
from react_tck.model.manifest import Manifest
from react_tck.model.signature import Form

MINE = Manifest(name="mine", version="1", dialects=("json",), default_dialect="json", default_max_steps=5)


def test_a_signature_has_the_first_form_that_is_declared(subtests: pytest.Subtests) -> None:
    cases: list[tuple[tuple[Capability, ...], Form]] = [
        (("value-signature", "class-signature", "arrow-signature"), Form.ARROW),
        (("value-signature", "class-signature"), Form.CLASS),
        (("value-signature",), Form.VALUE),
        ((), Form.ARROW),
    ]
    for capabilities, form in cases:
        with subtests.test(capabilities=capabilities, form=form):
            manifest = MINE.model_copy(update={"capabilities": capabilities})
            signature = manifest.parse_signature("question -> answer")
            assert signature.form is form
            assert [field.name for field in (*signature.inputs, *signature.outputs)] == ["question", "answer"]


def test_a_limit_of_0_is_none_only_where_that_is_declared(subtests: pytest.Subtests) -> None:
    cases: list[tuple[str, int]] = [("default", 5), ("extract at once", 0), ("refuse", 0)]
    for zero, steps in cases:
        with subtests.test(zero=zero, steps=steps):
            manifest = MINE.model_copy(update={"choices": {"max-steps-zero": zero}})
            assert manifest.read_step_limit(0) == steps
            assert (manifest.read_step_limit(None), manifest.read_step_limit(2)) == (5, 2)


def test_only_who_may_force_a_submit_has_its_steps_counted(subtests: pytest.Subtests) -> None:
    cases: list[tuple[dict[str, str], int | None]] = [
        ({}, 2),
        ({"fallback": "forced submit"}, 2),
        ({"fallback": "extract"}, None),
    ]
    for choices, steps in cases:
        with subtests.test(choices=choices, steps=steps):
            manifest = MINE.model_copy(update={"choices": choices})
            assert manifest.steps_before_submit(Invocation(inputs={}, max_steps=2), Options(max_steps=3)) == steps
