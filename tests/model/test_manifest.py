"""What a subject is given follows from what it declares."""

import pytest

from react_tck.model.manifest import Capability, Manifest
from react_tck.model.signature import Form


@pytest.mark.parametrize(
    ("capabilities", "form"),
    [
        (("value-signature", "class-signature", "arrow-signature"), Form.ARROW),
        (("value-signature", "class-signature"), Form.CLASS),
        (("value-signature",), Form.VALUE),
        ((), Form.ARROW),
    ],
)
def test_a_signature_has_the_first_form_that_is_declared(capabilities: tuple[Capability, ...], form: Form) -> None:
    manifest = Manifest(
        name="mine",
        version="1",
        dialects=("json",),
        default_dialect="json",
        capabilities=capabilities,
        default_max_steps=5,
    )
    signature = manifest.signature("question -> answer")
    assert signature.form is form
    assert [field.name for field in (*signature.inputs, *signature.outputs)] == ["question", "answer"]
