"""What features/README.md shows is what really happens."""

from tests.support.features_readme import README, readme


def test_the_samples_are_up_to_date() -> None:
    text = README.read_text(encoding="utf-8")
    assert readme(text) == text, "run python -m tests.support.features_readme"
