"""The oracle: predicts an episode's record from case, script and choices, and says where the real one departs."""

from react_tck.runner.oracle.adapters import misaddressed
from react_tck.runner.oracle.judge import Departure, judge
from react_tck.runner.oracle.retelling import mistold
from react_tck.runner.oracle.unknown_names import concealed

__all__ = ["Departure", "concealed", "judge", "misaddressed", "mistold"]
