"""docs/ROBUSTNESS.md tells what the tests hold."""

from tests.zoo.document import PATH, TABLES, rewrite


def test_the_document_is_up_to_date() -> None:
    text = PATH.read_text(encoding="utf-8")
    assert all(f"<!-- end of {name} -->" in text for name in TABLES)
    assert text == rewrite(text), "run `python -m tests.zoo`"
