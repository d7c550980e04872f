"""Rows that several variations are for, and those that they don't hold for, and why."""

from react_tck.variations.variation import Exclusion

#: A sentence by which an instance is called, in any system; in the one of S4 or of udspy; in all but a conversation.
CALLED = r"^(it|another one|a new one) is called\b"
REACT = r"^a (udspy )?ReAct over"
NO_CONVERSATION = r"^a (udspy |transcript )?ReAct over"

PLAYED_OTHERWISE = Exclusion(
    "it is played in another process, or at once with others", sentence="fresh process|at once|in between"
)
LOADED = Exclusion("the calls are those of a program that was loaded", ("SAV-", "TRN-011"))
EVERYWHERE = (
    PLAYED_OTHERWISE,
    Exclusion("sentences tell the episode in every detail", sentence="with exactly|keeps every invariant"),
    LOADED,
)
DIALECT_SAID = Exclusion(
    "sentences say in which dialect replies are asked for, or how one reads",
    ("ADP-", "PRS-"),
    r"adapter|dialect|native|marker|garbled|cut off|args text|replies|malformed|at first|fit the context|format",
)
PERSON_ASKED = Exclusion("a person is asked about something else", ("CNF-", "OBS-"), "confirmation|resumed|the user")
RESPONDED_TO = (
    PERSON_ASKED,
    Exclusion("nobody says which adapter a call is resumed under that one was configured for", ("ADP-005",)),
    Exclusion("the call by itself that it is held against waits for a person", sentence="would be alone"),
)
INPUTS_SAID = Exclusion(
    "sentences say which inputs there are",
    ("SIG-", "STEP-003"),
    "(exactly|has) the inputs|the state .* the inputs|shows exactly",
)
TOOLS_SAID = (
    Exclusion(
        "sentences say all tools that there are", ("STEP-001",), "its tools are|describes all tools|offers the tools"
    ),
)
