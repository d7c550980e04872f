"""The oracle: predicts an episode's record from case, script and choices, and says where the real one departs."""

from react_tck.judges.oracle.departures import find_departure

__all__ = ["find_departure"]
