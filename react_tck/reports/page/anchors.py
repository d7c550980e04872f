"""Where links within the page lead. Nothing of a subject's own words is in them."""


def subject_anchor(number: int) -> str:
    """The section of the n-th subject."""
    return f"subject-{number}"


def profile_anchor(number: int, profile: str) -> str:
    """A profile in it."""
    return f"{subject_anchor(number)}-{profile}"


def requirement_anchor(number: int, requirement_id: str) -> str:
    """A requirement in it."""
    return f"{subject_anchor(number)}-{requirement_id}"
