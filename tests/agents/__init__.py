"""Tests of agents that others have made, as their developers write them, in five libraries and without one."""
