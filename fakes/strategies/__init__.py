"""Hypothesis strategies for whole episodes and all their parts, for the fuzzer and for people who fuzz their own.

Nothing here depends on what a subject answers, and no draw reads a clock or a file: the same seed gives the same.
"""

from react_tck.fakes.strategies.cases import KINDS, Kind, Reach, behaviours, parameters, signatures, tools
from react_tck.fakes.strategies.episodes import PROFILES, episodes, list_claimed
from react_tck.fakes.strategies.replies import answer_replies, near_replies, odd_fields, step_replies, turn_replies
from react_tck.fakes.strategies.scripts import scripts
from react_tck.fakes.strategies.texts import injections, odd_texts, texts

__all__ = [
    "KINDS",
    "PROFILES",
    "Kind",
    "Reach",
    "answer_replies",
    "behaviours",
    "episodes",
    "injections",
    "list_claimed",
    "near_replies",
    "odd_fields",
    "odd_texts",
    "parameters",
    "scripts",
    "signatures",
    "step_replies",
    "texts",
    "tools",
    "turn_replies",
]
