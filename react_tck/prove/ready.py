"""Keeps a process for fresh plays of mutants from when it is imported on: for those forked from the one that does."""

from react_tck.play.fresh_process import start_fork_server
from react_tck.prove.by_scenarios import IMPORTED

start_fork_server(IMPORTED)
