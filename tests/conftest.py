"""What all tests share.

Hypothesis without chance, so that a run is the same everywhere and every time; and signals that are heard: what is
started in the background of a shell or under `nohup` ignores some, and so would all that the tests start.
"""

import signal

from hypothesis import settings

settings.register_profile("react-tck", derandomize=True, deadline=None, database=None)
settings.load_profile("react-tck")

signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)
