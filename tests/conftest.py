"""What all tests share: Hypothesis without chance, so that a run is the same everywhere and every time."""

from hypothesis import settings

settings.register_profile("react-tck", derandomize=True, deadline=None, database=None)
settings.load_profile("react-tck")
