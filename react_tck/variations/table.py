"""All changes under which rows are played besides, in one table: what each makes, what it takes, which rows it is for.

The scenario's own `Then` is held under each of them: where a sentence would mean something else, its rows are excluded.
Changes are made in this order: those that put something before what is told come last, and see what others made.
"""

from functools import partial

from react_tck.adapter.declare import Capability
from react_tck.variations import changes
from react_tck.variations.change import Change, Exclusion

# Sentences by which an instance is called, in any system; in the one of S4 or of udspy; in all but a conversation.
_CALLED = r"^(it|another one|a new one) is called\b"
_REACT = r"^a (udspy )?ReAct over"
_TRANSCRIPT = "^a transcript ReAct over"
_NO_CONVERSATION = r"^a (udspy |transcript )?ReAct over"

_PLAYED_OTHERWISE = Exclusion(
    "it is played in another process, or at once with others", sentence="fresh process|at once|in between"
)
_LOADED = Exclusion("the calls are those of a program that was loaded", ("SAV-", "TRN-011"))
_EVERYWHERE = (
    _PLAYED_OTHERWISE,
    Exclusion("sentences tell the episode in every detail", sentence="with exactly|keeps every invariant"),
    _LOADED,
)
_DIALECT_SAID = Exclusion(
    "sentences say in which dialect replies are asked for, or how one reads",
    ("ADP-", "PRS-"),
    r"adapter|dialect|native|marker|garbled|cut off|args text|replies|malformed|at first|fit the context|format",
)
_PERSON_ASKED = Exclusion("a person is asked about something else", ("CNF-", "OBS-"), "confirmation|resumed|the user")
_RESPONDED_TO = (
    _PERSON_ASKED,
    Exclusion("nobody says which adapter a call is resumed under that one was configured for", ("ADP-005",)),
    Exclusion("the call by itself that it is held against waits for a person", sentence="would be alone"),
)
_INPUTS_SAID = Exclusion(
    "sentences say which inputs there are",
    ("SIG-", "STEP-003"),
    "(exactly|has) the inputs|the state .* the inputs|shows exactly",
)
_NATIVE = Exclusion("who is asked natively may keep a transcript, as its history", sentence='asked for in "native"')
_TOOLS_SAID = Exclusion(
    "sentences say all tools that there are", ("STEP-001",), "its tools are|describes all tools|offers the tools"
)
_NUMBER_SAID = Exclusion("a history is that of the call of a number", sentence="the history of the .* call")
_STEPS_COUNTED = Exclusion(
    "sentences count the steps", sentence=r"was asked for|agent asked the LM|the iteration|step \d|keys of S3"
)
_RUNS_SAID = Exclusion("sentences say all tools that ran", sentence="no tool ran|tools ran|no tool call was guessed")

#: Not of a harness, which plays one case at a time.
_CONCURRENT: tuple[Capability, ...] = ("concurrent-calls", "caller-objects")
#: Who hands no state over may begin a call anew that waits, which asks for its steps again: that is CNF-009's affair.
_RESUMES: tuple[Capability, ...] = ("confirmation", "portable-state")


def _ask_in(dialect: str, *exclusions: Exclusion) -> Change:
    return Change(
        dialect,
        f"The adapter for {dialect!r} is configured for everything.",
        only=_NO_CONVERSATION,
        change=changes.ask_in(dialect),
        exclusions=(*_EVERYWHERE, _DIALECT_SAID, *exclusions),
        settles=("dialect",),
        needs=("global-adapter",),
        dialect=dialect,
    )


def _agree(name: str, sentence: str, *exclusions: Exclusion) -> Change:
    return Change(
        name,
        f"Every tool requires confirmation; {sentence} the call, to which a person agrees.",
        only=_CALLED,
        change=changes.confirm_tools(name),
        exclusions=(*_EVERYWHERE, *_RESPONDED_TO, *exclusions),
        settles=("person",),
        needs=_RESUMES,
    )


