"""What the LM says and what tools hand back, as parts of sentences: the same when written and read again."""

import json
import re
from collections.abc import Callable, Mapping
from typing import Any, assert_never

from parse import with_pattern

from react_tck.adapter.declare import Capability
from react_tck.fakes.corpus import LOST_VALUES
from react_tck.model.intent import Answer, BadArgs, Calls, CallTool, Empty, Fault, Finish, Garbled, Raw, Reply, Submit
from react_tck.model.tool import Behaviour, Returns, ReturnsOddity

#: What a tool may hand back, by what a sentence calls it.
RESULTS: Mapping[str, Behaviour] = {
    "a text": Returns(value="828 m"),
    "an empty text": Returns(value=""),
    "a whole number": Returns(value=828),
    "zero": Returns(value=0),
    "a fraction": Returns(value=0.125),
    "true": Returns(value=True),
    "false": Returns(value=False),
    "null": Returns(value=None),
    "a list": Returns(value=["Dubai", 828, None]),
    "an empty list": Returns(value=[]),
    "an object": Returns(value={"city": "Dubai", "height": {"metres": 828}}),
    "bytes": ReturnsOddity(oddity="bytes"),
    "an object of its own class": ReturnsOddity(oddity="object"),
    "a set": ReturnsOddity(oddity="set"),
    "NaN": ReturnsOddity(oddity="nan"),
    "a generator": ReturnsOddity(oddity="generator"),
    "an iterator": ReturnsOddity(oddity="iterator"),
    "an async generator": ReturnsOddity(oddity="async generator"),
    "a coroutine": ReturnsOddity(oddity="coroutine"),
    **{what: Returns(value=value) for what, (value, _) in LOST_VALUES.items()},
}
#: What a subject has to declare to be handed back such a result.
NEEDED_BY_RESULTS: Mapping[str, tuple[Capability, ...]] = {
    **{what: ("live-results",) for what, result in RESULTS.items() if isinstance(result, ReturnsOddity)},
    "an object of its own class": ("live-results", "opaque-results"),
}

_TEXT = r'"(?:[^"\\]|\\.)*"'
_OBJECT = r"\{.*\}"


class UnknownPhrase(ValueError):
    """The phrase has no meaning; the message names it."""


def quote_text(value: str) -> str:
    """A text in quotes, as JSON; its own quotes escaped, so that a sentence has none but those around it."""
    return json.dumps(value).replace('\\"', "\\u0022")


def write_phrase(reply: Reply) -> str:
    """The reply as the end of a sentence that begins with `the LM`."""
    match reply:
        case CallTool(tool=tool, args=args, thought=thought, until_shown=until_shown):
            until = " until its result is shown" if until_shown else ""
            return f"calls {quote_text(tool)}{until} with {json.dumps(args)}, thinking {quote_text(thought)}"
        case BadArgs(tool=tool, text=written, thought=thought):
            return f"calls {quote_text(tool)} with args that read {quote_text(written)}, thinking {quote_text(thought)}"
        case Finish(args=args, thought=thought):
            return f"finishes with {json.dumps(args)}, thinking {quote_text(thought)}"
        case Answer(outputs=outputs, reasoning=reasoning):
            return f"answers {json.dumps(outputs)}, reasoning {quote_text(reasoning)}"
        case Garbled(form=form, cut=cut, meant=meant):
            return f"{write_phrase(meant)}, in the form {quote_text(form)} at {cut}"
        case Raw(text=said):
            return f"says {quote_text(said)}"
        case Empty():
            return "says nothing"
        case Fault(fault=fault):
            return f"fails with {quote_text(fault)}"
        case Submit(outputs=outputs, thought=thought):
            return f"submits {json.dumps(outputs)}, thinking {quote_text(thought)}"
        case Calls(calls=calls, thought=thought):
            made = [{"tool": call.tool, "args": call.args, "thought": call.thought} for call in calls]
            return f"makes the calls {json.dumps(made)} in one turn, thinking {quote_text(thought)}"
    assert_never(reply)


@with_pattern(r".+")
def read_phrase(written: str) -> Reply:
    """The reply a phrase stands for.

    Raises:
        UnknownPhrase: if it is none.
    """
    for pattern, made in _READERS.items():
        if match := pattern.fullmatch(written):
            return made(match)
    raise UnknownPhrase(f"the LM does nothing that is called {written!r}")


def _read_value(match: re.Match[str], name: str) -> Any:
    return json.loads(match[name])


def _read_garbled(match: re.Match[str]) -> Reply:
    meant = read_phrase(match["meant"])
    return Garbled.model_validate(
        {"form": _read_value(match, "form"), "cut": _read_value(match, "cut"), "meant": meant}
    )


def _read_call(match: re.Match[str]) -> Reply:
    return CallTool(
        tool=_read_value(match, "tool"),
        args=_read_value(match, "args"),
        thought=_read_value(match, "thought"),
        until_shown=match["until"] is not None,
    )


def _read_calls(match: re.Match[str]) -> Reply:
    return Calls.model_validate({"calls": _read_value(match, "calls"), "thought": _read_value(match, "thought")})


def _bad_args(match: re.Match[str]) -> Reply:
    return BadArgs(
        tool=_read_value(match, "tool"), text=_read_value(match, "written"), thought=_read_value(match, "thought")
    )


_THINKING = rf", thinking (?P<thought>{_TEXT})"
#: In this order: a broken form ends like what is meant by it begins.
_READERS: Mapping[re.Pattern[str], Callable[[re.Match[str]], Reply]] = {
    re.compile(rf"(?P<meant>.*), in the form (?P<form>{_TEXT}) at (?P<cut>[\d.]+)"): _read_garbled,
    re.compile(rf"calls (?P<tool>{_TEXT}) with args that read (?P<written>{_TEXT}){_THINKING}"): _bad_args,
    re.compile(
        rf"calls (?P<tool>{_TEXT})(?P<until> until its result is shown)? with (?P<args>{_OBJECT}){_THINKING}"
    ): _read_call,
    re.compile(rf"finishes with (?P<args>{_OBJECT}){_THINKING}"): lambda match: Finish(
        args=_read_value(match, "args"), thought=_read_value(match, "thought")
    ),
    re.compile(rf"answers (?P<outputs>{_OBJECT}), reasoning (?P<reasoning>{_TEXT})"): lambda match: Answer(
        outputs=_read_value(match, "outputs"), reasoning=_read_value(match, "reasoning")
    ),
    re.compile(rf"submits (?P<outputs>{_OBJECT}){_THINKING}"): lambda match: Submit(
        outputs=_read_value(match, "outputs"), thought=_read_value(match, "thought")
    ),
    re.compile(rf"makes the calls (?P<calls>\[.*\]) in one turn{_THINKING}"): _read_calls,
    re.compile("says nothing"): lambda _: Empty(),
    re.compile(rf"says (?P<said>{_TEXT})"): lambda match: Raw(text=_read_value(match, "said")),
    re.compile(rf"fails with (?P<fault>{_TEXT})"): lambda match: Fault(fault=_read_value(match, "fault")),
}
