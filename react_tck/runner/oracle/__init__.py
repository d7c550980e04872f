"""The oracle: predicts an episode's record from case, script and choices, and says where the real one departs."""

from react_tck.runner.oracle.judge import Departure, judge
from react_tck.runner.oracle.retelling import mistold

__all__ = ["Departure", "judge", "mistold"]
