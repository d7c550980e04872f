"""Tests of agents, as their developers write them with the fixture `scripted_lm`."""
