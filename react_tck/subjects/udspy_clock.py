"""The seconds udspy waits between two tries: in front of a scripted LM they pass at once."""


def without_waits() -> None:
    """Let udspy try again without a pause, in the way tenacity offers for tests."""
    from udspy.module.predict import Predict

    for method in (Predict._aforward, Predict._astream):
        method.retry.sleep = _at_once


async def _at_once(seconds: float) -> None:
    """Wait for nothing."""
