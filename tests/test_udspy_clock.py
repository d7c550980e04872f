"""udspy waits for seconds between two tries; in front of a scripted LM nobody has to."""

import asyncio

import pytest

from react_tck.subjects.udspy_clock import without_waits


def test_the_time_between_two_tries_passes_at_once() -> None:
    predict = pytest.importorskip("udspy.module.predict", reason="needs the extra 'udspy'").Predict
    without_waits()
    for method in (predict._aforward, predict._astream):
        asyncio.run(asyncio.wait_for(method.retry.sleep(3600), timeout=60))