VARIATIONS: tuple[Change, ...] = (
    Change(
        "async",
        "Every call and resumption is asynchronous.",
        only=_CALLED,
        change=changes.call_async,
        exclusions=(*_EVERYWHERE, Exclusion("sentences say how it is called", sentence="asynchronously")),
        needs=("async",),
    ),
    _ask_in("chat"),
    _ask_in("json"),
    _ask_in(
        "xml",
        Exclusion("XML has no control characters, and one line end", sentence=r"answers exactly .*\\(r|f|u0000)"),
        Exclusion("its form has null as it has a list of the text 'null'", sentence=r"list\[str\] \| None"),
    ),
    _ask_in("native", Exclusion("no adapter reads a native call, so that callbacks could hear of it", ("OBS-",))),
    Change(
        "declared tools",
        "Every tool is a function of args of any name, with the schemas of its args beside it.",
        only=_CALLED,
        change=changes.declare_tools,
        exclusions=(
            *_EVERYWHERE,
            Exclusion("sentences say what is given for a tool", sentence="(async|callable|coroutine|declared)"),
            Exclusion("a function of args of any name lacks none", sentence="args text"),
            Exclusion(
                "only a function's own parameters have defaults and are models", ("TOOL-003", "TOOL-009", "CNF-006")
            ),
        ),
        needs=("declared-tools",),
    ),
    Change(
        "more args",
        "Every tool takes a list besides, and a text or null, of which the LM gives null.",
        only=_CALLED,
        change=changes.take_more_args,
        exclusions=(
            *_EVERYWHERE,
            Exclusion(
                "sentences say which args there are",
                sentence=r"\bargs?\b|schema|parameter|default|ran .*with|each call once|in this order|suspension is"
                "|to confirm|could read",
            ),
            Exclusion("what is read of a broken reply depends on where it breaks", sentence="is cut off|is garbled"),
        ),
    ),
    Change(
        "nested output",
        "The signature has one more output, counts: dict[str, list[int]].",
        only=_CALLED,
        change=changes.add_output("counts", "dict[str, list[int]]", {"a": [1, 2], "b": []}),
        exclusions=(
            *_EVERYWHERE,
            Exclusion(
                "sentences say all outputs, those of a submit among calls too, or that nothing of them is shown",
                ("SIG-", "TRN-015"),
                "prediction has|asks for|produces|shows nothing of|the outputs|not to be generated|well-formed",
            ),
            Exclusion(
                "the last field is contradicted by a text, which no other type takes", sentence="contradicted-field"
            ),
        ),
        needs=("typed-fields",),
    ),
    Change(
        "history",
        "The signature takes a history, and each call follows an earlier turn.",
        only=_REACT,
        change=changes.give_history,
        exclusions=(*_EVERYWHERE, _INPUTS_SAID, _NATIVE, Exclusion("there is a history", ("HIS-",), "turns|istory")),
        needs=("history",),
    ),
    Change(
        "other marks",
        "Texts of inputs, tools and the LM end with marks of the dialects, but JSON, that no reply is asked for in.",
        only=_CALLED,
        change=lambda episode: episode,  # its texts are marked where they are arranged
        exclusions=(*_EVERYWHERE, _DIALECT_SAID),
        has_marks=True,
    ),
    Change(
        "cut prompts",
        "Each instance takes two steps more at first; then a prompt doesn't fit, and the first step is left out of it.",
        only=_REACT,
        change=changes.overflow_before,
        exclusions=(
            *_EVERYWHERE,
            _STEPS_COUNTED,
            _NATIVE,
            Exclusion("sentences count the steps that are left out", ("CTX-",)),
            _TOOLS_SAID,
            _RUNS_SAID,
            Exclusion("sentences say that prompts show all steps", sentence="result of each step"),
            Exclusion("that the trajectory has them all is another requirement (TRJ-005)", sentence="trajectory"),
            Exclusion("sentences count requests", sentence="exactly one request|took one request"),
        ),
        settles=("step",),
        needs=("truncation",),
    ),
    Change(
        "summarised steps",
        "Each instance takes two steps more at first; then a prompt doesn't fit, and the LM summarises the first.",
        only=_TRANSCRIPT,
        change=changes.summarise_before,
        exclusions=(
            _PLAYED_OTHERWISE,
            _LOADED,
            _STEPS_COUNTED,
            _RUNS_SAID,
            Exclusion("sentences say which prompt is summarised", ("TRN-014",), "shows the summary"),
            Exclusion("sentences say that all turns are shown", sentence="in order$|so far|shows the image"),
        ),
        settles=("step",),
        needs=("compaction",),
    ),
    _agree("agreed", "the instance resumes"),
    _agree(
        "agreed elsewhere",
        "another instance resumes from its JSON",
        Exclusion("a history is the instance's own that gave it", sentence="history"),
    ),
    Change(
        "called while waiting",
        "Every tool requires confirmation; before a person agrees, the instance is called about something else, which "
        "waits, too.",
        only=_NO_CONVERSATION,
        change=changes.call_while_waiting,
        exclusions=(*_EVERYWHERE, *_RESPONDED_TO, _TOOLS_SAID, _NUMBER_SAID),
        settles=("person", "concurrent", "step"),
        needs=_RESUMES,
    ),
    Change(
        "loaded",
        "The instance has loaded the state that another one saved after it was called.",
        only=_NO_CONVERSATION,
        change=changes.play_under("loaded"),
        exclusions=_EVERYWHERE,
        settles=("state",),
        needs=("save-load",),
    ),
    Change(
        "odd streams",
        "Replies are streamed as some providers do: calls in turns, with one index or none, blank text first.",
        only=_CALLED,
        change=changes.play_under("odd streams"),
        exclusions=_EVERYWHERE,
        needs=("streaming",),
    ),
    Change(
        "concurrent case",
        "Another case is played from beginning to end while the first request waits for its reply.",
        only=_CALLED,
        change=changes.play_under("concurrent case"),
        exclusions=_EVERYWHERE,
        settles=("concurrent",),
        needs=_CONCURRENT,
    ),
    Change(
        "concurrent call",
        "The instance is called about something else, and that call ends, while the first request waits for its reply.",
        only=_CALLED,
        change=changes.call_concurrently,
        exclusions=(
            *_EVERYWHERE,
            Exclusion("callbacks hear of each call of the instance", ("OBS-",)),
            Exclusion("there is no step that could finish it", sentence="max_steps is 0"),
            _NUMBER_SAID,
        ),
        settles=("concurrent",),
        needs=_CONCURRENT,
    ),
    Change(
        "garbled first",
        "The first step is prose at first, and a step when it is asked for again.",
        only=_NO_CONVERSATION,
        change=changes.garble_first,
        exclusions=(*_EVERYWHERE, _DIALECT_SAID),
        # How often a reply is asked for again is declared of the default dialect.
        settles=("dialect", "beginning"),
        needs_retries=True,
        hides="reply",
    ),
    Change(
        "second call",
        "The instance was called before, about something else; the LM finished at once.",
        only=_NO_CONVERSATION,
        change=changes.call_before,
        exclusions=_EVERYWHERE,
        settles=("beginning",),
        hides="call",
    ),
    Change(
        "JSON later",
        "The instance was called before; then the adapter for 'json' was configured for everything.",
        only=_NO_CONVERSATION,
        change=partial(changes.call_before, adapter="json"),
        exclusions=(*_EVERYWHERE, _DIALECT_SAID, _PERSON_ASKED),
        # Nobody says which adapter a call is resumed under.
        settles=("dialect", "beginning", "person"),
        needs=("global-adapter",),
        dialect="json",
        hides="call",
    ),
    Change(
        "follow-up",
        "The instance was called before, about something else, and each call goes on with what came of that.",
        only=r"^a (transcript ReAct|conversation) over",
        change=changes.follow_call_before,
        exclusions=(
            _PLAYED_OTHERWISE,
            _LOADED,
            Exclusion("sentences say which turns there are", sentence=r"(?<!in one )\bturns?\b|istory|extends"),
            Exclusion("the call by itself that it is held against goes on with nothing", sentence="would be alone"),
        ),
        # A history is that of the call of a number, of the instance that was called.
        settles=("beginning", "concurrent", "person"),
        hides="call",
    ),
)
